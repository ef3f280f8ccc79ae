import { describe, expect, test } from "bun:test";
import { CAPS, QUOTAS } from "../../src/core/caps.ts";
import type { DeviceZone } from "../../src/core/push/device.ts";
import { newPush, ownerSubject, zoneSubject } from "../../src/core/push/push.ts";
import type { DeviceZoneNews } from "../../src/core/push/device-store.ts";
import { publish } from "./confirmed.ts";
import { makeId } from "./make.ts";
import { store } from "./opened-store.ts";
import { DAWN, DAY, HOUR, MINUTE } from "./time.ts";

/** Store contract: devices that get notifications by Web Push. */
export function describeDevices(): void {
  const deviceOf = (endpointHash: string) => ({
    id: makeId("device"),
    endpointHash,
    sealed: `sealed ${endpointHash}`,
    language: "en" as const,
  });
  const welcome = (now = DAWN) => newPush(makeId("push"), { kind: "welcome", alert: null }, now);
  const makeZone = (about: Partial<DeviceZone> = {}): DeviceZone => ({
    id: makeId("zone"),
    point: { lat: 45.77, lng: 4.83 },
    radiusKm: 5,
    species: null,
    type: null,
    label: null,
    ...about,
  });
  const tellZone = async (endpointHash: string, zone = makeZone(), now = DAWN) => {
    const topic = { device: deviceOf(endpointHash), about: { kind: "zone" as const, zone } };
    return store.addDeviceTopic({ ...topic, push: welcome(now) }, [], now);
  };
  const tellOwner = async (endpointHash: string, alertId: string, now = DAWN) => {
    const topic = { device: deviceOf(endpointHash), about: { kind: "owner" as const, alertId } };
    return store.addDeviceTopic({ ...topic, push: welcome(now) }, [], now);
  };
  const subjects = async (endpointHash: string) =>
    (await store.deviceTopics(endpointHash)).map(({ subject }) => subject);
  const waiting = (now = DAWN) => store.leasePushes(now, MINUTE, 100);
  const announce = (alertId: string, zoneId: string, dueAt: number) =>
    store.announce(alertId, [{ zoneId, dueAt }], dueAt);
  const limited = [{ key: "push:zone", ...CAPS.pushesPerZone }];
  const tell = async (news: DeviceZoneNews, now: number) => {
    const { newest } = news;
    if (newest === null) return store.addZonePush(news, null, [], now);
    const content = { kind: "zone", alert: newest, more: news.count - 1, label: null } as const;
    return store.addZonePush(news, newPush(makeId("push"), content, now), limited, now);
  };

  describe("topics of devices", () => {
    test("are told of what was asked for, once each", async () => {
      const alert = await publish(store);
      const zone = makeZone({ label: "Home" });
      expect(await tellOwner("a", alert.id)).toEqual({ kind: "kept" });
      expect(await tellOwner("a", alert.id)).toEqual({ kind: "kept" });
      expect(await tellZone("a", zone)).toEqual({ kind: "kept" });
      expect(await tellZone("a", makeZone())).toEqual({ kind: "kept" });
      expect(await tellZone("a", makeZone({ species: "cat" }))).toEqual({ kind: "kept" });

      const topics = await store.deviceTopics("a");

      expect(topics).toHaveLength(3);
      expect(topics).toContainEqual({ kind: "owner", subject: ownerSubject(alert.id), alert });
      expect(topics).toContainEqual({ kind: "zone", subject: zoneSubject(zone.id), zone });
      expect(await store.deviceTopics("b")).toEqual([]);
    });

    test("beyond the maximum are refused, and so is another device of an alert", async () => {
      const alert = await publish(store);
      for (let nth = 0; nth < QUOTAS.topicsPerDevice; nth++)
        await tellZone("a", makeZone({ radiusKm: 1 + nth }));
      expect(await tellZone("a", makeZone({ radiusKm: 99 }))).toEqual({ kind: "full" });
      for (let nth = 0; nth < QUOTAS.devicesPerAlert; nth++)
        await tellOwner(`owner ${nth}`, alert.id);
      expect(await tellOwner("one more", alert.id)).toEqual({ kind: "full" });
      expect(await tellOwner("b", "nobody's")).toEqual({ kind: "full" });
    });

    test("count against limits", async () => {
      const hits = [{ key: "zone:from", max: 1, windowMs: HOUR }];
      const add = (endpointHash: string, now: number) =>
        store.addDeviceTopic(
          {
            device: deviceOf(endpointHash),
            about: { kind: "zone", zone: makeZone() },
            push: welcome(now),
          },
          hits,
          now,
        );
      expect(await add("a", DAWN)).toEqual({ kind: "kept" });
      expect(await add("b", DAWN)).toEqual({ kind: "limited", retryAt: DAWN + HOUR });
      expect(await subjects("b")).toEqual([]);
    });

    test("of one device end alone, and a device without any is forgotten", async () => {
      const alert = await publish(store);
      await tellOwner("a", alert.id);
      await tellOwner("b", alert.id);
      await store.endOwnerTopic("a", alert.id, DAWN);
      expect(await subjects("a")).toEqual([]);
      expect(await subjects("b")).toEqual([ownerSubject(alert.id)]);
      expect(await waiting()).toHaveLength(1);

      const zone = makeZone();
      await tellZone("a", zone);
      await store.endZone(zone.id, DAWN);
      expect(await subjects("a")).toEqual([]);
    });

    test("end with the alert, or with the erasure of its owner's data", async () => {
      const removed = await publish(store);
      const ended = await publish(store, { expiresAt: DAWN + DAY });
      await tellOwner("a", removed.id);
      await tellOwner("b", ended.id);
      await store.removeAlert(removed.id, DAWN);
      expect(await subjects("a")).toEqual([]);
      await store.expireAlerts(DAWN + 2 * DAY, 10);
      await store.eraseEnded(DAWN + 3 * DAY, DAWN + 3 * DAY, 10);
      expect(await subjects("b")).toEqual([]);
    });

    test("of an erased device end with its zones", async () => {
      const zone = makeZone();
      await tellZone("a", zone);
      await tellZone("b", makeZone());
      const [push] = await waiting();

      await store.eraseDevice(push!.deviceId, DAWN);

      expect(await subjects("a")).toEqual([]);
      expect(await subjects("b")).toHaveLength(1);
      const live = (await store.activeZones(null, 10)).map(({ id }) => id);
      expect(live).not.toContain(zone.id);
      expect(live).toHaveLength(1);
    });

    test("of devices that no push reached for long are erased", async () => {
      await tellZone("never", makeZone(), DAWN);
      await tellZone("long ago", makeZone(), DAWN);
      await tellZone("lately", makeZone(), DAWN);
      const pushes = await waiting();
      const reach = async (endpointHash: string, at: number) =>
        store.closePush(
          pushes.find(({ sealed }) => sealed === `sealed ${endpointHash}`)!,
          at,
        );
      await reach("long ago", DAWN + DAY);
      await reach("lately", DAWN + 300 * DAY);

      const now = DAWN + 400 * DAY;
      const ages = { before: now - 365 * DAY, unprovenBefore: now - 7 * DAY };
      await store.eraseLostDevices(ages, now, 10);

      expect(await subjects("never")).toEqual([]);
      expect(await subjects("long ago")).toEqual([]);
      expect(await subjects("lately")).toHaveLength(1);
    });

    test("of a device that a push reaches while others are erased are kept", async () => {
      await tellZone("never", makeZone(), DAWN);
      await tellZone("now", makeZone(), DAWN);
      const push = (await waiting()).find(({ sealed }) => sealed === "sealed now")!;

      const now = DAWN + 8 * DAY;
      const ages = { before: now - 365 * DAY, unprovenBefore: now - 7 * DAY };
      const erasing = store.eraseLostDevices(ages, now, 10);
      await store.closePush(push, now);
      await erasing;

      expect(await subjects("never")).toEqual([]);
      expect(await subjects("now")).toHaveLength(1);
    });
  });

  describe("news of zones of devices", () => {
    test("is due when it was announced, counted, and marked once it is told", async () => {
      const zone = makeZone({ label: "Home" });
      await tellZone("a", zone);
      const first = await publish(store);
      const second = await publish(store);
      await announce(first.id, zone.id, DAWN + MINUTE);
      await announce(second.id, zone.id, DAWN + MINUTE);
      expect(await store.deviceZoneNews(DAWN, 10)).toEqual([]);

      const [news] = await store.deviceZoneNews(DAWN + MINUTE, 10);
      expect(news).toMatchObject({ zoneId: zone.id, label: "Home", count: 2 });
      expect(news!.newest).toMatchObject({ id: second.id });
      await tell(news!, DAWN + MINUTE);
      // Another node, which read the same.
      await tell(news!, DAWN + MINUTE);

      expect(await store.deviceZoneNews(DAWN + HOUR, 10)).toEqual([]);
      expect(await waiting(DAWN + MINUTE)).toMatchObject([{ content: { kind: "zone", more: 1 } }]);
      expect(await store.mailboxesWithNews(DAWN + HOUR, 10)).toEqual([]);
    });

    test("that arrives after it was read stays news", async () => {
      const zone = makeZone();
      await tellZone("a", zone);
      const first = await publish(store);
      await announce(first.id, zone.id, DAWN);
      const [read] = await store.deviceZoneNews(DAWN, 10);
      const second = await publish(store);
      await announce(second.id, zone.id, DAWN);

      await tell(read!, DAWN);

      const [left] = await store.deviceZoneNews(DAWN, 10);
      expect(left).toMatchObject({ count: 1, newest: { id: second.id } });
    });

    test("waits beyond the limit, and is told together", async () => {
      const zone = makeZone();
      await tellZone("a", zone);
      for (let nth = 0; nth < CAPS.pushesPerZone.max + 2; nth++) {
        const alert = await publish(store);
        await announce(alert.id, zone.id, DAWN + nth);
        for (const news of await store.deviceZoneNews(DAWN + nth, 10)) await tell(news, DAWN + nth);
      }
      expect(await store.deviceZoneNews(DAWN + MINUTE, 10)).toEqual([]);
      expect(await store.deviceZoneNews(DAWN + HOUR, 10)).toMatchObject([{ count: 2 }]);
    });

    test("of alerts that have ended is dropped, and their push is withdrawn", async () => {
      const zone = makeZone();
      await tellZone("a", zone);
      const gone = await publish(store);
      const other = await publish(store);
      await announce(other.id, zone.id, DAWN);
      await announce(gone.id, zone.id, DAWN);
      const [news] = await store.deviceZoneNews(DAWN, 10);
      await tell(news!, DAWN);
      await store.removeAlert(gone.id, DAWN);

      expect((await waiting()).map(({ content }) => content.kind)).toEqual([]);
      const [again] = await store.deviceZoneNews(DAWN + MINUTE, 10);
      expect(again).toMatchObject({ count: 1, newest: { id: other.id } });
      await store.removeAlert(other.id, DAWN);
      const [nothing] = await store.deviceZoneNews(DAWN + MINUTE, 10);
      expect(nothing).toMatchObject({ count: 0, newest: null });
      await tell(nothing!, DAWN + MINUTE);
      expect(await store.deviceZoneNews(DAWN + MINUTE, 10)).toEqual([]);
    });
  });

  describe("pushes", () => {
    test("are leased to one worker at a time, with the keys of the device", async () => {
      await tellZone("a");
      const [first] = await store.leasePushes(DAWN, 10 * MINUTE, 10);
      expect(first).toMatchObject({ sealed: "sealed a", language: "en", isReached: false });
      expect(await store.leasePushes(DAWN + 9 * MINUTE, MINUTE, 10)).toEqual([]);
      expect(await store.leasePushes(DAWN + 10 * MINUTE, MINUTE, 10)).toEqual([first!]);
    });

    test("end when they are closed, and wait when they are postponed", async () => {
      await tellZone("a");
      const [push] = await waiting();
      await store.postponePush(push!, DAWN + HOUR);
      expect(await waiting(DAWN + HOUR - 1)).toEqual([]);
      const [later] = await waiting(DAWN + HOUR);
      await store.closePush(later!, DAWN + HOUR);
      expect(await waiting(DAWN + 2 * DAY)).toEqual([]);
      await tellZone("a", makeZone({ species: "cat" }));
      expect(await waiting()).toMatchObject([{ isReached: true }]);
    });

    test("that a newer one has replaced are neither closed nor postponed", async () => {
      const zone = makeZone();
      await tellZone("a", zone);
      const [older] = await waiting();
      const alert = await publish(store);
      await announce(alert.id, zone.id, DAWN);
      const [news] = await store.deviceZoneNews(DAWN, 10);
      await tell(news!, DAWN);
      await store.closePush(older!, DAWN);
      await store.postponePush(older!, DAWN + DAY);
      expect(await waiting()).toMatchObject([{ content: { kind: "zone" } }]);
    });
  });
}
