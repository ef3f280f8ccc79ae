import type { Alert } from "../../src/core/alerts/alert.ts";
import type { Sighting } from "../../src/core/sightings/sighting.ts";
import type { Store } from "../../src/core/service/store.ts";
import type { Hit } from "../../src/core/limits.ts";
import type { OwnerEmail } from "../../src/core/conversations/conversation-store.ts";
import type { Zone } from "../../src/core/zones/zone.ts";
import {
  makeEmail,
  makeRequest,
  makeId,
  makeLink,
  makeMessage,
  makePending,
  makeZone,
  publicationOf,
} from "./make.ts";
import { DAWN, HOUR } from "./time.ts";
import type { PrivateLink } from "../../src/core/people/link-store.ts";
import type { ConfirmationChanges, ConfirmOutcome } from "../../src/core/pending/request-store.ts";

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
  const pending = makePending({ kind: "sighting", names: null, payload });
  await store.addPending(makeRequest({ pending }), DAWN);
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
  const pending = makePending({
    kind: "zone",
    names: null,
    payload: { kind: "zone", zone },
    addressHash: zone.email,
  });
  await store.addPending(makeRequest({ pending }), DAWN);
  const link = makeLink({ purpose: "unsubscribe", subject: `zone:${zone.id}` });
  const outcome = await store.confirmPending(
    pending.id,
    { kind: "zone", zone, links: [link], hits: [] },
    DAWN,
  );
  return { zone, link, outcome, pendingId: pending.id };
}
