import type { Species } from "../core/alerts/alert.ts";
import { snap } from "../core/place.ts";
import { createContributions } from "./contributions.ts";
import { createDensity, type PeoplePerKm2 } from "./density.ts";
import { OBSERVED_FIELDS } from "./fields.ts";
import { createFrequency } from "./frequency.ts";
import { PAIR_SHARE_PRIOR } from "./pair-share.ts";
import type { MatchContext } from "./score.ts";
import type { MatchSubject } from "./subject.ts";
import type { Observation } from "./trait.ts";

/** Statistics of the instance's active alerts, updated as alerts are published, edited and ended. */
export type Statistics = {
  readonly context: MatchContext;
  setPairShare(species: Species, share: number): void;
  /** Counted observations of the active alert with this key; empty if there is none. */
  observations(key: number): readonly Observation[];
  /** Counts an active alert in place of its earlier version. */
  put(key: number, alert: MatchSubject): void;
  /** Stops counting the alert with this key. */
  drop(key: number): void;
};

export function createStatistics(peoplePerKm2: PeoplePerKm2): Statistics {
  const frequency = createFrequency();
  const density = createDensity(peoplePerKm2);
  const pairShares = new Map<Species, number>();
  const contributions = createContributions(OBSERVED_FIELDS.length);

  /** Undoes the recorded contribution: a drop carries only the key, and an update only the new values. */
  function drop(key: number): void {
    const contribution = contributions.remove(key);
    if (contribution === null) return;
    frequency.remove(contribution.observationIds);
    density.remove(contribution.alert);
  }

  return {
    context: {
      frequency,
      densityAround: density.around,
      pairShare: (species) => pairShares.get(species) ?? PAIR_SHARE_PRIOR,
    },
    setPairShare: (species, share) => void pairShares.set(species, share),
    observations(key) {
      const ids = contributions.observationIds(key);
      return ids === null ? [] : frequency.observations(ids);
    },
    put(key, subject) {
      drop(key);
      const { type, species, point } = subject;
      const alert = { type, species, point: snap(point.lat, point.lng) };
      density.add(alert);
      contributions.set(key, { alert, observationIds: frequency.add(subject) });
    },
    drop,
  };
}
