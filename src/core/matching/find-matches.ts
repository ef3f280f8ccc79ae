import { z } from "zod";
import {
  type Alert,
  type AlertDraft,
  isReachable,
  readerOf,
  requirePublicAlert,
  type Language,
  type PublicAlert,
  SPECIES,
  toPublicAlert,
} from "../alerts/alert.ts";
import { isImported } from "../alerts/import-links.ts";
import { CAPS } from "../caps.ts";
import { DAY_MS, HOUR_MS } from "../duration.ts";
import { alertRefField, languageField, normalizedMailbox } from "../input.ts";
import { CANDIDATES_MAX, createCandidates, NEIGHBOURS_MAX } from "./candidates.ts";
import { ownersInTurn } from "./digest.ts";
import {
  LEARNED_LOSSES_MAX,
  LEARNED_LOSSES_PER_OWNER,
  learnPairShare,
  type LossOdds,
  lossOdds,
} from "../../matching/pair-share.ts";
import { type Match, rankMatches, scorePair } from "../../matching/score.ts";
import type { Statistics } from "../../matching/statistics.ts";
import { type MatchTexts, matchTexts } from "./summary.ts";
import { withoutAnswer, withoutPrivate } from "../../matching/subject.ts";
import { hashAddress } from "../mailbox-hash.ts";
import type { Ports, Secrets } from "../ports.ts";
import { openedLink } from "../private-link.ts";
import { FINDABLE, SAME_CHIP_MAX } from "./pair-store.ts";

const MATCHES_DEFAULT = 10;
const MATCHES_MAX = 50;

/** Input of `findMatches`. */
export const matchesInput = z.object({
  alert: alertRefField,
  limit: z
    .number()
    .int()
    .min(1)
    .max(MATCHES_MAX)
    .describe(`Matches, ${MATCHES_DEFAULT} when absent`)
    .optional(),
  language: languageField.describe("Of the texts; en when absent").optional(),
});
export type MatchesInput = z.infer<typeof matchesInput>;

/** Likely match of an alert, with texts in the reader's language. */
export type MatchView = MatchTexts & {
  readonly alert: PublicAlert;
  /** Probability in percent that both alerts are one animal. */
  readonly score: number;
  readonly highConfidence: boolean;
};
export type AlertMatches = {
  readonly alert: PublicAlert;
  /** Likeliest first, without those of 0 percent. */
  readonly matches: readonly MatchView[];
  /** Number of alerts of the other type close enough in place and time; the likeliest of them are scored. */
  readonly compared: number;
};

/** Pair that the link in a match email shows: the reader's own alert and the other one, null if deleted. */
export type PairView = {
  readonly mine: PublicAlert | null;
  readonly other: PublicAlert | null;
  readonly ended: boolean;
  /** Their match, chips included; null if one of them is deleted, or they are no longer a pair. */
  readonly match: MatchView | null;
  /** True for equal chip numbers; shown to the two owners only. */
  readonly sameChip: boolean;
};

/** Lowest score in percent that is worth a distraught reader's time. */
export const SHOWN_SCORE_MIN = 10;
/** Limit and lowest score in percent of the matches shown while an alert waits for its confirmation: few, and worth the interruption. */
const LIKELY_MAX = 5;
const LIKELY_SCORE_MIN = 15;
const ENDED_PAIRS_MAX = 1_000;
/** Interval of learning the share of pairs. */
const LEARNING_MS = HOUR_MS;

