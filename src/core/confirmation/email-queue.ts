import { STOCKS } from "../caps.ts";
import { heldEmailsDue } from "./email-throttle.ts";

import { type Email, type EmailContent, emailTo } from "../email.ts";
import { emailDueAt, hasRoom, type UnansweredEmail } from "./mailbox-budget.ts";
import { CONFIRM_MS, type Pending } from "./pending.ts";
import type { Ports } from "../ports.ts";
import { alertFacts, type RequestFacts } from "./request.ts";
import type { Queued } from "../store/requests.ts";
import { timeZoneAt } from "../time-zone.ts";

/** Requests considered for one email; some may be for other spellings of the mailbox. */
const CANDIDATES_MAX = 1_000;
const TRIES_PER_TICK = 20;

/**
 * Sends queued confirmation emails at even intervals and in turn by network: held ones, and those to mailboxes whose
 * budget has room again. One email lists all requests that wait for its mailbox.
 */
export async function sendQueuedEmails(ports: Ports, now: number): Promise<void> {
  const { store } = ports;
  if ((await store.confirmationQueue(now)).held === 0) return;
  let left = heldEmailsDue(await store.lastHeldEmailAt(now), now);
  for (let tries = 0; left > 0 && tries < TRIES_PER_TICK; tries++) {
    const queued = await store.nextQueued(now);
    if (queued === null) return;
    const { addressHash, networkHash } = queued.pending;
    if (emailDueAt(queued.emails, networkHash, now) > now)
      await store.postponeQueued(addressHash, now);
    else if (await sendOne(ports, queued, now)) left -= 1;
    await ports.yieldToEventLoop();
  }
}

async function sendOne(ports: Ports, { pending, emails }: Queued, now: number): Promise<boolean> {
  const { addressHash, networkHash } = pending;
  const queued = await ports.store.waitingRequests(addressHash, now, {
    queuedOnly: true,
    perNetwork: STOCKS.requestsPerGatheredEmail,
    limit: CANDIDATES_MAX,
  });
  const kind = hasRoom(emails, networkHash, now) ? "single" : "gathered";
  const listed = requestsListed(pending, queued, kind);
  const email = await emailAbout(ports, listed, now);
  return ports.store.sendQueued({ addressHash, networkHash, kind, listed, email }, now);
}

/**
 * Requests that one email lists, all for one mailbox. The store has sorted them so that no network pushes out another.
 * A `single` email starts with the request whose turn it is; otherwise the plain spelling of the address comes before
 * spellings with a +tag, of which anyone can invent any number.
 */
function requestsListed(
  next: Pending,
  queued: readonly Pending[],
  kind: UnansweredEmail["kind"],
): Pending[] {
  const plain = queued.find(({ email }) => !email.includes("+"));
  const first = kind === "single" ? next : (plain ?? next);
  const others = queued.filter(
    ({ id, email }) => id !== first.id && isSameMailbox(email, first.email),
  );
  return [first, ...others].slice(0, STOCKS.requestsPerGatheredEmail);
}

function isSameMailbox(email: string, other: string): boolean {
  return email.toLowerCase() === other.toLowerCase();
}

async function emailAbout(ports: Ports, listed: readonly Pending[], now: number): Promise<Email> {
  const [first] = listed;
  if (first === undefined) throw new Error("an email lists at least one request");
  const expiresAt = now + CONFIRM_MS;
  const requests = [];
  const timeZones = [];
  for (const pending of listed) {
    const { kind: action, sealedToken } = pending;
    if (sealedToken === null) throw new Error("a queued request has its token");
    const { shortCode, timeZone } = await factsOf(ports, pending);
    timeZones.push(timeZone);
    requests.push({ action, shortCode, sealedToken });
  }
  const [only, ...others] = requests;
  const until = { expiresAt, timeZone: timeZones[0] ?? "UTC" };
  const content: EmailContent =
    only !== undefined && others.length === 0
      ? { kind: "confirm", ...only, ...until }
      : { kind: "confirmations", requests, ...until };
  const reader = { to: first.email, language: first.language };
  return emailTo(ports.dice, reader, content, now, expiresAt);
}

/** Request that waits for the same mailbox as another, with its confirmation token. */
export type OtherRequest = {
  readonly kind: Pending["kind"];
  readonly shortCode: string | null;
  readonly token: string;
};

const OTHER_REQUESTS_SHOWN = 30;

export async function otherRequestsOf(
  ports: Ports,
  pending: Pending,
  now: number,
): Promise<OtherRequest[]> {
  const all = await ports.store.waitingRequests(pending.addressHash, now, {
    queuedOnly: false,
    perNetwork: OTHER_REQUESTS_SHOWN,
    limit: CANDIDATES_MAX,
  });
  const others = all.filter(
    ({ id, email }) => id !== pending.id && isSameMailbox(email, pending.email),
  );
  const shown = [];
  for (const other of others.slice(0, OTHER_REQUESTS_SHOWN)) {
    const token = other.sealedToken === null ? null : ports.secrets.unseal(other.sealedToken);
    if (token !== null)
      shown.push({ kind: other.kind, shortCode: (await factsOf(ports, other)).shortCode, token });
  }
  return shown;
}

/** Facts about a request for its confirmation email. */
export async function factsOf(
  { store }: Pick<Ports, "store">,
  { names, payload }: Pick<Pending, "names" | "payload">,
): Promise<RequestFacts> {
  const shortCode = names?.shortCode ?? null;
  switch (payload?.kind) {
    case undefined:
      return { shortCode, timeZone: "UTC" };
    case "publish":
      return { ...alertFacts(payload.draft), shortCode };
    case "zone":
      return { shortCode, timeZone: timeZoneAt(payload.zone.point) };
    case "message":
    case "sighting": {
      const alert = await store.alert({ by: "id", id: payload.alertId });
      return alert === null ? { shortCode, timeZone: "UTC" } : alertFacts(alert);
    }
  }
}
