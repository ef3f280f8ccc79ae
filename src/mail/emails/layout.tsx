/** @jsxImportSource hono/jsx */
import type { Language } from "../../messages/languages.ts";
import { EMAIL_MESSAGES, type EmailMessages } from "../../messages/messages.ts";
import { contactUri, type Operator } from "../../settings/operator.ts";
import { PREVIEW_PX } from "../../photos/preview-picture.ts";

/**
 * Part of an email. The text and the HTML version are rendered from the same parts, so they say the same. All strings are
 * plain text and untrusted; both versions escape them.
 */
export type Part =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "strong"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly string[] }
  | { readonly kind: "button"; readonly label: string; readonly url: string }
  | { readonly kind: "link"; readonly label: string; readonly url: string }
  /** Link whose address is shown, for sharing. */
  | { readonly kind: "address"; readonly label: string; readonly url: string }
  /** Text written by someone, with its line breaks. */
  | { readonly kind: "quote"; readonly text: string }
  /** Photos by addresses that are the same for every reader, each a link to its full size. */
  | { readonly kind: "photos"; readonly photos: readonly EmailPhoto[] }
  | {
      readonly kind: "entry";
      /** Address of a picture of the size of a preview, the same for every reader. */
      readonly picture: string;
      readonly title: string;
      readonly details: string;
      readonly url: string;
    };

export type EmailPhoto = {
  readonly alt: string;
  readonly thumbnail: string;
  readonly url: string;
};

export type EmailLayout = {
  readonly language: Language;
  readonly title: string;
  readonly parts: readonly Part[];
  readonly site: string;
  readonly operator: Operator | null;
  readonly home: string;
  /** True if a reply to the email is passed on. */
  readonly canReply: boolean;
};

/** Plain text with lines of at most 72 characters, except for URLs. */
export function renderText(layout: EmailLayout): string {
  const messages = EMAIL_MESSAGES[layout.language];
  const blocks = [layout.title, "=".repeat(Math.min(layout.title.length, LINE_MAX))].join("\n");
  const parts = layout.parts.map((part) => textOf(part));
  const footer = [
    "-- ",
    wrapped(footerOf(layout, messages)),
    ...operatorLines(layout.operator, messages),
    layout.home,
  ].join("\n");
  return `${[blocks, ...parts, footer].join("\n\n")}\n`;
}

function footerOf({ site, canReply }: EmailLayout, messages: EmailMessages): string {
  const footer = canReply ? messages.footerReply : messages.footer;
  return footer({ site: oneLine(site) });
}

/** Operator's name, and the contact in a line of its own so that no wrapping breaks it. */
function operatorLines(operator: Operator | null, messages: EmailMessages): string[] {
  if (operator === null) return [];
  const { name, contact } = operator;
  const line = wrapped(messages.operator({ name: oneLine(name) }));
  return contact === null ? [line] : [line, contact.address];
}

const LINE_MAX = 72;

function textOf(part: Part): string {
  switch (part.kind) {
    case "text":
    case "strong":
      return wrapped(oneLine(part.text));
    case "list":
      return part.items.map((item) => wrapped(oneLine(item), "* ", "  ")).join("\n");
    case "button":
    case "link":
    case "address":
      return `${wrapped(oneLine(part.label))}\n${part.url}`;
    case "quote":
      return linesOf(part.text)
        .map((line) => wrapped(line, "> ", "> ").trimEnd())
        .join("\n");
    case "photos":
      return part.photos.map(({ alt, url }) => `${wrapped(oneLine(alt))}\n${url}`).join("\n");
    case "entry":
      return `${wrapped(oneLine(part.title), "* ", "  ")}\n${wrapped(oneLine(part.details), "  ", "  ")}\n  ${part.url}`;
  }
}

/** Wraps at plain spaces, not at no-break spaces. */
function wrapped(text: string, first = "", rest = ""): string {
  const lines: string[] = [];
  let line = first;
  let empty = true;
  for (const word of text.split(" ")) {
    if (!empty && line.length + 1 + word.length > LINE_MAX) {
      lines.push(line);
      line = rest;
      empty = true;
    }
    line += empty ? word : ` ${word}`;
    empty = false;
  }
  return [...lines, line].join("\n");
}

