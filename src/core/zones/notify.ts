import { type EmailAlert, emailAlert } from "../alerts/email-alert.ts";
import { emailTo } from "../email.ts";
import type { Point } from "../../values/point.ts";
import type { Ports } from "./ports.ts";
import { newLink } from "../people/private-link.ts";
import { nextTimeIn, timeZoneAt } from "../time-zone.ts";
import { type Zone, toZoneView, zonesSubject } from "./zone.ts";
import type { PrivateLink } from "../people/link-store.ts";
import type { MailboxNews, ZoneEmail, ZoneNews } from "./zone-store.ts";
import { firstInTurn } from "../people/mailbox-spelling.ts";

/** To a subscriber: new alerts in the zone, newest first, and the count of more. */
export type ZoneNewsEmail = {
  readonly kind: "zone";
  /** Null for several zones. */
  readonly label: string | null;
  /** Circle of the zone. Absent for several zones. */
  readonly circle?: { readonly lat: number; readonly lng: number; readonly radiusKm: number };
  /** True if it is one zone with daily emails. */
  readonly isDaily?: boolean;
  /** Zones, if there are several. */
  readonly zones?: readonly EmailZone[];
  /** Count of zones beyond those. */
  readonly moreZones?: number;
  readonly alerts: readonly EmailAlert[];
  readonly more: number;
  /** Link that ends all these zones. */
  readonly sealedUnsubscribe: string;
};

/** Zone in an email about several zones. */
export type EmailZone = {
  readonly label: string | null;
  readonly town: string;
  readonly radiusKm: number;
  /** Sealed token of the link that ends this zone only. */
  readonly sealedUnsubscribe: string;
};

const ZONE_EMAIL_ALERTS_MAX = 20;
const ZONE_EMAIL_ZONES_MAX = 10;
const ALERTS_PER_TICK = 10;
/** Mailboxes emailed per tick: `ROUNDS_PER_TICK` times so many. */
const MAILBOXES_PER_ROUND = 100;
const ROUNDS_PER_TICK = 5;
/** Mailboxes whose news is read, and whose emails are written, at once. Each batch blocks the event loop for about 10 ms. */
const MAILBOXES_PER_BATCH = 25;
/**
 * Alerts from which those shown in an email are chosen, the newest ones: more than one person can publish within a day
 * from a few networks, so that nobody pushes an older alert out of a daily email.
 */
const CANDIDATES_MAX = 2_000;
/**
 * Wait for further alerts before an email, which leaves within a minute of the first alert going live and contains all
 * that went live in the meantime.
 */
const GATHER_MS = 45_000;
/** Zones per batch. Each batch blocks the event loop for about 10 ms. */
const ZONES_PER_BATCH = 1_000;

/** Finds the zones that cover new alerts. `upTo`: revision that the zone index has reached. */
export async function announceAlerts(ports: Ports, now: number, upTo: number): Promise<void> {
  for (const alert of await ports.store.unannouncedAlerts(ALERTS_PER_TICK, upTo)) {
    const { point, species, type, publishedAt } = alert;
    const covering =
      alert.status === "active" ? ports.zoneIndex.covering(point, species, type) : [];
    // At once if its minute has ended, as after downtime.
    const atOnceAt = Math.max(now, Math.min(publishedAt, now) + GATHER_MS);
    const digestAt = digestTimes(now);
    let news: ZoneNews[] = [];
    // If interrupted, all zones are queued again; the store keeps each once.
    for (const { id: zoneId, point, frequency } of covering) {
      if (news.length === ZONES_PER_BATCH) {
        await ports.store.announce(alert.id, news, now, { more: true });
        await ports.yieldToEventLoop();
        news = [];
      }
      const dueAt = frequency === "daily" ? digestAt(point) : atOnceAt;
      news.push({ zoneId, dueAt });
    }
    await ports.store.announce(alert.id, news, now);
    await ports.yieldToEventLoop();
  }
}

/** Time of day at which daily emails about a zone leave, by the clocks of its centre. */
const DIGEST_CLOCK = "08:00";

/** Next time of a daily email at a point. Thousands of zones share a time zone, so each is calculated once. */
function digestTimes(now: number): (point: Point) => number {
  const known = new Map<string, number>();
  return (point) => {
    const timeZone = timeZoneAt(point);
    const at = known.get(timeZone) ?? nextTimeIn(timeZone, DIGEST_CLOCK, now);
    known.set(timeZone, at);
    return at;
  };
}

