import { distanceKm, type Point } from "../../values/point.ts";
import type { AlertStore } from "../alerts/alert-store.ts";
import { type Alert, type PublicAlert, toPublicAlert } from "../alerts/alert.ts";
import type { SearchInput } from "../alerts/search.ts";
import { DAY_MS } from "../duration.ts";
import { hourly } from "../hourly.ts";
import type { Instance } from "../instance.ts";
import { firstInTurn } from "../people/mailbox-spelling.ts";
import type { PlanStepId } from "../plan/steps.ts";
import { mondayOf, type OutcomeStore, type ReturnCount, type ReturnWay } from "./outcome.ts";
import { type ReturnPeriod, returnPeriods } from "./return-periods.ts";

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

/** Ways in which lost animals came home, as their owners said in earlier weeks: sums of `returnPeriods`, largest first. */
export type Returns = {
  readonly ways: readonly ReturnTotal<ReturnWay>[];
  /** Steps of the plan that were done before. */
  readonly steps: readonly ReturnTotal<PlanStepId>[];
};
type ReturnTotal<By extends string> = Omit<ReturnPeriod<By>, "from" | "to">;

/** Filters of a search that apply to these animals, too. */
type HomeAgainFilter = Pick<SearchInput, "type" | "species"> & {
  readonly near: { readonly point: Point; readonly radiusKm: number } | null;
};

/** Creates the use cases about animals whose owners ended their alerts as home again. */
export function createHomeAgain({ store, links, clock }: Pick<Ports, "store" | "links" | "clock">) {
  const resolvedCount = hourly(clock, () => store.resolvedCount());

  return {
    /**
     * Animals that came home lately, most recent first. Their owners take turns, because anybody can end and reopen a few
     * alerts of their own as often as they like.
     */
    async homeAgain(filter: HomeAgainFilter): Promise<HomeAgain[]> {
      const resolved = await store.resolvedAlerts(clock() - SHOWN_MS, READ_MAX);
      const fitting = resolved.filter((alert) => fits(alert, filter));
      const emailOf = ({ ownerEmail }: Alert) => ({ email: ownerEmail });
      return firstInTurn(fitting, emailOf, SHOWN_MAX).flatMap((resolved) => {
        const alert = toPublicAlert(resolved, links);
        return alert === null ? [] : [{ alert, at: resolved.endedAt ?? resolved.updatedAt }];
      });
    },

    /**
     * Ways in which animals came home, read at most once an hour. The current week is left out, so that nobody sees what a
     * single answer changes.
     */
    returns: hourly(clock, async (now): Promise<Returns> => {
      const week = mondayOf(now);
      const [ways, steps] = [await store.returnWays(week), await store.returnSteps(week)];
      return { ways: totals(ways), steps: totals(steps) };
    }),

    /** Number of animals that ever came home, counted at most once an hour; null while they are few. */
    async homeAgainCount(): Promise<number | null> {
      const count = await resolvedCount();
      return count < COUNT_MIN ? null : count;
    },
  };
}

/** Numbers of all weeks, the largest first. */
function totals<By extends string>(counts: readonly ReturnCount<By>[]): ReturnTotal<By>[] {
  const groups = Map.groupBy(returnPeriods(counts), ({ species, by }) => `${species} ${by}`);
  return [...groups.values()]
    .map((periods) => ({
      species: periods[0]!.species,
      by: periods[0]!.by,
      animals: periods.reduce((sum, { animals }) => sum + animals, 0),
    }))
    .toSorted((a, b) => b.animals - a.animals);
}

function fits(alert: Alert, { type, species, near }: HomeAgainFilter): boolean {
  return (
    (type === undefined || alert.type === type) &&
    (species === undefined || alert.species === species) &&
    (near === null || distanceKm(near.point, alert.point) <= near.radiusKm)
  );
}

/** Ports of the animals that came home. */
type Ports = Pick<Instance, "clock" | "links"> & {
  readonly store: OutcomeStore & Pick<AlertStore, "resolvedAlerts" | "resolvedCount">;
};
