import type { Context, MiddlewareHandler, Next } from "hono";
import { BODY_PACE, STOCKS } from "../../core/caps.ts";
import { createFairQueue } from "../../core/fair-queue.ts";
import type { FaultReason } from "../../core/fault-sentences.ts";
import { Fault } from "../../core/fault.ts";
import { callerBucket, callerNetwork } from "../../core/limits.ts";
import type { Clock } from "../../core/ports.ts";
import type { HttpEnv } from "../env.ts";
import { type BodyHolder, costlierThan, type Contenders, waitOf } from "./body-cost.ts";

/** Largest request without photos. */
const BODY_BYTES_MAX = 256 * 1024;
/** Largest form with photos. */
export const UPLOAD_BYTES_MAX = 8 * 1024 * 1024;
/** Bodies with a smaller Content-Length are not counted: a connection alone costs as much. */
const UNCOUNTED_BYTES_MAX = 16 * 1024;
/** Growth of the buffer of a body. */
const GROWTH_BYTES = { min: 16 * 1024, max: 512 * 1024 };
const RETRY_SECONDS = 15;

/** Before them, the path of the site may stand. */
const UPLOAD_PATHS =
  /\/(?:publish|confirm\/[^/]+|manage\/[^/]+\/edit|alerts\/[^/]+\/(?:contact|sighting)|(?:conversation|inbox\/conversations)\/[^/]+)$/;

/** True for a request that may contain photos, which may take longer. */
export function isUpload(request: Request): boolean {
  if (request.method !== "POST") return false;
  const isForm = request.headers.get("Content-Type")?.startsWith("multipart/form-data") ?? false;
  // Without a valid Host header, `request.url` is a path only.
  return isForm && UPLOAD_PATHS.test(URL.parse(request.url)?.pathname ?? "");
}

export type RequestBodies = ReturnType<typeof createRequestBodies>;

/**
 * Reads request bodies into memory, within one budget for all of them. Bun applies backpressure to a connection whose
 * body is not read, so a body that waits for memory costs next to nothing.
 */
export function createRequestBodies(clock: Clock) {
  const small = createBodyBudget(
    {
      bytes: STOCKS.requestBytes,
      perClient: STOCKS.requestBytesPerClient,
      perNetwork: STOCKS.requestBytesPerNetwork,
    },
    clock,
  );
  const large = createBodyBudget(
    {
      bytes: STOCKS.uploadBytes,
      perClient: STOCKS.uploadBytesPerClient,
      perNetwork: STOCKS.uploadBytesPerNetwork,
    },
    clock,
  );
  // Needs no limit: every body in this queue is counted in a budget.
  const parseInTurn = createFairQueue({ atOnce: STOCKS.uploadsParsed, waitingMax: Infinity });
  const incoming = new Set<IncomingBody>();

  /** Reads the body before the handlers run. Refuses bodies that are too large, too slow or beyond the budget. */
  const read: MiddlewareHandler<HttpEnv> = (c, next) => {
    const { raw } = c.req;
    if (raw.method === "GET" || raw.method === "HEAD" || raw.body === null) return next();
    const kind = isUpload(raw) ? UPLOAD : PLAIN;
    const declared = declaredBytes(raw);
    if (declared !== null && declared > kind.bytesMax) throw new Fault("too_large", kind.tooLarge);
    if (declared !== null && declared <= UNCOUNTED_BYTES_MAX) return next();
    return readCounted(c, next, raw.body, kind, declared);
  };

  async function readCounted(
    c: Context<HttpEnv>,
    next: Next,
    stream: ReadableStream<Uint8Array>,
    kind: BodyKind,
    declared: number | null,
  ): Promise<void> {
    const { address } = c.get("caller");
    const body = createIncomingBody(stream, kind, { small, large }, address, clock);
    incoming.add(body);
    try {
      const bytes = await body.bytes(declared);
      incoming.delete(body);
      // Hono reads from this cache first; despite its type it holds promises.
      Object.assign(c.req.bodyCache, { arrayBuffer: Promise.resolve(bytes) });
      if (bytes.byteLength <= BODY_BYTES_MAX) await next();
      else await parseInTurn(callerNetwork(address), next);
    } finally {
      incoming.delete(body);
      body.free();
    }
  }

  return {
    read,
    /** Drops bodies that arrive too slowly or have waited too long for memory. To be called about every second. */
    abortSlow(): void {
      const now = clock();
      for (const body of incoming) body.abortIfLate(now);
    },
    /** Bytes of request bodies in memory. */
    held: () => small.held() + large.held(),
  };
}

