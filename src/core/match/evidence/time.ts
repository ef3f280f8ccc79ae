import type { Species } from "../../alert.ts";
import { dayOf } from "../../duration.ts";
import { WINDOW_DAYS } from "../candidates.ts";
import type { Evidence } from "./evidence.ts";

/**
 * Days from the loss to the find. Source of the spread: Lord et al. 2007, JAVMA 230:211 (dogs: median 2 days, 0.5 to
 * 21) and 230:217 (cats: median 5, 0.5 to 81; few after 90, Huang et al. 2018). A Lomax law with shape 1.5 meets the
 * median and leaves 5% of the dogs after 21 days and 3% of the cats after 81. Birds and others: no figures; as cats.
 */
export const time: Evidence<number, { readonly days: number }> = {
  read: ({ eventDate }) => dayOf(eventDate),
  weigh(lost, found, { species }) {
    const days = found - lost;
    return { logRatio: logRatioOfDays(days, species), said: { days } };
  },
};

/** What it tells that so many days lie between a loss and a find; fewer than 0: the find came first. */
export function logRatioOfDays(days: number, species: Species): number {
  return LOG_RATIOS[species === "dog" ? "dog" : "other"](days);
}

/** A find dated further before the loss is no candidate: each date may be off by a day, and one more is forgiven. */
export const DAYS_BEFORE_LOSS_MAX = 3;

const LOMAX_SHAPE = 1.5;
const MEDIAN_DAYS = { dog: 2, other: 5 };
/** Chance that a date is a day early, right, or a day late. No source: people remember the night, not the date. */
const DATE_ERROR = [0.06, 0.88, 0.06] as const;
const LOG_RATIOS = { dog: logRatioByDay(MEDIAN_DAYS.dog), other: logRatioByDay(MEDIAN_DAYS.other) };

/** The law in whole days, blurred by the errors of two dates, against any day of the window alike. */
function logRatioByDay(medianDays: number): (days: number) => number {
  const scaleDays = medianDays / (2 ** (1 / LOMAX_SHAPE) - 1);
  const survival = (days: number) => (1 + Math.max(0, days) / scaleDays) ** -LOMAX_SHAPE;
  // A find within the same day and the next date: the event has an hour, the date has not.
  const exact = (day: number) => (day < 0 ? 0 : survival(day) - survival(day + 1));
  const blurred = (day: number) => {
    let chance = 0;
    DATE_ERROR.forEach((ofLost, lostOff) =>
      DATE_ERROR.forEach((ofFound, foundOff) => {
        chance += ofLost * ofFound * exact(day + lostOff - foundOff);
      }),
    );
    return chance;
  };
  const byDay: number[] = [];
  let least = Infinity;
  for (let day = 0; day <= WINDOW_DAYS; day++) {
    least = Math.min(least, blurred(day));
    byDay.push(Math.log(least * (WINDOW_DAYS + DAYS_BEFORE_LOSS_MAX)));
  }
  const early = [1, 2, 3].map((day) =>
    Math.log(Math.max(blurred(-day), 1e-4) * (WINDOW_DAYS + DAYS_BEFORE_LOSS_MAX)),
  );
  return (days) =>
    days < 0
      ? early[Math.min(-days, DAYS_BEFORE_LOSS_MAX) - 1]!
      : byDay[Math.min(days, WINDOW_DAYS)]!;
}
