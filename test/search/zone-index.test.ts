import { describe, expect, test } from "bun:test";
import { distanceKm, type Point, snap } from "../../src/values/point.ts";
import { ZONE_FREQUENCIES } from "../../src/core/zones/zone.ts";
import { createZoneIndex } from "../../src/search/zone-index.ts";
import { fc } from "../support/seed.ts";
import { ALERT_TYPES, type AlertType, type Species, SPECIES } from "../../src/values/animal.ts";
import type { IndexedZone, ZoneChange, ZoneIndex } from "../../src/search/indexes.ts";

const PARIS = snap(48.8566, 2.3522);
const VERSAILLES = snap(48.8049, 2.1204);

function zone(id: string, about: Partial<IndexedZone> = {}): IndexedZone {
  return {
    id,
    point: PARIS,
    radiusKm: 5,
    species: null,
    type: null,
    frequency: "at_once",
    ...about,
  };
}

const put = (zone: IndexedZone): ZoneChange => ({ kind: "put", zone });
const drop = (id: string): ZoneChange => ({ kind: "drop", id });

/** Sorted by id. */
function covering(index: ZoneIndex, ...query: Parameters<ZoneIndex["covering"]>): string[] {
  return idsOf(index.covering(...query)).sort();
}

function idsOf(zones: Iterable<IndexedZone>): string[] {
  return Array.from(zones, ({ id }) => id);
}

function indexOf(...zones: readonly IndexedZone[]) {
  const index = createZoneIndex();
  index.apply(zones.map(put));
  return index;
}

describe("the zones that cover a point", () => {
  test("are those whose circle reaches it, not those whose box alone does", () => {
    const km = distanceKm(PARIS, VERSAILLES);
    const index = indexOf(
      zone("b", { radiusKm: km }),
      zone("a", { radiusKm: km + 1 }),
      zone("c", { radiusKm: km - 1e-9 }),
    );

    expect(covering(index, VERSAILLES, "dog", "lost")).toEqual(["a", "b"]);
  });

  test("come in order of insertion, however many there are", () => {
    const ids = Array.from({ length: 10_000 }, (_, nth) => String((nth * 7_919) % 10_000));
    const index = indexOf(...ids.map((id) => zone(id)));
    index.apply([put(zone(ids[3]!, { radiusKm: 6 })), drop(ids[5_000]!)]);

    expect(idsOf(index.covering(PARIS, "dog", "lost"))).toEqual([
      ...ids.filter((_, nth) => nth !== 3 && nth !== 5_000),
      ids[3]!,
    ]);
  });

  test("include every zone that stays while others are added and dropped during the iteration", () => {
    const zones = Array.from({ length: 10_000 }, (_, nth) => zone(String(nth)));
    const index = indexOf(...zones);

    const ids = Iterator.from(index.covering(PARIS, "dog", "lost")).map(({ id }) => id);
    const first = ids.next().value;
    index.apply([...zones.slice(5_000).map(({ id }) => drop(id)), put(zone("new"))]);

    const taken = new Set([first, ...ids]);
    expect(zones.slice(0, 5_000).filter(({ id }) => !taken.has(id))).toEqual([]);
  });

  test("are those that a test of every zone finds, after any puts and drops", () => {
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
      frequency: fc.constantFrom(...ZONE_FREQUENCIES),
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
              bruteForce(model, point, species, type),
            );
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});

function bruteForce(
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
