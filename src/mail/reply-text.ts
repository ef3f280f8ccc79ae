import { decodeHTML } from "entities";
import type { Email } from "postal-mime";
import type { ComposedEmail } from "./emails/compose.ts";
import { parseMessage } from "./parsed-message.ts";

/** Characters of the text that are examined. Quoted emails of a long thread come after the answer, or make up more. */
const TEXT_MAX = 100_000;
/** Characters of HTML that are examined, for the same reason. */
const HTML_MAX = 1_000_000;
/** The same once marked quotes are removed. */
const SHORTENED_HTML_MAX = 300_000;

/** Signs in any language of a quote of our email. */
export type ReplyEvidence = {
  /** Addresses that our emails come from and are answered to, without what follows a plus. */
  readonly addresses: readonly string[];
  /** Names of the site and of the sender of its emails. */
  readonly names: readonly string[];
  /** The email that is answered; null if it is unknown. */
  readonly answered: Pick<ComposedEmail, "subject" | "text" | "html"> | null;
};

/**
 * Text that the author of a reply wrote, without quoted emails and signatures. Empty if there is none, or if the message
 * cannot be parsed. The message may be truncated; attachments are left out. Libraries know quotes by words of some languages:
 * email-reply-parser 2.3.9 and planer 1.2.0 let a third to a half of those in the tests through.
 */
export async function readReplyText(raw: Uint8Array, evidence: ReplyEvidence): Promise<string> {
  const email = await parseMessage(raw);
  if (email === null) return "";
  const plain = email.text ?? "";
  const text = plain.trim() === "" ? textOfHtml((email.html ?? "").slice(0, HTML_MAX)) : plain;
  return ownText(text.slice(0, TEXT_MAX), lineTests(evidence, email));
}

/**
 * Characters that stand, while white space is folded, for a line break, and for the edges of blocks, of which several
 * together make one line break.
 */
const BREAK = "\ue000";
const EDGE = "\ue001";

/** Elements with signatures, of Gmail, Thunderbird, Proton and Outlook. */
const SIGNATURES = ".gmail_signature, .moz-signature, .protonmail_signature_block, #Signature";
const INVISIBLE = "head, style, script, title, template, noscript, svg, select, textarea";
const BLOCKS = new Set(
  "p div tr li ul ol table h1 h2 h3 h4 h5 h6 pre hr section article".split(" "),
);

/** Text of an HTML message in lines, with a `>` for every quote. */
function textOfHtml(html: string): string {
  const replacedBy = (text: string): HTMLRewriterTypes.HTMLRewriterElementContentHandlers => ({
    element: (element) => void element.replace(text, { html: true }),
  });
  const shortened = new HTMLRewriter()
    .onDocument({
      doctype: (doctype) => void doctype.remove(),
      comments: (comment) => void comment.remove(),
    })
    .on(INVISIBLE, replacedBy(""))
    .on(SIGNATURES, replacedBy(BREAK))
    .on("blockquote", replacedBy(`${BREAK}>${BREAK}`))
    .transform(html.replaceAll(/[\ue000\ue001]/g, ""));
  const text = new HTMLRewriter()
    .on("br", replacedBy(BREAK))
    .on("*", {
      element(element) {
        if (BLOCKS.has(element.tagName)) element.before(EDGE).after(EDGE);
        element.removeAndKeepContent();
      },
    })
    .transform(shortened.slice(0, SHORTENED_HTML_MAX));
  const lines = text
    .replace(/\s+/g, " ")
    .replaceAll(/ ?(?:\ue001 ?)+/g, "\n")
    .replaceAll(/ ?\ue000 ?/g, "\n");
  return decodeHTML(lines);
}

/** Tests of single lines, without characters that cannot be seen. All of them take linear time. */
type LineTests = {
  /** True for our address as programs write it above a quote, and for a field with the subject of our email. */
  opensQuote(line: string): boolean;
  /** True for a field whose value is our name, and for one with the writer's name or address. */
  isFromUs(line: string): boolean;
  isToWriter(line: string): boolean;
  /** True for a line of our email, whole or in part. */
  isOurs(line: string): boolean;
  /** True for lines that hold most of our email, whatever message was in it. */
  holdOurs(lines: readonly string[]): boolean;
  /** True for a line that names us or the writer, or holds a date, as those above quotes do. */
  isTelling(line: string): boolean;
};

/** Letters from which a part of one of our lines is recognised. */
const PART_MIN = 12;
const SUBJECT_MIN = 8;
const NAME_MIN = 3;

