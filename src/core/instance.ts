import type { Links } from "./urls.ts";

// What a running instance gives to every use case.

export type Clock = () => number;

export interface Random {
  bytes(count: number): Uint8Array;
  /** UUID v7. */
  id(): string;
}

/** Time, randomness, key and addresses of this instance. */
export type Instance = {
  readonly clock: Clock;
  readonly random: Random;
  readonly secrets: Secrets;
  readonly links: Links;
  /** Yields to pending requests; for long work that is not urgent. */
  readonly yieldToEventLoop: () => Promise<void>;
};

/**
 * Brings the in-memory indexes up to date with the store as of the call, or later. Returns the revision up to which they
 * have every change.
 */
export type SyncIndexes = () => Promise<number>;

/** Use of sealed text: the token of a link that opens one kind of page, or other text. Each is sealed with a key of its own. */
export type SealPurpose =
  /** Private links: see `LinkPurpose`. */
  | "manage"
  | "conversation"
  | "unsubscribe"
  | "pair"
  /** Links by email on request: see `MagicLink`. */
  | "admin"
  | "inbox"
  | "erase"
  | "confirm"
  /** Id of a request, in the address of its waiting page. */
  | "waiting"
  /** Requester of a link by email. */
  | "link-request"
  /** Address and keys of a browser at its push service. */
  | "device";

/** Cryptography with the instance's secret key, which is stored outside the database. */
export interface Secrets {
  /** Keyed hash (HMAC-SHA-256, hex). The same text has different hashes for different purposes. */
  keyedHash(
    purpose:
      | "address"
      | "mailbox"
      | "caller"
      | "content"
      | "idempotency"
      | "chip"
      | "photo"
      | "tombstone"
      | "bounce"
      | "device"
      | "vapid"
      | "reply"
      | "row",
    text: string,
  ): string;
  /** Encrypts text for storage; the result differs every time. */
  seal(purpose: SealPurpose, text: string): string;
  /** Decrypts sealed text; null if it was sealed with another key or for another purpose, or modified. */
  unseal(purpose: SealPurpose, sealed: string): string | null;
  /** SHA-256 (hex) of a token, stored in its place. */
  tokenHash(token: string): string;
}
