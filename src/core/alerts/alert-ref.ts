import { z } from "zod";
import type { AlertNames } from "./alert.ts";
import type { AlertStore } from "./alert-store.ts";
import { Fault } from "../fault.ts";
import { withReason } from "../input.ts";
import type { Instance } from "../instance.ts";

/** Without 0 O 1 I L: people read these codes from posters. */
const SHORT_CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
const SHORT_CODE_LENGTH = 6;

/** Reference to an alert by one of its names. */
export type AlertRef =
  | { readonly by: "id"; readonly id: string }
  | { readonly by: "slug"; readonly slug: string }
  | { readonly by: "code"; readonly code: string };

export const alertRefField = z
  .string()
  .max(300, { abort: true })
  .refine((text) => alertRef(text) !== null, withReason("alert_ref"))
  .describe("UUID, slug, short code or page address");

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const CODE = new RegExp(`^[${SHORT_CODE_ALPHABET}]{${SHORT_CODE_LENGTH}}$`);
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)+$/;
const REF_MAX = 300;

/** Signs around a name or an address that was copied out of a text. */
const EDGES = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

/**
 * Reads a UUID, a slug, a short code (in any case, and in two halves), the address of an alert's page, or one of these as a
 * URI: `alert://…` of the tool server, `urn:uuid:…` of the feed. Null when it can be none of them.
 */
export function alertRef(text: string): AlertRef | null {
  if (text.length > REF_MAX) return null;
  const trimmed = text.replace(EDGES, "").replace(/^(?:alert:\/\/|urn:uuid:)/i, "");
  const last = /(?:^|\/)(?:alerts|a)\/([^/?#]+)/.exec(trimmed)?.[1] ?? trimmed;
  const lower = last.toLowerCase();
  if (UUID.test(lower)) return { by: "id", id: lower };
  const code = last.replace(/[\s-]/g, "").toUpperCase();
  if (CODE.test(code)) return { by: "code", code };
  return SLUG.test(lower) ? { by: "slug", slug: lower } : null;
}

/** Nearly all of the 31^6 short codes are free, so this many collisions in a row mean a fault. */
const DRAWS_MAX = 100;

/**
 * Id and unused short code of a new alert. `taken`: codes of the same batch, which the store does not know yet; the new
 * one is added. Throws `unavailable`.
 */
export async function newNames(
  {
    store,
    dice,
  }: Pick<Instance, "dice"> & { readonly store: Pick<AlertStore, "isShortCodeTaken"> },
  taken = new Set<string>(),
): Promise<Pick<AlertNames, "id" | "shortCode">> {
  for (let draws = 0; draws < DRAWS_MAX; draws++) {
    const code = shortCode((count) => dice.bytes(count));
    if (taken.has(code) || (await store.isShortCodeTaken(code))) continue;
    taken.add(code);
    return { id: dice.id(), shortCode: code };
  }
  throw new Fault("unavailable", `No unused short code was found in ${DRAWS_MAX} draws.`);
}

/** Random short code. Bytes that would bias the choice of a character are skipped. */
export function shortCode(bytes: (count: number) => Uint8Array): string {
  const unbiasedBelow = 256 - (256 % SHORT_CODE_ALPHABET.length);
  let code = "";
  while (code.length < SHORT_CODE_LENGTH) {
    for (const byte of bytes(SHORT_CODE_LENGTH)) {
      if (byte < unbiasedBelow && code.length < SHORT_CODE_LENGTH) {
        code += SHORT_CODE_ALPHABET[byte % SHORT_CODE_ALPHABET.length];
      }
    }
  }
  return code;
}