function lineTests(
  { addresses, names, answered }: ReplyEvidence,
  reply: Pick<Email, "from" | "subject">,
): LineTests {
  const { name: writer = "", address = "" } = reply.from ?? {};
  const ours = addresses.map(addressPattern).join("|");
  const all = address.includes("@") ? `${ours}|${addressPattern(address)}` : ours;
  const anyAddress = new RegExp(all, "iu");
  const notation = (pattern: string) => new RegExp(`(?:[<([:：]\\s?|mailto:)(?:${pattern})`, "iu");
  const [ourNotation, anyNotation] = [notation(ours), notation(all)];
  const known = [...names, writer]
    .map((name) => name.toLowerCase())
    .filter((name) => name.length >= NAME_MIN);
  const texts = answered === null ? [] : [answered.text, textOfHtml(answered.html)];
  // A reply begins with "Re:" or the like, and so may what it quotes.
  const subjects = [answered?.subject, reply.subject].map((subject) => lettersOf(subject ?? ""));
  const isSubject = (value: string) =>
    value.length >= SUBJECT_MIN &&
    subjects.some(
      (one) => one.length >= SUBJECT_MIN && (one.endsWith(value) || value.endsWith(one)),
    );
  const ourLines = new Set(texts.flatMap((text) => text.split("\n")).map(lettersOf));
  const ourLetters = lettersOf(texts.join("\n"));
  const isPart = (letters: string) => letters.length >= PART_MIN && ourLetters.includes(letters);
  const phrases = lettersOf((answered?.text ?? "").replace(/^>.*$/gm, ""));
  const isHeading = (line: string) => FIELD.test(line) || ATTRIBUTION_END.test(line);
  return {
    opensQuote: (line) =>
      (anyNotation.test(line) && isHeading(line) && (ourNotation.test(line) || DATE.test(line))) ||
      (ourNotation.test(line) && DATE.test(line)) ||
      (FIELD.test(line) && isSubject(lettersOf(line.replace(FIELD, "")))),
    isFromUs: (line) => {
      const value = lettersOf(line.replace(FIELD, ""));
      return FIELD.test(line) && names.some((name) => value !== "" && lettersOf(name) === value);
    },
    isToWriter: (line) =>
      FIELD.test(line) &&
      [writer, address].some((one) => one.length >= NAME_MIN && line.includes(one)),
    isOurs(line) {
      const letters = lettersOf(line);
      if (letters === "") return /https?:|[-=_*]{3}/.test(line);
      return ourLines.has(letters) || isPart(letters);
    },
    holdOurs: (lines) =>
      2 * lines.map(lettersOf).filter(isPart).join("").length > phrases.length && phrases !== "",
    isTelling: (line) =>
      DATE.test(line) ||
      anyAddress.test(line) ||
      known.some((name) => line.toLowerCase().includes(name)),
  };
}

/** Address with whatever it has after a plus. */
function addressPattern(address: string): string {
  const at = address.lastIndexOf("@");
  const [local, domain] = [address.slice(0, at), address.slice(at)].map((part) =>
    RegExp.escape(part),
  );
  return `${local}(?:\\+[\\w.=-]{1,100})?${domain}`;
}

/** Letters and digits alone, since programs wrap lines, and show links in their own ways. */
function lettersOf(text: string): string {
  return text
    .replace(/https?:\/\/\S+/g, "")
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "");
}

/** Year, or day of a month with a year, in any digits. */
const DATE =
  /(?<!\p{Nd})(?![03-9])\p{Nd}{4}(?!\p{Nd})|(?<!\p{Nd})\p{Nd}{1,2}[./-] ?\p{Nd}{1,2}[./-] ?\p{Nd}/u;
