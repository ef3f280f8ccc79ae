import { createDecipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";
import type { PushOutcome, PushRequest } from "../../src/push/push-service.ts";

export type PushDevice = ReturnType<typeof createPushDevice>;

let made = 0;

/** A browser that can be told of something: its subscription as a page sends it, and what it reads of a push. */
export function createPushDevice(endpoint?: string) {
  const keys = createECDH("prime256v1");
  const publicKey = keys.generateKeys();
  const auth = randomBytes(16);
  return {
    subscription: {
      endpoint: endpoint ?? `https://fcm.googleapis.com/fcm/send/canary-device-${(made += 1)}`,
      p256dh: publicKey.toString("base64url"),
      auth: auth.toString("base64url"),
    },
    read: (body: Uint8Array) => decrypted(body, keys, auth),
  };
}

/**
 * Text of an encrypted push, by a second implementation of RFC 8291 and RFC 8188 that shares nothing with that of the
 * service. Throws if it was not meant for this device.
 */
function decrypted(
  body: Uint8Array,
  keys: ReturnType<typeof createECDH>,
  auth: Uint8Array,
): string {
  const message = Buffer.from(body);
  const salt = message.subarray(0, 16);
  const recordBytes = message.readUInt32BE(16);
  const keyLength = message[20]!;
  const sender = message.subarray(21, 21 + keyLength);
  const record = message.subarray(21 + keyLength);
  if (record.length > recordBytes) throw new Error("more than one record");
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), keys.getPublicKey(), sender]);
  const secret = Buffer.from(hkdfSync("sha256", keys.computeSecret(sender), auth, info, 32));
  const derive = (what: string, bytes: number) =>
    Buffer.from(hkdfSync("sha256", secret, salt, `Content-Encoding: ${what}\0`, bytes));
  const decipher = createDecipheriv("aes-128-gcm", derive("aes128gcm", 16), derive("nonce", 12));
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = padded.lastIndexOf(2);
  if (padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error("wrong padding");
  return padded.subarray(0, end).toString();
}

/** Push services that keep what they are handed. `answer` is what they say to it. */
export function createPushServices(answer: (push: PushRequest) => PushOutcome = sent) {
  const kept: PushRequest[] = [];
  return {
    kept: kept as readonly PushRequest[],
    send: async (push: PushRequest): Promise<PushOutcome> => {
      kept.push(push);
      return answer(push);
    },
    /** Notifications for a device so far, oldest first. */
    shownOn: ({ subscription, read }: PushDevice): any[] =>
      kept
        .filter(({ endpoint }) => endpoint === subscription.endpoint)
        .map(({ body }) => JSON.parse(read(body)).notification),
  };
}

const sent = (): PushOutcome => ({ kind: "sent" });
