import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { HOUR, MINUTE } from "./support/time.ts";
import { createWorld, form, json, LOST_CAT, type World } from "./support/world.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

const HOME = "198.51.100.7";
const HOSTED = "160.79.105.20";
let asked = 0;
/** A publication that differs from every other one. */
const publication = (about: Record<string, unknown> = {}) => ({
  ...LOST_CAT,
  name: `Cat ${(asked += 1)}`,
  email: `owner${asked}@example.org`,
  ...about,
});
const body = (calls: readonly object[]) => JSON.stringify(calls.length === 1 ? calls[0] : calls);
const call = (args: object, id = 1, name = "publish_alert") => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args },
});

async function post(
  calls: readonly object[],
  from: string | null = HOME,
  headers: Record<string, string> = {},
): Promise<any[]> {
  const answer = await json(
    world.fetch(
      "/api/mcp",
      {
        method: "POST",
        headers: { "Content-Type": "application/json", ...headers },
        body: body(calls),
      },
      from,
    ),
  );
  return Array.isArray(answer) ? answer : [answer];
}
const accepted = (answers: readonly any[]) =>
  answers.filter((answer) => answer.result?.isError !== true).length;
const publish = (from: string | null = HOME, about: Record<string, unknown> = {}, headers = {}) =>
  post([call(publication(about))], from, headers);

describe("publications", () => {
  test("five an hour go through, the sixth is told when to come back, and then goes through", async () => {
    for (let number = 0; number < 5; number++) expect(accepted(await publish())).toBe(1);

    const [refused] = await publish();
    expect(refused.result.isError).toBe(true);
    expect(refused.result.content[0].text).toContain("Try again in 60 minutes");

    await world.pass(59 * MINUTE);
    expect(accepted(await publish())).toBe(0);
    await world.pass(MINUTE);
    expect(accepted(await publish())).toBe(1);
  });

  test("a restart forgets nothing", async () => {
    for (let number = 0; number < 5; number++) await publish();
    await world.restart();

    expect(accepted(await publish())).toBe(0);
  });

  test("a batch and calls at once count call by call", async () => {
    const batch = await post(Array.from({ length: 4 }, (_, id) => call(publication(), id)));
    expect(accepted(batch)).toBe(4);

    const parallel = await Promise.all(Array.from({ length: 6 }, () => publish()));
    expect(accepted(parallel.flat())).toBe(1);
  });

  test("requests that do not pass validation count for nothing, nor does the same request again", async () => {
    for (let number = 0; number < 10; number++)
      expect(accepted(await publish(HOME, { lat: 91 }))).toBe(0);
    const same = publication();
    for (let number = 0; number < 10; number++) expect(accepted(await post([call(same)]))).toBe(1);

    for (let number = 0; number < 4; number++) expect(accepted(await publish())).toBe(1);
    expect(accepted(await publish())).toBe(0);
  });

  test("neighbours in one IPv6 network are one caller, other networks are others, unknown callers share one bucket", async () => {
    for (let number = 0; number < 5; number++) await publish(`2001:db8:0:1::${number + 1}`);

    expect(accepted(await publish("2001:db8:0:1:ffff::1"))).toBe(0);
    expect(accepted(await publish("2001:db8:0:2::1"))).toBe(1);
    for (let number = 0; number < 5; number++) expect(accepted(await publish(null))).toBe(1);
    expect(accepted(await publish(null))).toBe(0);
  });

  test("nobody becomes someone else by a forged header", async () => {
    for (let number = 0; number < 5; number++)
      await publish(HOME, {}, { "X-Forwarded-For": `203.0.113.${number}` });

    expect(accepted(await publish(HOME, {}, { "X-Forwarded-For": "203.0.113.99" }))).toBe(0);
  });

  test("behind one proxy the caller is who the proxy saw, whatever stands further left", async () => {
    await world.end();
    world = await createWorld({ TRUST_PROXY: "1" });
    for (let number = 0; number < 5; number++)
      await publish("10.0.0.1", {}, { "X-Forwarded-For": `203.0.113.${number}, ${HOME}` });

    expect(accepted(await publish("10.0.0.1", {}, { "X-Forwarded-For": `1.1.1.1, ${HOME}` }))).toBe(
      0,
    );
    expect(
      accepted(await publish("10.0.0.1", {}, { "X-Forwarded-For": `${HOME}, 203.0.113.1` })),
    ).toBe(1);
  });
});

