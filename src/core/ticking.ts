import { type Alert, KEEP_PERSONAL_DATA_MS, publicFace, REMINDERS_MS } from "./alert.ts";
import { alertInLetter, type Letter, letterTo, ZONE_LETTER_ALERTS_MAX } from "./letter.ts";
import { PENDING_KEEP_MS } from "./pending.ts";
import type { Ports } from "./ports.ts";
import { newLink } from "./private-link.ts";
import type { Heartbeat, PrivateLink } from "./store.ts";
import { ZONE_LETTERS_AN_HOUR } from "./zone.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Steps of the clock beyond this are taken for a fault of the clock, or a long sleep of the machine. */
const CLOCK_JUMP_MS = 14 * DAY_MS;
/** After a jump nothing ends and nothing is erased until the clock has run this long. */
const STEADY_MS = DAY_MS;
/** What is not urgent is looked after this often: each look writes to the disk. */
const HOUSEKEEPING_MS = 60_000;
/** Work of one kind in one tick; the rest waits for the next. */
const BATCH = 200;
const ZONE_BACKLOG_MAX = 500;

/**
 * What time brings: zones hear of new alerts, owners are reminded, alerts end, old data goes. Everything is read from
 * the store and noted there, so that ticking twice, or on two machines, is ticking once.
 */
export function createTicking(ports: Ports, catchUp: () => void) {
  return function tick(now: number): void {
    catchUp();
    announce(ports, now);
    tellZones(ports, now);

    const last = ports.store.heartbeat();
    if (last !== null && now >= last.at && now - last.at < HOUSEKEEPING_MS) return;
    const heartbeat = beat(last, now);
    ports.store.beat(heartbeat);
    remind(ports, now);
    if (now - heartbeat.steadySince < STEADY_MS) return;
    if (ports.store.expireAlerts(now, BATCH) > 0) catchUp();
    ports.store.eraseEnded(now - KEEP_PERSONAL_DATA_MS, BATCH);
    ports.store.sweep(now - PENDING_KEEP_MS, now - DAY_MS, BATCH);
  };
}

function beat(last: Heartbeat | null, now: number): Heartbeat {
  const jumped = last === null || Math.abs(now - last.at) > CLOCK_JUMP_MS;
  return { at: now, steadySince: jumped ? now : Math.min(last.steadySince, now) };
}

function announce(ports: Ports, now: number): void {
  for (const alert of ports.store.unannounced(BATCH)) {
    const covering =
      alert.status === "active"
        ? ports.zoneIndex.covering(alert.point, alert.species, alert.type)
        : [];
    ports.store.announce(alert.id, covering, now);
  }
}

function tellZones(ports: Ports, now: number): void {
  const hourAgo = now - HOUR_MS;
  for (const zoneId of ports.store.zonesWithNews(hourAgo, ZONE_LETTERS_AN_HOUR, BATCH)) {
    const news = ports.store.zoneNews(zoneId, hourAgo, ZONE_BACKLOG_MAX);
    if (news === null) continue;
    const found = news.alertIds.map((id) => ({ id, alert: ports.store.alert({ by: "id", id }) }));
    const live = found.flatMap(({ alert }) =>
      alert !== null && worthTelling(alert, news.zone.email) ? [alert] : [],
    );
    const dropped = found
      .filter(({ alert }) => alert === null || !live.includes(alert))
      .map(({ id }) => id);
    const free = ZONE_LETTERS_AN_HOUR - news.lettersInLastHour;
    const groups = lettersFor(live, free);
    const letters = groups.map((alerts) => ({
      letter: zoneLetter(ports, news.zone, alerts, now),
      alertIds: alerts.map((alert) => alert.id),
    }));
    ports.store.tellZone(zoneId, letters, dropped, now);
  }
}

/** Nobody needs to hear of their own alert. */
function worthTelling(alert: Alert, reader: string): boolean {
  return alert.status === "active" && alert.ownerEmail !== reader;
}

/** A letter for each alert while the hour's free letters last; more than that are gathered into one. */
function lettersFor(alerts: readonly Alert[], free: number): Alert[][] {
  if (alerts.length <= free) return alerts.map((alert) => [alert]);
  return [[...alerts]];
}

function zoneLetter(
  ports: Ports,
  zone: { id: string; email: string; label: string | null; language: Letter["language"] },
  alerts: readonly Alert[],
  now: number,
): Letter {
  const link = ports.store.linkTo("unsubscribe", `zone:${zone.id}`);
  if (link === null) throw new Error("a zone has its unsubscribe link as long as it lives");
  const newestFirst = alerts.toReversed();
  const content = {
    kind: "zone" as const,
    label: zone.label,
    alerts: newestFirst.slice(0, ZONE_LETTER_ALERTS_MAX).map(alertInLetter),
    more: Math.max(0, newestFirst.length - ZONE_LETTER_ALERTS_MAX),
    sealedUnsubscribe: link.sealed,
  };
  return letterTo(ports.dice, { to: zone.email, language: zone.language }, content, now);
}

/** Nearest distance first, so that an alert close to its end gets one letter, not both. */
function remind(ports: Ports, now: number): void {
  for (const withinMs of REMINDERS_MS.toSorted((a, b) => a - b)) {
    for (const alert of ports.store.dueReminders(now, withinMs, BATCH)) {
      const manage = ports.store.linkTo("manage", alert.id);
      const face = publicFace(alert, ports.links);
      if (manage === null || face === null || alert.ownerEmail === null) continue;
      const subject = `reminders:${alert.id}`;
      const known = ports.store.linkTo("unsubscribe", subject);
      const unsubscribe: PrivateLink = known ?? newLink(ports, "unsubscribe", subject);
      const letter = letterTo(
        ports.dice,
        { to: alert.ownerEmail, language: alert.language },
        {
          kind: "reminder",
          alert: alertInLetter(face),
          sealedToken: manage.sealed,
          sealedUnsubscribe: unsubscribe.sealed,
          expiresAt: alert.expiresAt,
        },
        now,
      );
      ports.store.remind(alert, withinMs, letter, known === null ? [unsubscribe] : []);
    }
  }
}
