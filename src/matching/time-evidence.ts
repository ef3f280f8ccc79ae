import type { Evidence } from "./evidence.ts";
import type { Species } from "../values/animal.ts";
import { dayOf } from "../values/day.ts";

/** Days after a loss in which a find can be its match. Lord et al. 2007: the slowest cat came home after 81 days. */
export const WINDOW_DAYS = 120;
/** Days before a loss in which a find can be its match: each date may be off by a day, plus one day of tolerance. */
export const DAYS_BEFORE_LOSS_MAX = 3;

/**
 * Days from the loss to the find. Source of the spread: Lord et al. 2007, JAVMA 230:211 (dogs: median 2 days, 0.5 to
 * 21) and 230:217 (cats: median 5, 0.5 to 81; few after 90, Huang et al. 2018). A Lomax law with shape 1.5 fits the
 * median and leaves 5% of the dogs after 21 days and 3% of the cats after 81. Birds and others: no figures, so the same as cats.
 */
export const time: Evidence<number, { readonly days: number }> = {
  read: ({ eventDate }) => dayOf(eventDate),
  compare(lost, found, species) {
    const days = found - lost;
    return { logRatio: logRatioOfDays(days, species), details: { days } };
  },
};

/** Log likelihood ratio of the days from the loss to the find; negative days mean that the find came first. */
export function logRatioOfDays(days: number, species: Species): number {
  return LOG_RATIOS[species === "dog" ? "dog" : "other"](days);
}

/** Chance that an animal is found in this range of days since its loss, by the law without the errors of dates. */
export function chanceFoundBetween(firstDay: number, lastDay: number, species: Species): number {
  const medianDays = MEDIAN_DAYS[species === "dog" ? "dog" : "other"];
  return chanceLater(firstDay, medianDays) - chanceLater(lastDay, medianDays);
}

function chanceLater(days: number, medianDays: number): number {
  const scaleDays = medianDays / (2 ** (1 / LOMAX_SHAPE) - 1);
  return (1 + Math.max(0, days) / scaleDays) ** -LOMAX_SHAPE;
}

const LOMAX_SHAPE = 1.5;
const MEDIAN_DAYS = { dog: 2, other: 5 };
/** Chance that a date is a day early, right, or a day late. No source: people remember the night rather than the date. */
const DATE_ERROR = [0.06, 0.88, 0.06] as const;
const LOG_RATIOS = { dog: logRatioByDay(MEDIAN_DAYS.dog), other: logRatioByDay(MEDIAN_DAYS.other) };

/** The law in whole days, blurred by the errors of both dates, against a uniform law over the window. */
function logRatioByDay(medianDays: number): (days: number) => number {
  // The event has an hour but the date has none, so a delay under a day can cross to the next date.
  const exact = (day: number) =>
    day < 0 ? 0 : chanceLater(day, medianDays) - chanceLater(day + 1, medianDays);
  const blurred = (day: number) => {
    let chance = 0;
    DATE_ERROR.forEach((lostChance, lostOff) =>
      DATE_ERROR.forEach((foundChance, foundOff) => {
        chance += lostChance * foundChance * exact(day + lostOff - foundOff);
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
