import { LRUCache } from "lru-cache";
import {
  DAYS_BEFORE_LOSS_MAX,
  firstGlance,
  looksOf,
  prepare,
  type PreparedSubject,
  SEARCH_RADIUS_KM,
  WINDOW_DAYS,
} from "../../matching/matching.ts";
import type { AlertDraft } from "../alerts/alert.ts";
import { cellRadiusKm, type Point, type TownArea } from "../../values/point.ts";
import type { Ports } from "./ports.ts";
import { type KnownSubject, type MatchSubject, SAME_CHIP_MAX } from "./pair-store.ts";
import { dayOf } from "../../values/day.ts";
import type { Nearby } from "../../search/search.ts";

/** Nearest alerts within radius and window that are ranked by what the index knows of them. */
export const NEIGHBOURS_MAX = 1_000;
/** The likeliest of these neighbours, which are read and scored for a reader who waits. */
export const CANDIDATES_MAX = 200;
/** Prepared alerts that are cached, some 2.5 KB each: the same neighbours are compared again and again. */
const CACHED_MAX = 1_000;
const TOWNS_MAX = 10_000;

/** Alert prepared for comparison, with its keys. */
type MatchCandidate = Pick<KnownSubject, "id" | "publishedAt"> & {
  readonly subject: PreparedSubject;
};

/** Finder of the alerts that an alert is compared with. */
export function createCandidates({ store, alertIndex, gazetteer }: CandidatePorts) {
  const cache = new LRUCache<number, MatchCandidate>({ max: CACHED_MAX });
  const towns = new LRUCache<string, { readonly town: TownArea | null }>({ max: TOWNS_MAX });
  let changes = 0;

  /** Town that a public point stands for; null if more than the town is known. */
  function townAt(point: Point): TownArea | null {
    const key = `${point.lat} ${point.lng}`;
    const known = towns.get(key) ?? { town: gazetteer.townCentredAt(point) };
    towns.set(key, known);
    return known.town;
  }

  const radiusKmAt = (point: Point) => townAt(point)?.radiusKm ?? cellRadiusKm(point);

  function prepared(alert: MatchSubject): PreparedSubject {
    const { point, publishedAt = null } = alert;
    const town = townAt(point)?.town ?? null;
    return prepare({ ...alert, town, radiusKm: radiusKmAt(point), publishedAt });
  }

  function toCandidate(alert: KnownSubject): MatchCandidate {
    return { id: alert.id, publishedAt: alert.publishedAt, subject: prepared(alert) };
  }

  async function read(keys: readonly number[]): Promise<MatchCandidate[]> {
    const missing = keys.filter((key) => !cache.has(key));
    const before = changes;
    const found = missing.length === 0 ? [] : await store.subjectsByKeys(missing);
    const fresh = new Map(found.map((known) => [known.publishedAt, toCandidate(known)]));
    const candidates = keys.flatMap((key) => cache.get(key) ?? fresh.get(key) ?? []);
    // Alerts that changed during the read may be stale.
    if (changes === before) for (const [key, known] of fresh) cache.set(key, known);
    return candidates;
  }

  /** The likeliest neighbours, ranked before they are read by place, days, colours and breed groups. */
  function likeliest(neighbours: readonly Nearby[], alert: AlertDraft, limit: number) {
    if (neighbours.length <= limit) return neighbours;
    const own = { looks: looksOf(alert), radiusKm: radiusKmAt(alert.point) };
    const ownDay = dayOf(alert.eventDate);
    const glance = ({ point, km, day, looks }: Nearby) =>
      firstGlance({
        species: alert.species,
        km,
        radiusKm: Math.max(own.radiusKm, radiusKmAt(point)),
        days: alert.type === "lost" ? day - ownDay : ownDay - day,
        looks: [own.looks, looks],
      });
    return neighbours
      .map((neighbour) => ({ neighbour, glance: glance(neighbour) }))
      .sort((one, other) => other.glance - one.glance)
      .slice(0, limit)
      .map(({ neighbour }) => neighbour);
  }

  return {
    prepare: prepared,

    /** Drops the cached alert with this key, which was changed or deleted. */
    forget(key: number): void {
      changes++;
      cache.delete(key);
    },

    /**
     * The likeliest alerts of the other type and the same species within search radius and window, and those with the
     * same chip, without the alerts in `ended`. `unread`: number of other alerts there, beyond the likeliest `limit`,
     * which were not read.
     */
    async of(
      alert: AlertDraft,
      ended: ReadonlySet<string>,
      limit: number,
    ): Promise<{ readonly candidates: readonly MatchCandidate[]; readonly unread: number }> {
      const { type, point, species, chipHash } = alert;
      const otherType = type === "lost" ? "found" : "lost";
      const chipTwins =
        chipHash === null ? [] : await store.alertsByChip(chipHash, otherType, SAME_CHIP_MAX);
      const twinKeys = new Set(chipTwins.map(({ publishedAt }) => publishedAt));

      const own = dayOf(alert.eventDate);
      const days =
        type === "lost"
          ? { first: own - DAYS_BEFORE_LOSS_MAX, last: own + WINDOW_DAYS, own }
          : { first: own - WINDOW_DAYS, last: own + DAYS_BEFORE_LOSS_MAX, own };
      const radiusKm = SEARCH_RADIUS_KM[species];
      const neighbours = alertIndex
        .nearest({ point, radiusKm, species, type: otherType, days, limit: NEIGHBOURS_MAX })
        .filter(({ publishedAt }) => !twinKeys.has(publishedAt));
      // Ended pairs must not take the place of other candidates.
      const chosen = likeliest(neighbours, alert, limit + ended.size);
      const near = await read(chosen.map(({ publishedAt }) => publishedAt));
      return {
        candidates: [...near, ...chipTwins.map(toCandidate)].filter(({ id }) => !ended.has(id)),
        unread: neighbours.length - chosen.length,
      };
    },
  };
}

type CandidatePorts = Pick<Ports, "store" | "alertIndex" | "gazetteer">;
