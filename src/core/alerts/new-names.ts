import type { AlertNames } from "./alert.ts";
import { SHORT_CODE_ALPHABET, SHORT_CODE_LENGTH } from "./alert-ref.ts";
import type { AlertStore } from "./alert-store.ts";
import { Fault } from "../fault.ts";
import type { Instance } from "../instance.ts";

/** Nearly all of the 31^6 short codes are free, so this many collisions in a row mean a fault. */
const DRAWS_MAX = 100;

/**
 * Id and unused short code of a new alert. `taken`: codes of the same batch, which the store does not know yet; the new
 * one is added. Throws `unavailable`.
 */
export async function newNames(
  {
    store,
    random,
  }: Pick<Instance, "random"> & { readonly store: Pick<AlertStore, "isShortCodeTaken"> },
  taken = new Set<string>(),
): Promise<Pick<AlertNames, "id" | "shortCode">> {
  for (let draws = 0; draws < DRAWS_MAX; draws++) {
    const code = shortCode((count) => random.bytes(count));
    if (taken.has(code) || (await store.isShortCodeTaken(code))) continue;
    taken.add(code);
    return { id: random.id(), shortCode: code };
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
