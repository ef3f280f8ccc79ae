import { normalizedMailbox } from "../../src/core/input.ts";
import { HOUR } from "../support/time.ts";
import { createWorld } from "../support/world.ts";
import { CHANNELS } from "./request-channels.ts";
import { type Bite, randomFor, type Fault } from "./fault.ts";
import { without, withoutCaps } from "./weakened.ts";

const WRITES = 500;
/** Enough to see that nothing holds them. */
const WRITES_WITHOUT = 60;
/** Emails a day that nobody answers, to one mailbox. */
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

export const mailboxFlood: Fault = {
  name: "one mailbox named by five hundred strangers",
  promise: `However many strangers name one mailbox, and however they spell it, it gets at most ${LETTERS_MAX} emails a day that it did not answer`,
  async run(say) {
    const { letters, taken } = await besiege(createWorld, WRITES);
    say(`${taken} of ${WRITES} writes were answered as kept, ${letters} letters went out`);
    return {
      tried: `${WRITES} writes from ${WRITES} addresses by ${CHANNELS.length} ways in, ${SPELLINGS.length} spellings`,
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
  const unlimited = [
    withoutCaps("confirmationEmailsPerMailbox", "confirmationEmailsPerMailboxAndNetwork"),
    {
      module: "src/core/caps.ts",
      name: "STOCKS",
      instead:
        "{ ...original.STOCKS, unconfirmedPerMailbox: 1e9, unconfirmedPerMailboxForNewNetwork: 1e9 }",
    },
  ];
  const { letters } = await without(unlimited, async (copy) =>
    besiege((await copy.worlds()).createWorld, WRITES_WITHOUT),
  );
  return {
    defence: "the mailbox's budget",
    found: `${letters} of ${WRITES_WITHOUT} letters went to one mailbox`,
    bit: letters > LETTERS_MAX,
  };
}

async function besiege(create: typeof createWorld, writes: number) {
  const chance = randomFor("budget");
  const world = await create();
  const alert = await world.publish();
  let taken = 0;
  for (let number = 0; number < writes; number += 1) {
    const from = `10.${number >> 8}.${number & 255}.${1 + chance.below(250)}`;
    const email = chance.of(SPELLINGS)(number);
    const request = { alert, email, number, word: (field: string) => `${field} ${number}` };
    const channel = chance.of(CHANNELS);
    const kept = await channel.send((path, init) => world.fetch(path, init, from), request);
    if (kept) taken += 1;
    if (number % 50 === 49) await world.pass(HOUR);
  }
  await world.tick();
  const letters = world.sentMail.filter(
    ({ envelope }) => normalizedMailbox(envelope.to) === normalizedMailbox(VICTIM),
  ).length;
  await world.end();
  return { letters, taken };
}
