import { snap } from "../place.ts";
import { createCommonness } from "./commonness.ts";
import { createCrowd } from "./crowd.ts";
import { COUNTED } from "./fields.ts";
import { createLedger } from "./ledger.ts";
import type { MatchContext } from "./score.ts";
import type { MatchSubject } from "./subject.ts";
import type { Account } from "./trait.ts";

/** What scores are seen against, learned from the instance's active alerts as they come, change and go. */
export type Standing = {
  readonly context: MatchContext;
  /** What the active alert with this key says of the traits that are counted; nothing when there is none. */
  accounts(key: number): readonly Account[];
  /** The alert with this key is active, as it is now: what it was before counts no more. */
  put(key: number, alert: MatchSubject): void;
  /** It is not. */
  drop(key: number): void;
};

export function createStanding(): Standing {
  const commonness = createCommonness();
  const crowd = createCrowd();
  const ledger = createLedger(COUNTED.length);

  /** By what was written down: whoever tells of an end knows no more than the key, of a change the new words only. */
  function drop(key: number): void {
    const entry = ledger.strike(key);
    if (entry === null) return;
    commonness.remove(entry.receipt);
    crowd.remove(entry.counted);
  }

  return {
    context: { commonness, around: crowd.around },
    accounts(key) {
      const receipt = ledger.receipt(key);
      return receipt === null ? [] : commonness.accounts(receipt);
    },
    put(key, alert) {
      drop(key);
      const { type, species, point } = alert;
      const counted = { type, species, point: snap(point.lat, point.lng) };
      crowd.add(counted);
      ledger.enter(key, { counted, receipt: commonness.add(alert) });
    },
    drop,
  };
}
