import { describe, expect, test } from "bun:test";
import type { ActiveAlert } from "../../src/core/jobs/index-sync.ts";
import type { Outcome } from "../../src/core/outcomes/outcome.ts";
import { publish, resolve, subscribe } from "./confirmed.ts";
import { makeBulk, makeDraft, makeOutcome } from "./make.ts";
import { store } from "./opened-store.ts";
import { DAWN } from "./time.ts";

/** Store contract: reads for the indexes, which start with all active rows and then follow changes. */
export function describeIndexSync(): void {
  describe("active alerts and zones", () => {
    test("come in pages by ascending key, and later changes have higher revisions", async () => {
      const alerts = await Array.fromAsync({ length: 5 }, () => publish(store));
      const [ended] = alerts;
      if (ended === undefined) throw new Error("five were made");
      await resolve(store, ended);

      const before = (await store.position()).revision;
      const first = await store.activeAlerts(null, 3);
      const rest = await store.activeAlerts(first.at(-1)?.publishedAt ?? null, 3);

      const active = alerts.slice(1);
      expect([...first, ...rest].map(({ publishedAt }) => publishedAt)).toEqual(
        active.map(({ publishedAt }) => publishedAt),
      );
      expect((await store.changesSince(before, 10)).alerts).toEqual([]);
      await publish(store);
      expect((await store.changesSince(before, 10)).alerts).toHaveLength(1);
    });

    test("have the same fields in the first read, as a change and as a candidate", async () => {
      // No two fields are equal.
      const said = {
        species: "dog",
        type: "found",
        name: "Mimi",
        breed: "Collie",
        color: "black",
        size: "large",
        sex: "male",
        age: "senior",
        eventDate: "2026-04-29",
        chipHash: "chip",
        point: { lat: 12.34, lng: 56.78 },
      } as const;
      const draft = makeDraft({ ...said, city: "Dhaka" });
      await store.addAlerts([makeBulk({ draft })], DAWN);

      const [{ publishedAt }] = (await store.activeAlerts(null, 1)) as [ActiveAlert];
      const told = {
        publishedAt,
        ...said,
        texts: ["Mimi", "Collie", "black", "Dhaka"],
        organisation: null,
      };
      expect(await store.activeAlerts(null, 2)).toEqual([told]);
      expect((await store.changesSince(0, 2)).alerts).toEqual([{ kind: "put", alert: told }]);
      expect(await store.subjectsByKeys([publishedAt])).toEqual([
        { id: draft.id, publishedAt, updatedAt: publishedAt, ...said },
      ]);
    });

    test("include zones by ascending id, but none that ended", async () => {
      const zones = [
        await subscribe(store),
        await subscribe(store, { email: "second@example.org" }),
        await subscribe(store, { email: "third@example.org" }),
      ].map(({ zone }) => zone);
      const [ended, ...active] = zones.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      if (ended === undefined) throw new Error("three were made");
      await store.endZone(ended.id, DAWN);

      const [first] = await store.activeZones(null, 1);
      const rest = await store.activeZones(first?.id ?? null, 10);

      expect([first, ...rest]).toEqual(
        active.map(({ id, point, radiusKm, species, type, frequency }) => ({
          id,
          point,
          radiusKm,
          species,
          type,
          frequency,
        })),
      );
    });
  });

  describe("changes", () => {
    test("come in pages that together contain every alert and zone in its latest state", async () => {
      const alerts = await Array.fromAsync({ length: 7 }, () => publish(store));
      const { zone } = await subscribe(store);
      const [moved] = alerts;
      if (moved === undefined) throw new Error("seven were made");
      await resolve(store, moved);

      const seen = {
        puts: new Set<number>(),
        drops: new Set<number>(),
        zones: new Set<string>(),
      };
      let revision = 0;
      for (let more = true; more;) {
        const page = await store.changesSince(revision, 3);
        for (const change of page.alerts) {
          if (change.kind === "put") seen.puts.add(change.alert.publishedAt);
          else seen.drops.add(change.publishedAt);
        }
        for (const change of page.zones)
          seen.zones.add(change.kind === "put" ? change.zone.id : change.id);
        expect(page.revision).toBeGreaterThanOrEqual(revision);
        revision = page.revision;
        more = page.more;
      }

      expect(seen.puts).toEqual(new Set(alerts.slice(1).map((alert) => alert.publishedAt)));
      expect(seen.drops).toEqual(new Set([moved.publishedAt]));
      expect(seen.zones).toEqual(new Set([zone.id]));
      expect(await store.changesSince(revision, 3)).toMatchObject({
        alerts: [],
        zones: [],
        revision,
        more: false,
      });
    });
  });
}

/** Store contract: reading all alerts and outcomes, page by page. */
export function describeExport(): void {
  describe("an export from the store", () => {
    test("returns every alert once, of any status, in the order of publication", async () => {
      const bulk = [makeBulk(), makeBulk(), makeBulk()];
      await store.addAlerts(bulk, DAWN);
      const ids = bulk.map(({ draft }) => draft.id);
      await store.removeAlert(ids[1]!, DAWN + 1);

      const first = await store.alertsAfter(null, 2);
      const second = await store.alertsAfter(first.at(-1)!.publishedAt, 2);

      expect([first, second].map((page) => page.map(({ id }) => id))).toEqual([
        ids.slice(0, 2),
        ids.slice(2),
      ]);
      expect(first[1]?.status).toBe("removed");
      expect(await store.alertsAfter(second[0]!.publishedAt, 2)).toEqual([]);
    });

    test("returns every outcome once, in the order they were reported", async () => {
      const bulk = [1, 2, 3].map((days) => ({ ...makeBulk(), days }));
      await store.addAlerts(bulk, DAWN);
      const told = bulk.map(({ draft, days }): [string, Outcome] => [
        draft.id,
        makeOutcome({ days, distance: "farther" }),
      ]);
      for (const [id, outcome] of told) {
        const seen = (await store.alert({ by: "id", id }))!;
        await resolve(store, seen);
        expect(await store.addOutcome(id, outcome)).toBe(true);
      }

      const first = await store.outcomesAfter(0, 2);
      const second = await store.outcomesAfter(first.at(-1)!.number, 2);

      expect([...first, ...second].map(({ outcome }) => outcome)).toEqual(
        told.map(([, outcome]) => outcome),
      );
      expect([first.length, second.length]).toEqual([2, 1]);
      expect(await store.outcomesAfter(second[0]!.number, 2)).toEqual([]);
    });
  });
}
