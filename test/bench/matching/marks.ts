/** What a points table finds among "features"; each alert tells half of what there is. Ours. */
export const MARKS: readonly string[] = (
  "red-collar blue-collar green-collar pink-collar black-collar harness bell tag no-collar white-chest white-paws " +
  "white-tail-tip ear-notch torn-ear floppy-ears pointed-ears docked-tail bobtail curly-tail fluffy-tail limp scar " +
  "blue-eyes one-eye overweight thin friendly shy"
).split(" ");