/** Use cases that find the matches of an alert. */
export function createMatching(ports: Ports, statistics: Statistics) {
  const finder = createCandidates(ports, statistics);
  let learnedAt: number | null = null;

  /** Best matches of an alert among those close enough, the likeliest of which are read, and how many were compared. */
  async function bestMatches(
    alert: AlertDraft,
    limit: number,
    candidatesMax = CANDIDATES_MAX,
  ): Promise<{ found: { other: Alert; match: Match }[]; compared: number }> {
    const ended = new Set(await ports.store.endedPairs(alert.id, ENDED_PAIRS_MAX));
    const { candidates, unread } = await finder.of(alert, ended, candidatesMax);
    const best = rankMatches(finder.prepare(alert), candidates, statistics.context, limit);
    const matches = new Map(best.map(({ candidate, match }) => [candidate.publishedAt, match]));
    const others = await ports.store.alertsByKeys([...matches.keys()]);
    const found = others.map((other) => ({ other, match: matches.get(other.publishedAt)! }));
    return { found, compared: unread + candidates.length };
  }

  /** Match in words, for the reader whose alert is `mine`. */
  function textsOf(match: Match, mine: AlertDraft, other: Alert, language: Language): MatchTexts {
    const asked = isReachable(other) ? readerOf(other) : null;
    const pair = { mine: finder.prepare(mine), other: finder.prepare(other), asked };
    return matchTexts(match, pair, language);
  }

  /** Match as its reader sees it; null if the other alert is not public. */
  function viewOf(
    match: Match,
    mine: AlertDraft,
    other: Alert,
    language: Language,
  ): MatchView | null {
    const alert = toPublicAlert(other, ports.links);
    if (alert === null) return null;
    const { score, highConfidence } = match;
    return { alert, score, highConfidence, ...textsOf(match, mine, other, language) };
  }

  /** Match that the owner of `mine` is told of: with chips and that owner's own private answer, without the other's. */
  const scored = (mine: Alert, other: Alert): Match | null =>
    scorePair(finder.prepare(mine), finder.prepare(withoutAnswer(other)), statistics.context);

  async function openPair(token: string): Promise<{
    lostId: string;
    foundId: string;
    side: string;
  }> {
    const { subject } = await openedLink(ports, "pair", token);
    const [lostId = "", foundId = "", side = ""] = subject.split(":");
    return { lostId, foundId, side };
  }

  return {
    /** Drops the cached alert with this key, which was changed or deleted. */
    forget: finder.forget,

    /**
     * Matches of an alert; none if the animal is home.
     *
     * @throws gone
     */
    async matches(
      alert: Alert,
      { limit = MATCHES_DEFAULT, language = "en" }: Omit<MatchesInput, "alert">,
    ): Promise<AlertMatches> {
      const view = requirePublicAlert(alert, ports.links);
      if (!isFindable(alert)) return { alert: view, matches: [], compared: 0 };
      const { found, compared } = await bestMatches(withoutPrivate(alert), limit);
      const matches = found.flatMap(
        ({ other, match }) => viewOf(match, alert, other, language) ?? [],
      );
      return { alert: view, matches, compared };
    },

    /**
     * Likely matches of an alert that waits for its confirmation.
     */
    async likely(draft: AlertDraft, language: Language): Promise<readonly MatchView[]> {
      const { found } = await bestMatches(withoutPrivate(draft), LIKELY_MAX);
      return found
        .filter(({ other, match }) => match.score >= LIKELY_SCORE_MIN && other.status === "active")
        .flatMap(({ other, match }) => viewOf(match, draft, other, language) ?? []);
    },

    /**
     * Compares alerts that were published, renewed or edited, and records their likely pairs, each once, for
     * `createMatchEmails` to announce. Here equal chips make a pair. All neighbours are read, and the other
     * owners take turns: a hundred lookalikes planted around an alert must not hide its true match. `upTo`: revision that the index has reached.
     */
    async compareNew(now: number, limit: number, upTo: number): Promise<void> {
      for (const alert of await ports.store.alertsToCompare(now, limit, upTo)) {
        await ports.yieldToEventLoop();
        const most = NEIGHBOURS_MAX + SAME_CHIP_MAX;
        const { found } = await bestMatches(alert, most, NEIGHBOURS_MAX);
        const inTurn = ownersInTurn(found, ({ other, match }) => ({
          score: match.score,
          email: other.ownerEmail,
        }));
        const pairs = inTurn.flatMap(({ other, match }) => {
          const theirs = scored(other, alert);
          if (other.status !== "active" || theirs === null) return [];
          if (isSameShelter(alert, other)) return [];
          const told = [
            { id: alert.id, match },
            { id: other.id, match: theirs },
          ]
            .filter(({ match }) => match.highConfidence)
            .map(({ id, match }) => ({ id, score: match.score }));
          const [lost, found] = alert.type === "lost" ? [alert, other] : [other, alert];
          return told.length === 0 ? [] : [{ lostId: lost.id, foundId: found.id, told }];
        });
        const hit = { key: `comparison:${alert.id}`, ...CAPS.comparisonsPerAlert };
        await ports.store.addPairs(alert, pairs, hit, now);
      }
    },

    /**
     * Learns from the active alerts how many lost animals have their find posted here, at most once an hour. Nothing of it
     * is stored: after a restart it is learned again.
     */
    async learnPairShares(now: number): Promise<void> {
      if (learnedAt !== null && now >= learnedAt && now < learnedAt + LEARNING_MS) return;
      learnedAt = now;
      // With a cache of its own, which is released with it.
      const { of, prepare } = createCandidates(ports, statistics);
      for (const species of SPECIES) {
        const newest = {
          near: null,
          since: null,
          before: null,
          words: [],
          limit: LEARNED_LOSSES_MAX,
        };
        const keys = ports.alertIndex.search({ ...newest, species, type: "lost" });
        const losses: LossOdds[] = [];
        const newestLost = await ports.store.alertsByKeys(keys);
        for (const lost of fewOfEachOwner(ports.secrets, newestLost)) {
          await ports.yieldToEventLoop();
          // Without chips: public scores depend on what is learned, and must not reveal an equal one.
          const { candidates } = await of(withoutPrivate(lost), new Set(), CANDIDATES_MAX);
          const founds = candidates.map(({ subject }) => subject);
          const prepared = prepare(withoutPrivate(lost));
          losses.push(lossOdds(prepared, founds, statistics.context, Math.floor(now / DAY_MS)));
        }
        statistics.setPairShare(species, learnPairShare(losses));
      }
    },

    scored,

    textsOf,

    async pair(token: string, language: Language = "en"): Promise<PairView> {
      const { lostId, foundId, side } = await openPair(token);
      const [mineId, otherId] = side === "lost" ? [lostId, foundId] : [foundId, lostId];
      const mine = await ports.store.alert({ by: "id", id: mineId });
      const other = await ports.store.alert({ by: "id", id: otherId });
      const mineView = mine && toPublicAlert(mine, ports.links);
      const ended = await ports.store.endedPairs(mineId, ENDED_PAIRS_MAX);
      const twins = await ports.store.chipPairs(mineId, SAME_CHIP_MAX);
      const match = mineView && other && scored(mine, other);
      return {
        mine: mineView,
        other: other && toPublicAlert(other, ports.links),
        ended: ended.includes(otherId),
        match: match && viewOf(match, mine, other, language),
        sameChip: twins.some(({ id }) => id === otherId),
      };
    },

    /** "Not my pet": ends the pair for both sides. */
    async notMyPet(token: string): Promise<void> {
      const { lostId, foundId } = await openPair(token);
      await ports.store.endPair(lostId, foundId, ports.clock());
    },
  };
}

/** The first losses of each owner, whatever spelling of the mailbox they used; all of those that have none. */
function fewOfEachOwner(secrets: Secrets, losses: readonly Alert[]): Alert[] {
  const counts = new Map<string, number>();
  return losses.filter(({ ownerEmail }) => {
    if (ownerEmail === null) return true;
    const owner = hashAddress(secrets, ownerEmail);
    const count = (counts.get(owner) ?? 0) + 1;
    counts.set(owner, count);
    return count <= LEARNED_LOSSES_PER_OWNER;
  });
}

/** True for two alerts imported for one mailbox: the shelter has both animals in its own table. */
function isSameShelter(one: Alert, other: Alert): boolean {
  if (one.ownerEmail === null || other.ownerEmail === null) return false;
  return (
    isImported(one) &&
    isImported(other) &&
    normalizedMailbox(one.ownerEmail) === normalizedMailbox(other.ownerEmail)
  );
}

function isFindable(alert: Alert): boolean {
  return FINDABLE.some((status) => status === alert.status);
}
