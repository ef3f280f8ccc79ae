import { observationsOf } from "./fields.ts";
import type { MatchSubject } from "./subject.ts";
import { type Observation, POSTERIOR_SCALE, type Trait } from "./trait.ts";

/**
 * Frequency of each value of a trait among the instance's active alerts: a black cat says little where half the cats are
 * black. Updated alert by alert, in any order; removing an alert restores the earlier figures exactly.
 */
export type Frequency = {
  /** Counts an alert, and returns what `remove` needs to undo it, even after the alert was edited or deleted. */
  add(alert: MatchSubject): ObservationIds;
  /** Undoes one `add`. */
  remove(ids: ObservationIds): void;
  observations(ids: ObservationIds): Observation[];
  /** Frequency of each value, on any scale. */
  weights(trait: Trait): ArrayLike<number>;
};

/** Ids of the counted observations, 16 bits each; 0 means none. */
export type ObservationIds = ArrayLike<number>;

/**
 * Alerts that the built-in shares weigh as much as: a small instance relies on them, one with thousands of alerts on its
 * own. Chosen by hand; on the benchmark's training cities any value from 10 to 150 does about as well.
 */
const PRIOR_ALERTS = 50;
/** Distinct observations at a time; active alerts give some hundreds. Any beyond the limit are not counted. */
const OBSERVATIONS_MAX = 2 ** 16 - 1;
const NOT_COUNTED = 0;

export function createFrequency(): Frequency {
  const weightsByTrait = new Map<string, Float64Array>();
  const idByObservation = new Map<Observation, number>();
  /** By id - 1. */
  const entries: Entry[] = [];
  const freeIds: number[] = [];
  /** True while some uses are not in the weights. Most alerts share few observations, so uses are applied in batches. */
  let isStale = false;

  function idOf(observation: Observation): number {
    const known = idByObservation.get(observation);
    if (known !== undefined) return known;
    const id = freeIds.pop() ?? entries.length + 1;
    if (id > OBSERVATIONS_MAX) return NOT_COUNTED;
    entries[id - 1] = { observation, uses: 0, appliedUses: 0 };
    idByObservation.set(observation, id);
    return id;
  }

  function use(id: number, times: 1 | -1): void {
    const entry = entries[id - 1]!;
    entry.uses += times;
    isStale = true;
    if (entry.uses > 0) return;
    apply(entry);
    idByObservation.delete(entry.observation);
    freeIds.push(id);
  }

  function apply(entry: Entry): void {
    const times = entry.uses - entry.appliedUses;
    if (times === 0) return;
    const { trait, posterior } = entry.observation;
    const weights = weightsOf(trait);
    for (let value = 0; value < weights.length; value++) {
      weights[value] = weights[value]! + times * posterior[value]!;
    }
    entry.appliedUses = entry.uses;
  }

  function weightsOf(trait: Trait): Float64Array {
    const known = weightsByTrait.get(trait.name);
    if (known !== undefined) return known;
    const initial = Float64Array.from(trait.prior, (share) =>
      Math.max(1, Math.round(share * PRIOR_ALERTS * POSTERIOR_SCALE)),
    );
    weightsByTrait.set(trait.name, initial);
    return initial;
  }

  return {
    add(alert) {
      const added = observationsOf(alert).map(idOf);
      for (const id of added) if (id !== NOT_COUNTED) use(id, 1);
      return added;
    },
    remove(removed) {
      for (let nth = 0; nth < removed.length; nth++) {
        if (removed[nth] !== NOT_COUNTED) use(removed[nth]!, -1);
      }
    },
    observations(ids) {
      const observations: Observation[] = [];
      for (let nth = 0; nth < ids.length; nth++) {
        if (ids[nth] !== NOT_COUNTED) observations.push(entries[ids[nth]! - 1]!.observation);
      }
      return observations;
    },
    weights(trait) {
      if (isStale) entries.forEach(apply);
      isStale = false;
      return weightsOf(trait);
    },
  };
}

/** An observation, the number of alerts that make it, and how many of them the weights include. */
type Entry = { readonly observation: Observation; uses: number; appliedUses: number };
