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
let publications = 0;
/** Arguments of a publication, different each time. */
const publication = (about: Record<string, unknown> = {}) => ({
  ...LOST_CAT,
  name: `Cat ${(publications += 1)}`,
  email: `owner${publications}@example.org`,
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
  test("are limited to five an hour; the sixth is told when to try again, and then accepted", async () => {
    for (let number = 0; number < 5; number++) expect(accepted(await publish())).toBe(1);

    const [refused] = await publish();
    expect(refused.result.isError).toBe(true);
    expect(refused.result.content[0].text).toContain("Try again in 60 minutes");

    await world.pass(59 * MINUTE);
    expect(accepted(await publish())).toBe(0);
    await world.pass(MINUTE);
    expect(accepted(await publish())).toBe(1);
  });

  test("still count after a restart", async () => {
    for (let number = 0; number < 5; number++) await publish();
    await world.restart();

    expect(accepted(await publish())).toBe(0);
  });

  test("in a batch or in parallel count one by one", async () => {
    const batch = await post(Array.from({ length: 4 }, (_, id) => call(publication(), id)));
    expect(accepted(batch)).toBe(4);

    const parallel = await Promise.all(Array.from({ length: 6 }, () => publish()));
    expect(accepted(parallel.flat())).toBe(1);
  });

  test("count if they are valid, repeated ones too", async () => {
    for (let number = 0; number < 10; number++)
      expect(accepted(await publish(HOME, { lat: 91 }))).toBe(0);
    const same = publication();
    for (let number = 0; number < 3; number++) expect(accepted(await post([call(same)]))).toBe(1);

    for (let number = 0; number < 2; number++) expect(accepted(await publish())).toBe(1);
    expect(accepted(await post([call(same)]))).toBe(0);
    expect(accepted(await publish())).toBe(0);
  });

  test("count per IPv6 /64 and four times as many per /56, and together for clients with an unknown address", async () => {
    for (let number = 0; number < 5; number++) await publish(`2001:db8:0:1::${number + 1}`);

    expect(accepted(await publish("2001:db8:0:1:ffff::1"))).toBe(0);
    for (const net of [2, 3, 4])
      for (let number = 0; number < 5; number++)
        expect(accepted(await publish(`2001:db8:0:${net}::1`))).toBe(1);
    expect(accepted(await publish("2001:db8:0:5::1"))).toBe(0);
    expect(accepted(await publish("2001:db8:0:100::1"))).toBe(1);
    for (let number = 0; number < 5; number++) expect(accepted(await publish(null))).toBe(1);
    expect(accepted(await publish(null))).toBe(0);
  });

  test("cannot be attributed to another client by a forged header; behind one proxy they count for the address the proxy saw", async () => {
    for (let number = 0; number < 5; number++)
      await publish(HOME, {}, { "X-Forwarded-For": `203.0.113.${number}` });
    expect(accepted(await publish(HOME, {}, { "X-Forwarded-For": "203.0.113.99" }))).toBe(0);

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
  test("are not limited by the address they name, in whatever spelling", async () => {
    for (let number = 0; number < 12; number++) expect(accepted(await publish(HOSTED))).toBe(1);
    for (let number = 0; number < 12; number++)
      expect(accepted(await publish(HOSTED, { email: `one+${number % 2}@example.org` }))).toBe(1);
  });

  test("share fifty emails an hour to unknown mailboxes; beyond them requests are accepted and wait", async () => {
    for (let number = 0; number < 60; number++) expect(accepted(await publish(HOSTED))).toBe(1);

    await world.pass(5 * MINUTE, MINUTE);
    expect(world.sentMail).toHaveLength(50);
  });
});

describe("messages and subscriptions", () => {
  test("are limited to ten subscriptions an hour", async () => {
    const subscribe = (lat: number) =>
      post([call({ lat, lng: 1, email: `s${lat}@example.org` }, 1, "subscribe_zone")]);
    for (let lat = 0; lat < 10; lat++) expect(accepted(await subscribe(lat))).toBe(1);

    expect(accepted(await subscribe(50))).toBe(0);
  });

  test("are limited to twenty messages an hour, by tool and page together", async () => {
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

  test("have limits that can be changed and switched off", async () => {
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
