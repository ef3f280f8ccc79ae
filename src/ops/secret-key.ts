import { randomBytes } from "node:crypto";
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Fault } from "../core/fault.ts";
import { codeOf, writeWhole } from "./fs.ts";

/** File next to the database. Without it, private links, stop lists and the list of erased data are unusable. */
export const KEY_FILE = "secret.key";
const KEY_BYTES = 32;

/**
 * Key of a data folder or backup; null if the file is missing. Throws `unavailable` with a sentence for the operator if
 * it cannot be read or is not a key.
 */
export function readKey(folder: string): Buffer | null {
  return readIfThere(join(folder, KEY_FILE), "Put secret.key back from a backup");
}

/** Key that every node of a cluster has in a file. Throws as `readKey` does, and if there is no file. */
export function readKeyFile(file: string): Buffer {
  const fromOthers = "Copy the key file of the other nodes there";
  const key = readIfThere(file, fromOthers);
  if (key === null) throw unusable(file, "does not exist", fromOthers);
  return key;
}

/** Bytes of a key file, or null. `remedy` is the advice for one whose content is lost. */
function readIfThere(file: string, remedy: string): Buffer | null {
  const status = lstatSync(file, { throwIfNoEntry: false });
  if (status === undefined) return null;
  if (status.isSymbolicLink())
    throw unusable(
      file,
      "is a symbolic link",
      "Put the key file itself there, so that backups include it",
    );
  if (!status.isFile())
    throw unusable(file, "is not a file", "Move it away, and put secret.key back from a backup");
  const key = bytesOf(file);
  if (key.length !== KEY_BYTES)
    throw unusable(file, `is damaged (${key.length} bytes instead of ${KEY_BYTES})`, remedy);
  return key;
}

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw unusable(
      file,
      `cannot be read (${codeOf(error)})`,
      "Make the service's user its owner, with mode 600",
    );
  }
}

function unusable(file: string, what: string, advice: string): Fault {
  return new Fault("unavailable", `The key file ${file} ${what}. ${advice}.`);
}

/** Generates the key of a new data folder. It is complete on disk when this returns. */
export function generateKey(folder: string): Buffer {
  const key = randomBytes(KEY_BYTES);
  // Flushed: a power cut could otherwise lose the key while the database already has links made with it.
  writeWhole(join(folder, KEY_FILE), key);
  return key;
}

/** Keyed hash of a constant, stored in the database to recognize its key. Reveals nothing about the key. */
export function keyCheckOf(key: Uint8Array): string {
  return new Bun.CryptoHasher("sha256", key).update("key_check\0pet-alert").digest("hex");
}
