import { delaySpread } from "./city.ts";
import type { Observing } from "./observing.ts";

const HOURS = 48;

/** Chance of the days between two given dates, by the city's own law of delays and errors of dates. */
export function delayChances(
  delay: { readonly median: number; readonly upper: number },
  observers: { readonly lost: Observing; readonly found: Observing },
): (days: number) => number {
  const spread = delaySpread(delay);
  const sooner = (days: number) =>
    days <= 0 ? 0 : normal((Math.log(days) - Math.log(delay.median)) / spread);
  /** Averaged over the hour of the loss. */
  const exact = (day: number) => {
    let chance = 0;
    for (let nth = 0; nth < HOURS; nth++) {
      const hour = (nth + 0.5) / HOURS;
      chance += sooner(day + 1 - hour) - sooner(day - hour);
    }
    return chance / HOURS;
  };
  const byDay = new Map<number, number>();
  return (days) => {
    const known = byDay.get(days);
    if (known !== undefined) return known;
    let chance = 0;
    for (const [lostOff, ofLost] of observers.lost.dayOff) {
      for (const [foundOff, ofFound] of observers.found.dayOff) {
        chance += ofLost * ofFound * exact(days + lostOff - foundOff);
      }
    }
    byDay.set(days, chance);
    return chance;
  };
}

/** Cumulative distribution function of the normal law (Abramowitz and Stegun 1964, 7.1.26; error below 1.5e-7). */
function normal(z: number): number {
  const t = 1 / (1 + (0.3275911 * Math.abs(z)) / Math.SQRT2);
  const poly =
    t *
    (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const erf = 1 - poly * Math.exp(-(z * z) / 2);
  return z >= 0 ? (1 + erf) / 2 : (1 - erf) / 2;
}
