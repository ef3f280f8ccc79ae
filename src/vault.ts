import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Fault } from "./core/fault.ts";
import type { Vault } from "./core/ports.ts";
import { flush } from "./disk.ts";

const KEY_FILE = "secret.key";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * The vault of a data folder. Its key lies beside the database, not in it: who gets hold of a copy of the database
 * alone can use no private link and test no address. Losing the key makes private links and stop lists worthless.
 */
export function openVault(dataDir: string): Vault {
  const key = readKey(dataDir);
  const sealKey = createHmac("sha256", key).update("seal").digest();
  return {
    mark: (purpose, text) => createHmac("sha256", key).update(`${purpose}\0${text}`).digest("hex"),
    tokenHash: (token) => new Bun.CryptoHasher("sha256").update(token).digest("hex"),
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", sealKey, nonce);
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url");
    },
    unseal(sealed) {
      const bytes = Buffer.from(sealed, "base64url");
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
      const decipher = createDecipheriv("aes-256-gcm", sealKey, bytes.subarray(0, NONCE_BYTES));
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

function readKey(dataDir: string): Buffer {
  const file = join(dataDir, KEY_FILE);
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    // Whole or not at all: half a key written in a crash would lock every private link out.
    const fresh = `${file}.new`;
    writeFileSync(fresh, randomBytes(KEY_BYTES), { mode: 0o600, flush: true });
    renameSync(fresh, file);
    chmodSync(file, 0o600);
    // Else a power cut could leave links in the database whose key has no name on the disk.
    flush(dataDir);
  }
  const key = statSync(file).isFile() ? readFileSync(file) : Buffer.alloc(0);
  if (key.length !== KEY_BYTES)
    throw new Fault("unavailable", `The key file ${file} is damaged: restore it from a backup.`);
  return key;
}
