import type { Alert } from "../alerts/alert.ts";
import { CAPS } from "../caps.ts";
import {
  emailAlert,
  type Email,
  emailTo,
  type EmailZone,
  ZONE_EMAIL_ALERTS_MAX,
  ZONE_EMAIL_ZONES_MAX,
} from "../email.ts";
import { ownersInTurn } from "../matching/digest.ts";
import type { Ports } from "../ports.ts";
import { existingOrNewLink } from "../private-link.ts";
import { type Zone, toZoneView, zonesSubject } from "./zone.ts";
import type { PrivateLink } from "../store/links.ts";
import type { MailboxNews, ZoneEmail } from "../store/zones.ts";

const ALERTS_PER_TICK = 10;
const MAILBOXES_PER_TICK = 100;
/** Alerts from which those shown in a digest are chosen. */
const CANDIDATES_MAX = 200;
/** Zones per batch. Each batch blocks the event loop for about 10 ms. */
const ZONES_PER_BATCH = 1_000;

/** Finds the zones that cover new alerts. */
export async function announceAlerts(ports: Ports, now: number): Promise<void> {
  for (const alert of await ports.store.unannouncedAlerts(ALERTS_PER_TICK)) {
    const { point, species, type } = alert;
    const covering =
      alert.status === "active" ? ports.zoneIndex.covering(point, species, type) : [];
    let zones: string[] = [];
    // If interrupted, all zones are queued again; the store keeps each once.
    for (const zone of covering) {
      if (zones.length === ZONES_PER_BATCH) {
        await ports.store.announce(alert.id, zones, now, { more: true });
        await ports.yieldToEventLoop();
        zones = [];
      }
      zones.push(zone);
    }
    await ports.store.announce(alert.id, zones, now);
    await ports.yieldToEventLoop();
  }
}

/** Sends each mailbox one email per alert for all of its zones that cover it. */
export async function sendZoneEmails(ports: Ports, now: number): Promise<void> {
  for (const mailbox of await ports.store.mailboxesWithNews(now, MAILBOXES_PER_TICK)) {
    await ports.yieldToEventLoop();
    const news = await ports.store.mailboxNews(mailbox, now, CANDIDATES_MAX);
    const { emails, links } = await emailsFor(ports, news, now);
    await ports.store.addZoneEmails(mailbox, emails, links, now);
  }
}

/** One email per alert while the hourly quota lasts; beyond it, one digest. */
async function emailsFor(
  ports: Ports,
  { zones, alerts, total, emailsInLastHour }: MailboxNews,
  now: number,
): Promise<{ emails: ZoneEmail[]; links: PrivateLink[] }> {
  /** New unsubscribe links, stored together with the emails. */
  const links: PrivateLink[] = [];

  /** Sealed token of the link that ends these zones. */
  async function sealedUnsubscribe(ended: readonly Zone[]): Promise<string> {
    const subject = zonesSubject(ended.map(({ id }) => id));
    const earlier = links.find((link) => link.subject === subject);
    if (earlier !== undefined) return earlier.sealed;
    const { sealed, created } = await existingOrNewLink(ports, "unsubscribe", subject);
    links.push(...created);
    return sealed;
  }

  async function zoneEmail(
    covering: readonly Zone[],
    shown: readonly Alert[],
    more = 0,
  ): Promise<Email> {
    const newest = covering.at(-1);
    if (newest === undefined) throw new Error("news belongs to at least one zone");
    const { label, point, radiusKm, email: to, language } = newest;
    const sealed = await sealedUnsubscribe(covering);
    const about = { alerts: shown.map(emailAlert), more, sealedUnsubscribe: sealed };
    if (covering.length === 1) {
      const content = { kind: "zone" as const, label, circle: { ...point, radiusKm }, ...about };
      return emailTo(ports.dice, { to, language }, content, now);
    }
    const named: EmailZone[] = [];
    for (const zone of covering.slice(0, ZONE_EMAIL_ZONES_MAX)) {
      const { label, town, radiusKm } = toZoneView(zone, ports.gazetteer);
      named.push({ label, town, radiusKm, sealedUnsubscribe: await sealedUnsubscribe([zone]) });
    }
    const moreZones = covering.length - named.length;
    const content = { kind: "zone" as const, label: null, zones: named, moreZones, ...about };
    return emailTo(ports.dice, { to, language }, content, now);
  }

  if (total > 0 && total > CAPS.zoneEmailsPerMailbox.max - emailsInLastHour) {
    const shown = alertsShown(alerts.map(({ alert }) => alert));
    const digest = {
      email: await zoneEmail(zones, shown, total - shown.length),
      alertIds: shown.map(({ id }) => id),
      zoneIds: zones.map(({ id }) => id),
      coversAllNews: true,
    };
    return { emails: [digest], links };
  }
  const emails: ZoneEmail[] = [];
  for (const { alert, zoneIds } of alerts.toReversed()) {
    const covering = zones.filter(({ id }) => zoneIds.includes(id));
    const email = await zoneEmail(covering, [alert]);
    emails.push({ email, alertIds: [alert.id], zoneIds, coversAllNews: false });
  }
  return { emails, links };
}

/**
 * Alerts shown in a digest: the newest of each mail domain of their owners, then the second newest of each, and so on, so
 * that one person who publishes dozens does not displace the others.
 */
function alertsShown(alerts: readonly Alert[]): readonly Alert[] {
  const inTurn = ownersInTurn(alerts, ({ ownerEmail }) => ({ email: ownerEmail }));
  const chosen = new Set(inTurn.slice(0, ZONE_EMAIL_ALERTS_MAX));
  return alerts.filter((alert) => chosen.has(alert));
}
