import type { Secrets } from "../../src/core/ports.ts";
import { generateKey, readKey } from "../../src/ops/secret-key.ts";
import { createSecrets } from "../../src/ops/secrets.ts";

/** The secrets of a scratch folder, with a key of its own. */
export function openVault(folder: string): Secrets {
  return createSecrets(readKey(folder) ?? generateKey(folder));
}
