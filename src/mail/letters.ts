import { DAY_MS, HOUR_MS } from "../core/duration.ts";
import type { Letter, LetterAlert, LetterContent } from "../core/letter.ts";
import type { Links } from "../core/links.ts";
import { asHtml, asText, type Part } from "./paper.tsx";
import { type Words, wordsIn } from "./words/words.ts";

/** What every letter needs to know of the instance that sends it. */
export type LetterSite = {
  readonly name: string;
  readonly links: Links;
  /** See `Vault`. */
  readonly unseal: (sealed: string) => string | null;
};

/** A letter in the words of its reader. */
export type ComposedLetter = {
  /** Holds no word that the public wrote: only our phrases, our short code and counts. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Where the letter's button leads. */
  readonly link: string;
  /** For letters of a kind that can be stopped: what mail programs call when the reader presses "unsubscribe". */
  readonly unsubscribeUrl: string | null;
};

/** Puts a letter's content into words. Throws when a sealed link cannot be opened: the instance's key has changed. */
export function composeLetter(letter: Letter, site: LetterSite): ComposedLetter {
  const words = wordsIn(letter.language);
  const { subject, title, parts, link, unsubscribeUrl } = draftOf(letter, words, site);
  const paper = {
    language: letter.language,
    title,
    parts,
    site: site.name,
    home: site.links.home,
  };
  return { subject, text: asText(paper), html: asHtml(paper), link, unsubscribeUrl };
}

type Draft = {
  readonly subject: string;
  readonly title: string;
  readonly parts: readonly Part[];
  readonly link: string;
  readonly unsubscribeUrl: string | null;
};

type Of<Kind extends LetterContent["kind"]> = Extract<LetterContent, { kind: Kind }>;

function draftOf(letter: Letter, words: Words, site: LetterSite): Draft {
  const { content } = letter;
  switch (content.kind) {
    case "confirm":
      return confirmDraft(content, letter.createdAt, words, site);
    case "live":
      return liveDraft(content, words, site);
    case "link":
      return linkDraft(content, words, site);
    case "admin":
      return adminDraft(content, words, site);
    case "erase":
      return eraseDraft(content, words, site);
    case "message":
      return messageDraft(content, words, site);
    case "sighting":
      return sightingDraft(content, words, site);
    case "zone":
      return zoneDraft(content, words, site);
    case "match":
      return matchDraft(content, words, site);
    case "reminder":
      return reminderDraft(content, letter.createdAt, words, site);
  }
}

/** Says nothing that the asker wrote: whoever can make us write to a stranger must not choose the words. */
function confirmDraft(
  content: Of<"confirm">,
  createdAt: number,
  words: Words,
  site: LetterSite,
): Draft {
  const token = unsealed(content.sealedToken, site);
  const code = content.shortCode ?? "";
  const link = site.links.confirm(token);
  const { subject, title, asked, next, button } = words.confirm[content.action];
  const hours = Math.max(1, Math.round((content.expiresAt - createdAt) / HOUR_MS));
  return {
    subject: subject(code),
    title,
    parts: [
      { kind: "text", text: asked(site.name, code) },
      { kind: "text", text: next },
      { kind: "button", label: button, url: link },
      { kind: "strong", text: words.confirm.nothingYet },
      {
        kind: "text",
        text: words.confirm.ends(hours, words.day(content.expiresAt), timeOf(content.expiresAt)),
      },
      { kind: "text", text: words.neverACode },
      { kind: "text", text: words.confirm.ignore },
      { kind: "link", label: words.confirm.notMe, url: site.links.notMe(token) },
    ],
    link,
    unsubscribeUrl: null,
  };
}

function liveDraft(content: Of<"live">, words: Words, site: LetterSite): Draft {
  const { alert } = content;
  const link = site.links.manage(unsealed(content.sealedToken, site));
  return {
    subject: words.live.subject(headline(alert, words), alert.shortCode),
    title: words.live.title,
    parts: [
      { kind: "text", text: words.live.opening[alert.type][alert.species] },
      entry(alert, words, site),
      { kind: "text", text: words.live.manage },
      { kind: "list", items: words.live.moves[alert.type] },
      { kind: "button", label: words.live.button, url: link },
      { kind: "strong", text: words.live.keepPrivate },
      { kind: "text", text: words.live.ends(words.day(content.expiresAt)) },
      { kind: "text", text: words.live.share },
      { kind: "address", label: words.live.page, url: site.links.alert(alert.slug) },
      { kind: "address", label: words.live.shortLink, url: site.links.short(alert.shortCode) },
      { kind: "address", label: words.live.qr, url: site.links.qr(alert.shortCode) },
      { kind: "text", text: words.live.beware },
    ],
    link,
    unsubscribeUrl: null,
  };
}

