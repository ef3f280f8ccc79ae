import type { BunPlugin } from "bun";
import { createPrivateKey, sign } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeRelease } from "../../deploy/build.ts";
import { version } from "../../package.json" with { type: "json" };

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

/** Plugin that builds the program as another version. */
export function asVersion(number: string): BunPlugin {
  return {
    name: "another version",
    setup(builder) {
      builder.onLoad({ filter: /\/package\.json$/ }, async ({ path }) => {
        const text = await Bun.file(path).text();
        const isOurs = JSON.parse(text).name === "pet-alert";
        const own = `"version": "${version}"`;
        return {
          contents: isOurs ? text.replace(own, `"version": "${number}"`) : text,
          loader: "json",
        };
      });
    },
  };
}
