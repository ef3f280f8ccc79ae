import type { IncomingMessage } from "node:http";
import { HOUR_MS } from "../core/duration.ts";
import { type OutboundParts, requestPinned } from "../outbound/pinned-request.ts";

/** Encrypted push, with what the push service needs to know. */
export type PushRequest = {
  readonly endpoint: string;
  readonly body: Uint8Array;
  readonly authorization: string;
  /** Seconds for which the push service keeps it. */
  readonly ttlSeconds: number;
  readonly urgency: "high" | "normal";
  /** Mark of the subject: the push service replaces an older push with the same one. */
  readonly topic: string;
};

/** Answer of a push service. */
export type PushOutcome =
  | { readonly kind: "sent" }
  /** The device no longer has this address. */
  | { readonly kind: "gone" }
  /** The push service does not take this push. */
  | { readonly kind: "refused"; readonly why: string }
  /** The push service is busy or was not reached. `retryAfterMs`: wait that it asks for. */
  | { readonly kind: "later"; readonly why: string; readonly retryAfterMs: number | null };

export type SendPush = (push: PushRequest) => Promise<PushOutcome>;

const HTTPS_PORT = 443;
/** From the DNS lookup to the head of the answer. */
const ANSWER_MS_MAX = 10_000;
const RETRY_AFTER_MS_MAX = HOUR_MS;

/**
 * Creates a function that hands pushes to push services (RFC 8030): only over https, to hosts whose addresses are all public
 * and to which the connection is pinned, without redirects, within 10 seconds. The body of the answer is not read. Never
 * rejects; `why` names neither the device nor the path.
 */
export function createPushSender(parts: OutboundParts = {}): SendPush {
  const { timeoutMs = ANSWER_MS_MAX, port = HTTPS_PORT } = parts;
  return async ({ endpoint, authorization, body, ttlSeconds, urgency, topic }) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const later = (why: string) => ({ kind: "later", why, retryAfterMs: null }) as const;
    const headers = {
      authorization,
      "content-type": "application/octet-stream",
      "content-encoding": "aes128gcm",
      "content-length": body.length,
      ttl: ttlSeconds,
      urgency,
      topic,
    };
    try {
      const request = { headers, body, signal };
      const response = await requestPinned(new URL(endpoint), request, { ...parts, port });
      if (typeof response === "string") return later("the host was not found, or is not public");
      response.destroy();
      return outcomeOf(response);
    } catch {
      return later(signal.aborted ? "no answer in time" : "no secure connection");
    }
  };
}

function outcomeOf({ statusCode = 0, headers }: IncomingMessage): PushOutcome {
  const why = `status ${statusCode}`;
  if (statusCode >= 200 && statusCode < 300) return { kind: "sent" };
  if (statusCode === 404 || statusCode === 410) return { kind: "gone" };
  if (statusCode === 429 || statusCode >= 500)
    return { kind: "later", why, retryAfterMs: retryAfterOf(headers["retry-after"]) };
  return { kind: "refused", why };
}

/** Wait in seconds; a date is not read, since it needs the clock of the push service. */
function retryAfterOf(value: string | undefined): number | null {
  if (value === undefined || !/^\d{1,9}$/.test(value)) return null;
  return Math.min(Number(value) * 1000, RETRY_AFTER_MS_MAX);
}