function linkDraft(content: Of<"link">, words: Words, site: LetterSite): Draft {
  const { alert } = content;
  const link = site.links.manage(unsealed(content.sealedToken, site));
  const { subject, title, opening, button, ignore } = words.link;
  return {
    subject: subject(headline(alert, words), alert.shortCode),
    title,
    parts: [
      { kind: "text", text: opening },
      entry(alert, words, site),
      { kind: "button", label: button, url: link },
      { kind: "strong", text: words.live.keepPrivate },
      { kind: "text", text: ignore },
    ],
    link,
    unsubscribeUrl: null,
  };
}

function adminDraft(content: Of<"admin">, words: Words, site: LetterSite): Draft {
  const link = site.links.adminEntry(unsealed(content.sealedToken, site));
  const { subject, title, opening, button, ends, ignore } = words.admin;
  return {
    subject,
    title,
    parts: [
      { kind: "text", text: opening(site.name) },
      { kind: "button", label: button, url: link },
      { kind: "strong", text: ends(words.day(content.expiresAt), timeOf(content.expiresAt)) },
      { kind: "text", text: ignore },
    ],
    link,
    unsubscribeUrl: null,
  };
}

/** As a confirmation letter: anybody can have it sent to a stranger. */
function eraseDraft(content: Of<"erase">, words: Words, site: LetterSite): Draft {
  const token = unsealed(content.sealedToken, site);
  const link = site.links.erase(token);
  const { subject, title, opening, next, button, ends, ignore } = words.erase;
  return {
    subject,
    title,
    parts: [
      { kind: "text", text: opening(site.name) },
      { kind: "text", text: next },
      { kind: "button", label: button, url: link },
      { kind: "strong", text: ends(words.day(content.expiresAt), timeOf(content.expiresAt)) },
      { kind: "text", text: words.neverACode },
      { kind: "text", text: ignore },
      ...(content.canStop
        ? [{ kind: "link" as const, label: words.confirm.notMe, url: site.links.eraseNotMe(token) }]
        : []),
    ],
    link,
    unsubscribeUrl: null,
  };
}

function messageDraft(content: Of<"message">, words: Words, site: LetterSite): Draft {
  const { alert } = content;
  const link = site.links.conversation(unsealed(content.sealedToken, site));
  const { fromStranger, fromOwner, writes, unnamed } = words.message;
  const opening = content.from === "stranger" ? fromStranger : fromOwner;
  return {
    subject: words.message.subject(headline(alert, words), alert.shortCode),
    title: words.message.title,
    parts: [
      { kind: "text", text: opening[alert.type][alert.species] },
      { kind: "strong", text: content.name === null ? unnamed : writes(content.name) },
      { kind: "quote", text: content.text },
      { kind: "button", label: words.message.button, url: link },
      { kind: "text", text: words.message.hidden },
      { kind: "strong", text: words.message.beware },
      { kind: "text", text: words.message.alert },
      entry(alert, words, site),
    ],
    link,
    unsubscribeUrl: null,
  };
}

function sightingDraft(content: Of<"sighting">, words: Words, site: LetterSite): Draft {
  const { alert, note } = content;
  const link = site.links.alert(alert.slug);
  const { subject, title, opening, seen, unproven, adds, button, beware } = words.sighting;
  const { city, distanceKm, seenAt } = content;
  return {
    subject: subject(headline(alert, words), alert.shortCode),
    title,
    parts: [
      { kind: "text", text: opening },
      { kind: "strong", text: seen(city, distanceKm, words.day(seenAt), timeOf(seenAt)) },
      ...(note === null
        ? []
        : [
            { kind: "text" as const, text: adds },
            { kind: "quote" as const, text: note },
          ]),
      { kind: "text", text: unproven },
      { kind: "button", label: button, url: link },
      { kind: "strong", text: beware },
      entry(alert, words, site),
    ],
    link,
    unsubscribeUrl: null,
  };
}

