import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Store } from "../../src/core/store.ts";
import { publish, subscribe } from "./confirmed.ts";
import { makeBulk, makeLetter } from "./make.ts";
import { DAWN, DAY, HOUR, MINUTE } from "./time.ts";

/** What every store promises of zones and the news for them. */
export function describeZones(name: string, open: () => Store): void {
  describe(`the store on ${name}`, () => {
    let store: Store;
    beforeEach(() => {
      store = open();
    });
    afterEach(() => store.close());

    describe("zones", () => {
      test("hear of an alert once, however often it is announced and told", async () => {
        const alert = await publish(store);
        const { zone } = await subscribe(store);
        await store.announce(alert.id, [zone.id], DAWN);
        await store.announce(alert.id, [zone.id], DAWN);

        expect(await store.zoneNews(zone.id, DAWN, 10)).toMatchObject({
          total: 1,
          lettersInLastHour: 0,
        });
        const before = (await store.outboxState()).waiting;
        await store.tellZone(
          zone.id,
          [{ letter: makeLetter(), alertIds: [alert.id], andAllLeft: false }],
          DAWN,
        );
        await store.tellZone(
          zone.id,
          [{ letter: makeLetter(), alertIds: [alert.id], andAllLeft: false }],
          DAWN,
        );

        expect((await store.outboxState()).waiting - before).toBe(1);
        expect(await store.zonesWithNews(DAWN, 10)).toEqual([]);
      });

      test("do not hear of their own alerts nor of ended ones, and news is counted beyond the page", async () => {
        const { zone } = await subscribe(store, { email: "Reader@example.org" });
        const own = await publish(store, { ownerEmail: "reader@example.org" });
        const ended = await publish(store);
        await store.moveAlert(
          ended,
          { status: "resolved", expiresAt: ended.expiresAt, endedAt: DAWN },
          DAWN,
        );
        const others = [await publish(store), await publish(store), await publish(store)];
        for (const alert of [own, ended, ...others])
          await store.announce(alert.id, [zone.id], DAWN);

        const news = await store.zoneNews(zone.id, DAWN, 2);

        expect(news?.total).toBe(3);
        expect(news?.alerts.map(({ id }) => id)).toEqual(
          others
            .slice(1)
            .reverse()
            .map(({ id }) => id),
        );
      });

      test("hear nothing of a removed alert, and the rest of its letter is news again", async () => {
        const [gone, kept] = [await publish(store), await publish(store)];
        const { zone } = await subscribe(store);
        for (const alert of [gone, kept]) await store.announce(alert.id, [zone.id], DAWN);
        await store.tellZone(
          zone.id,
          [{ letter: makeLetter(), alertIds: [gone.id], andAllLeft: true }],
          DAWN,
        );
        const before = (await store.outboxState()).waiting;

        await store.removeAlert(gone.id, DAWN);

        // Its own letter of publication is another matter: here it is about nothing.
        expect(before - (await store.outboxState()).waiting).toBeGreaterThanOrEqual(1);
        expect((await store.zoneNews(zone.id, DAWN, 10))?.alerts.map(({ id }) => id)).toEqual([
          kept.id,
        ]);
      });

      test("an alert waits to be announced until it is", async () => {
        const alert = await publish(store);
        await store.addAlerts([makeBulk({ announce: false })], DAWN);

        expect((await store.unannounced(10)).map(({ id }) => id)).toEqual([alert.id]);
        await store.announce(alert.id, [], DAWN);
        expect(await store.unannounced(10)).toEqual([]);
      });

      test("an alert stays unannounced while more of its zones follow, and one that ended is left out", async () => {
        const alert = await publish(store);
        const [{ zone: first }, { zone: second }, { zone: ended }] = [
          await subscribe(store),
          await subscribe(store, { email: "second@example.org" }),
          await subscribe(store, { email: "third@example.org" }),
        ];
        await store.endZone(ended.id, DAWN);

        await store.announce(alert.id, [first.id], DAWN, { more: true });
        expect(await store.unannounced(10)).toHaveLength(1);

        // As after a stop halfway: from the beginning again.
        await store.announce(alert.id, [first.id, ended.id, second.id], DAWN);
        expect(await store.unannounced(10)).toEqual([]);
        expect(new Set(await store.zonesWithNews(DAWN, 10))).toEqual(
          new Set([first.id, second.id]),
        );
      });

      test("a page of zones with news is as long as there are zones, however much news each has", async () => {
        const { zone: first } = await subscribe(store);
        const { zone: second } = await subscribe(store, { email: "other@example.org" });
        const alerts = [await publish(store), await publish(store), await publish(store)];
        for (const { id } of alerts) await store.announce(id, [first.id], DAWN);
        await store.announce(alerts[0]!.id, [second.id], DAWN + 1);

        expect(await store.zonesWithNews(DAWN + 1, 2)).toEqual([first.id, second.id]);
      });

      test("much news that may not be told yet keeps no other from being told", async () => {
        const { zone: full } = await subscribe(store);
        const { zone: fresh } = await subscribe(store, { email: "other@example.org" });
        const bulk = Array.from({ length: 1_203 }, () => makeBulk({ announce: false }));
        await store.addAlerts(bulk, DAWN);
        const [last, ...others] = bulk.map(({ draft }) => draft.id).toReversed();
        if (last === undefined) throw new Error("many were made");
        for (const id of others.slice(0, 3)) {
          const letter = { letter: makeLetter(), alertIds: [id], andAllLeft: false };
          await store.announce(id, [full.id], DAWN);
          await store.tellZone(full.id, [letter], DAWN);
        }
        for (const id of others.slice(3)) await store.announce(id, [full.id], DAWN);
        await store.announce(last, [fresh.id], DAWN);

        const twice = [
          ...(await store.zonesWithNews(DAWN, 10)),
          ...(await store.zonesWithNews(DAWN, 10)),
        ];

        expect(twice).toEqual([fresh.id]);
      });

      test("a zone that had its letters of the hour stands back for others, and letters from a clock ahead do not count", async () => {
        const { zone: full } = await subscribe(store);
        const { zone: fresh } = await subscribe(store, { email: "other@example.org" });
        const tell = async (zoneId: string, at: number) => {
          const alert = await publish(store);
          await store.announce(alert.id, [zoneId], at);
          await store.tellZone(
            zoneId,
            [{ letter: makeLetter(), alertIds: [alert.id], andAllLeft: false }],
            at,
          );
        };
        for (let number = 0; number < 3; number++) await tell(full.id, DAWN);
        for (let number = 0; number < 3; number++) await tell(fresh.id, DAWN + 400 * DAY);
        const alert = await publish(store);
        await store.announce(alert.id, [full.id, fresh.id], DAWN + 1);

        expect(await store.zonesWithNews(DAWN + 1, 1)).toEqual([fresh.id]);
        expect(await store.zonesWithNews(DAWN + HOUR, 10)).toContain(full.id);
      });

      test("a letter that gathered several alerts is the only one for an hour", async () => {
        const { zone } = await subscribe(store);
        const hear = async (at: number) => {
          const { id } = await publish(store);
          await store.announce(id, [zone.id], at);
          return id;
        };
        const alertIds = await Array.fromAsync({ length: 5 }, () => hear(DAWN));
        await store.tellZone(
          zone.id,
          [{ letter: makeLetter(), alertIds: alertIds.slice(0, 2), andAllLeft: true }],
          DAWN,
        );
        await hear(DAWN + MINUTE);

        expect(await store.zonesWithNews(DAWN + 59 * MINUTE, 10)).toEqual([]);
        expect(await store.zonesWithNews(DAWN + HOUR, 10)).toEqual([zone.id]);
      });

      test("an ended zone is gone with its link, its address and the letters that waited", async () => {
        const alert = await publish(store);
        const { zone, link } = await subscribe(store);
        await store.announce(alert.id, [zone.id], DAWN);
        await store.tellZone(
          zone.id,
          [{ letter: makeLetter(), alertIds: [alert.id], andAllLeft: false }],
          DAWN,
        );
        const before = (await store.outboxState()).waiting;

        await store.endZone(zone.id, DAWN);
        await store.endZone(zone.id, DAWN);

        expect(await store.zone(zone.id)).toBeNull();
        expect(await store.link(link.tokenHash, "unsubscribe")).toBeNull();
        expect(before - (await store.outboxState()).waiting).toBe(1);
        expect((await store.changesSince(0, 100)).zones).toEqual([{ kind: "drop", id: zone.id }]);
      });
    });
  });
}
