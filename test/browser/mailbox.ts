import { linkIn, type World } from "../support/world.ts";

/** The private link in the newest letter to a mailbox that has one with `part` in it, such as "/confirm/". */
export async function newestLink(world: World, to: string, part: string): Promise<string> {
  const letters = await world.letters(to);
  const letter = letters.findLast(({ text }) => text?.includes(part));
  return linkIn(letter, part);
}