describe("hosted assistants", () => {
  test("stand for many people: each address given has a limit of its own", async () => {
    for (let number = 0; number < 12; number++) expect(accepted(await publish(HOSTED))).toBe(1);
    for (let number = 0; number < 5; number++)
      expect(accepted(await publish(HOSTED, { email: "one@example.org" }))).toBe(1);

    expect(accepted(await publish(HOSTED, { email: "one@example.org" }))).toBe(0);
    expect(accepted(await publish(HOSTED, { email: "o.n.e+x@example.org" }))).toBe(1);
    expect(accepted(await publish(HOSTED, { email: "one+tag@example.org" }))).toBe(0);
  });

  test("together make a hundred publications an hour at most", async () => {
    for (let number = 0; number < 100; number++) expect(accepted(await publish(HOSTED))).toBe(1);

    expect(accepted(await publish(HOSTED))).toBe(0);
    expect(accepted(await publish(HOME))).toBe(1);
  });
});

describe("messages and subscriptions", () => {
  test("ten subscriptions an hour go through", async () => {
    const subscribe = (lat: number) =>
      post([call({ lat, lng: 1, email: `s${lat}@example.org` }, 1, "subscribe_zone")]);
    for (let lat = 0; lat < 10; lat++) expect(accepted(await subscribe(lat))).toBe(1);

    expect(accepted(await subscribe(50))).toBe(0);
  });

  test("twenty messages an hour go through, by tool and by page together", async () => {
    const alert = await world.publish();
    const write = (number: number) =>
      post([
        call(
          { alert: alert.id, message: `hello ${number}`, email: `m${number}@example.org` },
          1,
          "send_message",
        ),
      ]);
    for (let number = 0; number < 19; number++) expect(accepted(await write(number))).toBe(1);
    const page = await world.fetch(`/alerts/${alert.slug}/contact`, {
      method: "POST",
      ...form({ message: "hello by page", email: "p@example.org" }),
    });
    expect(page.status).toBe(303);

    expect(accepted(await write(20))).toBe(0);
    const refused = await world.fetch(`/alerts/${alert.slug}/contact`, {
      method: "POST",
      ...form({ message: "again by page", email: "q@example.org" }),
    });
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([
      429,
      String(HOUR / 1000),
    ]);
  });

  test("limits can be set and switched off", async () => {
    await world.end();
    world = await createWorld({ LIMIT_PUBLISH: "1/m", LIMIT_SUBSCRIBE: "off" });

    expect([accepted(await publish()), accepted(await publish())]).toEqual([1, 0]);
    await world.pass(MINUTE);
    expect(accepted(await publish())).toBe(1);
    for (let lat = 0; lat < 15; lat++)
      expect(
        accepted(
          await post([call({ lat, lng: 2, email: `u${lat}@example.org` }, 1, "subscribe_zone")]),
        ),
      ).toBe(1);
  });
});

describe("forms with pictures", () => {
  /** A form whose body comes when it is let go. */
  function slow(from: string) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const body = new ReadableStream({
      async pull(controller) {
        await promise;
        controller.enqueue(new TextEncoder().encode("--x--\r\n"));
        controller.close();
      },
    });
    const headers = { "Content-Type": "multipart/form-data; boundary=x" };
    const answer = world.fetch("/publish", { method: "POST", headers, body }, from);
    return { answer, letGo: resolve };
  }

  test("are read a few at once, for each caller and together; the rest is told to come again", async () => {
    const started = Array.from({ length: 24 }, (_, at) => slow(`198.51.100.${Math.floor(at / 6)}`));
    const full = await slow("198.51.100.0").answer;
    const crowded = await slow("203.0.113.5").answer;
    for (const { letGo } of started) letGo();
    const read = await Promise.all(started.map(({ answer }) => answer));
    const next = slow("198.51.100.0");
    next.letGo();

    for (const refused of [full, crowded])
      expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "10"]);
    expect(new Set(read.map(({ status }) => status))).toEqual(new Set([400]));
    expect((await next.answer).status).toBe(400);
  });

  test("of one caller leave room for others", async () => {
    const started = Array.from({ length: 6 }, () => slow(HOME));
    const other = slow("203.0.113.5");
    other.letGo();

    expect((await slow(HOME).answer).status).toBe(503);
    expect((await other.answer).status).toBe(400);
    for (const { letGo } of started) letGo();
    await Promise.all(started.map(({ answer }) => answer));
  });
});
