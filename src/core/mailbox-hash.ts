import { normalizedMailbox } from "./input.ts";
import type { Secrets } from "./ports.ts";

/**
 * Keyed hash of exactly this mailbox, ignoring case, for the suppression list and the like. With the normalised address,
 * bounces of an invented `victim+nobody@example.org` would silence `victim@example.org`.
 */
export function hashMailbox(secrets: Pick<Secrets, "keyedHash">, email: string): string {
  return secrets.keyedHash("mailbox", email.toLowerCase());
}

/** Keyed hash of the normalised address, equal for all spellings of a mailbox; for limits. */
export function hashAddress(secrets: Pick<Secrets, "keyedHash">, email: string): string {
  return secrets.keyedHash("address", normalizedMailbox(email));
}