/**
 * Sends mailboxes whose news is due one email about it, for all of their zones; news that would be due shortly goes with
 * it.
 */
export async function sendZoneEmails(ports: Ports, now: number): Promise<void> {
  for (let round = 0; round < ROUNDS_PER_TICK; round++) {
    const mailboxes = await ports.store.mailboxesWithNews(now, MAILBOXES_PER_ROUND);
    for (let at = 0; at < mailboxes.length; at += MAILBOXES_PER_BATCH) {
      await ports.yieldToEventLoop();
      await settleNews(ports, mailboxes.slice(at, at + MAILBOXES_PER_BATCH), now);
    }
    if (mailboxes.length < MAILBOXES_PER_ROUND) return;
  }
}

/** Queues the emails about the news of some mailboxes. */
async function settleNews(ports: Ports, mailboxes: readonly string[], now: number): Promise<void> {
  const upTo = now + GATHER_MS;
  const news = await ports.store.mailboxNews(mailboxes, upTo, CANDIDATES_MAX);
  const subjects = news.flatMap(({ zones }) =>
    zones.length === 0
      ? []
      : [subjectOf(zones), ...zonesNamed(zones).map((zone) => subjectOf([zone]))],
  );
  const known = await ports.store.linksTo("unsubscribe", subjects);
  const links = new Map(known.map((link) => [link.subject, link]));
  const settled = mailboxes.map((mailbox, nth) => ({
    mailbox,
    ...emailFor(ports, news[nth] ?? NO_NEWS, links, now),
  }));
  await ports.store.addZoneEmails(settled, { upTo, now });
}

const NO_NEWS: MailboxNews = { zones: [], alerts: [], total: 0 };

/** Subject of the link that ends these zones. */
function subjectOf(zones: readonly Zone[]): string {
  return zonesSubject(zones.map(({ id }) => id));
}

/** Zones that an email names one by one. */
function zonesNamed(zones: readonly Zone[]): readonly Zone[] {
  return zones.length === 1 ? [] : zones.slice(0, ZONE_EMAIL_ZONES_MAX);
}

/** Email about all news of a mailbox, with the known unsubscribe links and new ones, which are stored together with it. */
function emailFor(
  ports: Ports,
  { zones, alerts, total }: MailboxNews,
  known: ReadonlyMap<string, PrivateLink>,
  now: number,
): { email: ZoneEmail | null; links: PrivateLink[] } {
  const links: PrivateLink[] = [];
  const newest = zones.at(-1);
  if (newest === undefined) return { email: null, links };

  /** Sealed token of the link that ends these zones. */
  function sealedUnsubscribe(ended: readonly Zone[]): string {
    const subject = subjectOf(ended);
    const link = known.get(subject);
    if (link !== undefined) return link.sealed;
    const created = newLink(ports, "unsubscribe", subject);
    links.push(created);
    return created.sealed;
  }

  const shown = firstInTurn(
    alerts,
    ({ ownerEmail }) => ({ email: ownerEmail }),
    ZONE_EMAIL_ALERTS_MAX,
  );
  const about = {
    kind: "zone" as const,
    alerts: shown.map(emailAlert),
    more: total - shown.length,
    sealedUnsubscribe: sealedUnsubscribe(zones),
  };
  const { label, point, radiusKm, frequency, email: to, language } = newest;
  let content: ZoneNewsEmail;
  if (zones.length === 1) {
    const isDaily = frequency === "daily";
    content = { ...about, label, circle: { ...point, radiusKm }, isDaily };
  } else {
    const named: EmailZone[] = zonesNamed(zones).map((zone) => {
      const { label, town, radiusKm } = toZoneView(zone, ports.gazetteer);
      return { label, town, radiusKm, sealedUnsubscribe: sealedUnsubscribe([zone]) };
    });
    content = { ...about, label: null, zones: named, moreZones: zones.length - named.length };
  }
  return {
    email: {
      email: emailTo(ports.random, { to, language }, content, now),
      alertIds: shown.map(({ id }) => id),
      zoneIds: zones.map(({ id }) => id),
      countsMore: about.more > 0,
    },
    links,
  };
}
