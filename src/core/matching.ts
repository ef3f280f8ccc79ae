import { z } from "zod";
import {
  type Alert,
  type AlertDraft,
  faceOf,
  type Language,
  type PublicAlert,
  publicFace,
} from "./alert.ts";
import { dayOf } from "./duration.ts";
import { alertRefField, languageField } from "./input.ts";
import { alertInLetter, type Letter, letterTo } from "./letter.ts";
import { CANDIDATES_MAX, NEIGHBOURS_MAX, reachKm, WINDOW_DAYS } from "./match/candidates.ts";
import { DAYS_BEFORE_LOSS_MAX } from "./match/evidence/time.ts";
import { likeliest } from "./match/likeliest.ts";
import { fieldInWords, reasonInWords } from "./match/reasons.ts";
import { HIGH_CONFIDENCE, type Match, rankMatches } from "./match/score.ts";
import type { Standing } from "./match/standing.ts";
import { type MatchSubject, readSubject, type Subject } from "./match/subject.ts";
import type { Point } from "./place.ts";
import type { Ports } from "./ports.ts";
import { newLink, openedLink } from "./private-link.ts";
import { birth, type PublishInput } from "./publication.ts";
import { FINDABLE, type KnownSubject, type PrivateLink, type ToldPair } from "./store.ts";

const MATCHES_DEFAULT = 10;
const MATCHES_MAX = 50;

/** Asking for the matches of an alert. */
export const matchesInput = z.object({
  alert: alertRefField,
  limit: z
    .number()
    .int()
    .min(1)
    .max(MATCHES_MAX)
    .describe(`How many matches, ${MATCHES_DEFAULT} when absent`)
    .optional(),
  language: languageField.describe("Language of the reasons; English when absent").optional(),
});
export type MatchesInput = z.infer<typeof matchesInput>;

/** A likely other half of an alert, and why, in the reader's language. */
export type MatchFace = {
  readonly alert: PublicAlert;
  /** Probability in percent that both are one animal. */
  readonly score: number;
  readonly highConfidence: boolean;
  /** Strongest first, for and against; last, what one of the two leaves blank. */
  readonly reasons: readonly string[];
};
export type Matches = {
  readonly alert: PublicAlert;
  /** Likeliest first; none of 0 percent. */
  readonly matches: readonly MatchFace[];
  /** How many alerts of the other kind lie near enough in place and time; the likeliest of them are scored. */
  readonly compared: number;
};

/** What a match letter's link shows: the reader's own alert and the other one, null where it is gone. */
export type PairView = {
  readonly mine: PublicAlert | null;
  readonly other: PublicAlert | null;
  readonly ended: boolean;
};

const CHIP_TWINS_MAX = 20;
/** Below this a match is not worth a distraught reader's time (percent). */
export const WORTH_SHOWING = 10;
/** Shown before an alert is asked for: few, and worth holding its writer up for (percent). */
const LIKELY_MAX = 5;
const LIKELY_SCORE = 15;
const ENDED_PAIRS_MAX = 1_000;
/** Pairs told at once when one alert goes live. */
const TOLD_AT_ONCE_MAX = 10;

