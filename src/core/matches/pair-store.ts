import type { Subject } from "../../matching/matching.ts";
import type { AlertType } from "../../values/animal.ts";
import type { Alert } from "../alerts/alert.ts";
import type { Cap } from "../caps.ts";
import type { Email } from "../email.ts";
import type { Hit } from "../limits.ts";
import type { PrivateLink } from "../people/link-store.ts";

/** Limit of alerts with an equal chip that are read. */
export const SAME_CHIP_MAX = 20;
/** Limit of pairs that one comparison adds. */
export const NEW_PAIRS_MAX = 50;
/** Limit of subjects read at once. */
export const SUBJECTS_MAX = 1_000;
/** Status of alerts that can be part of a pair. */
export const FINDABLE = ["active", "expired"] as const;
/** Matched fields of an alert, and its keys. */
export type KnownSubject = MatchSubject & { readonly id: string; readonly publishedAt: number };

/** Pair of alerts that a comparison found likely. */
export type LikelyPair = {
  readonly lostId: string;
  readonly foundId: string;
  /** In percent, as both owners see it. */
  readonly score: number;
};

/** Key of the notice to one owner about one likely pair: the owner's alert and the other one. */
export type NoticeKey = { readonly alertId: string; readonly otherId: string };
export type MatchNotice = {
  readonly mine: Alert;
  readonly other: Alert;
  readonly score: number;
  /** True if the reader's own alert was the one compared. */
  readonly isOwn: boolean;
  /** True if a matched field of either alert was edited since the pair was found. */
  readonly isNewClaim: boolean;
};
/** Email about one or more likely pairs, and its new private links. */
export type MatchEmail = { readonly email: Email; readonly links: readonly PrivateLink[] };

/** Alert that was edited suspiciously often. */
type OftenEdited = {
  readonly alert: Alert;
  /** Edits within the window of each rate, in the order of the rates. */
  readonly counts: readonly number[];
};

/** Pairs of alerts that may be one animal, and the notices to their owners. See `Store`. */
export interface PairStore {
  /** Subjects of the alerts with these keys, unordered; at most `SUBJECTS_MAX`. */
  subjectsByKeys(keys: readonly number[]): Promise<KnownSubject[]>;
  /** Alerts of a type with this chip that can be part of a pair, oldest first. */
  alertsByChip(chipHash: string, type: AlertType, limit: number): Promise<Alert[]>;
  /**
   * Active alerts due at `now` to be compared with the other type, longest due first, as of revision `upTo`: of a later
   * one, an index that has reached `upTo` may not know every neighbour.
   */
  alertsToCompare(now: number, limit: number, upTo: number): Promise<Alert[]>;
  /** Ids of the alerts whose pair with this one was ended as not the same animal. */
  endedPairs(alertId: string, limit: number): Promise<string[]>;
  /**
   * Marks the alert as compared, unless it changed after it was read, and adds notices to the owners of these pairs, each
   * once, except for ended pairs and owners who muted match emails. Known pairs and the first `NEW_PAIRS_MAX` others are
   * added; if there are more, the alert is compared again a day later. If `hit` is over its limit, the alert waits to
   * be compared until it is not.
   */
  addPairs(
    alert: Pick<Alert, "id" | "updatedAt">,
    pairs: readonly LikelyPair[],
    hit: Hit,
    now: number,
  ): Promise<void>;
  /** Notices that may be sent at `now`, best score first, then the older other alert. */
  matchNotices(now: number, limit: number): Promise<MatchNotice[]>;
  /**
   * Queues an email about one pair, if both alerts still exist and the notice is still unsent. Over the limit `perAlert`
   * the notice waits; over the limit `perMailbox` it joins the owner's digest, due at `digestAt`.
   */
  queueMatchEmail(
    notice: NoticeKey,
    matchEmail: MatchEmail,
    caps: { readonly perAlert: Hit | null; readonly perMailbox: Hit; readonly digestAt: number },
    now: number,
  ): Promise<void>;
  /** Deletes a notice whose pair is no longer likely; a later comparison can add it again. */
  dropMatch(notice: NoticeKey): Promise<void>;
  /** Mailboxes of owners whose digest is due at `now`, longest due first. */
  dueMatchDigests(now: number, limit: number): Promise<string[]>;
  /** Notices waiting for the digest to a mailbox, best score first, then the older other alert. */
  matchDigest(
    mailbox: string,
    limit: number,
  ): Promise<{ readonly notices: readonly MatchNotice[]; readonly total: number }>;
  /**
   * Queues a digest of these notices, if all of them can still be sent; the other notices of the mailbox wait for the next
   * digest, due at `nextAt`. If `hit` is over its limit, all of them wait.
   */
  queueMatchDigest(
    mailbox: string,
    digest: MatchEmail & { readonly notices: readonly NoticeKey[]; readonly nextAt: number },
    hit: Hit,
    now: number,
  ): Promise<void>;
  /** Alerts that can be part of a pair and are paired with this one by an equal chip, newest first. */
  chipPairs(alertId: string, limit: number): Promise<Alert[]>;
  /** Ends a pair for good ("not my pet"). */
  endPair(lostId: string, foundId: string, now: number): Promise<void>;
  /** Stops emails about matches of this alert. */
  muteMatches(alertId: string): Promise<void>;
  /** Stops emails about matches of all alerts of this alert's owner. */
  muteMatchesOfOwner(owner: string): Promise<void>;
  /**
   * Alerts with at least as many unreviewed edits of matched fields as one of these rates allows, the latest edit
   * first.
   */
  oftenEdited(rates: readonly Cap[], now: number, limit: number): Promise<OftenEdited[]>;
}

/** Fields of an alert that matching reads. An `Alert` is one. */
export type MatchSubject = Omit<Subject, "radiusKm" | "town" | "publishedAt"> & {
  /** Absent before it. */
  readonly publishedAt?: number;
};

/**
 * Alert without its chip, as public matches read it. They reveal nothing about chips, equal or not: otherwise anyone could
 * find out whose a number is by publishing it, or even by previewing a form.
 */
export function withoutChip<One extends Pick<MatchSubject, "chipHash">>(alert: One): One {
  return { ...alert, chipHash: null };
}
