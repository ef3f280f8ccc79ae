import type { Context, MiddlewareHandler, Next } from "hono";
import { QUOTAS } from "../../core/caps.ts";
import { Fault } from "../../core/fault.ts";
import { callerNetwork } from "../../core/ip-address.ts";
import type { HttpEnv } from "./env.ts";
import { TIMEOUTS } from "./timeouts.ts";
import { createBodySlots, createIncomingBody, type IncomingBody } from "./body-slots.ts";
import type { ReadMultipart } from "../../core/photos/photo-files.ts";

/** Largest request other than a multipart form; it is held in memory. */
const BODY_BYTES_MAX = 256 * 1024;
/** Largest multipart form. Photos beyond `uploadBytes` are read only to show the form again with what was typed. */
export const FORM_BYTES_MAX = 4 * QUOTAS.uploadBytes;
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
export function createRequestBodies(readMultipart: ReadMultipart): MiddlewareHandler<HttpEnv> {
  const forms = {
    bytesMax: FORM_BYTES_MAX,
    tooLarge: { reason: "photos_too_large", mb: QUOTAS.uploadBytes / 1024 / 1024 },
    slots: createBodySlots(
      { all: QUOTAS.uploads, perNetwork: QUOTAS.uploadsPerNetwork },
      "photos_wait",
    ),
  } as const;
  const others = {
    bytesMax: BODY_BYTES_MAX,
    tooLarge: { reason: "request_too_large", kib: BODY_BYTES_MAX / 1024 },
    slots: createBodySlots({ all: QUOTAS.bodies, perNetwork: QUOTAS.bodiesPerNetwork }, "busy"),
  } as const;

  /** Without a body, the form is small and read whole: a parser that waits for the rest would take more memory. */
  async function receiveForm(c: Context<HttpEnv>, next: Next, body?: IncomingBody): Promise<void> {
    const timer = body && setTimeout(() => body.abort("photos_slow"), TIMEOUTS.formMs);
    const chunks = body?.chunks() ?? [await wholeBody(c.req.raw)];
    const type = c.req.header("Content-Type") ?? "";
    const form = await readMultipart(chunks, type).finally(() => clearTimeout(timer));
    try {
      c.set("form", form.entries);
      await next();
    } finally {
      await form.close();
    }
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
    const { bytesMax, tooLarge, slots } = isForm ? forms : others;
    const declared = declaredBytes(raw);
    if (declared !== null && declared > bytesMax) throw new Fault("too_large", tooLarge);
    if (raw.body === null || isShort(raw)) return isForm ? receiveForm(c, next) : next();
    const body = createIncomingBody(raw.body, bytesMax, tooLarge);
    try {
      const free = slots.take(callerNetwork(c.get("caller").address), body);
      await (isForm ? receiveForm : receiveOther)(c, next, body).finally(free);
    } finally {
      body.cancel();
    }
  };
}

/** True for a body that costs no more than its connection. */
export function isShort(request: Request): boolean {
  const declared = declaredBytes(request);
  return declared !== null && declared <= UNCOUNTED_BYTES_MAX;
}

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
