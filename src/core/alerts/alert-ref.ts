import { z } from "zod";
import { withReason } from "../input.ts";

/** Without 0 O 1 I L: people read these codes from posters. */
export const SHORT_CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
export const SHORT_CODE_LENGTH = 6;

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
