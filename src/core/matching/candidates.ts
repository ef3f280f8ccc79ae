import { LRUCache } from "lru-cache";
import type { AlertDraft } from "../alerts/alert.ts";
import { dayOf } from "../duration.ts";
import { cellRadiusKm, type Point } from "../place.ts";
import type { Nearby, Ports } from "../ports.ts";
import { lawOf, logDensity } from "../../matching/evidence/distance-law.ts";
import { logRatioOfDays } from "../../matching/evidence/time.ts";
import { observationsOf } from "../../matching/fields.ts";
import { type KnownSubject, SAME_CHIP_MAX } from "./pair-store.ts";
import { DAYS_BEFORE_LOSS_MAX, searchRadiusKm, WINDOW_DAYS } from "../../matching/search-window.ts";
import type { Statistics } from "../../matching/statistics.ts";
import {
  type MatchSubject,
  type PreparedSubject,
  prepareSubject,
  withoutAnswer,
} from "../../matching/subject.ts";
import { logLikelihoodRatio } from "../../matching/trait.ts";

/** Nearest alerts within radius and window that are ranked by what the statistics know of them. */
export const NEIGHBOURS_MAX = 1_000;
/** The likeliest of these neighbours, which are read and scored for a reader who waits. */
export const CANDIDATES_MAX = 160;
/** Prepared alerts that are cached, some 2.5 KB each: the same neighbours are compared again and again. */
const CACHED_MAX = 1_000;
const TOWN_RADII_MAX = 10_000;

/** Alert prepared for comparison, with its keys. */
type MatchCandidate = Pick<KnownSubject, "id" | "publishedAt"> & {
  readonly subject: PreparedSubject;
};

/** Finder of the alerts that an alert is compared with. */
export function createCandidates({ store, alertIndex, gazetteer }: Ports, statistics: Statistics) {
  const cache = new LRUCache<number, MatchCandidate>({ max: CACHED_MAX });
  const townRadii = new LRUCache<string, number>({ max: TOWN_RADII_MAX });
  let changes = 0;

  function prepare(alert: MatchSubject): PreparedSubject {
    return prepareSubject({ ...alert, somewhere: gazetteer.townCentredAt(alert.point) });
  }

  function toCandidate(alert: KnownSubject): MatchCandidate {
    return { id: alert.id, publishedAt: alert.publishedAt, subject: prepare(withoutAnswer(alert)) };
  }

  /** Radius of the town that a public point stands for; 0 if more than the town is known. */
  function townRadiusKm(point: Point): number {
    const key = `${point.lat} ${point.lng}`;
    const known = townRadii.get(key);
    if (known !== undefined) return known;
    const radiusKm = gazetteer.townCentredAt(point)?.radiusKm ?? 0;
    townRadii.set(key, radiusKm);
    return radiusKm;
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

  return {
    prepare,

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
      const radiusKm = searchRadiusKm(species);
      const neighbours = alertIndex
        .nearest({ point, radiusKm, species, type: otherType, days, limit: NEIGHBOURS_MAX })
        .filter(({ publishedAt }) => !twinKeys.has(publishedAt));
      // Ended pairs must not take the place of other candidates.
      const places = limit + ended.size;
      const located = { ...alert, somewhere: gazetteer.townCentredAt(point) };
      const chosen = shortlist(neighbours, located, statistics, places, townRadiusKm);
      const near = await read(chosen.map(({ publishedAt }) => publishedAt));
      return {
        candidates: [...near, ...chipTwins.map(toCandidate)].filter(({ id }) => !ended.has(id)),
        unread: neighbours.length - chosen.length,
      };
    },
  };
}

/**
 * The `limit` neighbours that are likeliest to match an alert, ranked before they are read by place, time and their
 * counted observations. In a crowded generated city they include the best scores among all neighbours
 * (test/core/matching/candidates.test.ts). `townRadiusKm` returns 0 if more than the town is known.
 */
export function shortlist(
  neighbours: readonly Nearby[],
  alert: MatchSubject,
  { observations, context }: Statistics,
  limit: number,
  townRadiusKm: (point: Point) => number,
): readonly Nearby[] {
  if (neighbours.length <= limit) return neighbours;
  const { type, species } = alert;
  const ownDay = dayOf(alert.eventDate);
  // Distances within the alert's cell, or its town if no more is known, are indistinguishable.
  const minKm = alert.somewhere?.radiusKm ?? cellRadiusKm(alert.point);
  const ownByTrait = new Map(
    observationsOf(alert).map((observation) => {
      const weights = context.frequency.weights(observation.trait);
      return [observation.trait, { observation, weights }] as const;
    }),
  );

  function logOdds({ publishedAt, point, km, day }: Nearby): number {
    const days = type === "lost" ? day - ownDay : ownDay - day;
    const apartKm = Math.max(km, minKm, townRadiusKm(point));
    let sum =
      logDensity(apartKm, lawOf(species, alert.goesOutside)) + logRatioOfDays(days, species);
    for (const observation of observations(publishedAt)) {
      const own = ownByTrait.get(observation.trait);
      if (own !== undefined) sum += logLikelihoodRatio(own.observation, observation, own.weights);
    }
    return sum;
  }

  return neighbours
    .map((neighbour) => ({ neighbour, logOdds: logOdds(neighbour) }))
    .sort((one, other) => other.logOdds - one.logOdds)
    .slice(0, limit)
    .map(({ neighbour }) => neighbour);
}
