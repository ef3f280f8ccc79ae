import type { LikelyMatchEmail, MatchDigestEmail } from "../../core/matches/match-emails.ts";
import {
  alertEntry,
  button,
  type Draft,
  type EmailContext,
  headline,
  link,
  list,
  strong,
  subjectAbout,
  text,
} from "./draft.ts";

export function matchDraft(content: LikelyMatchEmail, context: EmailContext): Draft {
  const { alert, other, score } = content;
  const { messages, links, unseal } = context;
  const { match } = messages;
  const near = match.near[alert.type]({ species: other.species });
  const pair = links.pair(unseal("pair", content.sealedToken));
  const unsubscribeUrl = links.unsubscribe(unseal("unsubscribe", content.sealedUnsubscribe));
  return {
    subject: subjectAbout(match.title, other, messages),
    title: match.title,
    parts: [
      text(content.summary === undefined ? near : match.opening[alert.type]),
      alertEntry(other, context, alert.countryCode),
      content.repeats === true ? strong(match.repeats) : null,
      score === null ? null : strong(match.score({ percent: score })),
      content.summary === undefined ? null : text(content.summary),
      text(match.reasons),
      list(content.reasons),
      content.ask === undefined || content.ask === null ? null : text(content.ask),
      button(match.button, pair),
      text(match.notMine),
      strong(match.beware),
      text(match.yours),
      alertEntry(alert, context),
      link(match.unsubscribe, unsubscribeUrl),
    ],
    link: pair,
    unsubscribeUrl,
  };
}

export function matchDigestDraft(content: MatchDigestEmail, context: EmailContext): Draft {
  const { pairs, more } = content;
  const { messages, links, unseal } = context;
  const { match, matchDigest } = messages;
  const urls = pairs.map(({ sealedToken }) => links.pair(unseal("pair", sealedToken)));
  const unsubscribeUrl = links.unsubscribe(unseal("unsubscribe", content.sealedUnsubscribe));
  const count = pairs.length + more;
  const ofTable = content.ofTable === true;
  const pairText = (percent: number | null, about: { headline: string; code: string }) =>
    percent === null ? matchDigest.possible(about) : matchDigest.pair({ percent, ...about });
  const subject = ofTable ? matchDigest.subjectOfTable({ count }) : matchDigest.subject({ count });
  return {
    subject,
    title: subject,
    parts: [
      text(ofTable ? matchDigest.openingOfTable : matchDigest.opening),
      ...pairs.flatMap(({ alert, other, score, repeats, summary }, nth) => [
        alertEntry(other, context, alert.countryCode),
        text(pairText(score, { headline: headline(alert, messages), code: alert.shortCode })),
        repeats === true ? strong(match.repeats) : null,
        summary === undefined ? null : text(summary),
        link(match.button, urls[nth] ?? links.home),
      ]),
      more === 0 ? null : text(matchDigest.more({ count: more })),
      text(match.notMine),
      strong(match.beware),
      link(matchDigest.unsubscribe, unsubscribeUrl),
    ],
    link: urls[0] ?? links.home,
    unsubscribeUrl,
  };
}
