import { z } from "zod";
import type { Language } from "../../messages/languages.ts";
import { badInput } from "../input.ts";
import type { Zone } from "../zones/zone.ts";
import { ENDPOINT_MAX, isPushEndpoint } from "./push-services.ts";

/** Keys of a device, as base64url: its public key on the curve P-256, and its authentication secret (RFC 8291). */
export type PushKeys = { readonly p256dh: string; readonly auth: string };

/** Address at a push service, and keys, by which a browser gets notifications while no page is open. */
export type PushSubscription = PushKeys & { readonly endpoint: string };

/** Browser that gets notifications. Its address and keys are sealed, and it is found by a keyed hash of its address. */
export type Device = {
  readonly id: string;
  readonly endpointHash: string;
  /** Sealed `PushSubscription`. */
  readonly sealed: string;
  readonly language: Language;
};

/** Zone of a device, which has no address. */
export type DeviceZone = Omit<Zone, "email" | "language" | "frequency" | "createdAt">;

/** Fields by which a page hands over the subscription of its browser. */
export const SUBSCRIPTION_FIELDS = ["endpoint", "p256dh", "auth"] as const;

const PUBLIC_KEY_BYTES = 65;
const SECRET_BYTES = 16;

const subscriptionInput = z.object({
  endpoint: z.string().max(ENDPOINT_MAX),
  p256dh: z.string().refine((text) => bytesOf(text)?.length === PUBLIC_KEY_BYTES),
  auth: z.string().refine((text) => bytesOf(text)?.length === SECRET_BYTES),
});

/**
 * Parses the subscription of a browser. `services`: push services besides those of the browsers. Throws `bad_input` for an
 * address elsewhere, and for keys that are not valid. Connects to nothing.
 */
export async function parseSubscription(
  raw: Readonly<Record<string, unknown>>,
  services: readonly string[],
): Promise<PushSubscription> {
  const parsed = subscriptionInput.safeParse(raw);
  const isGood =
    parsed.success &&
    isPushEndpoint(parsed.data.endpoint, services) &&
    (await isPublicKey(parsed.data.p256dh));
  if (!isGood) throw badInput([{ field: "endpoint", reason: { kind: "not_valid" } }]);
  return parsed.data;
}

/** Subscription in a sealed text that was opened; null if it is not valid. */
export function openedSubscription(text: string): PushSubscription | null {
  const parsed = subscriptionInput.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : null;
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.fromBase64(text, { alphabet: "base64url" });
  } catch {
    return null;
  }
}

/** True for a point on the curve. */
async function isPublicKey(text: string): Promise<boolean> {
  const algorithm = { name: "ECDH", namedCurve: "P-256" };
  try {
    await crypto.subtle.importKey("raw", bytesOf(text)!, algorithm, false, []);
    return true;
  } catch {
    return false;
  }
}
