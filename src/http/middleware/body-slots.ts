import { Fault, type FaultReason, type PlainFaultReason } from "../../core/fault.ts";

const RETRY_SECONDS = 15;

/**
 * Creates slots for requests with a body. A newcomer is not refused because others send slowly: if all slots are taken,
 * the network with the most incomplete bodies loses the slowest of them; if a network has its share, its own slowest.
 * Throws `unavailable` if all those bodies have arrived and wait for their answer.
 */
export function createBodySlots(
  max: { readonly all: number; readonly perNetwork: number },
  reason: PlainFaultReason,
) {
  const taken = new Map<IncomingBody, string>();

  /** Body to give way to a newcomer from this network. */
  function slowest(network: string): IncomingBody | undefined {
    const bodies = [...taken].map(([body, from]) => ({ body, from }));
    const own = bodies.filter(({ from }) => from === network);
    const rivals = own.length >= max.perNetwork ? own : bodies;
    const incomplete = rivals.filter(({ body }) => !body.isComplete());
    const counts = new Map<string, number>();
    for (const { from } of incomplete) counts.set(from, (counts.get(from) ?? 0) + 1);
    const countOf = ({ from }: { readonly from: string }) => counts.get(from) ?? 0;
    return incomplete.toSorted(
      (a, b) => countOf(b) - countOf(a) || a.body.pace() - b.body.pace(),
    )[0]?.body;
  }

  return {
    /** Takes a slot for a body; returns the function that frees it. */
    take(network: string, body: IncomingBody): () => void {
      const ofNetwork = [...taken.values()].filter((from) => from === network).length;
      if (ofNetwork >= max.perNetwork || taken.size >= max.all) {
        const rival = slowest(network);
        if (rival === undefined)
          throw new Fault("unavailable", { reason }, { retryAfterSeconds: RETRY_SECONDS });
        rival.abort(reason);
        taken.delete(rival);
      }
      taken.set(body, network);
      return () => void taken.delete(body);
    },
  };
}

/** Added to the age of a body, so that the newest is not the slowest. */
const AGE_MIN_MS = 1_000;

export type IncomingBody = ReturnType<typeof createIncomingBody>;

/** Body that is being received. */
export function createIncomingBody(
  stream: ReadableStream<Uint8Array>,
  bytesMax: number,
  tooLarge: FaultReason,
) {
  const reader = stream.getReader();
  const startedAt = performance.now();
  let received = 0;
  let isComplete = false;
  let aborted: Fault | null = null;
  const cancel = () => void reader.cancel().catch(() => {});

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
      for (;;) {
        const chunk = await nextChunk();
        if (aborted !== null) throw aborted;
        if (chunk === null) break;
        received += chunk.length;
        if (received > bytesMax) throw new Fault("too_large", tooLarge);
        yield chunk;
      }
      isComplete = true;
    },
    cancel,
    /** Cancels the stream, so that the pending read ends as if the body ended there. */
    abort(reason: PlainFaultReason): void {
      aborted ??= new Fault("unavailable", { reason }, { retryAfterSeconds: RETRY_SECONDS });
      cancel();
    },
    isComplete: () => isComplete,
    /** Bytes in a millisecond so far. */
    pace: () => received / (performance.now() - startedAt + AGE_MIN_MS),
  };
}
