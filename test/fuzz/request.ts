import { createHash } from "node:crypto";

/** One request as it is drawn: what is not known before it is sent stands in it as a name (`live`). */
export type FuzzRequest = {
  /** The route it is meant for, as the report counts it: "GET /alerts/:name". */
  readonly route: string;
  readonly method: string;
  /** Path and query as they stand in the request line. */
  readonly target: string;
  readonly headers: readonly Header[];
  /** A character for each byte; null: none. */
  readonly body: string | null;
  /** The address it comes from; null: the caller has gone already. */
  readonly from: string | null;
};
export type Header = readonly [name: string, value: string];

/** What a request was answered with. */
export type FuzzResponse = {
  readonly status: number;
  readonly headers: Headers;
  /** The body of text, and of anything else a character for each byte. */
  readonly body: string;
  /** Processor time that it took, which other work on the machine does not change; null where it is not known. */
  readonly processorMs: number | null;
};

/** Things that only a running service has, by what their addresses call them. */
export const PLACEHOLDER_KINDS = [
  "id",
  "slug",
  "code",
  "photo",
  "ticket",
  "confirm",
  "manage",
  "conversation",
  "pair",
  "unsubscribe",
  "erase",
  "stoppable",
  "enter",
  "session",
  "written",
  "sighting",
  "organisation",
  "inboxEntry",
  "memberSession",
  "inboxConversation",
  "sitemap",
  "etag",
] as const;
export type PlaceholderKind = (typeof PLACEHOLDER_KINDS)[number];

/** Stands for the nth newest thing of a kind; passes unchanged through JSON, forms and addresses. */
export function placeholder(kind: PlaceholderKind, nth: number): string {
  return `LIVE.${kind}.${nth}.`;
}

/** The request with every name replaced by what it stands for now. */
export function fillPlaceholders(
  request: FuzzRequest,
  pick: (kind: PlaceholderKind, nth: number) => string,
): FuzzRequest {
  const fill = (text: string) =>
    text.replace(/LIVE\.([a-zA-Z]+)\.(\d+)\./g, (_, kind: PlaceholderKind, nth) =>
      pick(kind, Number(nth)),
    );
  return {
    ...request,
    target: fill(request.target),
    headers: request.headers.map(([name, value]) => [name, fill(value)]),
    body: request.body === null ? null : fill(request.body),
  };
}

/** A character for each byte of a text in UTF-8. */
export function utf8(text: string): string {
  return Buffer.from(text).toString("latin1");
}

/** A form as browsers post it without files. */
export function urlencoded(fields: readonly (readonly [string, string])[]): string {
  return new URLSearchParams(
    fields.map(([name, value]): [string, string] => [name, value]),
  ).toString();
}

/** A part of a form with files; `file` makes it one. */
export type Part = {
  readonly name: string;
  readonly value: string;
  readonly file?: { readonly name: string; readonly type: string };
};

/** A form as browsers post it with files; values are a character for each byte. */
export function multipart(parts: readonly Part[], boundary: string): string {
  const written = parts.map(({ name, value, file }) => {
    const label = utf8(name.replace(/["\r\n]/g, (sign) => encodeURIComponent(sign)));
    const named =
      file === undefined ? "" : `; filename="${utf8(file.name).replace(/["\r\n]/g, "_")}"`;
    const type = file === undefined ? "" : `\r\nContent-Type: ${file.type}`;
    return `--${boundary}\r\nContent-Disposition: form-data; name="${label}"${named}${type}\r\n\r\n${value}\r\n`;
  });
  return `${written.join("")}--${boundary}--\r\n`;
}

/** The request as a line for a shell, under an address where the service runs. */
export function toCurl({ method, target, headers, body }: FuzzRequest, baseUrl: string): string {
  const words = [
    "curl -i --path-as-is -X",
    shellWord(method),
    ...headers.map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-binary ${shellWord(shortened(body))}`]),
    shellWord(`${baseUrl}${target}`),
  ];
  return words.join(" ");
}

const BODY_SHOWN_MAX = 20_000;

function shortened(body: string): string {
  if (body.length <= BODY_SHOWN_MAX) return body;
  const print = createHash("sha256").update(body, "latin1").digest("hex").slice(0, 12);
  return `${body.slice(0, BODY_SHOWN_MAX)}[... ${body.length} bytes, SHA-256 ${print}]`;
}

function shellWord(text: string): string {
  if (/^[\x20-\x26\x28-\x7e]*$/.test(text)) return `'${text}'`;
  const escaped = text.replace(
    /[^\x20-\x26\x28-\x5b\x5d-\x7e]/g,
    (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
  return `$'${escaped}'`;
}
