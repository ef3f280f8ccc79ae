import { describe, expect, test } from "bun:test";
import { createSecrets } from "../../src/ops/secrets.ts";
import { encryptMessage, newMessageKeys, SALT_BYTES } from "../../src/push/encryption.ts";
import { createVapid } from "../../src/push/vapid.ts";
import { createPushDevice } from "../support/push-device.ts";
import { DAWN, HOUR } from "../support/time.ts";

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, "base64url"));

/** Devices for which messages are encrypted; .ci/nightly has many more. */
const DEVICES = Number(process.env["DEVICES"] ?? 200);
/** Far more than a message takes. */
const MESSAGE_MS_MAX = 100;

describe("an encrypted message", () => {
  test("is that of RFC 8291, appendix A, byte by byte", async () => {
    const publicKey = bytesOf(
      "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8",
    );
    const algorithm = { name: "ECDH", namedCurve: "P-256" };
    const jwk = {
      kty: "EC",
      crv: "P-256",
      d: "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw",
      x: Buffer.from(publicKey.subarray(1, 33)).toString("base64url"),
      y: Buffer.from(publicKey.subarray(33)).toString("base64url"),
    };
    const keys = {
      privateKey: await crypto.subtle.importKey("jwk", jwk, algorithm, false, ["deriveBits"]),
      publicKey: await crypto.subtle.importKey("raw", publicKey, algorithm, true, []),
    };

    const message = await encryptMessage(
      new TextEncoder().encode("When I grow up, I want to be a watermelon"),
      {
        p256dh:
          "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        auth: "BTBZMqHH6r4Tts7J_aSIgg",
      },
      { keys, salt: bytesOf("DGv6ra1nlYgDCS1FRnbzlw") },
      null,
    );

    expect(Buffer.from(message).toString("base64url")).toBe(
      "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
    );
  });

  test(
    "has one length for all texts, and each device reads its own by another implementation",
    async () => {
      const lengths = new Set<number>();
      for (let nth = 0; nth < DEVICES; nth++) {
        const device = createPushDevice();
        const text = `${"é".repeat(nth % 500)}\u0002`;
        const salt = new Uint8Array(SALT_BYTES).fill(nth);
        const message = await encryptMessage(
          new TextEncoder().encode(text),
          device.subscription,
          { keys: await newMessageKeys(), salt },
          1_024,
        );
        lengths.add(message.length);
        expect(device.read(message)).toBe(text);
      }
      expect(lengths.size).toBe(1);
    },
    DEVICES * MESSAGE_MS_MAX,
  );

  test("is not made of a text longer than its padding", async () => {
    const secrets = { keys: await newMessageKeys(), salt: new Uint8Array(SALT_BYTES) };
    const { subscription } = createPushDevice();
    const encrypting = encryptMessage(new Uint8Array(11), subscription, secrets, 10);
    expect(encrypting).rejects.toBeInstanceOf(RangeError);
  });
});

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
