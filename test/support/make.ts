import type { AlertDraft, NewAlert } from "../../src/core/alerts/alert.ts";
import type { Message } from "../../src/core/conversations/conversation.ts";
import type { Email } from "../../src/core/email.ts";
import type { Hit } from "../../src/core/limits.ts";
import type { LikelyPair } from "../../src/core/matches/pair-store.ts";
import type { ModerationAction, Report } from "../../src/core/moderation/report.ts";
import type { Outcome } from "../../src/core/outcomes/outcome.ts";
import type { ConfirmEmail, Pending } from "../../src/core/pending/pending.ts";
import type { ConfirmationChanges, NewRequest } from "../../src/core/pending/request-store.ts";
import type { LinkAnswer, PrivateLink } from "../../src/core/people/link-store.ts";
import type { Store } from "../../src/core/service/store.ts";
import type { BulkAlert } from "../../src/core/tables/imported-alert.ts";
import type { Zone } from "../../src/core/zones/zone.ts";
import { snap } from "../../src/values/point.ts";
import { DAWN, DAY, HOUR } from "./time.ts";
import type { World } from "./world.ts";

/** Revision past any other. */
export const LATEST = Number.MAX_SAFE_INTEGER;

/** Plain values for tests of the store. Every call gives new identifiers. */
let made = 0;
const next = () => (made += 1);

/** An identifier that no other made thing has; they sort in the order in which they were made. */
export const makeId = (kind: string) => `${kind}-${String(next()).padStart(6, "0")}`;

/** A short code that no other made one has. */
export function makeCode(): string {
  const digits = "23456789ABCDEFGH";
  const number = next();
  return [20, 16, 12, 8, 4, 0].map((shift) => digits[(number >> shift) & 15]).join("");
}

export function makeDraft(about: Partial<AlertDraft> = {}): AlertDraft {
  const shortCode = about.shortCode ?? makeCode();
  return {
    id: makeId("alert"),
    slug: `lost-cat-mimi-lyon-${shortCode.toLowerCase()}`,
    shortCode,
    type: "lost",
    species: "cat",
    name: "Mimi",
    breed: "unknown",
    color: "grey",
    collar: null,
    size: "small",
    sex: "female",
    age: "adult",
    description: "shy",
    eventDate: "2026-04-30",
    eventTime: null,
    landmark: null,
    custody: null,
    city: "Lyon",
    district: null,
    countryCode: "FR",
    point: { lat: 45.77, lng: 4.83 },
    photos: [],
    chipHash: null,
    ...about,
  };
}

export function makeAlert(about: Partial<NewAlert> = {}): NewAlert {
  return {
    ...makeDraft(about),
    status: "active",
    updatedAt: DAWN,
    expiresAt: DAWN + 90 * DAY,
    endedAt: null,
    ownerEmail: "owner@example.org",
    language: "en",
    source: null,
    ...about,
  };
}

export function makeEmail<Content = ConfirmEmail>(
  about: Partial<Email<Content>> = {},
): Email<Content> {
  return {
    id: makeId("email"),
    to: "reader@example.org",
    language: "en",
    content: {
      kind: "confirm",
      action: "publish",
      shortCode: "ABC234",
      sealedToken: "sealed",
      expiresAt: DAWN + 48 * HOUR,
      timeZone: "UTC",
    } as Content,
    createdAt: DAWN,
    giveUpAt: DAWN + 48 * HOUR,
    ...about,
  };
}

export function makePending(about: Partial<Pending> = {}): Pending {
  const draft = makeDraft();
  return {
    id: makeId("pending"),
    kind: "publish",
    tokenHash: makeId("hash"),
    email: "owner@example.org",
    mailboxHash: "spelling",
    addressHash: "mark",
    networkHash: "network",
    contentHash: makeId("content"),
    idempotencyHash: null,
    sealedToken: "sealed",
    language: "en",
    names: { id: draft.id, slug: draft.slug, shortCode: draft.shortCode },
    payload: { kind: "publish", draft, removed: [] },
    result: null,
    state: "waiting",
    createdAt: DAWN,
    expiresAt: DAWN + 48 * HOUR,
    resent: false,
    readdressed: 0,
    repeats: null,
    confirmedAt: null,
    ...about,
  };
}

export function makeRequest(about: Partial<NewRequest> & { pending?: Pending } = {}): NewRequest {
  const pending = about.pending ?? makePending();
  return {
    pending,
    email: makeEmail(),
    hits: [],
    unconfirmed: null,
    isShared: false,
    domain: null,
    ...about,
  };
}

