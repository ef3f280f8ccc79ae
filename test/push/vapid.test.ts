import { describe, expect, test } from "bun:test";
import { createSecrets } from "../../src/ops/secrets.ts";
import { createVapid } from "../../src/push/vapid.ts";
import { DAWN, HOUR } from "../support/time.ts";

const SERVICE = "https://fcm.googleapis.com";
const CONTACT = "https://pets.example.org/";

function keyFrom(byte: number) {
  const clock = { now: DAWN };
  const secrets = createSecrets(new Uint8Array(32).fill(byte));
  return { clock, vapid: createVapid(secrets, CONTACT, () => clock.now) };
}

/** Claims of a header Authorization whose signature was checked with the key in it. */
async function checked(header: string): Promise<{ key: string; claims: Record<string, unknown> }> {
  const [, token = "", key = ""] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header) ?? [];
  const [head = "", body = "", signature = ""] = token.split(".");
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  const publicKey = await crypto.subtle.importKey(
    "raw",
    Buffer.from(key, "base64url"),
    algorithm,
    false,
    ["verify"],
  );
  const isSigned = await crypto.subtle.verify(
    { name: "ECDSA", hash: "SHA-256" },
    publicKey,
    Buffer.from(signature, "base64url"),
    Buffer.from(`${head}.${body}`),
  );
  expect(isSigned).toBeTrue();
  expect(JSON.parse(atob(head))).toEqual({ typ: "JWT", alg: "ES256" });
  return { key, claims: JSON.parse(Buffer.from(body, "base64url").toString()) };
}

describe("the key by which push services know this service", () => {
  test("signs who sends, to which push service and until when", async () => {
    const { vapid } = keyFrom(1);

    const { key, claims } = await checked(await vapid.authorization(SERVICE));

    expect(key).toBe(vapid.publicKey);
    expect(Buffer.from(key, "base64url").length).toBe(65);
    expect(claims).toEqual({ aud: SERVICE, exp: (DAWN + 12 * HOUR) / 1000, sub: CONTACT });
  });

  test("follows from the secret key, so that every node and a restored backup have the same", () => {
    expect(keyFrom(1).vapid.publicKey).toBe(keyFrom(1).vapid.publicKey);
    expect(keyFrom(1).vapid.publicKey).not.toBe(keyFrom(2).vapid.publicKey);
  });

  test("signs by the clock, also after it was set back", async () => {
    const { vapid, clock } = keyFrom(1);
    clock.now += 12 * HOUR;
    const { claims } = await checked(await vapid.authorization(SERVICE));
    expect(claims["exp"]).toBe((DAWN + 24 * HOUR) / 1000);
    clock.now = DAWN - 30 * HOUR;
    const { claims: earlier } = await checked(await vapid.authorization(SERVICE));
    expect(earlier["exp"]).toBe((DAWN - 18 * HOUR) / 1000);
  });
});
