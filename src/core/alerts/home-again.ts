import { DAY_MS, HOUR_MS } from "../duration.ts";
import { distanceKm, type Point } from "../place.ts";
import { ownersInTurn } from "../matching/digest.ts";
import type { Ports } from "../ports.ts";
import { type Alert, type PublicAlert, toPublicAlert } from "./alert.ts";
import type { SearchInput } from "./search.ts";

/** Animal that came home, by its alert, which takes no more messages. */
export type HomeAgain = {
  readonly alert: PublicAlert;
  /** Time at which its owner said so. */
  readonly at: number;
};

/** Time for which an animal that came home stays on the home page. */
const SHOWN_MS = 14 * DAY_MS;
/** Most of them on a page. */
const SHOWN_MAX = 4;
/** The newest ones, of which those that fit a search are shown. */
const READ_MAX = 100;
/** Smaller counts are not shown: they say more about the age of an instance than about its use. */
const COUNT_MIN = 10;
const COUNT_CACHED_MS = HOUR_MS;

/** Filters of a search that apply to these animals, too. */
type HomeAgainFilter = Pick<SearchInput, "type" | "species"> & {
  readonly near: { readonly point: Point; readonly radiusKm: number } | null;
};

/** Creates the use cases about animals whose owners ended their alerts as home again. */
export function createHomeAgain({ store, links, clock }: Pick<Ports, "store" | "links" | "clock">) {
  let counted: { readonly count: number; readonly at: number } | null = null;

  return {
    /**
     * Animals that came home lately, most recent first. Their owners take turns, because anybody can end and reopen a few
     * alerts of their own as often as they like.
     */
    async homeAgain(filter: HomeAgainFilter): Promise<HomeAgain[]> {
      const resolved = await store.resolvedAlerts(clock() - SHOWN_MS, READ_MAX);
      const fitting = resolved.filter((alert) => fits(alert, filter));
      const inTurn = ownersInTurn(fitting, ({ ownerEmail }) => ({ email: ownerEmail }));
      const shown = new Set(inTurn.slice(0, SHOWN_MAX));
      return fitting.flatMap((resolved) => {
        const alert = shown.has(resolved) ? toPublicAlert(resolved, links) : null;
        return alert === null ? [] : [{ alert, at: resolved.endedAt ?? resolved.updatedAt }];
      });
    },

    /** Number of animals that ever came home, counted at most once an hour; null while they are few. */
    async homeAgainCount(): Promise<number | null> {
      const now = clock();
      if (counted === null || now < counted.at || now >= counted.at + COUNT_CACHED_MS)
        counted = { count: await store.resolvedCount(), at: now };
      return counted.count < COUNT_MIN ? null : counted.count;
    },
  };
}

function fits(alert: Alert, { type, species, near }: HomeAgainFilter): boolean {
  return (
    (type === undefined || alert.type === type) &&
    (species === undefined || alert.species === species) &&
    (near === null || distanceKm(near.point, alert.point) <= near.radiusKm)
  );
}
