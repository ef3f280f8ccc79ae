import type { Context, MiddlewareHandler, Next } from "hono";
import { STOCKS } from "../../core/caps.ts";
import type { FaultReason, PlainFaultReason } from "../../core/fault-sentences.ts";
import { Fault } from "../../core/fault.ts";
import { callerNetwork } from "../../core/limits.ts";
import type { ReadForm } from "../../core/ports.ts";
import type { HttpEnv } from "../env.ts";
import { TIMEOUTS } from "../timeouts.ts";
import { createBodySlots, RETRY_SECONDS } from "./body-slots.ts";

/** Largest request other than a multipart form; it is held in memory. */
const BODY_BYTES_MAX = 256 * 1024;
/** Largest multipart form. Photos beyond `uploadBytes` are read only to show the form again with what was typed. */
export const FORM_BYTES_MAX = 4 * STOCKS.uploadBytes;
/** Smaller bodies need no slot: a connection alone costs as much. */
const UNCOUNTED_BYTES_MAX = 16 * 1024;

/** True for a multipart form, which may contain photos and so take longer. */
export function isUpload({ method, headers }: Request): boolean {
  return method === "POST" && /^multipart\/form-data\b/i.test(headers.get("Content-Type") ?? "");
}

/**
 * Creates a middleware that reads request bodies before the handlers run: the files of multipart forms into a temporary
 * file, everything else into memory. Refuses bodies that are too large or too slow, and those without a slot.
 */
export function createRequestBodies(readForm: ReadForm): MiddlewareHandler<HttpEnv> {
  const uploads = createBodySlots(
    { all: STOCKS.uploads, perNetwork: STOCKS.uploadsPerNetwork },
    "photos_wait",
  );
  const others = createBodySlots(
    { all: STOCKS.bodies, perNetwork: STOCKS.bodiesPerNetwork },
    "busy",
  );

  async function answerForm(
    c: Context<HttpEnv>,
    next: Next,
    chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    onRead = () => {},
  ): Promise<void> {
    const form = await readForm(chunks, c.req.header("Content-Type") ?? "").finally(onRead);
    try {
      c.set("form", form.entries);
      await next();
    } finally {
      await form.close();
    }
  }

  function receiveForm(c: Context<HttpEnv>, next: Next, body: IncomingBody): Promise<void> {
    const timer = setTimeout(() => body.abort("photos_slow"), TIMEOUTS.formMs);
    return answerForm(c, next, body.chunks(), () => clearTimeout(timer));
  }

  async function receiveOther(c: Context<HttpEnv>, next: Next, body: IncomingBody): Promise<void> {
    const sink = new Bun.ArrayBufferSink();
    for await (const chunk of body.chunks()) sink.write(chunk);
    // Hono reads from this cache first; despite its type it holds promises.
    Object.assign(c.req.bodyCache, { arrayBuffer: Promise.resolve(sink.end()) });
    await next();
  }

  return async (c, next) => {
    const { raw } = c.req;
    if (raw.method === "GET" || raw.method === "HEAD") return next();
    const isForm = isUpload(raw);
    const { bytesMax, tooLarge } = isForm ? FORM : OTHER;
    const declared = declaredBytes(raw);
    if (declared !== null && declared > bytesMax) throw new Fault("too_large", tooLarge);
    if (raw.body === null || (declared !== null && declared <= UNCOUNTED_BYTES_MAX)) {
      // A parser that waits for the rest would take more memory than a small form.
      return isForm ? answerForm(c, next, [await wholeBody(raw)]) : next();
    }
    const body = createIncomingBody(raw.body, bytesMax, tooLarge);
    const slots = isForm ? uploads : others;
    const free = slots.take(callerNetwork(c.get("caller").address), body);
    try {
      await (isForm ? receiveForm : receiveOther)(c, next, body);
    } finally {
      free();
    }
  };
}

type BodyLimit = { readonly bytesMax: number; readonly tooLarge: FaultReason };

const FORM: BodyLimit = {
  bytesMax: FORM_BYTES_MAX,
  tooLarge: { reason: "photos_too_large", mb: STOCKS.uploadBytes / 1024 / 1024 },
};

const OTHER: BodyLimit = {
  bytesMax: BODY_BYTES_MAX,
  tooLarge: { reason: "request_too_large", kib: BODY_BYTES_MAX / 1024 },
};

/** Content-Length; null for a chunked body. */
function declaredBytes({ headers }: Request): number | null {
  const length = headers.get("Content-Length");
  return length === null || headers.has("Transfer-Encoding") ? null : Number(length);
}

async function wholeBody(request: Request): Promise<Uint8Array> {
  try {
    return await request.bytes();
  } catch {
    throw new Fault("bad_input", { reason: "form_broken" });
  }
}

/** Added to the age of a body, so that the newest is not the slowest. */
const AGE_MIN_MS = 1_000;

export type IncomingBody = ReturnType<typeof createIncomingBody>;

/** Body that is being received. */
function createIncomingBody(
  stream: ReadableStream<Uint8Array>,
  bytesMax: number,
  tooLarge: FaultReason,
) {
  const reader = stream.getReader();
  const startedAt = performance.now();
  let received = 0;
  let isComplete = false;
  let aborted: Fault | null = null;

  async function nextChunk(): Promise<Uint8Array | null> {
    try {
      const { done, value } = await reader.read();
      return done ? null : value;
    } catch {
      throw new Fault("bad_input", { reason: "form_broken" });
    }
  }

  return {
    /** Throws `bad_input`, `too_large` and `unavailable`. */
    async *chunks(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) {
          const chunk = await nextChunk();
          if (aborted !== null) throw aborted;
          if (chunk === null) break;
          received += chunk.length;
          if (received > bytesMax) throw new Fault("too_large", tooLarge);
          yield chunk;
        }
        isComplete = true;
      } finally {
        void reader.cancel().catch(() => {});
      }
    },
    /** Cancels the stream, so that the pending read ends as if the body ended there. */
    abort(reason: PlainFaultReason): void {
      aborted ??= new Fault("unavailable", { reason }, { retryAfterSeconds: RETRY_SECONDS });
      void reader.cancel().catch(() => {});
    },
    isComplete: () => isComplete,
    /** Bytes in a millisecond so far. */
    pace: () => received / (performance.now() - startedAt + AGE_MIN_MS),
  };
}
