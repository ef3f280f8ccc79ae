import type { OutboundParts } from "../../src/outbound/pinned-request.ts";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { readNetwork } from "../../src/core/ip-address.ts";
import { createPushSender } from "../../src/push/push-service.ts";
import { CERTIFICATE, HOST, PRIVATE_KEY } from "../photos/certificate.ts";
import { createPushDevice } from "../support/push-device.ts";
import { DAY, HOUR, MINUTE } from "../support/time.ts";
import { createWorld, LOST_CAT, type World } from "../support/world.ts";

const LOOPBACK = readNetwork("127.0.0.0/8")!;
const LYON = { place: "Lyon", radiusKm: "10" };

type Asked = { readonly headers: Record<string, unknown>; readonly body: Buffer };
type Answer = {
  readonly status: number;
  readonly headers?: Record<string, string>;
} | null;

/** A real push service on this machine. `answer` is what it says to the next pushes; null hangs. */
let service: { answer: Answer; readonly asked: Asked[]; readonly server: Server };
let world: World;

beforeEach(async () => {
  const asked: Asked[] = [];
  const server = createServer({ cert: CERTIFICATE, key: PRIVATE_KEY }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      asked.push({ headers: request.headers, body: Buffer.concat(chunks) });
      const { answer } = service;
      if (answer !== null) response.writeHead(answer.status, answer.headers).end("said");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  service = { answer: { status: 201 }, asked, server };
  world = await open();
});
afterEach(async () => {
  await world.end();
  service.server.closeAllConnections();
  service.server.close();
});

const senderOf = (parts: OutboundParts = {}) =>
  createPushSender({
    resolve: async () => ["127.0.0.1"],
    alsoPublic: [LOOPBACK],
    port: (service.server.address() as AddressInfo).port,
    ca: CERTIFICATE,
    timeoutMs: 2_000,
    ...parts,
  });
const open = (parts: OutboundParts = {}) =>
  createWorld(
    { PUSH_SERVICES: HOST, LIMIT_SUBSCRIBE: "off", LIMIT_PUBLISH: "off" },
    { sendPush: senderOf(parts) },
  );
const deviceHere = (path = "x") => createPushDevice(`https://${HOST}/push/${path}`);
const watch = (device: ReturnType<typeof deviceHere>) =>
  world.post("/subscribe/device", { ...LYON, ...device.subscription });
const isKnown = async ({ subscription: { endpoint } }: ReturnType<typeof deviceHere>) =>
  !(await (await world.post("/device", { endpoint })).text()).includes("gets no notifications");

describe("a push service", () => {
  test("gets a request as RFC 8030, 8188 and 8292 ask for, which the device can read", async () => {
    const device = deviceHere();
    await watch(device);
    await world.tick();

    const [push] = service.asked;
    expect(push!.headers).toMatchObject({
      "content-encoding": "aes128gcm",
      ttl: "86400",
      urgency: "normal",
      "content-length": String(push!.body.length),
    });
    expect(push!.headers["topic"]).toMatch(/^[\w-]{32}$/);
    expect(push!.headers["authorization"]).toMatch(/^vapid t=[\w.-]+, k=[\w-]{87}$/);
    expect(push!.body.length).toBeLessThanOrEqual(4_096);
    expect(JSON.parse(device.read(push!.body))).toMatchObject({ web_push: 8030 });
  });

  test.each([404, 410])("that answers %i has its device forgotten at once", async (status) => {
    const device = deviceHere();
    await watch(device);
    service.answer = { status };
    await world.tick();
    expect(await isKnown(device)).toBeFalse();
    await world.pass(HOUR, 10 * MINUTE);
    expect(service.asked).toHaveLength(1);
  });

  test.each([
    [{ status: 429, headers: { "Retry-After": "1200" } }, 20],
    [{ status: 500 }, 1],
  ])(
    "that answers %o is asked again when it can be, and the push arrives once",
    async (answer, minutes) => {
      const device = deviceHere();
      await watch(device);
      service.answer = answer;
      await world.tick();
      service.answer = { status: 201 };
      await world.pass(minutes * MINUTE - 1, minutes * MINUTE - 1);
      expect(service.asked).toHaveLength(1);
      await world.pass(MINUTE, MINUTE);
      expect(service.asked).toHaveLength(2);
      await world.pass(DAY, HOUR);
      expect(service.asked).toHaveLength(2);
      expect(await isKnown(device)).toBeTrue();
    },
  );

  test.each([400, 302])(
    "that answers %i is not asked again, and the operator is told",
    async (status) => {
      const device = deviceHere();
      await watch(device);
      service.answer = { status, headers: { Location: "http://127.0.0.1/inside" } };
      await world.tick();
      await world.pass(HOUR, 10 * MINUTE);
      expect(service.asked).toHaveLength(1);
      expect(world.logged.join()).toContain(`was refused by ${HOST}: status ${status}`);
      expect(world.logged.join()).not.toContain("/push/x");
    },
  );

  test("that always fails is given up after a day, and the device after a week", async () => {
    const device = deviceHere();
    await watch(device);
    service.answer = { status: 500 };
    await world.pass(2 * DAY, 30 * MINUTE);
    const asked = service.asked.length;
    expect(asked).toBeLessThan(40);
    expect(await isKnown(device)).toBeTrue();
    await world.pass(7 * DAY, 6 * HOUR);
    expect(service.asked).toHaveLength(asked);
    expect(await isKnown(device)).toBeFalse();
  });

  test("that hangs does not hold up emails or other push services", async () => {
    await world.end();
    world = await open({ timeoutMs: 500 });
    for (let nth = 0; nth < 12; nth++) await watch(deviceHere(String(nth)));
    service.answer = null;
    const ticking = world.tick();
    await world.tool("publish_alert", LOST_CAT);
    await world.app.tick();
    expect(world.sentMail.map(({ envelope }) => envelope.to)).toContain(LOST_CAT.email);
    await ticking;
    // The first ones found out, and the others wait with them.
    expect(service.asked.length).toBeLessThanOrEqual(8);
    expect(world.logged.join()).toContain("no answer in time");
  });

  test.each([
    ["an address inside", { resolve: async () => ["10.0.0.1"], alsoPublic: [] }],
    [
      "one address inside beside a public one",
      { resolve: async () => ["192.0.78.9", "127.0.0.1"], alsoPublic: [] },
    ],
    ["a certificate of its own", { ca: "" }],
  ] as const)("whose name leads to %s gets nothing", async (_name, parts) => {
    await world.end();
    world = await open(parts);
    await watch(deviceHere());
    await world.tick();
    expect(service.asked).toEqual([]);
  });
});

test("a push that was sent but could not be recorded is not sent again", async () => {
  const device = deviceHere();
  await watch(device);
  const { store } = world.app;
  const { closePush } = store;
  Object.assign(store, { closePush: () => Promise.reject(new Error("the disk is full")) });
  await world.tick();
  Object.assign(store, { closePush });
  await world.pass(HOUR, 10 * MINUTE);
  expect(service.asked).toHaveLength(1);
});
