import { createECDH } from "node:crypto";
import { sign } from "hono/jwt";
import { HOUR_MS } from "../core/duration.ts";
import type { Clock, Secrets } from "../core/instance.ts";

/** Key by which push services recognise this service (VAPID, RFC 8292). */
type Vapid = {
  /** Public key as base64url, which browsers ask for when they subscribe. */
  readonly publicKey: string;
  /** Value of the header Authorization for a push service, given by its origin. */
  authorization(origin: string): Promise<string>;
};

/** Push services refuse a token that is valid for more than 24 hours. */
const VALID_MS = 12 * HOUR_MS;

/**
 * Creates the key, which follows from the secret key of the instance: so all nodes have it, and it is backed up and moved
 * with that. `contact`: address at which a push service reaches the operator, https: or mailto:.
 */
export function createVapid(
  { keyedHash }: Pick<Secrets, "keyedHash">,
  contact: string,
  clock: Clock,
): Vapid {
  const pair = keyPairFrom(keyedHash);
  const publicKey = base64url(pair.getPublicKey());
  const key = signingKey(pair.getPrivateKey(), pair.getPublicKey());
  return {
    publicKey,
    async authorization(origin) {
      const exp = Math.floor((clock() + VALID_MS) / 1000);
      const token = await sign({ aud: origin, exp, sub: contact }, await key, "ES256");
      return `vapid t=${token}, k=${publicKey}`;
    },
  };
}

/** Tries for a number that is a private key. Fewer than one number in four billion is not. */
const TRIES = 4;

function keyPairFrom(keyedHash: Secrets["keyedHash"]) {
  const pair = createECDH("prime256v1");
  for (let nth = 0; nth < TRIES; nth++) {
    try {
      pair.setPrivateKey(keyedHash("vapid", String(nth)), "hex");
      return pair;
    } catch {
      // Not a number between 1 and the order of the curve.
    }
  }
  throw new Error("no VAPID key follows from the secret key");
}

function signingKey(privateKey: Uint8Array, publicKey: Uint8Array): Promise<CryptoKey> {
  const jwk = {
    kty: "EC",
    crv: "P-256",
    // Buffers of private keys lack leading zeros.
    d: base64url(Buffer.concat([Buffer.alloc(32 - privateKey.length), privateKey])),
    x: base64url(publicKey.subarray(1, 33)),
    y: base64url(publicKey.subarray(33)),
  };
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  return crypto.subtle.importKey("jwk", jwk, algorithm, false, ["sign"]);
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}
