import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ALERT_TYPES, type AlertType, SPECIES, type Species } from "../../src/core/alert.ts";
import { distanceKm, type Point, snap } from "../../src/core/place.ts";
import type { IndexedZone, ZoneChange, ZoneIndex } from "../../src/core/ports.ts";
import { createZoneIndex } from "../../src/search/zone-index.ts";

const PARIS = snap(48.8566, 2.3522);
const VERSAILLES = snap(48.8049, 2.1204);

function zone(id: string, about: Partial<IndexedZone> = {}): IndexedZone {
  return { id, point: PARIS, radiusKm: 5, species: null, type: null, ...about };
}

const put = (zone: IndexedZone): ZoneChange => ({ kind: "put", zone });
const drop = (id: string): ZoneChange => ({ kind: "drop", id });

/** In the order of their ids. */
function covering(index: ZoneIndex, ...asked: Parameters<ZoneIndex["covering"]>): string[] {
  return [...index.covering(...asked)].sort();
}

function indexOf(...zones: readonly IndexedZone[]) {
  const index = createZoneIndex();
  index.apply(zones.map(put));
  return index;
}

describe("the zones that cover a point", () => {
  test("are none in an empty index", () => {
    const index = createZoneIndex();

    expect(covering(index, PARIS, "dog", "lost")).toEqual([]);
    expect(index.size).toBe(0);
  });

  test("are those whose circle reaches it, not those whose box alone does", () => {
    const km = distanceKm(PARIS, VERSAILLES);
    const index = indexOf(
      zone("b", { radiusKm: km }),
      zone("a", { radiusKm: km + 1 }),
      zone("c", { radiusKm: km - 1e-9 }),
    );

    expect(covering(index, VERSAILLES, "dog", "lost")).toEqual(["a", "b"]);
  });

  test("are those that take such an alert", () => {
    const index = indexOf(
      zone("any"),
      zone("cats", { species: "cat" }),
      zone("found", { type: "found" }),
      zone("found cats", { species: "cat", type: "found" }),
    );

    expect(covering(index, PARIS, "cat", "found")).toEqual(["any", "cats", "found", "found cats"]);
    expect(covering(index, PARIS, "cat", "lost")).toEqual(["any", "cats"]);
    expect(covering(index, PARIS, "dog", "lost")).toEqual(["any"]);
  });

  test("reach over the date line and a pole, and count once", () => {
    const index = indexOf(
      zone("line", { point: snap(-16.8, 179.95), radiusKm: 100 }),
      zone("pole", { point: snap(89.9, 10), radiusKm: 100 }),
    );

    expect(covering(index, snap(-16.8, -179.95), "dog", "lost")).toEqual(["line"]);
    expect(covering(index, snap(-16.8, 180), "dog", "lost")).toEqual(["line"]);
    expect(covering(index, snap(89.9, -170), "dog", "lost")).toEqual(["pole"]);
    expect(covering(index, snap(-16.8, 170), "dog", "lost")).toEqual([]);
  });

  test("are without a zone that was dropped or moved away", () => {
    const index = indexOf(zone("a"), zone("b"), zone("c"));

    index.apply([drop("a"), put(zone("b", { point: snap(10, 10) })), drop("unknown")]);

    expect(covering(index, PARIS, "dog", "lost")).toEqual(["c"]);
    expect(covering(index, snap(10, 10), "dog", "lost")).toEqual(["b"]);
    expect(index.size).toBe(2);
  });

  test("are right by the last word where one batch says several things of a zone", () => {
    const index = createZoneIndex();

    index.apply([put(zone("a")), drop("a"), put(zone("b")), drop("c"), put(zone("c"))]);

    expect(covering(index, PARIS, "dog", "lost")).toEqual(["b", "c"]);
  });

  test("come in the order in which they were put here, however many they are", () => {
    const ids = Array.from({ length: 10_000 }, (_, nth) => String((nth * 7_919) % 10_000));
    const index = indexOf(...ids.map((id) => zone(id)));
    index.apply([put(zone(ids[3]!, { radiusKm: 6 })), drop(ids[5_000]!)]);

    expect([...index.covering(PARIS, "dog", "lost")]).toEqual([
      ...ids.filter((_, nth) => nth !== 3 && nth !== 5_000),
      ids[3]!,
    ]);
  });

  test("are those that stay where others come and go while they are taken", () => {
    const zones = Array.from({ length: 10_000 }, (_, nth) => zone(String(nth)));
    const index = indexOf(...zones);

    const ids = Iterator.from(index.covering(PARIS, "dog", "lost"));
    const first = ids.next().value;
    index.apply([...zones.slice(5_000).map(({ id }) => drop(id)), put(zone("new"))]);

    const taken = new Set([first, ...ids]);
    expect(zones.slice(0, 5_000).filter(({ id }) => !taken.has(id))).toEqual([]);
  });

  test("are the same as if every zone had been tried, whatever was put and dropped", () => {
    const point = fc.oneof(
      fc.tuple(fc.integer({ min: -90, max: 90 }), fc.integer({ min: -180, max: 180 })),
      fc.tuple(fc.constantFrom(89.5, -89.5, 0, 48.8), fc.constantFrom(179.9, -179.9, -180, 2.3)),
    );
    const snapped = point.map(([lat, lng]) => snap(lat, lng));
    const id = fc.integer({ min: 1, max: 30 }).map(String);
    const aZone = fc.record({
      id,
      point: snapped,
      radiusKm: fc.constantFrom(1, 20, 100, 3_000),
      species: fc.option(fc.constantFrom(...SPECIES)),
      type: fc.option(fc.constantFrom(...ALERT_TYPES)),
    });
    const change = fc.oneof({ weight: 3, arbitrary: aZone.map(put) }, id.map(drop));
    const alert = fc.tuple(snapped, fc.constantFrom(...SPECIES), fc.constantFrom(...ALERT_TYPES));
    const rounds = fc.array(
      fc.tuple(fc.array(change, { maxLength: 30, size: "max" }), fc.array(alert)),
      {
        maxLength: 5,
      },
    );
    fc.assert(
      fc.property(rounds, (rounds) => {
        const model = new Map<string, IndexedZone>();
        const index = createZoneIndex();
        for (const [changes, alerts] of rounds) {
          index.apply(changes);
          for (const change of changes) {
            if (change.kind === "put") model.set(change.zone.id, change.zone);
            else model.delete(change.id);
          }

          expect(index.size).toBe(model.size);
          for (const [point, species, type] of alerts) {
            expect(covering(index, point, species, type)).toEqual(
              tried(model, point, species, type),
            );
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});

function tried(
  zones: ReadonlyMap<string, IndexedZone>,
  point: Point,
  species: Species,
  type: AlertType,
): string[] {
  return [...zones.values()]
    .filter((zone) => zone.species === null || zone.species === species)
    .filter((zone) => zone.type === null || zone.type === type)
    .filter((zone) => distanceKm(zone.point, point) <= zone.radiusKm)
    .map(({ id }) => id)
    .sort();
}