/** Field of a header: "From: …", in any language. */
const FIELD = /^[\s*"]*\p{L}[^:：\p{Nd}]{0,24}[:：]/u;
/** End of "On 1 May 2026, Anna wrote:" in any language. */
const ATTRIBUTION_END = /(?:[:：]|--)[\s*]*$/;
/** Line of dashes, which may have words in it. */
const SEPARATOR = /^\s{0,9}[-_=*]{3,40}.{0,60}[-_=*]{2,40}\s*$/;
/** Separator of a signature (RFC 3676, section 4.3). Without its space it may be what an author put between paragraphs. */
const SIGNATURE = /^\s{0,4}--\s*$/;
const SIGNATURE_LINES_MAX = 10;
const UNSURE_SIGNATURE_LINES_MAX = 2;
/**
 * Name of a device or program in a last line such as "Sent from my iPhone", which has these names in every language, and
 * none that an animal may have.
 */
const SENT_FROM =
  /iphone|ipad|android|outlook|samsung|huawei|xiaomi|yahoo|gmail|proton ?mail|gmx|web\.de|mail\.ru|яндекс|k-9 mail|naver|qq邮箱/i;
const SENT_FROM_MAX = 80;

/** Lines of an attribution, and of a header with the separators above it. */
const ATTRIBUTION_LINES_MAX = 4;
const HEADING_LINES_MAX = 12;

/**
 * Plain text without quoted emails, their headings and signatures. A quote is marked by `>`, or begins with a heading or
 * with two lines of our email. Text between and below quotes stays, for those who answer there: where quotes are not
 * marked, it is what our email lacks if most of it is there.
 */
function ownText(text: string, tests: LineTests): string {
  const { isOurs, isTelling } = tests;
  const written = text
    .replace(/\r\n?/g, "\n")
    // Gmail breaks the line inside of the address.
    .replace(/<\n(?=[^\s<>]{1,320}>)/g, "<")
    .split("\n");
  const lines = written.map((line) => line.replace(/\p{Cf}/gu, ""));
  const isOwn = lines.map(() => true);
  const isBlank = (at: number) => lines[at]?.trim() === "";
  const opensQuote = (line: string, at: number) =>
    tests.opensQuote(line) ||
    (tests.isFromUs(line) &&
      lines
        .slice(Math.max(at - ATTRIBUTION_LINES_MAX, 0), at + ATTRIBUTION_LINES_MAX)
        .some((one) => tests.isToWriter(one)));

  /** First of the lines of a heading, by one of them. */
  function topOf(heading: number): number {
    let top = heading;
    for (let at = heading - 1; at >= 0 && heading - at < HEADING_LINES_MAX; at -= 1) {
      const line = lines[at]!;
      const isNext = at === top - 1 && (FIELD.test(line) || isTelling(line));
      if (!isBlank(at) && (isNext || SEPARATOR.test(line))) top = at;
      else if (!isBlank(at)) break;
    }
    return top;
  }

  /** First line of the heading above a quote; that of the quote if it has none. Marked ones have attributions. */
  function headingAbove(quote: number, isMarked: boolean): number {
    let last = quote - 1;
    while (isBlank(last)) last -= 1;
    const end = lines[last] ?? "";
    if (!ATTRIBUTION_END.test(end) && (isMarked || !FIELD.test(end))) return quote;
    for (let at = last; at > last - ATTRIBUTION_LINES_MAX && at >= 0 && !isBlank(at); at -= 1)
      if (isTelling(lines[at]!)) return topOf(at);
    return quote;
  }

  function isPartOfHeading(line: string): boolean {
    return FIELD.test(line) || ATTRIBUTION_END.test(line) || isTelling(line);
  }

  function beginsOurText(at: number): boolean {
    const next = lines
      .slice(at + 1, at + 1 + ATTRIBUTION_LINES_MAX)
      .find((line) => line.trim() !== "");
    if (next === undefined || !isOurs(next)) return false;
    return lettersOf(`${lines[at]}${next}`).length >= PART_MIN;
  }

  const isWhole = tests.holdOurs(lines);
  let place: "own" | "heading" | "unmarked" | "quote" = "own";
  for (const [at, line] of lines.entries()) {
    const isMarked = /^\s?>/.test(line);
    if (!isMarked && opensQuote(line, at)) {
      isOwn.fill(false, topOf(at), at + 1);
      place = "heading";
    } else if (place === "heading" || place === "unmarked") {
      isOwn[at] = false;
      // Short lines may be of the heading, too; and an unmarked quote has marked ones in it.
      if (isMarked && place === "heading") place = "own";
      else if (!isMarked && isWhole && lettersOf(line).length >= PART_MIN && isOurs(line))
        place = "quote";
      else if (!isBlank(at) && !isPartOfHeading(line)) place = "unmarked";
    } else if (isMarked || (place === "own" && isOurs(line) && beginsOurText(at))) {
      isOwn.fill(false, place === "own" ? headingAbove(at, isMarked) : at, at + 1);
      if (!isMarked) place = "quote";
    } else if (place === "quote") isOwn[at] = isBlank(at) || !isOurs(line);
  }
  leaveOutSignatures(lines, isOwn);
  return written
    .filter((_, at) => isOwn[at])
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** Leaves out signatures in the last lines of every piece of text, which ends above a quote or with the email. */
function leaveOutSignatures(lines: readonly string[], isOwn: boolean[]): void {
  const written = (from: number, to: number) =>
    lines.slice(from, to).filter((line, nth) => isOwn[from + nth] && line.trim() !== "").length;
  let start = 0;
  let before = 0;
  for (const end of [...lines.keys(), lines.length]) {
    if (isOwn[end]) continue;
    const piece = lines.slice(start, end);
    const separator = start + piece.findLastIndex((line) => SIGNATURE.test(line));
    const isSure = /\s$/.test(lines[separator] ?? "");
    const linesMax = isSure ? SIGNATURE_LINES_MAX : UNSURE_SIGNATURE_LINES_MAX;
    // Of several, the last stands between paragraphs, too.
    const isOnly = piece.filter((line) => SIGNATURE.test(line)).length === 1;
    if (separator >= start && (isSure || isOnly) && written(separator + 1, end) <= linesMax)
      isOwn.fill(false, separator, end);
    const last =
      start + piece.findLastIndex((line, nth) => isOwn[start + nth] && line.trim() !== "");
    const isApart = last > start && lines[last - 1]?.trim() === "";
    if (isApart && isSentFrom(lines[last] ?? "") && before + written(start, last) > 0)
      isOwn[last] = false;
    before += written(start, end);
    start = end + 1;
  }
}

function isSentFrom(line: string): boolean {
  const words = line.replace(/<?https?:\/\/\S+/g, "").trim();
  return words.length <= SENT_FROM_MAX && SENT_FROM.test(words) && !/[?!]/.test(words);
}
