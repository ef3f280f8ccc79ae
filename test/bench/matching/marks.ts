/** Features that the points table compares; each alert names half of an animal's. Our own list. */
export const MARKS: readonly string[] = (
  "red-collar blue-collar green-collar pink-collar black-collar harness bell tag no-collar white-chest white-paws " +
  "white-tail-tip ear-notch torn-ear floppy-ears pointed-ears docked-tail bobtail curly-tail fluffy-tail limp scar " +
  "blue-eyes one-eye overweight thin friendly shy"
).split(" ");
