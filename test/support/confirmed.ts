import type { Alert } from "../../src/core/alerts/alert.ts";
import type { OwnerEmail } from "../../src/core/conversations/conversation-store.ts";
import type { Email } from "../../src/core/email.ts";
import { ERASE_MS } from "../../src/core/erasure/erase.ts";
import {
  DATA_KINDS,
  type DataInventory,
  type ErasureLink,
} from "../../src/core/erasure/erasure-store.ts";
import type { Hit } from "../../src/core/limits.ts";
import type { Pending } from "../../src/core/pending/pending.ts";
import type {
  ConfirmationChanges,
  ConfirmOutcome,
  NewRequest,
} from "../../src/core/pending/request-store.ts";
import type { PrivateLink } from "../../src/core/people/link-store.ts";
import { newPush } from "../../src/core/push/push.ts";
import type { Store } from "../../src/core/service/store.ts";
import type { Sighting } from "../../src/core/sightings/sighting.ts";
import type { Zone } from "../../src/core/zones/zone.ts";
import {
  makeAnswer,
  makeEmail,
  makeId,
  makeLink,
  makeMessage,
  makePending,
  makeRequest,
  makeZone,
  publicationOf,
} from "./make.ts";
import { DAWN, DAY, HOUR, MINUTE } from "./time.ts";

/** A request that was added, at the time of its creation. */
export async function addRequest(
  store: Store,
  about: Partial<Pending> = {},
  more: Partial<NewRequest> = {},
): Promise<NewRequest> {
  const request = makeRequest({ pending: makePending(about), ...more });
  await store.addPending(request, request.pending.createdAt);
  return request;
}

/** An alert that was asked for and confirmed. */
export async function publish(
  store: Store,
  about: Partial<Alert> = {},
  now = DAWN,
): Promise<Alert> {
  const ask = makeRequest();
  await store.addPending(ask, now);
  const effect = publicationOf(ask.pending, about);
  const outcome = await store.confirmPending(ask.pending.id, effect, now);
  if (outcome.kind !== "won") throw new Error(`not published: ${outcome.kind}`);
  return loadAlert(store, effect.alert.id);
}

/** An alert as it is now. */
export async function loadAlert(store: Store, id: string): Promise<Alert> {
  const alert = await store.alert({ by: "id", id });
  if (alert === null) throw new Error("no such alert");
  return alert;
}

/** Ends an alert as its owner does whose animal is home; tells whether it changed. */
export function resolve(store: Store, alert: Alert, endedAt = DAWN): Promise<boolean> {
  const { expiresAt } = alert;
  return store.changeStatus(alert, { status: "resolved", expiresAt, endedAt }, endedAt);
}

/** A message that a stranger asked to send and confirmed, in their conversation about the alert; tells what came of it.
 * `stranger` is a mailbox, or what stands before the @. */
export async function relay(
  store: Store,
  alert: Alert,
  stranger: string,
  {
    now = DAWN,
    text = "hello",
    networkHash = "network",
    photos = [],
    hits = [],
    ownerEmail = null,
    links,
  }: {
    now?: number;
    text?: string;
    networkHash?: string;
    photos?: readonly string[];
    hits?: readonly Hit[];
    ownerEmail?: OwnerEmail | null;
    links?: readonly PrivateLink[];
  } = {},
): Promise<ConfirmOutcome> {
  const known = await store.conversationBetween(alert.id, stranger);
  const strangerEmail = stranger.includes("@") ? stranger : `${stranger}@example.org`;
  const conversation = known ?? {
    id: `conversation-${alert.id}-${stranger}`,
    alertId: alert.id,
    strangerEmail,
    strangerHash: stranger,
    strangerName: null,
    networkHash,
    language: "en" as const,
    createdAt: now,
    closedAt: null,
  };
  const pending = makePending({
    kind: "message",
    names: null,
    email: strangerEmail,
    addressHash: stranger,
    payload: { kind: "message", alertId: alert.id, text, name: null, photos, removed: [] },
    createdAt: now,
    expiresAt: now + 48 * HOUR,
  });
  const email = makeEmail({ to: strangerEmail, createdAt: now });
  await store.addPending(makeRequest({ pending, email }), now);
  return store.confirmPending(
    pending.id,
    {
      kind: "message",
      alertId: alert.id,
      opened: known === null ? conversation : null,
      message: makeMessage(conversation.id, { from: "stranger", text, photos, createdAt: now }),
      links: links ?? (known === null ? conversationLinks(conversation.id) : []),
      hits,
      ownerEmail,
    },
    now,
  );
}

/** Links to a conversation, of its owner and of its stranger. */
export function conversationLinks(id: string) {
  return ["owner", "stranger"].map((side) =>
    makeLink({ purpose: "conversation", subject: `${id}:${side}`, sealed: makeId("sealed") }),
  );
}

/** A sighting that waits for its human, and the changes that confirm it. */
export async function askToSee(store: Store, alert: Alert, about: Partial<Sighting> = {}) {
  const sighting = {
    point: { lat: 45.75, lng: 4.85 },
    city: "Lyon",
    district: null,
    countryCode: "FR",
    seenAt: DAWN,
    seenPart: null,
    note: null,
    photos: about.photos ?? [],
  };
  const payload = { kind: "sighting", alertId: alert.id, sighting, removed: [] } as const;
  const { pending } = await addRequest(store, { kind: "sighting", names: null, payload });
  const seen = {
    ...sighting,
    id: makeId("sighting"),
    alertId: alert.id,
    networkHash: "network",
    createdAt: DAWN,
    ...about,
  };
  const to = alert.ownerEmail;
  const changes: ConfirmationChanges = {
    kind: "sighting",
    sighting: seen,
    links: [],
    hits: [],
    ownerEmail: to === null ? null : { email: makeEmail({ to }), hits: [] },
  };
  return { pending, changes, sighting: seen };
}

/** A sighting that was asked for and confirmed. */
export async function see(store: Store, alert: Alert, photos: readonly string[]) {
  const { pending, changes, sighting } = await askToSee(store, alert, { photos });
  const outcome = await store.confirmPending(pending.id, changes, DAWN);
  if (outcome.kind !== "won") throw new Error(`not seen: ${outcome.kind}`);
  return sighting.id;
}

/** A zone that was asked for and confirmed, and the link that ends it. */
export async function subscribe(store: Store, about: Partial<Zone> = {}) {
  const { zone, link, outcome } = await confirmZone(store, about);
  if (outcome.kind !== "won") throw new Error(`not subscribed: ${outcome.kind}`);
  return { zone, link };
}

/** Asks for a zone and confirms it; tells what came of it. */
export async function confirmZone(store: Store, about: Partial<Zone> = {}) {
  const zone = makeZone(about);
  const { pending } = await addRequest(store, {
    kind: "zone",
    names: null,
    payload: { kind: "zone", zone },
    addressHash: zone.email,
  });
  const link = makeLink({ purpose: "unsubscribe", subject: `zone:${zone.id}` });
  const outcome = await store.confirmPending(
    pending.id,
    { kind: "zone", zone, links: [link], hits: [] },
    DAWN,
  );
  return { zone, link, outcome, pendingId: pending.id };
}

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
