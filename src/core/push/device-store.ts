import type { Alert } from "../alerts/alert.ts";
import type { Hit } from "../limits.ts";
import type { Device, DeviceZone } from "./device.ts";
import type { LeasedPush, QueuedPush } from "./push.ts";

/** Topic to add to a device, and the push that says so. */
export type NewDeviceTopic = {
  readonly device: Device;
  readonly about:
    | { readonly kind: "owner"; readonly alertId: string }
    | { readonly kind: "zone"; readonly zone: DeviceZone };
  readonly push: QueuedPush;
};

type NewDeviceTopicOutcome =
  /** Stored, or there already. */
  | { readonly kind: "kept" }
  | { readonly kind: "limited"; readonly retryAt: number }
  /** The device has the maximum of topics, or the alert of devices. */
  | { readonly kind: "full" };

/** Alert or zone whose news a device gets. */
export type DeviceTopic = { readonly subject: string } & (
  | { readonly kind: "owner"; readonly alert: Alert }
  | { readonly kind: "zone"; readonly zone: DeviceZone }
);

/** New alerts in a zone that were not pushed to its device yet. */
export type DeviceZoneNews = {
  readonly zoneId: string;
  readonly label: string | null;
  /** Null if all of them have ended meanwhile. */
  readonly newest: Alert | null;
  /** Count of those that are active. */
  readonly count: number;
};

/** Devices that get notifications by Web Push. A topic has at most one push that waits: a newer one replaces it. */
export interface DeviceStore {
  /**
   * Adds a topic if the limits have room. A device that is known, by the hash of its address, gets the new keys and language.
   * An owner's topic needs an alert that was not removed. A zone with the same circle and filters is not added twice.
   */
  addDeviceTopic(
    topic: NewDeviceTopic,
    hits: readonly Hit[],
    now: number,
  ): Promise<NewDeviceTopicOutcome>;
  /** Topics of a device, oldest first. */
  deviceTopics(endpointHash: string): Promise<DeviceTopic[]>;
  /** Ends the topic of an owner's alert for good. Those of zones are ended by `endZone`. */
  endOwnerTopic(endpointHash: string, alertId: string, now: number): Promise<void>;
  /** Deletes a device with its topics and zones. */
  eraseDevice(id: string, now: number): Promise<void>;
  /** Deletes devices that no push has reached since `before`, and those that none ever reached if older than `unprovenBefore`. */
  eraseLostDevices(
    ages: { readonly before: number; readonly unprovenBefore: number },
    now: number,
    limit: number,
  ): Promise<void>;

  /** News that is due for zones of devices. Several nodes may get the same. */
  deviceZoneNews(now: number, limit: number): Promise<DeviceZoneNews[]>;
  /**
   * Queues a push about the news of a zone and marks the news as delivered, if the newest alert is still active. Beyond one
   * of the limits, the news waits and is gathered. Without a push, news that is due is dropped.
   */
  addZonePush(
    news: DeviceZoneNews,
    push: QueuedPush | null,
    hits: readonly Hit[],
    now: number,
  ): Promise<void>;

  /** Due pushes, oldest first, leased until `now + leaseMs` so that no other worker takes them. */
  leasePushes(now: number, leaseMs: number, limit: number): Promise<LeasedPush[]>;
  /** Removes a push from the queue, unless a newer one has replaced it. `reachedAt`: time at which it was delivered. */
  closePush(push: LeasedPush, reachedAt: number | null): Promise<void>;
  postponePush(push: LeasedPush, dueAt: number): Promise<void>;
}
