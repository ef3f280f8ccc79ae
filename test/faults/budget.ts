import { mailboxAsCounted } from "../../src/core/input.ts";
import { HOUR } from "../support/time.ts";
import { createWorld } from "../support/world.ts";
import { WAYS } from "./asks.ts";
import { type Bite, chanceFor, type Fault } from "./fault.ts";
import { without } from "./weakened.ts";

const WRITES = 500;
/** Enough to see that nothing holds them. */
const WRITES_WITHOUT = 60;
/** Letters a day that nobody answers, to one mailbox. */
const LETTERS_MAX = 5;
const VICTIM = "victim@gmail.com";
/** All of them end in the same mailbox. */
const SPELLINGS = [
  () => VICTIM,
  () => "VICTIM@gmail.com",
  () => "v.i.c.t.i.m@gmail.com",
  () => "Vic.tim@googlemail.com",
  (number: number) => `victim+${number}@gmail.com`,
  (number: number) => `v.ictim+tag.${number}@GMAIL.com`,
] as const;

export const budget: Fault = {
  name: "one mailbox named by five hundred strangers",
  promise: `However many strangers name one mailbox, and however they spell it, it gets at most ${LETTERS_MAX} letters a day that it did not answer`,
  async run(say) {
    const { letters, taken } = await besiege(createWorld, WRITES);
    say(`${taken} of ${WRITES} writes were answered as kept, ${letters} letters went out`);
    return {
      tried: `${WRITES} writes from ${WRITES} addresses by ${WAYS.length} ways in, ${SPELLINGS.length} spellings`,
      lost: `${letters} letters went out`,
      failures: [
        ...(letters > LETTERS_MAX ? [`${letters} letters went to one mailbox`] : []),
        ...(letters === 0 ? ["no letter went out: nothing was tried"] : []),
        // Who is refused for the sake of the mailbox is told nothing of it.
        ...(taken < WRITES
          ? [`${WRITES - taken} writes were answered otherwise than the others`]
          : []),
      ],
      bites: [await withoutBudget()],
    };
  },
};

async function withoutBudget(): Promise<Bite> {
  const unlimited = {
    file: "db/sqlite/pendings.ts",
    piece: "return lettersWaiting < UNANSWERED_WAITING_MAX && lettersToday < UNANSWERED_A_DAY_MAX;",
    instead: "return true;",
  };
  const { letters } = await without([unlimited], async (copy) =>
    besiege((await copy.worlds()).createWorld, WRITES_WITHOUT),
  );
  return {
    defence: "the mailbox's budget",
    found: `${letters} of ${WRITES_WITHOUT} letters went to one mailbox`,
    bit: letters > LETTERS_MAX,
  };
}

async function besiege(create: typeof createWorld, writes: number) {
  const chance = chanceFor("budget");
  const world = await create();
  const alert = await world.publish();
  let taken = 0;
  for (let number = 0; number < writes; number += 1) {
    const from = `10.${number >> 8}.${number & 255}.${1 + chance.below(250)}`;
    const email = chance.of(SPELLINGS)(number);
    const wish = { alert, email, number, word: (field: string) => `${field} ${number}` };
    const way = chance.of(WAYS);
    const kept = await way.ask((path, init) => world.fetch(path, init, from), wish);
    if (kept) taken += 1;
    if (number % 50 === 49) await world.pass(HOUR);
  }
  await world.tick();
  const letters = world.mails.filter(
    ({ envelope }) => mailboxAsCounted(envelope.to) === mailboxAsCounted(VICTIM),
  ).length;
  await world.end();
  return { letters, taken };
}
