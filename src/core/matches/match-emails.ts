import type { Match } from "../../matching/matching.ts";
import { isImported } from "../alerts/alert.ts";
import { emailAlert, type EmailAlert } from "../alerts/email-alert.ts";
import { CAPS } from "../caps.ts";
import { HOUR_MS, MINUTE_MS } from "../duration.ts";
import { emailTo } from "../email.ts";
import type { PrivateLink } from "../people/link-store.ts";
import { firstInTurn, hashAddress, ownersInTurn } from "../people/mailbox-spelling.ts";
import { existingOrNewLink, groupSubject } from "../people/private-link.ts";
import { isCopied } from "./copied-alert.ts";
import type { createMatching } from "./find-matches.ts";
import type { MatchNotice, NoticeKey } from "./pair-store.ts";
import type { Ports } from "./ports.ts";

/** Likely match in an email. */
type EmailMatch = {
  /** The reader's own. */
  readonly alert: EmailAlert;
  readonly other: EmailAlert;
  /** Probability in percent. Null below high confidence, and for a find that repeats a public alert. */
  readonly score: number | null;
  /** True for a find that repeats the reader's public alert. */
  readonly repeats?: boolean;
  /** `MatchTexts` in the reader's language; the sentence only with high confidence. */
  readonly summary?: string;
  /** Link to the match's page, where "not my pet" dismisses it. */
  readonly sealedToken: string;
};
/** To the owner of one alert of a likely match: the other alert, and the reasons. */
export type LikelyMatchEmail = EmailMatch & {
  readonly kind: "match";
  readonly ask?: string | null;
  readonly reasons: readonly string[];
  readonly sealedUnsubscribe: string;
};
/** To an owner: likely matches of all their alerts beyond the daily match emails, best first. */
export type MatchDigestEmail = {
  readonly kind: "match-digest";
  /** True if the reader's alerts are those of a table, whose matches are never emailed one by one. */
  readonly ofTable?: boolean;
  readonly pairs: readonly EmailMatch[];
  /** Count of matches that wait for the next digest. */
  readonly more: number;
  /** Link that ends match emails for all alerts of the reader. */
  readonly sealedUnsubscribe: string;
};

/** Limits of one run: emails about one pair each, and digests; the rest wait for the next run. */
const NOTICES_MAX = 50;
/** Notices that the emails of a run are chosen from. */
const NOTICES_CHOICE_MAX = 200;
const DIGESTS_MAX = 20;
/** Time that a digest waits for more pairs, from the first pair beyond a mailbox's daily emails. */
const GATHER_MS = HOUR_MS;
/** Pairs shown in one digest, and pairs they are chosen from: as many as lookalikes within reach of one alert. */
const DIGEST_PAIRS_MAX = 10;
const DIGEST_CHOICE_MAX = 1_000;
/** Pairs shown in a digest about imported alerts, whose owner gets one a day and no other emails about matches. */
const TABLE_DIGEST_PAIRS_MAX = 50;

/**
 * Emails to owners about likely pairs, under two daily caps: on the emails that one alert causes to other owners, and on
 * the emails to one mailbox, all its spellings and alerts together. A notice over the first cap is sent a day later;
 * notices over the second one share a digest a day. So do all about alerts that were imported from a table. The owners' mail domains take turns, best scores first, and no cap
 * drops a notice.
 */
