import type { Alert } from "../../src/core/alerts/alert.ts";
import { ERASE_MS } from "../../src/core/erasure/erase.ts";
import type { Email } from "../../src/core/email.ts";
import type { Hit } from "../../src/core/limits.ts";
import { newPush } from "../../src/core/push/push.ts";
import type { Store } from "../../src/core/service/store.ts";
import { addRequest, loadAlert } from "./confirmed.ts";
import { makeAnswer, makeId, makeEmail, publicationOf } from "./make.ts";
import { DAWN, DAY, MINUTE } from "./time.ts";
import type { NewRequest } from "../../src/core/pending/request-store.ts";
import {
  DATA_KINDS,
  type DataInventory,
  type ErasureLink,
} from "../../src/core/erasure/erasure-store.ts";

/** Whose data is erased, and whose is not. */
export const ANNA = "Anna@example.org";
export const BEN = "ben@example.org";

/** Erases a person to the end, in parts of so many alerts. */
export async function erasePerson(
  store: Store,
  email: string,
  now: number,
  limit = 50,
): Promise<DataInventory> {
  const begun = await store.beginErasure(email, now);
  while (!(await store.continueErasure(begun, limit, now)));
  return begun.inventory;
}

/** An alert that its owner asked for and confirmed; the email that tells of it went to somebody else. */
export async function publishFor(
  store: Store,
  ownerEmail: string,
  about: Partial<Alert> = {},
): Promise<Alert> {
  const { pending } = await addRequest(store, { email: ownerEmail, addressHash: makeId("mark") });
  const effect = publicationOf(pending, { ownerEmail, ...about });
  await store.confirmPending(pending.id, effect, DAWN);
  return loadAlert(store, effect.alert.id);
}

export function makeErasure(about: Partial<ErasureLink> = {}): ErasureLink {
  return {
    tokenHash: makeId("erasure"),
    email: ANNA,
    expiresAt: DAWN + ERASE_MS,
    unconfirmedHash: null,
    ...about,
  };
}

/** Adds a link that erases, as the answer to an ask of its own. */
export async function addErasure(
  store: Store,
  link: ErasureLink,
  email: Email,
  hits: readonly Hit[] = [],
): Promise<void> {
  await store.addErasureLink(link, await makeAnswer(store, email, hits), DAWN);
}

/** An email to a mailbox, which waits a day. */
export function waiting(to: string): NewRequest["email"] {
  return makeEmail({ to, createdAt: DAWN + DAY });
}

/** The emails that wait, which are under way then. */
export async function emailsDue(store: Store): Promise<string[]> {
  const due = await store.leaseEmails(DAWN + 2 * DAY, MINUTE, 100);
  return due.map((email) => email.id);
}

/** Inventory of a mailbox about which nothing is kept. */
export const NO_DATA = Object.fromEntries(DATA_KINDS.map((kind) => [kind, 0])) as DataInventory;

/** Turns on the notifications of an owner's device about an alert. */
export async function tellOwner(
  store: Store,
  endpointHash: string,
  alertId: string,
): Promise<void> {
  const device = { id: makeId("device"), endpointHash, sealed: "sealed", language: "en" } as const;
  const push = newPush(makeId("push"), { kind: "welcome", alert: null }, DAWN);
  await store.addDeviceTopic({ device, about: { kind: "owner", alertId }, push }, [], DAWN);
}
