import { expect, test } from "bun:test";
import type { PushOutcome, PushRequest } from "../../src/push/push-service.ts";
import { createPushDevice, createPushServices, type PushDevice } from "../support/push-device.ts";
import { HOUR, MINUTE } from "../support/time.ts";
import { createWorld } from "../support/world.ts";

const LYON = { place: "Lyon", radiusKm: "10" };
const LATER = { kind: "later", why: "status 503", retryAfterMs: HOUR } as const;

/** A service with devices that watch Lyon, and push services that answer like this. */
async function watching(
  devices: readonly PushDevice[],
  answer: (push: PushRequest) => PushOutcome,
  work: (here: {
    publish: () => Promise<void>;
    welcome: (device: PushDevice) => Promise<void>;
    received: (device: PushDevice) => number;
  }) => Promise<void>,
): Promise<void> {
  const services = createPushServices(answer);
  const world = await createWorld(
    { LIMIT_SUBSCRIBE: "off", LIMIT_PUBLISH: "off" },
    { sendPush: services.send },
  );
  const welcome = async (device: PushDevice) => {
    await world.post("/subscribe/device", { ...LYON, ...device.subscription });
    await world.pass(MINUTE);
  };
  let nth = 0;
  try {
    for (const device of devices) await welcome(device);
    await work({
      welcome,
      async publish() {
        await world.publish({ type: "found", email: `finder-${(nth += 1)}@example.org` });
        await world.pass(MINUTE);
      },
      received: (device) => services.shownOn(device).length,
    });
  } finally {
    await world.end();
  }
}

test("addresses at a push service that always fail keep no push from anybody else's device", async () => {
  const genuine = createPushDevice();
  const failing = Array.from({ length: 9 }, (_, nth) =>
    createPushDevice(`https://fcm.googleapis.com/fails/${nth}`),
  );
  await watching(
    [genuine],
    ({ endpoint }) => (endpoint.includes("/fails/") ? LATER : { kind: "sent" }),
    async ({ publish, welcome, received }) => {
      for (const device of failing) await welcome(device);
      await publish();
      expect(received(genuine)).toBe(2);
    },
  );
});

test("a push service that fails for several devices it has reached is left alone for a while", async () => {
  let isDown = false;
  const devices = Array.from({ length: 9 }, () => createPushDevice());
  await watching(
    devices,
    () => (isDown ? LATER : { kind: "sent" }),
    async ({ publish, received }) => {
      isDown = true;
      await publish();
      const attempts = devices.reduce((sum, device) => sum + received(device) - 1, 0);
      // Those that were on their way when the third one failed come on top.
      expect(attempts).toBeWithin(3, 3 + 4);
    },
  );
});
