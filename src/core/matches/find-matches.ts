import { z } from "zod";
import type { Language } from "../../messages/languages.ts";
import { languageField } from "../input.ts";
import {
  type Alert,
  type AlertDraft,
  isImported,
  isReachable,
  readerOf,
  requirePublicAlert,
  type PublicAlert,
  toPublicAlert,
} from "../alerts/alert.ts";
import { lifetimeMs } from "../alerts/lifetime.ts";
import { CAPS } from "../caps.ts";
import { DAY_MS, HOUR_MS } from "../duration.ts";
import { alertRefField } from "../alerts/alert-ref.ts";
import { hashAddress, normalizedMailbox, ownersInTurn } from "../people/mailbox-spelling.ts";
import { CANDIDATES_MAX, createCandidates, NEIGHBOURS_MAX } from "./candidates.ts";
import { isCopied } from "./copied-alert.ts";
import {
  isContradiction,
  LEARNED_LOSSES_MAX,
  type LossAmongFinds,
  type Match,
  score,
  type Statistics,
} from "../../matching/matching.ts";
import { askAboutCopy, type MatchTexts, matchTexts } from "./words.ts";
import { FINDABLE, SAME_CHIP_MAX, withoutChip } from "./pair-store.ts";
import { distanceKm } from "../../values/point.ts";
import type { Ports } from "./ports.ts";
import { openedLink } from "../people/private-link.ts";
import { type Species, SPECIES } from "../../values/animal.ts";
import { dayOf } from "../../values/day.ts";
import type { Secrets } from "../instance.ts";

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
  language: languageField.describe("Of the texts, en when absent").optional(),
});
export type MatchesInput = z.infer<typeof matchesInput>;

