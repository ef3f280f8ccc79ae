import { type Alert, KEEP_PERSONAL_DATA_MS, publicFace, REMINDERS_MS } from "./alert.ts";
import { DAY_MS, MINUTE_MS } from "./duration.ts";
import { TOMBSTONE_KEEP_MS } from "./erasing.ts";
import { alertInLetter, type Letter, letterTo, ZONE_LETTER_ALERTS_MAX } from "./letter.ts";
import { HITS_KEEP_MS } from "./limit.ts";
import { PENDING_KEEP_MS } from "./pending.ts";
import type { Picturing } from "./picturing.ts";
import type { Ports } from "./ports.ts";
import { newLink } from "./private-link.ts";
import { DEED_KEEP_MS } from "./report.ts";
import type { CatchUp } from "./catching-up.ts";
import type { Heartbeat, PrivateLink, ZoneLetter, ZoneNews } from "./store.ts";
import { ZONE_LETTERS_AN_HOUR, type Zone } from "./zone.ts";

/** Steps of the clock beyond this are taken for a fault of the clock, or a long sleep of the machine. */
const CLOCK_JUMP_MS = 14 * DAY_MS;
/** After a jump nothing ends and nothing is erased until the clock has run this long. */
const STEADY_MS = DAY_MS;
/** What is not urgent is looked after this often: each look writes to the disk. */
const HOUSEKEEPING_MS = MINUTE_MS;
/** Work of one kind in one tick; the rest waits for the next. */
const BATCH = 200;
const ALERTS_ANNOUNCED_MAX = 10;
const ZONES_TOLD_MAX = 100;
/** Requests wait as long as this takes: some 10 ms. */
const ZONES_ANNOUNCED_IN_A_TURN = 1_000;
const ALERTS_COMPARED_MAX = 5;

/**
 * What time brings: zones hear of new alerts, owners are reminded, alerts end, old data goes. Everything is read from
 * the store and noted there, so that ticking twice, or on two machines, is ticking once.
 */