/** Limit of a kind of request, and the reasons for which one is refused. */
type BodyKind = {
  readonly bytesMax: number;
  readonly tooLarge: FaultReason;
  readonly tooSlow: FaultReason;
  readonly noMemory: FaultReason;
};

const PLAIN: BodyKind = {
  bytesMax: BODY_BYTES_MAX,
  tooLarge: { reason: "request_too_large", kib: BODY_BYTES_MAX / 1024 },
  tooSlow: { reason: "request_slow" },
  noMemory: { reason: "busy" },
};

const UPLOAD: BodyKind = {
  bytesMax: UPLOAD_BYTES_MAX,
  tooLarge: { reason: "photos_too_large", mb: UPLOAD_BYTES_MAX / 1024 / 1024 },
  tooSlow: { reason: "photos_slow" },
  noMemory: { reason: "photos_wait" },
};

/** Content-Length; null for a chunked body. */
function declaredBytes({ headers }: Request): number | null {
  const length = headers.get("Content-Length");
  return length === null || headers.has("Transfer-Encoding") ? null : Number(length);
}

type IncomingBody = ReturnType<typeof createIncomingBody>;

/** Body that is being received. */
function createIncomingBody(
  stream: ReadableStream<Uint8Array>,
  kind: BodyKind,
  budgets: { readonly small: BodyBudget; readonly large: BodyBudget },
  address: string | null,
  clock: Clock,
) {
  const reader = stream.getReader();
  const startedAt = clock();
  let abortedWith: Fault | null = null;
  let received = 0;
  let buffer = new ArrayBuffer(0);
  const shares = [
    { share: budgets.small.open(address, () => abort("noMemory")), bytesMax: BODY_BYTES_MAX },
    { share: budgets.large.open(address, () => abort("noMemory")), bytesMax: Infinity },
  ];

  /** Cancels the stream, so that the pending read ends as if the body ended there. */
  function abort(reason: "tooSlow" | "noMemory"): void {
    abortedWith ??= new Fault("unavailable", kind[reason], { retryAfterSeconds: RETRY_SECONDS });
    for (const { share } of shares) share.close();
    void reader.cancel().catch(() => {});
  }

  /** Reserves memory up to this capacity, each part in the budget it belongs to. */
  async function reserve(capacity: number): Promise<void> {
    let [from, to] = [buffer.byteLength, 0];
    for (const { share, bytesMax } of shares) {
      to = Math.min(capacity, bytesMax);
      if (to > from && !(await share.take(to - from))) abort("noMemory");
      from = Math.max(from, to);
    }
    if (abortedWith !== null) throw abortedWith;
  }

  /** Enlarges the buffer for this many more bytes. */
  async function grow(bytes: number, declared: number | null): Promise<void> {
    const needed = received + bytes;
    if (needed > kind.bytesMax) throw new Fault("too_large", kind.tooLarge);
    if (needed <= buffer.byteLength) return;
    const capacityMax = Math.max(needed, declared ?? kind.bytesMax);
    const step = Math.min(Math.max(buffer.byteLength, GROWTH_BYTES.min), GROWTH_BYTES.max);
    const capacity = Math.min(capacityMax, Math.max(needed, buffer.byteLength + step));
    await reserve(capacity);
    buffer = buffer.transfer(capacity);
  }

  async function nextChunk(): Promise<Uint8Array | null> {
    try {
      const { done, value } = await reader.read();
      return done ? null : value;
    } catch {
      throw new Fault("bad_input", { reason: "form_broken" });
    }
  }

  return {
    async bytes(declared: number | null): Promise<ArrayBuffer> {
      try {
        for (;;) {
          const chunk = await nextChunk();
          if (abortedWith !== null) throw abortedWith;
          if (chunk === null) break;
          await grow(chunk.length, declared);
          new Uint8Array(buffer).set(chunk, received);
          received += chunk.length;
        }
      } catch (error) {
        void reader.cancel().catch(() => {});
        throw error;
      }
      for (const { share } of shares) share.settle();
      if (buffer.byteLength > received) buffer = buffer.transfer(received);
      return buffer;
    },
    abortIfLate(now: number): void {
      const waitedMs = shares.reduce((sum, { share }) => sum + share.waitedMs(), 0);
      if (waitedMs > BODY_PACE.waitMsMax) abort("noMemory");
      else if (isLate(now - startedAt - waitedMs, received)) abort("tooSlow");
    },
    /** Frees the memory at once, without waiting for the garbage collector. */
    free(): void {
      for (const { share } of shares) share.close();
      buffer.transfer(0);
    },
  };
}