/** Finding the other half of an alert, and telling both owners about a likely one. */
export function createMatching(ports: Ports, standing: Standing) {
  const reading = createReading(ports);

  /** The best matches of an alert among those near enough, and how many there were to compare. */
  async function ranked(
    alert: AlertDraft,
    limit: number,
  ): Promise<{ found: { other: Alert; match: Match }[]; compared: number }> {
    const ended = new Set(await ports.store.endedPairs(alert.id, ENDED_PAIRS_MAX));
    const somewhere = ports.gazetteer.somewhere(alert.point);
    const asked = { ...alert, somewhere };
    // What was ended before takes the place of none.
    const most = CANDIDATES_MAX + ended.size;
    const { near, passedOver } = await candidatesOf(ports, reading, standing, asked, most);
    const candidates = near.filter((candidate) => !ended.has(candidate.id));
    const best = rankMatches(readSubject(asked), candidates, standing.context, limit);
    const matches = new Map(best.map(({ candidate, match }) => [candidate.publishedAt, match]));
    const others = await ports.store.alertsByKeys([...matches.keys()]);
    const found = others.map((other) => ({ other, match: matches.get(other.publishedAt)! }));
    return { found, compared: passedOver + candidates.length };
  }

  async function opened(token: string): Promise<{
    lostId: string;
    foundId: string;
    side: string;
  }> {
    const { subject } = await openedLink(ports, "pair", token);
    const [lostId = "", foundId = "", side = ""] = subject.split(":");
    return { lostId, foundId, side };
  }

  return {
    /** To be told when an alert changed or went. */
    forget: reading.forget,

    /** Throws `not_found` and `gone`; an animal that is home has no matches. */
    async matches(
      alert: Alert | null,
      { limit = MATCHES_DEFAULT, language = "en" }: Omit<MatchesInput, "alert">,
    ): Promise<Matches> {
      const face = faceOf(alert, ports.links);
      if (alert === null || !isFindable(alert)) return { alert: face, matches: [], compared: 0 };
      const { found, compared } = await ranked(alert, limit);
      const matches = found.flatMap(({ other, match }) => {
        const otherFace = publicFace(other, ports.links);
        return otherFace === null ? [] : [matchFace(otherFace, match, language)];
      });
      return { alert: face, matches, compared };
    },

    /** What an alert that is about to be asked for could be the other half of. Throws `bad_input`. */
    async likely(input: PublishInput): Promise<readonly MatchFace[]> {
      const { draft } = birth(input, ports.clock(), ports);
      const { found } = await ranked(draft, LIKELY_MAX);
      return found.flatMap(({ other, match }) => {
        const face = publicFace(other, ports.links);
        const isLikely = match.score >= LIKELY_SCORE && other.status === "active";
        return face === null || !isLikely ? [] : [matchFace(face, match, input.language ?? "en")];
      });
    },

    /** Compares alerts that went live or were renewed, and tells both owners of likely pairs, each pair once. */
    async compareNew(now: number, limit: number): Promise<void> {
      for (const alert of await ports.store.uncompared(limit)) {
        await ports.turn();
        const { found } = await ranked(alert, TOLD_AT_ONCE_MAX);
        const likely = found.filter(
          ({ other, match }) => match.highConfidence && other.status === "active",
        );
        const mutes = new Map<string, PrivateLink>();
        const pairs: ToldPair[] = [];
        for (const { other, match } of likely)
          pairs.push(await toldPair(ports, mutes, alert, other, match, now));
        await ports.store.tellPairs(alert, pairs, now);
      }
    },

    async pair(token: string): Promise<PairView> {
      const { lostId, foundId, side } = await opened(token);
      const face = async (id: string) => {
        const alert = await ports.store.alert({ by: "id", id });
        return alert === null ? null : publicFace(alert, ports.links);
      };
      const [mine, other] = side === "lost" ? [lostId, foundId] : [foundId, lostId];
      const ended = await ports.store.endedPairs(mine, ENDED_PAIRS_MAX);
      return { mine: await face(mine), other: await face(other), ended: ended.includes(other) };
    },

    /** "Not my pet": ends the pair for both sides. */
    async notMyPet(token: string): Promise<void> {
      const { lostId, foundId } = await opened(token);
      await ports.store.endPair(lostId, foundId, ports.clock());
    },
  };
}

function isFindable(alert: Alert): boolean {
  return FINDABLE.some((status) => status === alert.status);
}

/** An alert as matching reads it. */
type Candidate = Pick<KnownSubject, "id" | "publishedAt"> & { readonly subject: Subject };

const READ_MAX = 4_000;
const PLACES_MAX = 10_000;

/** Reads alerts by their keys and keeps some understood: the same neighbours are compared again and again. */
function createReading(ports: Ports) {
  const kept = new Map<number, Candidate>();
  const townRadii = new Map<string, number>();
  let changes = 0;
  return {
    /** 0 where more than the town is known of what lies at a public point. */
    townRadiusKm(point: Point): number {
      const place = `${point.lat} ${point.lng}`;
      const known = townRadii.get(place);
      if (known !== undefined) return known;
      const radiusKm = ports.gazetteer.somewhere(point)?.radiusKm ?? 0;
      if (townRadii.size >= PLACES_MAX) townRadii.clear();
      townRadii.set(place, radiusKm);
      return radiusKm;
    },

    forget(key: number): void {
      changes++;
      kept.delete(key);
    },
    async read(keys: readonly number[]): Promise<Candidate[]> {
      const missing = keys.filter((key) => !kept.has(key));
      const before = changes;
      const found = missing.length === 0 ? [] : await ports.store.subjectsByKeys(missing);
      const fresh = new Map(found.map((known) => [known.publishedAt, candidate(ports, known)]));
      const read = keys.flatMap((key) => kept.get(key) ?? fresh.get(key) ?? []);
      // What is asked for often comes back at once.
      if (kept.size + fresh.size > READ_MAX) kept.clear();
      // What changed while it was read may be old already.
      if (changes === before) for (const [key, known] of fresh) kept.set(key, known);
      return read;
    },
  };
}

