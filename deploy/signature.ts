import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";

// Ed25519 signatures of releases. Run by itself, this makes a pair of keys:
//   bun deploy/signature.ts > release.key

/** Private key (PKCS8, base64) from what a secret store or a file holds. */
export function readPrivateKey(text: string): string {
  return text.replace(/-----[A-Z ]+-----/g, "").replace(/\s/g, "");
}

/** Public key (SPKI, base64) of a private one. */
export function publicKeyOf(privateKey: string): string {
  const key = createPrivateKey({
    key: Buffer.from(privateKey, "base64"),
    format: "der",
    type: "pkcs8",
  });
  return createPublicKey(key).export({ format: "der", type: "spki" }).toString("base64");
}

/** Signature of 64 bytes, as `openssl pkeyutl -rawin` makes it. */
export async function sign(bytes: Uint8Array, privateKey: string): Promise<Uint8Array> {
  const der = Buffer.from(privateKey, "base64");
  const key = await crypto.subtle.importKey("pkcs8", der, "Ed25519", false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("Ed25519", key, Buffer.from(bytes)));
}

export async function isSignedBy(
  bytes: Uint8Array,
  signature: Uint8Array,
  publicKey: string,
): Promise<boolean> {
  const der = Buffer.from(publicKey, "base64");
  const key = await crypto.subtle.importKey("spki", der, "Ed25519", false, ["verify"]);
  return crypto.subtle.verify("Ed25519", key, Buffer.from(signature), Buffer.from(bytes));
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