export function createTicking(
  ports: Ports,
  catchUp: CatchUp,
  compareNew: (now: number, limit: number) => Promise<void>,
  picturing: Pick<Picturing, "dropGone" | "dropStrays">,
  answerAsks: (now: number) => Promise<void>,
) {
  /** Whether the clock has run without a jump for long enough to trust it with what cannot be undone. */
  const isSteady = async (now: number): Promise<boolean> => {
    const heartbeat = await ports.store.heartbeat();
    return (
      heartbeat !== null &&
      now >= heartbeat.steadySince + STEADY_MS &&
      now <= heartbeat.at + CLOCK_JUMP_MS
    );
  };

  let jump: ClockJump | null = null;

  async function keepHouse(now: number): Promise<void> {
    const last = await ports.store.heartbeat();
    if (last !== null && now >= last.at && now - last.at < HOUSEKEEPING_MS) return;
    if (last !== null && isJump(last, now)) jump = { from: last.at, to: now };
    await ports.store.beat(beat(last, now));
    await remind(ports, now);
    if (!(await isSteady(now))) return;
    if ((await ports.store.expireAlerts(now, BATCH)) > 0) await catchUp();
    await ports.store.eraseEnded(now - KEEP_PERSONAL_DATA_MS, now, BATCH);
    await ports.store.sweep(
      {
        now,
        before: now - PENDING_KEEP_MS,
        hitsBefore: now - HITS_KEEP_MS,
        deedsBefore: now - DEED_KEEP_MS,
      },
      BATCH,
    );
    await ports.store.forgetTombstones(now - TOMBSTONE_KEEP_MS);
    await picturing.dropStrays(now);
  }

  const duties = [
    catchUp,
    answerAsks,
    (now: number) => announce(ports, now),
    (now: number) => tellZones(ports, now),
    (now: number) => compareNew(now, ALERTS_COMPARED_MAX),
    keepHouse,
    picturing.dropGone,
    ports.store.wipeTraces,
  ];
  async function doAll(now: number): Promise<void> {
    const errors: unknown[] = [];
    for (const duty of duties) {
      try {
        await duty(now);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, "some duties of the tick failed");
  }

  let underWay: Promise<void> | null = null;
  return {
    isSteady,
    /** The last jump of the clock that was seen, until it has run steadily for long enough since. */
    async clockJump(now: number): Promise<ClockJump | null> {
      if (jump !== null && (await isSteady(now))) jump = null;
      return jump;
    },
    /**
     * Throws what went wrong when all duties have had their turn: one that fails keeps no other from being done. A tick
     * that comes while another runs is that other.
     */
    tick(now: number): Promise<void> {
      underWay ??= doAll(now).finally(() => {
        underWay = null;
      });
      return underWay;
    },
  };
}

/** What the clock said before a jump, and after. */
export type ClockJump = { readonly from: number; readonly to: number };

function isJump(last: Heartbeat, now: number): boolean {
  return Math.abs(now - last.at) > CLOCK_JUMP_MS;
}

function beat(last: Heartbeat | null, now: number): Heartbeat {
  const isNew = last === null || isJump(last, now);
  return { at: now, steadySince: isNew ? now : Math.min(last.steadySince, now) };
}

async function announce(ports: Ports, now: number): Promise<void> {
  for (const alert of await ports.store.unannounced(ALERTS_ANNOUNCED_MAX)) {
    const { point, species, type } = alert;
    const covering =
      alert.status === "active" ? ports.zoneIndex.covering(point, species, type) : [];
    let zones: string[] = [];
    // Where it is cut short, all of them are announced anew, each once.
    for (const zone of covering) {
      if (zones.length === ZONES_ANNOUNCED_IN_A_TURN) {
        await ports.store.announce(alert.id, zones, now, { more: true });
        await ports.turn();
        zones = [];
      }
      zones.push(zone);
    }
    await ports.store.announce(alert.id, zones, now);
    await ports.turn();
  }
}

async function tellZones(ports: Ports, now: number): Promise<void> {
  for (const zoneId of await ports.store.zonesWithNews(now, ZONES_TOLD_MAX)) {
    await ports.turn();
    const news = await ports.store.zoneNews(zoneId, now, ZONE_LETTER_ALERTS_MAX);
    if (news !== null) await ports.store.tellZone(zoneId, await lettersFor(ports, news, now), now);
  }
}

/** A letter for each alert while the hour's free letters last; more than that are gathered into one. */
async function lettersFor(
  ports: Ports,
  { zone, alerts, total, lettersInLastHour }: ZoneNews,
  now: number,
): Promise<ZoneLetter[]> {
  if (total === 0) return [];
  const link = await ports.store.linkTo("unsubscribe", `zone:${zone.id}`);
  // It ended meanwhile.
  if (link === null) return [];
  if (total > ZONE_LETTERS_AN_HOUR - lettersInLastHour) {
    const letter = zoneLetter(ports, zone, alerts, total - alerts.length, link, now);
    return [{ letter, alertIds: alerts.map(({ id }) => id), andAllLeft: true }];
  }
  return alerts.toReversed().map((alert) => ({
    letter: zoneLetter(ports, zone, [alert], 0, link, now),
    alertIds: [alert.id],
    andAllLeft: false,
  }));
}

function zoneLetter(
  ports: Ports,
  zone: Zone,
  alerts: readonly Alert[],
  more: number,
  link: PrivateLink,
  now: number,
): Letter {
  const content = {
    kind: "zone" as const,
    label: zone.label,
    circle: { ...zone.point, radiusKm: zone.radiusKm },
    alerts: alerts.map(alertInLetter),
    more,
    sealedUnsubscribe: link.sealed,
  };
  return letterTo(ports.dice, { to: zone.email, language: zone.language }, content, now);
}

/** Nearest distance first, so that an alert close to its end gets one letter, not both. */
async function remind(ports: Ports, now: number): Promise<void> {
  for (const withinMs of REMINDERS_MS.toSorted((a, b) => a - b)) {
    for (const alert of await ports.store.dueReminders(now, withinMs, BATCH)) {
      const manage = await ports.store.linkTo("manage", alert.id);
      const face = publicFace(alert, ports.links);
      if (manage === null || face === null || alert.ownerEmail === null) continue;
      const subject = `reminders:${alert.id}`;
      const known = await ports.store.linkTo("unsubscribe", subject);
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
      await ports.store.remind(alert, withinMs, letter, known === null ? [unsubscribe] : []);
    }
  }
}