export function makeLink(about: Partial<PrivateLink> = {}): PrivateLink {
  return {
    tokenHash: makeId("token"),
    purpose: "manage",
    subject: makeId("subject"),
    sealed: "sealed",
    ...about,
  };
}

export function makeZone(about: Partial<Zone> = {}): Zone {
  return {
    id: makeId("zone"),
    point: { lat: 45.77, lng: 4.83 },
    radiusKm: 5,
    species: null,
    type: null,
    label: null,
    frequency: "at_once",
    email: "reader@example.org",
    language: "en",
    createdAt: DAWN,
    ...about,
  };
}

export function makeBulk(about: Partial<BulkAlert> = {}): BulkAlert {
  return {
    draft: makeDraft(),
    ownerEmail: "shelter@example.org",
    language: "en",
    source: makeId("source"),
    expiresAt: DAWN + 30 * DAY,
    link: null,
    announce: true,
    ...about,
  };
}

/** Message of a conversation, from the owner of its alert. */
export function makeMessage(conversationId: string, about: Partial<Message> = {}): Message {
  return {
    id: makeId("message"),
    conversationId,
    from: "owner",
    text: "hello",
    photos: [],
    createdAt: DAWN,
    ...about,
  };
}

export function makeReport(alertId: string, about: Partial<Report> = {}): Report {
  return {
    id: makeId("report"),
    alertId,
    conversationId: null,
    reason: "scam",
    text: null,
    createdAt: DAWN,
    ...about,
  };
}

/** Moderator's action on an alert. */
export function makeAction(
  act: ModerationAction["act"],
  alertId: string,
  about: Partial<ModerationAction> = {},
): ModerationAction {
  const who = "mod@example.org";
  return { id: makeId("deed"), at: DAWN, who, act, alertId, mailbox: null, ...about };
}

/** Outcome of a lost cat that came home. */
export function makeOutcome(about: Partial<Outcome> = {}): Outcome {
  return {
    week: "2026-04-27",
    type: "lost",
    species: "cat",
    days: 1,
    how: null,
    distance: null,
    ...about,
  };
}

/** Changes of a confirmed publication. */
export function publicationOf(
  pending: Pending,
  about: Partial<NewAlert> = {},
): ConfirmationChanges & { kind: "publish" } {
  if (pending.payload?.kind !== "publish") throw new Error("not a publication");
  const alert = makeAlert({ ...pending.payload.draft, ...about });
  return {
    kind: "publish",
    alert,
    email: makeEmail(),
    links: [makeLink({ subject: alert.id })],
    hits: [],
  };
}

/** Has a link asked for; gives the answer that sends it with an email. */
export async function makeAnswer(
  store: Store,
  email: Email = makeEmail(),
  hits: readonly Hit[] = [],
): Promise<LinkAnswer> {
  const askId = makeId("ask");
  const about = {
    kind: "erase",
    sealedRequester: "sealed",
    language: "en",
    part: 1,
    askedAt: DAWN,
  } as const;
  await store.addLinkRequest({ id: askId, ...about }, [], DAWN);
  return { requestId: askId, emails: [email], hits };
}

/** Pair of which both owners are told with the same score. */
export function likelyPair(lostId: string, foundId: string, score: number): LikelyPair {
  return { lostId, foundId, score };
}

export const LYON = snap(45.76, 4.84);
const BATCH = 1_000;

/** Adds alerts to a real store, without an owner; `about` gives what tells the one with this number from the others. */
export async function addMany(
  world: World,
  count: number,
  about: (nth: number) => Partial<AlertDraft>,
): Promise<void> {
  const expiresAt = world.now() + DAY;
  for (let from = 0; from < count; from += BATCH) {
    const alerts = Array.from({ length: Math.min(BATCH, count - from) }, (_, nth) =>
      makeBulk({ draft: makeDraft(about(from + nth)), expiresAt, announce: false }),
    );
    await world.app.service.alerts.add(alerts);
  }
}

/** Point of a spiral around Lyon: dense in the middle and about `radiusKm` wide, the same at each call. */
export function aroundLyon(nth: number, count: number, radiusKm: number) {
  const distance = (radiusKm / 111) * (nth / count);
  const angle = nth * 2.4;
  const { lat, lng } = LYON;
  return snap(lat + distance * Math.sin(angle), lng + distance * 1.4 * Math.cos(angle));
}