function candidate(ports: Ports, alert: KnownSubject): Candidate {
  return { id: alert.id, publishedAt: alert.publishedAt, subject: subjectOf(ports, alert) };
}

function subjectOf({ gazetteer }: Ports, alert: MatchSubject): Subject {
  return readSubject({ ...alert, somewhere: gazetteer.somewhere(alert.point) });
}

/**
 * Alerts of the other kind and the same species within reach and window, the likeliest `most` of them, and those with
 * the same chip. `passedOver`: how many others were too unlikely to be read.
 */
async function candidatesOf(
  ports: Ports,
  { read, townRadiusKm }: ReturnType<typeof createReading>,
  standing: Standing,
  alert: AlertDraft & MatchSubject,
  most: number,
): Promise<{ readonly near: Candidate[]; readonly passedOver: number }> {
  const { type, point, species, chipHash } = alert;
  const otherType = type === "lost" ? "found" : "lost";
  const twins = chipHash === null ? [] : await ports.store.alertsByChip(chipHash, CHIP_TWINS_MAX);
  const wearers = twins.filter((twin) => twin.type === otherType);
  const worn = new Set(wearers.map(({ publishedAt }) => publishedAt));

  const day = dayOf(alert.eventDate);
  const neighbours = ports.alertIndex
    .nearest({
      point,
      radiusKm: reachKm(species),
      species,
      type: otherType,
      days:
        type === "lost"
          ? { first: day - DAYS_BEFORE_LOSS_MAX, last: day + WINDOW_DAYS, own: day }
          : { first: day - WINDOW_DAYS, last: day + DAYS_BEFORE_LOSS_MAX, own: day },
      limit: NEIGHBOURS_MAX,
    })
    .filter(({ publishedAt }) => !worn.has(publishedAt));
  const chosen = likeliest(neighbours, alert, standing, most, townRadiusKm);
  const readable = await read(chosen.map(({ publishedAt }) => publishedAt));
  return {
    near: [...readable, ...wearers.map((twin) => candidate(ports, twin))],
    passedOver: neighbours.length - chosen.length,
  };
}

function matchFace(alert: PublicAlert, match: Match, language: Language): MatchFace {
  return {
    alert,
    score: match.score,
    highConfidence: match.score >= HIGH_CONFIDENCE,
    reasons: sentences(match, language),
  };
}

const NOT_COMPARED: Readonly<Record<Language, string>> = {
  en: "not compared:",
  fr: "non comparé\u202f:",
  es: "no comparado:",
  de: "nicht verglichen:",
};

function sentences({ reasons, notCompared }: Match, language: Language): string[] {
  const fields = notCompared.map((field) => fieldInWords(field, language));
  const blank = fields.length === 0 ? [] : [`${NOT_COMPARED[language]} ${fields.join(", ")}`];
  return [...reasons.map((reason) => reasonInWords(reason, language)), ...blank];
}

/** `mutes` holds the unsubscribe links made for this telling, so that each alert gets one. */
async function toldPair(
  ports: Ports,
  mutes: Map<string, PrivateLink>,
  one: Alert,
  other: Alert,
  match: Match,
  now: number,
): Promise<ToldPair> {
  const [lost, found] = one.type === "lost" ? [one, other] : [other, one];
  const sides = [
    { mine: lost, theirs: found, side: "lost" },
    { mine: found, theirs: lost, side: "found" },
  ];
  const letters: { letter: Letter; about: string }[] = [];
  const links: PrivateLink[] = [];
  for (const { mine, theirs, side } of sides) {
    if (mine.ownerEmail === null) continue;
    const link = newLink(ports, "pair", `${lost.id}:${found.id}:${side}`);
    const subject = `matches:${mine.id}`;
    const known = (await ports.store.linkTo("unsubscribe", subject)) ?? mutes.get(subject);
    const unsubscribe = known ?? newLink(ports, "unsubscribe", subject);
    mutes.set(subject, unsubscribe);
    const letter = letterTo(
      ports.dice,
      { to: mine.ownerEmail, language: mine.language },
      {
        kind: "match",
        alert: alertInLetter(mine),
        other: alertInLetter(theirs),
        score: match.score,
        reasons: sentences(match, mine.language),
        sealedToken: link.sealed,
        sealedUnsubscribe: unsubscribe.sealed,
      },
      now,
    );
    letters.push({ letter, about: mine.id });
    links.push(link, ...(known === undefined ? [unsubscribe] : []));
  }
  return { lostId: lost.id, foundId: found.id, letters, links };
}