export function createMatchEmails(
  ports: Ports,
  { scored, isNotifiable, textsOf }: MatchingInWords,
) {
  const { store, secrets, random } = ports;

  /** Current match of a notice, for its reasons; null if an edit made the pair unlikely. */
  function currentMatch(notice: MatchNotice): Match | null {
    const { mine, other, isNewClaim } = notice;
    const match = scored(mine, other);
    // Alerts published nearby since then lower the score: that must not be a way to hide a pair.
    return match === null || (isNewClaim && !isNotifiable(mine, other, match)) ? null : match;
  }

  function pairLink({ mine, other }: MatchNotice) {
    const [lost, found] = mine.type === "lost" ? [mine, other] : [other, mine];
    return existingOrNewLink(ports, "pair", `${lost.id}:${found.id}:${mine.type}`);
  }

  async function queueEmail(
    notice: MatchNotice,
    match: Match,
    to: string,
    now: number,
  ): Promise<void> {
    const { mine, other } = notice;
    const pair = await pairLink(notice);
    const unsubscribe = await existingOrNewLink(ports, "unsubscribe", `matches:${mine.id}`);
    const { summary, ask, reasons } = textsOf(match, mine, other, mine.language);
    const content: LikelyMatchEmail = {
      kind: "match",
      ...entryOf(notice, match, pair.sealed),
      ...(match.highConfidence && { summary }),
      ask,
      reasons,
      sealedUnsubscribe: unsubscribe.sealed,
    };
    const email = emailTo(random, { to, language: mine.language }, content, now);
    const links = [...pair.created, ...unsubscribe.created];
    const isGathered = isImported(mine);
    const [kind, cap] = match.highConfidence
      ? (["match", CAPS.matchEmailsPerMailbox] as const)
      : (["match:near", CAPS.nearMatchEmailsPerMailbox] as const);
    const perMailbox = { key: `${kind}:to:${hashAddress(secrets, to)}`, ...cap };
    const caps = {
      perAlert:
        notice.isOwn || isGathered
          ? null
          : { key: `${kind}:cause:${other.id}`, ...CAPS.matchEmailsPerAlert },
      perMailbox: isGathered ? { ...perMailbox, max: 0 } : perMailbox,
      digestAt: now + GATHER_MS,
    };
    await store.queueMatchEmail(keyOf(notice), { email, links }, caps, now);
  }

  /** Queues a digest to a mailbox, after dropping the pairs that an edit made unlikely. */
  async function queueDigest(mailbox: string, now: number): Promise<void> {
    const { notices, total } = await store.matchDigest(mailbox, DIGEST_CHOICE_MAX);
    const waiting = [];
    let dropped = 0;
    for (const notice of notices) {
      await ports.yieldToEventLoop();
      const match = currentMatch(notice);
      if (match !== null) waiting.push({ notice, match });
      else {
        await store.dropMatch(keyOf(notice));
        dropped++;
      }
    }
    const ofTable = waiting.every(({ notice }) => isImported(notice.mine));
    const shown = firstInTurn(
      waiting,
      ({ notice, match }) => ({ score: match.score, email: notice.other.ownerEmail }),
      ofTable ? TABLE_DIGEST_PAIRS_MAX : DIGEST_PAIRS_MAX,
    );
    const first = shown[0]?.notice.mine;
    if (first === undefined || first.ownerEmail === null) return;

    const links: PrivateLink[] = [];
    const pairs = [];
    for (const { notice, match } of shown) {
      const { sealed, created } = await pairLink(notice);
      links.push(...created);
      const { summary } = textsOf(match, notice.mine, notice.other, first.language);
      pairs.push({ ...entryOf(notice, match, sealed), summary });
    }
    const unsubscribe = await existingOrNewLink(
      ports,
      "unsubscribe",
      groupSubject("all-matches", first.ownerEmail),
    );
    const content: MatchDigestEmail = {
      kind: "match-digest",
      ofTable,
      pairs,
      more: total - dropped - shown.length,
      sealedUnsubscribe: unsubscribe.sealed,
    };
    const reader = { to: first.ownerEmail, language: first.language };
    const cap = CAPS.matchDigestsPerMailbox;
    const digest = {
      email: emailTo(random, reader, content, now),
      links: [...links, ...unsubscribe.created],
      notices: shown.map(({ notice }) => keyOf(notice)),
      // Leaves time for the digest of another spelling of the mailbox.
      nextAt: now + cap.windowMs + MINUTE_MS,
    };
    const hit = { key: `match:digest:${hashAddress(secrets, mailbox)}`, ...cap };
    await store.queueMatchDigest(mailbox, digest, hit, now);
  }

  return {
    /** Queues emails to owners about the likely pairs that comparisons recorded. */
    async queueMatchEmails(now: number): Promise<void> {
      const due = ownersInTurn(
        await store.matchNotices(now, NOTICES_CHOICE_MAX),
        ({ mine, other, score }) => ({ score, email: mine.ownerEmail, queue: other.id }),
      );
      for (const notice of due.slice(0, NOTICES_MAX)) {
        await ports.yieldToEventLoop();
        const match = currentMatch(notice);
        const to = notice.mine.ownerEmail;
        if (match === null || to === null) await store.dropMatch(keyOf(notice));
        else await queueEmail(notice, match, to, now);
      }
      for (const mailbox of await store.dueMatchDigests(now, DIGESTS_MAX)) {
        await ports.yieldToEventLoop();
        await queueDigest(mailbox, now);
      }
    },
  };
}

/** Uses of matching that the emails need. */
type MatchingInWords = Pick<
  ReturnType<typeof createMatching>,
  "scored" | "isNotifiable" | "textsOf"
>;

/** Match in an email: no figure below high confidence, and none for a copy, whose reader is warned if theirs was copied. */
function entryOf({ mine, other }: MatchNotice, match: Match, sealedToken: string): EmailMatch {
  const isCopy = isCopied(mine, other);
  return {
    alert: emailAlert(mine),
    other: emailAlert(other),
    sealedToken,
    score: match.highConfidence && !isCopy ? match.score : null,
    repeats: isCopy && mine.type === "lost",
  };
}

function keyOf({ mine, other }: MatchNotice): NoticeKey {
  return { alertId: mine.id, otherId: other.id };
}
