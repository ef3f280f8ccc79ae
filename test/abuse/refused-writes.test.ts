import { afterEach, expect, test } from "bun:test";
import { FACTORS } from "../../src/core/caps.ts";
import { MINUTE } from "../support/time.ts";
import { createWorld, form, json, LOST_CAT, type World } from "../support/world.ts";

const HOME = "198.51.100.7";
const TOMORROW = "2100-01-01";

let world: World;
afterEach(() => world.end());

const call = (args: object, id = 1, name = "publish_alert") => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args },
});

async function post(body: object, from = HOME) {
  const headers = { "Content-Type": "application/json" };
  return json(
    world.fetch("/api/mcp", { method: "POST", headers, body: JSON.stringify(body) }, from),
  );
}

const textOf = (answer: any): string => answer.result?.content[0].text ?? "";
const reads = async (from = HOME) => (await world.fetch("/api/v1/alerts", {}, from)).status;

test("beyond the limit nothing is fetched or cleaned: the limit is the first thing found", async () => {
  const fetched: string[] = [];
  world = await createWorld(
    { LIMIT_PUBLISH: "1/h", LIMIT_MESSAGE: "1/h", LIMIT_SUBSCRIBE: "1/h" },
    {
      fetchPhoto: async (address) => {
        fetched.push(address);
        throw new Error("no photo here");
      },
    },
  );
  const alert = await world.publish();
  const writes = {
    publish_alert: { ...LOST_CAT, event_date: TOMORROW, photo_urls: ["https://example.org/a.jpg"] },
    send_message: { alert: "unknown-alert", message: "hello", email: "a@example.org" },
    subscribe_zone: { lat: 1, lng: 1, email: "a@example.org" },
  };
  await post(call({ ...writes.send_message, alert: alert.id }, 1, "send_message"));
  await post(call(writes.subscribe_zone, 1, "subscribe_zone"));

  for (const [tool, args] of Object.entries(writes))
    expect(textOf(await post(call(args, 1, tool))), tool).toContain("the limit is 1 an hour");
  const page = await world.fetch(`/alerts/${alert.slug}/contact`, {
    method: "POST",
    ...form({ message: "x", email: "b@example.org" }),
  });
  expect(page.status).toBe(429);
  expect(fetched).toEqual([]);
});

test("a publication with an impossible day is refused before its texts are cleaned", async () => {
  world = await createWorld();
  // Cleaned, the colour would be empty.
  const answer = await post(call({ ...LOST_CAT, color: "\u200b", event_date: TOMORROW }));

  expect(textOf(answer)).toContain("event_date");
  expect(textOf(answer)).not.toContain("color");
});

test("a refused write counts as ten reads, by tool and page; one that is accepted and a refused read count once", async () => {
  world = await createWorld({ LIMIT_READ: "34/m", LIMIT_PUBLISH: "1/h" });
  expect(FACTORS.readsPerRefusedWrite).toBe(10);
  expect(textOf(await post(call(LOST_CAT)))).toContain("pending_confirmation");
  expect(textOf(await post(call({ alert: "unknown" }, 1, "get_alert")))).not.toBe("");
  expect(await reads()).toBe(200);

  expect(textOf(await post(call({ ...LOST_CAT, lat: 91 })))).toContain("lat");
  expect(textOf(await post(call(LOST_CAT)))).toContain("the limit is 1 an hour");
  const page = await world.fetch("/subscribe", { method: "POST", ...form({ email: "nobody" }) });
  expect(page.status).toBe(400);

  expect([await reads(), await reads()]).toEqual([200, 429]);
  expect(await reads("198.51.100.8")).toBe(200);
  world.jump(MINUTE);
  expect(await reads()).toBe(200);
});

const PART = '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\n';
const MULTIPART = "multipart/form-data; boundary=x";

test.each([
  ["too large by its length", 413, { "Content-Length": "300000" }, "application/json", 300_000],
  ["too large in chunks", 413, {}, "application/json", 300_000],
  ["a form of too much text", 413, {}, MULTIPART, 300_000],
  ["a form without an end", 400, {}, MULTIPART, 100],
])("a body that is %s counts as ten reads", async (_, status, headers, type, bytes) => {
  world = await createWorld({ LIMIT_READ: "11/m" });
  const body = new Blob([PART, Buffer.alloc(bytes, "x")]).stream();
  const init = { method: "POST", headers: { "Content-Type": type, ...headers }, body };
  expect((await world.fetch("/subscribe", init, HOME)).status).toBe(status);

  expect([await reads(), await reads()]).toEqual([200, 429]);
});

test("a batch of refused writes ends where the reads are used up", async () => {
  world = await createWorld({ LIMIT_READ: "40/m" });
  const batch = Array.from({ length: 20 }, (_, id) => call({ ...LOST_CAT, lat: 91 }, id));

  const texts = (await post(batch)).map(textOf);

  // Twenty for the calls and nine more for each refusal.
  expect(texts.slice(0, 3).every((text: string) => text.includes("lat"))).toBe(true);
  expect(texts.slice(3).every((text: string) => text.startsWith("Too many requests"))).toBe(true);
});

test("networks of one /56 and one /48 have bounds of their own, which a single /64 cannot fill", async () => {
  world = await createWorld({ LIMIT_READ: "5/m" });
  const statuses = async (subnets: readonly string[], each: number) => {
    const found: number[] = [];
    for (const subnet of subnets)
      for (let nth = 0; nth < each; nth++) found.push(await reads(`2001:db8:7:${subnet}::${nth}`));
    return found.filter((status) => status === 200).length;
  };

  // One /64 gets its five, whatever it tries, and leaves its neighbours theirs.
  expect(await statuses(["100"], 100)).toBe(5);
  expect(await statuses(["101", "102"], 5)).toBe(10);
  // Four times as many for a household, and no more however many networks it uses.
  expect(await statuses(["103", "104", "105", "1ff"], 5)).toBe(5);
  // The next household has its own, up to sixteen times as many for the /48.
  expect(await statuses(["200", "201", "202", "203", "204"], 5)).toBe(20);
  expect(await statuses(["300", "301", "302", "303", "304"], 5)).toBe(20);
  expect(await statuses(["400", "401", "402", "403", "404"], 5)).toBe(20);
  expect(await statuses(["500", "501"], 5)).toBe(0);
  expect(await reads("2001:db8:8:100::1")).toBe(200);
});
