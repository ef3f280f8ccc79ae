import { generateKey, readKey } from "../../src/ops/secret-key.ts";
import { createSecrets } from "../../src/ops/secrets.ts";
import type { Secrets } from "../../src/core/instance.ts";

/** The secrets of a scratch folder, with a key of its own. */
export function openVault(folder: string): Secrets {
  return createSecrets(readKey(folder) ?? generateKey(folder));
}
