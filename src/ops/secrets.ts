import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import type { SealPurpose, Secrets } from "../core/instance.ts";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SEAL_KEY_BYTES = 32;

/**
 * Keyed hashing and encryption with the key of a data folder. The key is stored next to the database, not in it: a copy of
 * the database alone does not reveal private links or addresses. Without the key, private links and stop lists are lost.
 */
export function createSecrets(key: Uint8Array): Secrets {
  const sealKeys = new Map<SealPurpose, Uint8Array>();
  function sealKey(purpose: SealPurpose): Uint8Array {
    const known = sealKeys.get(purpose);
    if (known !== undefined) return known;
    const derived = new Uint8Array(hkdfSync("sha256", key, "", `seal ${purpose}`, SEAL_KEY_BYTES));
    sealKeys.set(purpose, derived);
    return derived;
  }

  return {
    keyedHash: (purpose, text) =>
      createHmac("sha256", key).update(`${purpose}\0${text}`).digest("hex"),
    tokenHash: (token) => new Bun.CryptoHasher("sha256").update(token).digest("hex"),
    seal(purpose, text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", sealKey(purpose), nonce);
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url");
    },
    unseal(purpose, sealed) {
      const bytes = Buffer.from(sealed, "base64url");
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
      const decipher = createDecipheriv(
        "aes-256-gcm",
        sealKey(purpose),
        bytes.subarray(0, NONCE_BYTES),
      );
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      try {
        return (
          decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8") +
          decipher.final("utf8")
        );
      } catch {
        return null;
      }
    },
  };
}