/** True if too few bytes have arrived in this time. */
function isLate(ms: number, bytes: number): boolean {
  if (ms > BODY_PACE.msMax) return true;
  return ms > BODY_PACE.graceMs && (bytes * 1000) / ms < BODY_PACE.bytesPerSecondMin;
}

/** Limit on the bytes of request bodies in memory. */
type BodyBudget = ReturnType<typeof createBodyBudget>;

/**
 * Counts bytes as they arrive; a Content-Length reserves nothing. When the budget is full, a newcomer is not refused
 * because of others: the network whose unfinished bodies have held the most for the longest has one of them evicted.
 */
export function createBodyBudget(
  max: { readonly bytes: number; readonly perClient: number; readonly perNetwork: number },
  clock: Clock,
) {
  const holders = new Set<BodyHolder>();
  /** Wakes the bodies that wait for memory. */
  const waiting = new Set<() => void>();

  function close(holder: BodyHolder): void {
    if (!holders.delete(holder)) return;
    holder.isOpen = false;
    // All waiting bodies try again, in the order they came.
    const woken = [...waiting];
    waiting.clear();
    for (const wake of woken) wake();
  }

  async function wait(own: BodyHolder): Promise<void> {
    const since = clock();
    own.waitingSince = since;
    await new Promise<void>((wake) => waiting.add(wake));
    own.waitedMs += clock() - since;
    own.waitingSince = null;
  }

  /** Bodies of the first limit that this many bytes would exceed; null if there is room. */
  function contendersFor(own: BodyHolder, bytes: number): Contenders | null {
    const all = [...holders];
    const ofNetwork = all.filter(({ network }) => network === own.network);
    const ofClient = ofNetwork.filter(({ client }) => client === own.client);
    if (total(ofClient) + bytes > max.perClient)
      return { holders: ofClient, groupOf: (holder) => holder };
    if (total(ofNetwork) + bytes > max.perNetwork)
      return { holders: ofNetwork, groupOf: ({ client }) => client };
    if (total(all) + bytes > max.bytes) return { holders: all, groupOf: ({ network }) => network };
    return null;
  }

  /** Waits while other bodies have been read completely, as their bytes are freed soon. */
  async function take(own: BodyHolder, bytes: number): Promise<boolean> {
    while (own.isOpen) {
      const contenders = contendersFor(own, bytes);
      if (contenders === null) {
        own.bytes += bytes;
        return true;
      }
      const costliest = costlierThan(own, bytes, contenders, clock());
      if (costliest !== null) {
        close(costliest);
        costliest.evict();
      } else if (contenders.holders.some(({ isRead }) => isRead)) await wait(own);
      else return false;
    }
    return false;
  }

  return {
    /** Opens the share of one body, from this address; `evict` is called when others need its memory more. */
    open(address: string | null, evict: () => void) {
      const holder: BodyHolder = {
        client: callerBucket(address),
        network: callerNetwork(address),
        openedAt: clock(),
        evict,
        bytes: 0,
        waitedMs: 0,
        waitingSince: null,
        isRead: false,
        isOpen: true,
      };
      holders.add(holder);
      return {
        /** Reserves this many more bytes. False if there is no room, or the body was evicted meanwhile. */
        take: (bytes: number) => take(holder, bytes),
        /** Milliseconds spent waiting in `take` so far. */
        waitedMs: () => waitOf(holder, clock()),
        /** Marks the body as read completely: it is answered soon and no longer evicted. */
        settle: () => void (holder.isRead = true),
        /** Frees all bytes. */
        close: () => close(holder),
      };
    },
    /** Bytes held now. */
    held: () => total([...holders]),
  };
}

function total(holders: readonly BodyHolder[]): number {
  return holders.reduce((sum, { bytes }) => sum + bytes, 0);
}
