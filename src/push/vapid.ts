import { createECDH } from "node:crypto";
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
/** Time before its end at which a token is replaced. */
const RENEW_MS = HOUR_MS;
/** Push services whose tokens are kept. */
const TOKENS_MAX = 100;

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
  const signing = signingKey(pair.getPrivateKey(), pair.getPublicKey());
  const tokens = new Map<string, { readonly token: string; readonly endsAt: number }>();

  return {
    publicKey,
    async authorization(origin) {
      const now = clock();
      const known = tokens.get(origin);
      const isFresh = known !== undefined && known.endsAt - RENEW_MS > now;
      // A token from before the clock was set back would be refused.
      if (isFresh && known.endsAt <= now + VALID_MS) return headerOf(known.token);
      const endsAt = now + VALID_MS;
      const token = await signed({ aud: origin, exp: Math.floor(endsAt / 1000), sub: contact });
      if (tokens.size >= TOKENS_MAX) tokens.clear();
      tokens.set(origin, { token, endsAt });
      return headerOf(token);
    },
  };

  function headerOf(token: string): string {
    return `vapid t=${token}, k=${publicKey}`;
  }

  async function signed(claims: object): Promise<string> {
    const text = [{ typ: "JWT", alg: "ES256" }, claims]
      .map((part) => base64url(Buffer.from(JSON.stringify(part))))
      .join(".");
    const algorithm = { name: "ECDSA", hash: "SHA-256" };
    const signature = await crypto.subtle.sign(algorithm, await signing, Buffer.from(text));
    return `${text}.${base64url(new Uint8Array(signature))}`;
  }
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
