import { normalizedMailbox } from "../../src/core/people/mailbox-spelling.ts";
import { HOUR } from "../support/time.ts";
import { createWorld } from "../support/world.ts";
import { CHANNELS } from "./request-channels.ts";
import { randomFor, type Fault } from "./fault.ts";

const WRITES = 500;
/** Emails a day that nobody answers, to one mailbox. */
const EMAILS_MAX = 5;
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
  promise: `However many strangers name one mailbox, and however they spell it, it gets at most ${EMAILS_MAX} emails a day that it did not answer`,
  async run(say) {
    const { emails, taken } = await besiege();
    say(`${taken} of ${WRITES} writes were answered as kept, ${emails} emails went out`);
    return {
      tried: `${WRITES} writes from ${WRITES} addresses by ${CHANNELS.length} ways in, ${SPELLINGS.length} spellings`,
      lost: `${emails} emails went out`,
      failures: [
        ...(emails > EMAILS_MAX ? [`${emails} emails went to one mailbox`] : []),
        ...(emails === 0 ? ["no email went out: nothing was tried"] : []),
        // Who is refused for the sake of the mailbox is told nothing of it.
        ...(taken < WRITES
          ? [`${WRITES - taken} writes were answered otherwise than the others`]
          : []),
      ],
    };
  },
};

async function besiege() {
  const chance = randomFor("budget");
  const world = await createWorld();
  const alert = await world.publish();
  let taken = 0;
  for (let number = 0; number < WRITES; number += 1) {
    const from = `10.${number >> 8}.${number & 255}.${1 + chance.below(250)}`;
    // Seven ways in and six spellings: forty-two requests in a row are all combinations.
    const email = SPELLINGS[number % SPELLINGS.length]!(number);
    const request = { alert, email, number, word: (field: string) => `${field} ${number}` };
    const channel = CHANNELS[number % CHANNELS.length]!;
    const kept = await channel.send((path, init) => world.fetch(path, init, from), request);
    if (kept) taken += 1;
    if (number % 50 === 49) await world.pass(HOUR);
  }
  await world.tick();
  const emails = world.sentMail.filter(
    ({ envelope }) => normalizedMailbox(envelope.to) === normalizedMailbox(VICTIM),
  ).length;
  await world.end();
  return { emails, taken };
}
