import { CAPS } from "../caps.ts";
import { DAY_MS } from "../duration.ts";
import type { Ports } from "./ports.ts";
import { newPush, pushAlert } from "./push.ts";

/** Zones whose news is pushed per tick. */
const ZONES_PER_TICK = 200;
/** Time after which a device that no push reaches is forgotten. */
export const DEVICE_KEEP_MS = 365 * DAY_MS;
/** The same for one that no push ever reached: the first one is given up after a day. */
const UNPROVEN_AFTER_MS = 7 * DAY_MS;

/** Queues pushes about new alerts in zones of devices. */
export async function pushZoneNews(ports: Ports, now: number): Promise<void> {
  for (const news of await ports.store.deviceZoneNews(now, ZONES_PER_TICK)) {
    const { zoneId, newest, label, count } = news;
    const hits = [{ key: `push:zone:${zoneId}`, ...CAPS.pushesPerZone }];
    // Without the name: it is the text of a stranger.
    const push =
      newest === null
        ? null
        : newPush(
            ports.dice.id(),
            { kind: "zone", alert: { ...pushAlert(newest), name: null }, more: count - 1, label },
            now,
          );
    await ports.store.addZonePush(news, push, push === null ? [] : hits, now);
  }
}

/** Erases devices that no push has reached for long. */
export async function eraseLostDevices(ports: Ports, now: number, limit: number): Promise<void> {
  const ages = { before: now - DEVICE_KEEP_MS, unprovenBefore: now - UNPROVEN_AFTER_MS };
  await ports.store.eraseLostDevices(ages, now, limit);
}
