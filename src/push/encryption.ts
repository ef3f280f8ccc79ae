import type { PushKeys } from "../core/push/device.ts";

export const SALT_BYTES = 16;

/** Random values of one message. */
export type MessageSecrets = {
  /** Key pair that is used once; its public key goes with the message. */
  readonly keys: CryptoKeyPair;
  /** `SALT_BYTES` random bytes. */
  readonly salt: Uint8Array<ArrayBuffer>;
};

/** Key pair for one message. */
export function newMessageKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(P256, false, ["deriveBits"]);
}

/**
 * Encrypts a message to a device, which alone can read it: RFC 8291, in one record of the content coding aes128gcm (RFC 8188).
 * `padTo`: bytes to which the text is padded, so that its length tells nothing; null for none. Throws `RangeError` if the
 * text is longer.
 */
export async function encryptMessage(
  text: Uint8Array,
  { p256dh, auth }: PushKeys,
  { keys, salt }: MessageSecrets,
  padTo: number | null,
): Promise<Uint8Array<ArrayBuffer>> {
  const padding = padTo === null ? 0 : padTo - text.length;
  if (padding < 0) throw new RangeError("the text is longer than its padding");
  const receiver = Uint8Array.fromBase64(p256dh, BASE64URL);
  const receiverKey = await crypto.subtle.importKey("raw", receiver, P256, false, []);
  const sender = new Uint8Array(await crypto.subtle.exportKey("raw", keys.publicKey));
  const shared = await crypto.subtle.deriveBits(
    { name: "ECDH", public: receiverKey },
    keys.privateKey,
    256,
  );
  const keyInfo = joined(utf8("WebPush: info\0"), receiver, sender);
  const secret = await hkdf(shared, Uint8Array.fromBase64(auth, BASE64URL), keyInfo, 32);
  const contentKey = await hkdf(secret, salt, utf8("Content-Encoding: aes128gcm\0"), 16);
  const nonce = await hkdf(secret, salt, utf8("Content-Encoding: nonce\0"), 12);
  const key = await crypto.subtle.importKey("raw", contentKey, "AES-GCM", false, ["encrypt"]);
  const padded = joined(text, LAST_RECORD, new Uint8Array(padding));
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv: nonce }, key, padded);
  const header = new Uint8Array(5);
  new DataView(header.buffer).setUint32(0, RECORD_BYTES);
  header[4] = sender.length;
  return joined(salt, header, sender, new Uint8Array(sealed));
}

const P256 = { name: "ECDH", namedCurve: "P-256" } as const;
const BASE64URL = { alphabet: "base64url" } as const;
/** Size of a record. A message is one record, and may be shorter. */
const RECORD_BYTES = 4096;
/** Delimiter between the text of the last record and its padding. */
const LAST_RECORD = Uint8Array.of(2);

async function hkdf(
  secret: ArrayBuffer,
  salt: Uint8Array<ArrayBuffer>,
  info: Uint8Array<ArrayBuffer>,
  bytes: number,
): Promise<ArrayBuffer> {
  const key = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"]);
  return crypto.subtle.deriveBits({ name: "HKDF", hash: "SHA-256", salt, info }, key, 8 * bytes);
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts));
}