/** Likely match of an alert, with texts in the reader's language. */
export type MatchView = MatchTexts & {
  readonly alert: PublicAlert;
  /** Probability in percent that both alerts are one animal. */
  readonly score: number;
  readonly highConfidence: boolean;
  /** True for a find that repeats the lost alert, which was public before it: no figure is shown to people. */
  readonly isCopy: boolean;
};
export type AlertMatches = {
  readonly alert: PublicAlert;
  /** Likeliest first, without those that nothing speaks for. */
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

/** Limit and lowest score in percent of the matches shown while an alert waits for its confirmation: few, and worth the interruption. */
const LIKELY_MAX = 5;
const LIKELY_SCORE_MIN = 15;
const ENDED_PAIRS_MAX = 1_000;
/** Alerts of one owner that are learned from: one person's alerts must not set everybody's scores. */
export const LEARNED_PER_OWNER = 3;
const READ_AT_ONCE = 200;
/** Alerts that a tick compares with those of the other type. */
const ALERTS_PER_TICK = 5;
/** Days for which a find is active. */
export const FIND_ACTIVE_DAYS = lifetimeMs("found", "dog") / DAY_MS;
/** Largest distance and time between two alerts whose owners are told of each other although little is known. */
const NEAR_KM = 3;
const NEAR_DAYS = 3;

/** Use cases that find the matches of an alert. */
export function createMatching(ports: Ports, statistics: Statistics) {
  const finder = createCandidates(ports);
  let learnedHour: number | null = null;

  /** Best matches of an alert among those close enough, the likeliest of which are read, and how many were compared. */
  async function bestMatches(
    alert: AlertDraft,
    limit: number,
    candidatesMax = CANDIDATES_MAX,
  ): Promise<{ found: { other: Alert; match: Match }[]; compared: number }> {
    const ended = new Set(await ports.store.endedPairs(alert.id, ENDED_PAIRS_MAX));
    const { candidates, unread } = await finder.of(alert, ended, candidatesMax);
    const own = finder.prepare(alert);
    const best = candidates
      .flatMap(({ publishedAt, subject }) => {
        const match = score(own, subject, statistics.context);
        return match === null ? [] : [{ publishedAt, match }];
      })
      .filter(({ match }) => match.score > 0 || match.evidence > 0)
      .sort((one, other) => other.match.logOdds - one.match.logOdds)
      .slice(0, limit);
    const matches = new Map(best.map(({ publishedAt, match }) => [publishedAt, match]));
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
    const texts = textsOf(match, mine, other, language);
    const isCopy = isCopied(mine, other);
    const ask = isCopy && isReachable(other) ? askAboutCopy(texts, language) : texts.ask;
    return { alert, score, highConfidence, isCopy, ...texts, ask };
  }

  /** Match that the two owners are told of, with chips. */
  const scored = (mine: Alert, other: Alert): Match | null =>
    score(finder.prepare(mine), finder.prepare(other), statistics.context);

  /** True for a likely pair, and for alerts close in place and time that nothing contradicts, whatever their score. */
  function isNotifiable(alert: Alert, other: Alert, { highConfidence, reasons }: Match): boolean {
    if (highConfidence) return true;
    return (
      [alert, other].every((one) => finder.prepare(one).town === null) &&
      distanceKm(alert.point, other.point) <= NEAR_KM &&
      Math.abs(dayOf(alert.eventDate) - dayOf(other.eventDate)) <= NEAR_DAYS &&
      !reasons.some(isContradiction)
    );
  }

  async function newestLosses(species: Species) {
    const keys = ports.alertIndex.search({ species, type: "lost", limit: LEARNED_LOSSES_MAX });
    const alerts: Alert[] = [];
    for (let at = 0; at < keys.length; at += READ_AT_ONCE) {
      await ports.yieldToEventLoop();
      alerts.push(...(await ports.store.alertsByKeys(keys.slice(at, at + READ_AT_ONCE))));
    }
    return alerts;
  }

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
      const { found, compared } = await bestMatches(withoutChip(alert), limit);
      const matches = found.flatMap(
        ({ other, match }) => viewOf(match, alert, other, language) ?? [],
      );
      return { alert: view, matches, compared };
    },

    /**
     * Likely matches of an alert that waits for its confirmation.
     */
    async likely(draft: AlertDraft, language: Language): Promise<readonly MatchView[]> {
      const { found } = await bestMatches(withoutChip(draft), LIKELY_MAX);
      return found
        .filter(({ other, match }) => match.score >= LIKELY_SCORE_MIN && other.status === "active")
        .flatMap(({ other, match }) => viewOf(match, draft, other, language) ?? []);
    },

    /**
     * Compares alerts that were published, renewed or edited, and records their likely pairs, each once, for
     * `createMatchEmails` to announce. Here equal chips make a pair. All neighbours are read, and the other
     * owners take turns: a hundred lookalikes planted around an alert must not hide its true match. `upTo`: revision that the index has reached.
     */
    async compareNew(now: number, upTo: number): Promise<void> {
      for (const alert of await ports.store.alertsToCompare(now, ALERTS_PER_TICK, upTo)) {
        await ports.yieldToEventLoop();
        const most = NEIGHBOURS_MAX + SAME_CHIP_MAX;
        const { found } = await bestMatches(alert, most, NEIGHBOURS_MAX);
        const inTurn = ownersInTurn(found, ({ other, match }) => ({
          score: match.score,
          email: other.ownerEmail,
        }));
        const pairs = inTurn.flatMap(({ other, match }) => {
          if (other.status !== "active" || isSameShelter(alert, other)) return [];
          if (!isNotifiable(alert, other, match)) return [];
          const [lost, found] = alert.type === "lost" ? [alert, other] : [other, alert];
          return [{ lostId: lost.id, foundId: found.id, score: match.score }];
        });
        const hit = { key: `comparison:${alert.id}`, ...CAPS.comparisonsPerAlert };
        await ports.store.addPairs(alert, pairs, hit, now);
      }
    },

    /**
     * Learns from the newest active alerts how the service is used, once in each hour of the clock. Nothing of it is
     * stored: after a restart it is learned again.
     */
    async learn(now: number): Promise<void> {
      const hour = Math.floor(now / HOUR_MS);
      if (hour === learnedHour) return;
      learnedHour = hour;
      // With a cache of its own, which is released with it.
      const { of, prepare } = createCandidates(ports);
      for (const species of SPECIES) {
        const losses: LossAmongFinds[] = [];
        for (const lost of fewOfEachOwner(ports.secrets, await newestLosses(species))) {
          await ports.yieldToEventLoop();
          // Without chips: public scores depend on what is learned, and must not reveal an equal one.
          const { candidates } = await of(withoutChip(lost), new Set(), CANDIDATES_MAX);
          const founds = candidates.map(({ subject }) => subject);
          losses.push({ lost: prepare(lost), founds });
        }
        const day = Math.floor(now / DAY_MS);
        statistics.learn(species, losses, day);
      }
    },

    scored,

    isNotifiable,

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

/**
 * The first alerts of each owner, whatever spelling of the mailbox they used; all of those that have none, and of tables
 * that the operator imports.
 */
function fewOfEachOwner(secrets: Secrets, alerts: readonly Alert[]): Alert[] {
  const counts = new Map<string, number>();
  return alerts.filter((alert) => {
    const { ownerEmail } = alert;
    if (ownerEmail === null || isImported(alert)) return true;
    const owner = hashAddress(secrets, ownerEmail);
    const count = (counts.get(owner) ?? 0) + 1;
    counts.set(owner, count);
    return count <= LEARNED_PER_OWNER;
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