/** HTML page that loads only the pictures of alerts: one column, inline styles, colours of the reader's light or dark mode. */
export function renderHtml(layout: EmailLayout): string {
  const messages = EMAIL_MESSAGES[layout.language];
  const page = (
    <html lang={layout.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{oneLine(layout.title)}</title>
      </head>
      <body style={BODY}>
        <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border={0}>
          <tr>
            <td align="center" style="padding:24px 16px">
              <table
                role="presentation"
                width="100%"
                cellpadding="0"
                cellspacing="0"
                border={0}
                style={COLUMN}
              >
                <tr>
                  <td style={TEXT}>
                    <p style={SITE}>{oneLine(layout.site)}</p>
                    <h1 style={TITLE}>{oneLine(layout.title)}</h1>
                    {layout.parts.map((part) => htmlOf(part, messages))}
                    <p style={FOOTER}>
                      {footerOf(layout, messages)}
                      <br />
                      <OperatorLine operator={layout.operator} messages={messages} />
                      <a href={layout.home} style={QUIET_LINK}>
                        {layout.home}
                      </a>
                    </p>
                  </td>
                </tr>
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html>
  );
  return `<!doctype html>\n${page.toString()}\n`;
}

function OperatorLine(props: { operator: Operator | null; messages: EmailMessages }) {
  const { operator, messages } = props;
  if (operator === null) return null;
  const { name, contact } = operator;
  return (
    <>
      {messages.operator({ name: oneLine(name) })}{" "}
      {contact !== null && (
        <a href={contactUri(contact)} style={QUIET_LINK}>
          {contact.address}
        </a>
      )}
      <br />
    </>
  );
}

function htmlOf(part: Part, messages: EmailMessages) {
  switch (part.kind) {
    case "text":
      return <p style={PARAGRAPH}>{oneLine(part.text)}</p>;
    case "strong":
      return (
        <p style={PARAGRAPH}>
          <strong>{oneLine(part.text)}</strong>
        </p>
      );
    case "list":
      return (
        <ul style={LIST}>
          {part.items.map((item) => (
            <li style="margin:0 0 4px">{oneLine(item)}</li>
          ))}
        </ul>
      );
    case "button":
      return (
        <>
          <p style="margin:24px 0 12px">
            <a href={part.url} style={BUTTON}>
              {oneLine(part.label)}
            </a>
          </p>
          <p style={SMALL}>
            {messages.copyAddress}
            <br />
            <a href={part.url} style={QUIET_LINK}>
              {part.url}
            </a>
          </p>
        </>
      );
    case "link":
      return (
        <p style={PARAGRAPH}>
          <a href={part.url} style={LINK}>
            {oneLine(part.label)}
          </a>
        </p>
      );
    case "address":
      return (
        <p style={PARAGRAPH}>
          {oneLine(part.label)}
          <br />
          <a href={part.url} style={QUIET_LINK}>
            {part.url}
          </a>
        </p>
      );
    case "quote":
      return (
        <blockquote dir="auto" style={QUOTE}>
          {linesOf(part.text).map((line, at) => (at === 0 ? line : [<br />, line]))}
        </blockquote>
      );
    case "photos":
      return (
        <p style={PARAGRAPH}>
          {part.photos.map(({ alt, thumbnail, url }) => (
            <a href={url}>
              <img src={thumbnail} width={PHOTO_PX} alt={oneLine(alt)} style={PHOTO} />
            </a>
          ))}
        </p>
      );
    case "entry":
      return (
        <p style={PARAGRAPH}>
          <a href={part.url}>
            <img
              src={part.picture}
              width={PICTURE_PX.width}
              height={PICTURE_PX.height}
              alt={oneLine(part.title)}
              style={PICTURE}
            />
          </a>
          <a href={part.url} style={LINK}>
            <strong>{oneLine(part.title)}</strong>
          </a>
          <br />
          <span dir="auto">{oneLine(part.details)}</span>
        </p>
      );
  }
}

const BODY = "margin:0;padding:0";
const COLUMN = "max-width:560px;text-align:left";
const TEXT =
  "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5;overflow-wrap:anywhere";
const SITE = "margin:0 0 8px;font-size:14px;opacity:0.75";
const TITLE = "margin:0 0 16px;font-size:24px;line-height:1.25";
const PARAGRAPH = "margin:0 0 16px";
const LIST = "margin:0 0 16px;padding:0 0 0 20px";
/** White on this green has a contrast of 7.4, and the green is visible on white and on black. */
const BUTTON =
  "display:inline-block;padding:14px 24px;border-radius:12px;background-color:#0f5e63;color:#ffffff;font-size:18px;font-weight:bold;text-decoration:none";
/** Half of a preview's size: it is sharp on screens with two pixels to a point, and fits the column. */
const PICTURE_PX = { width: PREVIEW_PX.width * 0.44, height: Math.round(PREVIEW_PX.height * 0.44) };
const PICTURE =
  "display:block;width:100%;max-width:528px;height:auto;margin:0 0 8px;border:0;border-radius:12px";
/** Width of a photo; its height follows, because photos have any shape. */
const PHOTO_PX = 240;
const PHOTO =
  "display:inline-block;width:240px;max-width:100%;height:auto;margin:0 8px 8px 0;border:0;border-radius:12px;vertical-align:top";
const LINK = "text-decoration:underline";
const QUIET_LINK = "color:inherit;text-decoration:underline;word-break:break-all";
const SMALL = "margin:0 0 24px;font-size:14px;opacity:0.85";
const QUOTE = "margin:0 0 16px;padding:4px 0 4px 16px;border-left:4px solid #8a94a3";
const FOOTER =
  "margin:32px 0 0;padding:16px 0 0;border-top:1px solid #8a94a3;font-size:14px;opacity:0.85";

/** Invisible characters with effects: controls, and marks that change the text direction. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

function oneLine(text: string): string {
  return text.replace(UNSEEN, " ").replace(/ {2,}/g, " ").trim();
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => line.replace(UNSEEN, " ").trimEnd());
}
