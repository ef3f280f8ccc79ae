import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";

// Keys with which releases are signed (Ed25519). Run by itself, this makes a pair of them:
//   bun deploy/signature.ts > release.key

/** Public key (SPKI, base64) of a private one. */
export function publicKeyOf(privateKey: string): string {
  const key = createPrivateKey({
    key: Buffer.from(privateKey, "base64"),
    format: "der",
    type: "pkcs8",
  });
  return createPublicKey(key).export({ format: "der", type: "spki" }).toString("base64");
}

/** New private key (PKCS8, base64). */
export function generatePrivateKey(): string {
  const { privateKey } = generateKeyPairSync("ed25519");
  return privateKey.export({ format: "der", type: "pkcs8" }).toString("base64");
}

if (import.meta.main) {
  const privateKey = generatePrivateKey();
  console.log(privateKey);
  console.error(`RELEASE_PUBLIC_KEY=${publicKeyOf(privateKey)}`);
}
