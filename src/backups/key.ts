import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from "age-encryption";
import { Fault } from "../core/fault.ts";

// Keys of the age file format (https://age-encryption.org/v1): the service has the public key only, so whoever takes its
// machine over cannot read the copies that were made before.

/** Most bytes of a key file. */
export const KEY_FILE_BYTES_MAX = 16 * 1024;
const PRIVATE_KEY = /^AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]+$/;

/** New pair of keys: the public one, and the text of the file with the private one, as `age-keygen` writes it. */
export async function generateKeyFile(
  now: number,
): Promise<{ readonly publicKey: string; readonly file: string }> {
  const privateKey = await generateX25519Identity();
  const publicKey = await identityToRecipient(privateKey);
  const created = new Date(now).toISOString().replace(/\.\d+Z$/, "Z");
  return {
    publicKey,
    file: `# created: ${created}\n# public key: ${publicKey}\n${privateKey}\n`,
  };
}

/** Encrypts with a public key. Throws `bad_input` with a sentence for the operator if it is not valid. */
export function encrypterFor(publicKey: string): Encrypter {
  const encrypter = new Encrypter();
  try {
    encrypter.addRecipient(publicKey);
  } catch {
    throw new Fault(
      "bad_input",
      `The setting BACKUP_COPY_KEY is not a public key: a character of ${publicKey} is wrong or missing. Copy the line that "pet-alert backup key" printed.`,
    );
  }
  return encrypter;
}

/** Decrypts with the private keys in the text of a file. Throws `bad_input` with a sentence for the operator. */
export function decrypterOf(text: string, file: string): Decrypter {
  const decrypter = new Decrypter();
  const keys = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  if (keys.length === 0 || !keys.every((key) => PRIVATE_KEY.test(key)))
    throw new Fault(
      "bad_input",
      `${file} holds no private key: it has a line that begins with AGE-SECRET-KEY-1. "pet-alert backup key" wrote such a file.`,
    );
  for (const key of keys) {
    try {
      decrypter.addIdentity(key);
    } catch {
      throw new Fault(
        "bad_input",
        `The private key in ${file} is damaged. Use another copy of it.`,
      );
    }
  }
  return decrypter;
}
