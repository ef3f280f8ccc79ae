import type { Language } from "../../messages/languages.ts";
import {
  type PublicAlert,
  requireAlert,
  requirePublicAlert,
  toPublicAlert,
} from "../alerts/alert.ts";
import { CAPS } from "../caps.ts";
import { DAY_MS } from "../duration.ts";
import { Fault } from "../fault.ts";
import type { SyncIndexes } from "../instance.ts";
import { type Caller, callerHits, tooManyWrites } from "../limits.ts";
import { openedLink } from "../people/private-link.ts";
import { toZoneView, zoneCircle, type ZoneInput, type ZoneView } from "../zones/zone.ts";
import type { NewDeviceTopic } from "./device-store.ts";
import { parseSubscription } from "./device.ts";
import type { Ports } from "./ports.ts";
import { newPush, pushAlert } from "./push.ts";

/** Subscription of a browser as a page sends it, in the language of the page. */
type DeviceInput = {
  readonly subscription: Readonly<Record<string, unknown>>;
  readonly language: Language;
};

/** Topic of a device, with the subject by which it is ended. */
export type DeviceTopicView = { readonly subject: string } & (
  | { readonly kind: "owner"; readonly alert: PublicAlert }
  | { readonly kind: "zone"; readonly zone: ZoneView }
);

/**
 * Use cases of devices that get notifications by Web Push. The permission that a person gives the browser stands for a
 * confirmation: nothing is emailed. A device names itself by its address at the push service, which only it knows.
 */
export function createDevices(ports: Ports, syncIndexes: SyncIndexes) {
  const { store, secrets, random, clock } = ports;
  const hashOf = (endpoint: string) => secrets.keyedHash("device", endpoint);

  /** Throws `bad_input`, `too_many`, and `conflict` if the device has no room. */
  async function add(
    { subscription, language }: DeviceInput,
    about: NewDeviceTopic["about"],
    push: NewDeviceTopic["push"],
    caller: Caller,
  ): Promise<void> {
    const parsed = await parseSubscription(subscription, ports.pushServices);
    const now = clock();
    const { zone: rate } = ports.rates;
    const hits = rate === null ? [] : callerHits(ports, "zone", rate, caller);
    const device = {
      id: random.id(),
      endpointHash: hashOf(parsed.endpoint),
      sealed: secrets.seal("device", JSON.stringify(parsed)),
      language,
    };
    const outcome = await store.addDeviceTopic({ device, about, push }, hits, now);
    switch (outcome.kind) {
      case "limited":
        throw tooManyWrites(ports, "zone", outcome.retryAt, now);
      case "full":
        throw new Fault("conflict", { reason: "device_full" });
      case "kept":
        await syncIndexes();
    }
  }

  return {
    /** Notifies a device of what comes in about the alert of a manage link. Throws as `add` does, `not_found` and `gone`. */
    async addOwnerTopic(token: string, input: DeviceInput, caller: Caller): Promise<void> {
      const { subject: alertId } = await openedLink(ports, "manage", token);
      const alert = requireAlert(await store.alert({ by: "id", id: alertId }));
      requirePublicAlert(alert, ports.links);
      const welcome = { kind: "welcome" as const, alert: pushAlert(alert) };
      const push = newPush(random.id(), welcome, clock());
      await add(input, { kind: "owner", alertId }, push, caller);
    },

    /** Notifies a device of new alerts in a circle. Throws as `add` does. */
    async addZoneTopic(
      zone: Omit<ZoneInput, "email" | "frequency">,
      input: DeviceInput,
      caller: Caller,
    ): Promise<void> {
      const { circle } = zoneCircle(zone, ports.gazetteer);
      const push = newPush(random.id(), { kind: "welcome", alert: null }, clock());
      await add(input, { kind: "zone", zone: { id: random.id(), ...circle } }, push, caller);
    },

    /** Topics of a device; none for an unknown one. */
    async deviceTopics(endpoint: string): Promise<DeviceTopicView[]> {
      const topics = await store.deviceTopics(hashOf(endpoint));
      return topics.flatMap((topic): DeviceTopicView[] => {
        const { subject } = topic;
        if (topic.kind === "owner") {
          const alert = toPublicAlert(topic.alert, ports.links);
          return alert === null ? [] : [{ kind: "owner", subject, alert }];
        }
        const { id: _id, ...circle } = topic.zone;
        const zone = toZoneView({ ...circle, frequency: "at_once" }, ports.gazetteer);
        return [{ kind: "zone", subject, zone }];
      });
    },

    /** Ends the topic of a device with this subject, or all if it is null. Idempotent. */
    async endDeviceTopics(endpoint: string, subject: string | null): Promise<void> {
      const endpointHash = hashOf(endpoint);
      for (const topic of await store.deviceTopics(endpointHash)) {
        if (subject !== null && topic.subject !== subject) continue;
        if (topic.kind === "owner")
          await store.endOwnerTopic(endpointHash, topic.alert.id, clock());
        else await store.endZone(topic.zone.id, clock());
      }
      await syncIndexes();
    },
  };
}

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
            ports.random.id(),
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
