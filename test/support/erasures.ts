import type { Alert } from "../../src/core/alert.ts";
import { ERASE_MS, type Holdings } from "../../src/core/erasing.ts";
import type { Letter } from "../../src/core/letter.ts";
import type { Hit } from "../../src/core/limit.ts";
import type { ErasureLink, Store } from "../../src/core/store.ts";
import { look } from "./confirmed.ts";
import { makeAnswer, makeAsk, makeId, makeLetter, makePending, publicationOf } from "./make.ts";
import { DAWN, DAY, MINUTE } from "./time.ts";

/** Whose data is erased, and whose is not. */
export const ANNA = "Anna@example.org";
export const BEN = "ben@example.org";

/** Erases a person to the end, in parts of so many alerts. */
export async function erasePerson(
  store: Store,
  email: string,
  now: number,
  limit = 50,
): Promise<Holdings> {
  const begun = await store.beginErasure(email, now);
  while (!(await store.continueErasure(begun, limit, now)));
  return begun.holdings;
}

/** An alert that its owner asked for and confirmed, of which no letter tells. */
export async function publishFor(
  store: Store,
  ownerEmail: string,
  about: Partial<Alert> = {},
): Promise<Alert> {
  const pending = makePending({ email: ownerEmail, addressMark: makeId("mark") });
  await store.ask(makeAsk({ pending }), DAWN);
  const effect = publicationOf(pending, { ownerEmail, ...about });
  await store.settle(pending.id, { ...effect, letters: [] }, DAWN);
  return look(store, effect.alert.id);
}

export function makeErasure(about: Partial<ErasureLink> = {}): ErasureLink {
  return {
    tokenHash: makeId("erasure"),
    email: ANNA,
    expiresAt: DAWN + ERASE_MS,
    unconfirmedMark: null,
    ...about,
  };
}

/** Adds a link that erases, as the answer to an ask of its own. */
export async function addErasure(
  store: Store,
  link: ErasureLink,
  letter: Letter,
  hits: readonly Hit[] = [],
): Promise<void> {
  await store.addErasureLink(link, await makeAnswer(store, letter, hits), DAWN);
}

/** A letter to a mailbox, which waits a day. */
export function waiting(to: string): Letter {
  return makeLetter({ to, createdAt: DAWN + DAY });
}

/** The letters that wait, which are under way then. */
export async function lettersDue(store: Store): Promise<string[]> {
  const due = await store.leaseLetters(DAWN + 2 * DAY, MINUTE, 100);
  return due.map((letter) => letter.id);
}
