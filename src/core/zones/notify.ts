import type { Alert } from "../alerts/alert.ts";
import { CAPS } from "../caps.ts";
import {
  emailAlert,
  type Email,
  type EmailContent,
  emailTo,
  type EmailZone,
  ZONE_EMAIL_ALERTS_MAX,
  ZONE_EMAIL_ZONES_MAX,
} from "../email.ts";
import { roundRobin, mailDomain } from "../matching/digest.ts";
import type { Ports } from "../ports.ts";
import { newLink } from "../private-link.ts";
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
  const unsubscribeLinks = createUnsubscribeLinks(ports);
  const emails: ZoneEmail[] = [];
  if (total > 0 && total > CAPS.zoneEmailsPerMailbox.max - emailsInLastHour) {
    const shown = alertsShown(alerts.map(({ alert }) => alert));
    emails.push({
      email: await zoneEmail(ports, unsubscribeLinks, zones, shown, total - shown.length, now),
      alertIds: shown.map(({ id }) => id),
      zoneIds: zones.map(({ id }) => id),
      coversAllNews: true,
    });
  } else {
    for (const { alert, zoneIds } of alerts.toReversed()) {
      const covering = zones.filter(({ id }) => zoneIds.includes(id));
      emails.push({
        email: await zoneEmail(ports, unsubscribeLinks, covering, [alert], 0, now),
        alertIds: [alert.id],
        zoneIds,
        coversAllNews: false,
      });
    }
  }
  return { emails, links: unsubscribeLinks.created };
}

/**
 * Alerts shown in a digest: the newest of each mail domain of their owners, then the second newest of each, and so on, so
 * that one person who publishes dozens does not displace the others.
 */
function alertsShown(alerts: readonly Alert[]): readonly Alert[] {
  const inTurn = roundRobin(alerts, ({ ownerEmail }) => mailDomain(ownerEmail));
  const chosen = new Set(inTurn.slice(0, ZONE_EMAIL_ALERTS_MAX));
  return alerts.filter((alert) => chosen.has(alert));
}

async function zoneEmail(
  ports: Ports,
  unsubscribeLinks: UnsubscribeLinks,
  zones: readonly Zone[],
  alerts: readonly Alert[],
  more: number,
  now: number,
): Promise<Email> {
  const newest = zones.at(-1);
  if (newest === undefined) throw new Error("news belongs to at least one zone");
  const { sealed } = await unsubscribeLinks.linkFor(zones);
  const { label, point, radiusKm, email, language } = newest;
  const about = { alerts: alerts.map(emailAlert), more, sealedUnsubscribe: sealed };
  const content: EmailContent =
    zones.length === 1
      ? { kind: "zone", label, circle: { ...point, radiusKm }, ...about }
      : {
          kind: "zone",
          label: null,
          zones: await namedZones(ports, unsubscribeLinks, zones.slice(0, ZONE_EMAIL_ZONES_MAX)),
          moreZones: Math.max(0, zones.length - ZONE_EMAIL_ZONES_MAX),
          ...about,
        };
  return emailTo(ports.dice, { to: email, language }, content, now);
}

/** Zones listed in an email about several, each with its own unsubscribe link. */
async function namedZones(
  { gazetteer }: Ports,
  unsubscribeLinks: UnsubscribeLinks,
  zones: readonly Zone[],
): Promise<EmailZone[]> {
  const named: EmailZone[] = [];
  for (const zone of zones) {
    const { label, town, radiusKm } = toZoneView(zone, gazetteer);
    const { sealed } = await unsubscribeLinks.linkFor([zone]);
    named.push({ label, town, radiusKm, sealedUnsubscribe: sealed });
  }
  return named;
}

type UnsubscribeLinks = ReturnType<typeof createUnsubscribeLinks>;

/** Unsubscribe links of zones, existing or new. New ones are stored together with the emails that contain them. */
function createUnsubscribeLinks(ports: Ports) {
  const created: PrivateLink[] = [];
  return {
    created,
    async linkFor(zones: readonly Zone[]): Promise<PrivateLink> {
      const subject = zonesSubject(zones.map(({ id }) => id));
      const known =
        created.find((link) => link.subject === subject) ??
        (await ports.store.linkTo("unsubscribe", subject));
      if (known !== null) return known;
      const link = newLink(ports, "unsubscribe", subject);
      created.push(link);
      return link;
    },
  };
}
