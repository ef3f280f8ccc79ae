import { createPrivateKey, sign } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeRelease } from "../../deploy/build.ts";

/** Completes a release, and signs it as deploy/sign.sh does. */
export async function writeSignedRelease(
  folder: string,
  privateKey: string,
  parts: Parameters<typeof writeRelease>[1],
): Promise<void> {
  await writeRelease(folder, parts);
  const der = Buffer.from(privateKey, "base64");
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const signature = sign(null, readFileSync(join(folder, "SHA256SUMS")), key);
  writeFileSync(join(folder, "SHA256SUMS.sig"), signature);
}
