import { hourly } from "../hourly.ts";
import type { Ports } from "./ports.ts";

/** Newest alerts that are counted. */
const ALERTS_MAX = 100;
/** Fewer alerts say nothing about an instance. */
const ALERTS_MIN = 5;

/**
 * Country of an instance: the one (ISO 3166-1 alpha-2) in which most of its newest active alerts lie; undefined if there is
 * none. Readers whose own country is unknown mean its places.
 */
export function createHomeCountry({
  store,
  alertIndex,
  clock,
}: Pick<Ports, "store" | "alertIndex" | "clock">) {
  let country: string | undefined;

  return {
    current: () => country,

    /** Counts the alerts, at most once an hour. */
    learn: hourly(clock, async () => {
      const alerts = await store.alertsByKeys(alertIndex.search({ limit: ALERTS_MAX }));
      const byCountry = Map.groupBy(alerts, ({ countryCode }) => countryCode);
      const [most] = [...byCountry].toSorted(([, a], [, b]) => b.length - a.length);
      const isMost = most !== undefined && most[1].length > alerts.length / 2;
      country = isMost && alerts.length >= ALERTS_MIN ? most[0] : undefined;
    }),
  };
}