function zoneDraft(content: Of<"zone">, words: Words, site: LetterSite): Draft {
  const unsubscribeUrl = site.links.unsubscribe(unsealed(content.sealedUnsubscribe, site));
  const { alerts, more, label, circle } = content;
  const only = alerts.length === 1 && more === 0 ? alerts[0] : undefined;
  const count = alerts.length + more;
  const { subjectOne, subjectMany, titleOne, opening, openingNamed, buttonOne, buttonMany } =
    words.zone;
  const all = circle === undefined ? site.links.home : site.links.search(circle);
  const link = only === undefined ? all : site.links.alert(only.slug);
  return {
    subject:
      only === undefined ? subjectMany(count) : subjectOne(headline(only, words), only.shortCode),
    title: only === undefined ? subjectMany(count) : titleOne,
    parts: [
      { kind: "text", text: label === null ? opening : openingNamed(label) },
      ...alerts.map((alert) => entry(alert, words, site)),
      ...(more === 0 ? [] : [{ kind: "text" as const, text: words.zone.more(more) }]),
      { kind: "text", text: words.zone.seen },
      { kind: "button", label: only === undefined ? buttonMany : buttonOne, url: link },
      { kind: "text", text: words.zone.why },
      { kind: "link", label: words.zone.unsubscribe, url: unsubscribeUrl },
    ],
    link,
    unsubscribeUrl,
  };
}

function matchDraft(content: Of<"match">, words: Words, site: LetterSite): Draft {
  const { alert, other, score, reasons } = content;
  const link = site.links.pair(unsealed(content.sealedToken, site));
  const unsubscribeUrl = site.links.unsubscribe(unsealed(content.sealedUnsubscribe, site));
  const { match } = words;
  return {
    subject: match.subject(headline(other, words), other.shortCode),
    title: match.title,
    parts: [
      { kind: "text", text: match.opening[alert.type] },
      entry(other, words, site),
      { kind: "strong", text: match.score(score) },
      { kind: "text", text: match.reasons },
      { kind: "list", items: reasons },
      { kind: "button", label: match.button, url: link },
      { kind: "text", text: match.notMine },
      { kind: "strong", text: match.beware },
      { kind: "text", text: match.yours },
      entry(alert, words, site),
      { kind: "link", label: match.unsubscribe, url: unsubscribeUrl },
    ],
    link,
    unsubscribeUrl,
  };
}

function reminderDraft(
  content: Of<"reminder">,
  createdAt: number,
  words: Words,
  site: LetterSite,
): Draft {
  const { alert } = content;
  const link = site.links.manage(unsealed(content.sealedToken, site));
  const unsubscribeUrl = site.links.unsubscribe(unsealed(content.sealedUnsubscribe, site));
  const days = Math.max(1, Math.ceil((content.expiresAt - createdAt) / DAY_MS));
  const { subject, title, opening, orEnd, ends, button, keepPrivate, unsubscribe } = words.reminder;
  return {
    subject: subject(days, headline(alert, words), alert.shortCode),
    title: title(days),
    parts: [
      { kind: "text", text: opening[alert.type][alert.species] },
      entry(alert, words, site),
      { kind: "text", text: orEnd[alert.type] },
      { kind: "button", label: button, url: link },
      { kind: "strong", text: ends(words.day(content.expiresAt), timeOf(content.expiresAt)) },
      { kind: "text", text: keepPrivate },
      { kind: "link", label: unsubscribe, url: unsubscribeUrl },
    ],
    link,
    unsubscribeUrl,
  };
}

function unsealed(sealed: string, site: LetterSite): string {
  const token = site.unseal(sealed);
  if (token === null)
    throw new Error("a sealed link could not be opened: has the secret key changed?");
  return token;
}

function headline(alert: LetterAlert, words: Words): string {
  return words.headline[alert.type][alert.species];
}

/** "Lost cat: Mimi" with colour, place, day and code under it. */
function entry(alert: LetterAlert, words: Words, site: LetterSite): Part {
  const kind = capital(headline(alert, words));
  const day = words.day(Date.parse(`${alert.eventDate}T00:00:00Z`));
  const color = alert.color === UNKNOWN ? [] : [alert.color];
  return {
    kind: "entry",
    title: alert.name === null ? kind : `${kind} – ${alert.name}`,
    details: [...color, alert.city, day, alert.shortCode].join(" · "),
    url: site.links.alert(alert.slug),
  };
}

/** What an alert says of a colour that nobody knows. */
const UNKNOWN = "unknown";

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** 07:30, in UTC. */
function timeOf(time: number): string {
  return new Date(time).toISOString().slice(11, 16);
}
