import type { Context, MiddlewareHandler } from "hono";
import type { Pieces } from "./written.ts";

/** What middleware notes of an answer before it is made. */
export type Said = {
  /** What is said with every answer of this path. */
  said: Headers;
  /** The answer that says all of it. */
  answer: Response;
};

/** Headers by name; null takes back what is said for more paths than these. */
type Saying = Readonly<Record<string, string | null>>;

/** Says the same with every answer of some paths, whoever gives it. */
export function says(more: Saying): MiddlewareHandler {
  const say = saying(more);
  return (c, next) => {
    const isFirst = c.get("said") === undefined;
    say(c);
    return isFirst ? saidInTheEnd(c, next) : next();
  };
}

/**
 * Has the answer to a request say this, too. What is said together is put together once: an answer made with all of it
 * (`respond`) costs far less than one that is told its headers one by one.
 */
export function saying(more: Saying): (c: Context) => void {
  const together = new Map<Headers | undefined, Headers>();
  return (c) => {
    const before: Headers | undefined = c.get("said");
    const said = together.get(before) ?? added(before, more);
    together.set(before, said);
    c.set("said", said);
  };
}

/** A list of values, which grows where several speak; of any other header the last word counts. */
const LIST = "Link";

function added(before: Headers | undefined, more: Saying): Headers {
  const said = new Headers(before);
  for (const [name, value] of Object.entries(more)) {
    if (value === null) said.delete(name);
    else if (name === LIST) said.append(name, value);
    else said.set(name, value);
  }
  return said;
}

/** Answers that were made without `respond` are told one by one. */
async function saidInTheEnd(c: Context, next: () => Promise<void>): Promise<void> {
  await next();
  const { headers } = c.res;
  if (c.res === c.get("answer")) return;
  const said: Headers = c.get("said");
  for (const [name, value] of said) {
    if (name === LIST.toLowerCase()) headers.append(name, value);
    else headers.set(name, value);
  }
}

/** Answers with these headers and all that is said of the path. What was set by `c.header` is not among them. */
export function respond(
  c: Context,
  status: 200 | 202 | 304 | 400 | 503,
  own: Readonly<Record<string, string>>,
  body: Body | null,
): Response {
  const said: Headers = c.get("said");
  const sent = body === null ? null : bytesOf(body);
  const answer = new Response(sent, { status, headers: said });
  for (const [name, value] of Object.entries(own)) {
    const more = name === LIST ? said.get(LIST) : null;
    answer.headers.set(name, more === null ? value : `${value}, ${more}`);
  }
  c.set("answer", answer);
  return answer;
}

export type Body = string | Uint8Array<ArrayBuffer> | Pieces;

/** A body as it is sent. Good until the next call only: see `joined`. */
export function bytesOf(body: Body): Uint8Array<ArrayBuffer> {
  if (body instanceof Uint8Array) return body;
  return joined(typeof body === "string" ? [body] : body);
}

/** Bytes of UTF-8 that one UTF-16 unit takes at most. */
const UTF8_MAX = 3;
/** Room for a page of twenty alerts, twice over. */
const ROOM_BYTES = 64 * 1024;
const room = Buffer.alloc(ROOM_BYTES);

/**
 * The bytes of all pieces. Nearly every answer is written to the same room, as making and clearing away new room for
 * each takes longer than writing. A `Response` copies its body at once.
 */
function joined(pieces: Pieces): Uint8Array<ArrayBuffer> {
  let most = 0;
  for (const piece of pieces)
    most += typeof piece === "string" ? piece.length * UTF8_MAX : piece.length;
  const into = most <= ROOM_BYTES ? room : Buffer.alloc(most);
  let at = 0;
  for (const piece of pieces) {
    if (typeof piece === "string") at += into.write(piece, at);
    else {
      into.set(piece, at);
      at += piece.length;
    }
  }
  return into.subarray(0, at);
}
