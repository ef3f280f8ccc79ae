import { describe, expect, test } from "bun:test";
import { QUOTAS } from "../../src/core/caps.ts";
import { openUploads } from "../support/disk.ts";
import { jpeg } from "../support/picture.ts";
import { createWorld, LOST_CAT, upload, type World } from "../support/world.ts";

const MIB = 1024 * 1024;
type Kind = { readonly path: string; readonly type: string; readonly beginning: string };
const PHOTO: Kind = {
  path: "/publish",
  type: "multipart/form-data; boundary=x",
  beginning: `--x\r\nContent-Disposition: form-data; name="photos"; filename="a.jpg"\r\n\r\n`,
};
const CALL: Kind = { path: "/api/mcp", type: "application/json", beginning: `{"a":"` };

/** A form with a photo whose sender decides when how much of its body comes. */
function sender(world: World, from: string, kind: Kind = PHOTO) {
  const { readable: body, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const headers = { "Content-Type": kind.type };
  const status = world
    .fetch(kind.path, { method: "POST", headers, body }, from)
    .then((answer) => `${answer.status} ${answer.headers.get("Retry-After") ?? ""}`.trim());
  // Nobody reads on once it has been answered.
  const write = (bytes: Uint8Array) =>
    Promise.race([writer.write(bytes).catch(() => {}), status.then(() => {})]);
  return {
    status,
    /** Sends so many bytes of its photo; resolves when the service has read them. */
    async send(bytes: number) {
      await write(Buffer.from(kind.beginning));
      const chunk = 64 * 1024;
      for (let left = bytes; left > 0; left -= chunk)
        await write(Buffer.alloc(Math.min(chunk, left), "photo"));
    },
    end: () => void writer.close().catch(() => {}),
  };
}

/** Publishes as a person does, with a photo of their own. */
async function publishAsPerson(world: World, from = "192.0.2.77"): Promise<number> {
  const { type, species, color, email } = LOST_CAT;
  const given = { type, species, color, email, place: "Lyon" };
  const trailer = Buffer.alloc(7_000_000);
  const photo = Buffer.concat([await jpeg({ width: 640, height: 480 }), trailer]);
  const form = { method: "POST", ...upload(given, [photo]) };
  return (await world.fetch("/publish", form, from)).status;
}

const network = (number: number) => `198.51.${100 + number}.7`;

/** So many senders send some bytes each and stop; then people come. */
async function attack(count: number, bytes: number, address: (at: number) => string) {
  const world = await createWorld();
  const senders: ReturnType<typeof sender>[] = [];
  let mostBytes = 0;
  for (let at = 0; at < count; at += 1) {
    const one = sender(world, address(at));
    senders.push(one);
    await one.send(bytes);
    mostBytes = Math.max(mostBytes, openUploads().bytes);
  }
  const person = await publishAsPerson(world);
  const neighbour = await publishAsPerson(world, address(0));
  for (const one of senders) one.end();
  const answers = await Promise.all(senders.map(({ status }) => status));
  await world.end();
  const gaveWay = answers.filter((answer) => answer === "503 15").length;
  return { person, neighbour, gaveWay, mostBytes, leftOpen: openUploads().count };
}

const everywhere = (at: number) => network(at % 100);

describe("uploads that trickle", () => {
  test.each([
    ["24 of one address", 24, () => network(1)],
    ["200 of many addresses", 200, everywhere],
    ["200 of one IPv6 network", 200, (at: number) => `2001:db8:0:${at.toString(16)}::1`],
  ])("%s keep nobody from publishing with a photo", async (_, count, address) => {
    const { person, neighbour, leftOpen } = await attack(count, 1_000, address);

    // The neighbour has an address of theirs.
    expect({ person, neighbour, leftOpen }).toEqual({ person: 303, neighbour: 303, leftOpen: 0 });
  });
});

describe("uploads that come fast and then stall", () => {
  test("have a small share of the disk if they are of one network, and give way to a person who comes later", async () => {
    const { mostBytes, ...facts } = await attack(24, 7.9e6, () => network(1));

    const gaveWay = 24 + 1 - QUOTAS.uploadsPerNetwork;
    expect(facts).toEqual({ person: 303, neighbour: 303, gaveWay, leftOpen: 0 });
    expect(mostBytes).toBeGreaterThan(7 * MIB);
    expect(mostBytes).toBeLessThanOrEqual(QUOTAS.uploadsPerNetwork * QUOTAS.uploadBytes);
  });
});

/** Forms with a large photo, all of which have arrived, of four networks; then a person publishes. */
async function attackWhole() {
  const world = await createWorld();
  const photo = await jpeg({ width: 2500, height: 2500 });
  let answered = 0;
  const refused = Promise.withResolvers<void>();
  const answers = Array.from({ length: QUOTAS.uploads }, async (_, at) => {
    const form = { method: "POST", ...upload({ type: "lost" }, [photo]) };
    const { status } = await world.fetch("/publish", form, network(at % 4));
    answered += 1;
    if (answered === QUOTAS.uploads - 4 * QUOTAS.decodesPerNetwork) refused.resolve();
    return status;
  });
  await refused.promise;
  const person = await publishAsPerson(world);
  const isBeforeOthers = answered < QUOTAS.uploads;
  const statuses = await Promise.all(answers);
  await world.end();
  return { person, isBeforeOthers, refused: statuses.filter((status) => status === 503).length };
}

describe("forms of four networks whose photos wait to be decoded", () => {
  test("keep nobody from publishing with a photo", async () => {
    expect(await attackWhole()).toEqual({
      person: 303,
      isBeforeOthers: true,
      refused: QUOTAS.uploads - 4 * QUOTAS.decodesPerNetwork,
    });
  });
});

test("requests without photos that come fast and then stall keep nobody from writing", async () => {
  const world = await createWorld();
  const senders = Array.from({ length: 200 }, (_, at) => sender(world, everywhere(at), CALL));
  for (const one of senders) await one.send(100_000);

  const answer = await world.post("/subscribe", { place: "Lyon", email: "reader@example.org" });

  expect(answer.status).toBe(303);
  for (const one of senders) one.end();
  const answers = await Promise.all(senders.map(({ status }) => status));
  const gaveWay = answers.filter((status) => status === "503 15").length;
  expect(gaveWay).toBe(200 + 1 - QUOTAS.bodies);
  await world.end();
});

test("a form whose type names no boundary is not received to its end", async () => {
  const world = await createWorld();
  const { promise: cancelled, resolve: cancel } = Promise.withResolvers<void>();
  const pull = (source: ReadableStreamDefaultController) => source.enqueue(Buffer.alloc(1_000));
  const body = new ReadableStream({ pull, cancel });
  const headers = { "Content-Type": "multipart/form-data" };

  const { status } = await world.fetch("/publish", { method: "POST", headers, body });

  expect(status).toBe(400);
  await cancelled;
  await world.end();
});

test("uploads of all networks leave the room on the disk that is kept free of photos", () => {
  expect(QUOTAS.uploads * QUOTAS.uploadBytes).toBeLessThanOrEqual(QUOTAS.diskWithoutPhotos);
});
