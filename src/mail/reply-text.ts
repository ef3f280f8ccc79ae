import { decodeHTML } from "entities";
import { parseMessage } from "./parsed-message.ts";

/** Characters of the text that are examined. Quoted emails of a long thread come after the answer, or make up more. */
const TEXT_MAX = 100_000;
/** Characters of HTML that are examined, for the same reason. */
const HTML_MAX = 1_000_000;
/** The same once quotes are removed. */
const OWN_HTML_MAX = 300_000;
/** Lines that an attribution ("On 1 May 2026, Anna wrote:") may be broken into. */
const ATTRIBUTION_LINES_MAX = 4;
const ATTRIBUTION_MAX = 500;
const SIGNATURE_LINE_MAX = 120;

/**
 * Text that the author of a reply wrote, without quoted emails and signatures. Empty if there is none, or if the message
 * cannot be parsed. The message may be truncated; attachments are left out. Quotes are found here by patterns that take
 * linear time: those of the library email-reply-parser 2.3.9 need the native RE2 for it, and without it half a minute for
 * one hostile line of 4,000 characters.
 */
export async function readReplyText(raw: Uint8Array): Promise<string> {
  const email = await parseMessage(raw);
  if (email === null) return "";
  const plain = email.text ?? "";
  const text = plain.trim() === "" ? textOfHtml((email.html ?? "").slice(0, HTML_MAX)) : plain;
  return withoutQuotes(text.slice(0, TEXT_MAX));
}

/**
 * Characters that stand, while white space is folded, for a line break, for the edges of blocks, of which several together
 * make one line break, and for the beginning of what Outlook quotes.
 */
const BREAK = "\ue000";
const EDGE = "\ue001";
const OUTLOOK_MARK = "\ue002";

/** Elements that hold quoted emails: of any program, Gmail, Yahoo, Proton, Tuta and Thunderbird. */
const QUOTES =
  "blockquote, .gmail_quote, .yahoo_quoted, .protonmail_quote, .tutanota_quote, .moz-cite-prefix";
const SIGNATURES = ".gmail_signature, .moz-signature, .protonmail_signature_block, #Signature";
/** Elements with which Outlook begins the quoted email; all that follows is quoted. */
const OUTLOOK_QUOTE =
  "#appendonsend, #divRplyFwdMsg, #mail-editor-reference-message-container, div[style*='border-top:solid #E1E1E1'], div[style*='border-top:solid #B5C4DF']";
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
    .on(QUOTES, replacedBy(`${BREAK}>${BREAK}`))
    .on(OUTLOOK_QUOTE, replacedBy(OUTLOOK_MARK))
    .transform(html.replaceAll(/[\ue000-\ue002]/g, ""));
  const [own = ""] = shortened.split(OUTLOOK_MARK, 1);
  const text = new HTMLRewriter()
    .on("br", replacedBy(BREAK))
    .on("*", {
      element(element) {
        if (BLOCKS.has(element.tagName)) element.before(EDGE).after(EDGE);
        element.removeAndKeepContent();
      },
    })
    .transform(own.slice(0, OWN_HTML_MAX));
  const lines = text
    .replace(/\s+/g, " ")
    .replaceAll(/ ?(?:\ue001 ?)+/g, "\n")
    .replaceAll(/ ?\ue000 ?/g, "\n");
  return decodeHTML(lines);
}

/**
 * Plain text without quoted emails, attributions, and what follows a signature's separator. Text between and below quotes
 * stays, for those who answer there.
 */
function withoutQuotes(text: string): string {
  const lines = text
    .replace(/\r\n?/g, "\n")
    // Gmail breaks the line inside of the address.
    .replace(/<\n(?=[^\s<>]{1,320}>)/g, "<")
    .split("\n");
  const own: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!;
    if (isQuoted(line) || isSignatureLine(line)) continue;
    if (endsOwnText(lines, at)) break;
    const length = attributionLength(lines, at);
    if (length === 0) {
      own.push(line.trimEnd());
      continue;
    }
    const next = lines.slice(at + length).find((one) => one.trim() !== "");
    // Without marks, the end of the quoted email cannot be seen.
    if (next === undefined || !isQuoted(next)) break;
    at += length - 1;
  }
  return own
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function isQuoted(line: string): boolean {
  return /^\s?>/.test(line);
}

const SEPARATOR =
  /^\s*-{2,}\s*(?:original message|forwarded message|message d[’']origine|message original|message transféré|mensaje original|mensaje reenviado|ursprüngliche nachricht|original-nachricht|weitergeleitete nachricht)\s*-{2,}\s*$/i;
const FROM = /^[\s*]*(?:from|de|von)[\s*]*:/i;
const DATE_OR_TO =
  /^[\s*]*(?:sent|date|to|envoyé|à|enviado(?: el)?|fecha|para|gesendet|datum|an)[\s*]*:/i;

/** True for a signature's separator, and for the header that Outlook and forwarding programs put before an email. */
function endsOwnText(lines: readonly string[], at: number): boolean {
  const line = lines[at]!;
  if (/^-- ?$/.test(line) || /^_{10,}\s*$/.test(line) || SEPARATOR.test(line)) return true;
  return FROM.test(line) && lines.slice(at + 1, at + 3).some((next) => DATE_OR_TO.test(next));
}

const OPENING = /^\s*(?:on|le|el|am|vom)\s/i;
const CLOSING = /(?<!\p{L})(?:wrote|écrit|escribió|schrieb(?: [^\n]{1,200})?)\s?:\s*$/iu;

/** Number of lines of an attribution that begins here, such as "Le 1 mai 2026 à 10:00, Anna a écrit :"; 0 if none does. */
function attributionLength(lines: readonly string[], at: number): number {
  let joined = "";
  for (let length = 1; length <= ATTRIBUTION_LINES_MAX; length += 1) {
    const line = lines[at + length - 1];
    if (line === undefined || line.trim() === "" || isQuoted(line)) return 0;
    joined += `${line} `;
    if (joined.length > ATTRIBUTION_MAX) return 0;
    const isDated = /\d/.test(joined) && (OPENING.test(joined) || joined.includes("@"));
    if (isDated && CLOSING.test(joined)) return length;
  }
  return 0;
}

/** Lines that phones and mail programs add. */
const ADDED_BY_PROGRAM =
  /^\s*(?:sent (?:from|with|via) |get outlook for |envoyé (?:de|depuis|à partir de|avec) |(?:obtenez|téléchargez|télécharger) outlook |enviado desde |(?:obtener|obtén|descargar) outlook |(?:gesendet|gesandt) (?:von|mit) |von meinem .{1,60} gesendet|outlook für .{1,20} (?:beziehen|herunterladen)|holen sie sich outlook )/i;

function isSignatureLine(line: string): boolean {
  return line.length <= SIGNATURE_LINE_MAX && ADDED_BY_PROGRAM.test(line);
}
