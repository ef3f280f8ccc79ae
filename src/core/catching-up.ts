import type { MatchSubject } from "./match/subject.ts";
import type { IndexChange, Ports, ZoneChange } from "./ports.ts";

/** Brings the indexes up to what the store held when it was called, or later. */
export type CatchUp = () => Promise<void>;

const CHANGES_AT_ONCE = 1_000;

/**
 * The one way anything gets into the indexes: whatever changed since the revision last seen is learned. One call at a
 * time: of two that ran together, the one that read first could apply what it read last.
 */
export function createCatchingUp(
  ports: Ports,
  learn: (changes: {
    readonly alerts: readonly { readonly change: IndexChange; readonly subject: MatchSubject }[];
    readonly zones: readonly ZoneChange[];
  }) => void,
): CatchUp {
  let revision = 0;
  let last: Promise<void> = Promise.resolve();

  async function drain(): Promise<void> {
    for (let more = true; more;) {
      const changes = await ports.store.changesSince(revision, CHANGES_AT_ONCE);
      learn(changes);
      revision = changes.revision;
      more = changes.more;
    }
  }

  return () => {
    // What went wrong before was told to who called then.
    last = last.catch(() => {}).then(drain);
    return last;
  };
}
