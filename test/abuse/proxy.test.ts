import { expect, test } from "bun:test";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { CONTROL_SOCKET } from "../../src/http/control.ts";
import { FROM_SOURCES, run, scratchFolder, type Served, serve } from "../support/process.ts";
import { HOUR, MINUTE } from "../support/time.ts";
import { createWorld, json, LOST_CAT } from "../support/world.ts";

const TRIES = 20;
/** LIMIT_PUBLISH when nothing is set. */
const LIMIT = 5;

/** Settings of the command that docs/operations.md gives for production. */
async function productionSettings(): Promise<Record<string, string>> {
  const operations = await Bun.file("docs/operations.md").text();
  const command = /^(?:\w+=\S+ )+\.\/pet-alert-linux-x64$/m.exec(operations)?.[0] ?? "";
  return Object.fromEntries(
    [...command.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  );
}

/** An address of this machine other than 127.0.0.1: what others on the network connect to, where there is a network. */
function otherAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  const outer = addresses.find(({ family, internal }) => family === "IPv4" && !internal);
  return outer?.address ?? "127.0.0.2";
}

/** A call of publish_alert, each for another alert and mailbox. */
function publication(number: number, forwarded: string): RequestInit {
  const args = { ...LOST_CAT, name: `Cat ${number}`, email: `owner${number}@example.org` };
  return {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Forwarded-For": forwarded },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: number,
      method: "tools/call",
      params: { name: "publish_alert", arguments: args },
    }),
  };
}

/** How many of the publications were accepted; a refused connection accepts none. */
async function accepted(url: string, forwarded: (at: number) => string): Promise<number> {
  let count = 0;
  for (let at = 0; at < TRIES; at += 1) {
    const answer = await fetch(url, publication(at, forwarded(at))).catch(() => null);
    if (answer === null) continue;
    const { result } = await json(answer);
    if (result !== undefined && result.isError !== true) count += 1;
  }
  return count;
}

const portOf = ({ baseUrl }: Served) => new URL(baseUrl).port;

/** Starts the program as the document says and publishes with forged headers, from outside and through the proxy. */
async function attack() {
  const folder = scratchFolder();
  const settings = await productionSettings();
  // `serve` of these tests sets HOST; an empty one is an unset one.
  const served = await serve(folder.path, { ...settings, HOST: "" });
  const forged = (at: number) => `203.0.113.${at}`;
  const direct = await accepted(`http://${otherAddress()}:${portOf(served)}/api/mcp`, forged);
  // As the proxy passes them on: with the address it saw at the end.
  const throughProxy = await accepted(
    `http://127.0.0.1:${portOf(served)}/api/mcp`,
    (at) => `${forged(at)}, 198.51.100.7`,
  );
  await served.stop();
  folder.forget();
  return { direct, throughProxy, said: served.said(), settings };
}

test("by the documented production command nobody gets past a limit with forged headers", async () => {
  const { direct, throughProxy, said, settings } = await attack();

  expect(settings).toMatchObject({ TRUST_PROXY: "1" });
  expect({ direct, throughProxy }).toEqual({ direct: 0, throughProxy: LIMIT });
  expect(said).toMatch(/listens on +127\.0\.0\.1:/);
});

test("a start that listens beyond this machine behind a proxy says so once", async () => {
  const folder = scratchFolder();
  const served = await serve(folder.path, { HOST: "0.0.0.0", TRUST_PROXY: "1" });
  await served.stop();
  folder.forget();

  expect(served.errors().match(/"event":"forged_addresses"/g)).toHaveLength(1);
  expect(served.errors()).toContain("can forge their address");
});

test.each([
  ["no header", "2", undefined],
  ["fewer entries than there are proxies", "2", "203.0.113.1"],
  ["an entry that is no address", "1", "unknown"],
  ["an empty entry", "1", "203.0.113.1, "],
])("a request with %s counts for the peer it came from", async (_, proxies, forwarded) => {
  const world = await createWorld({ TRUST_PROXY: proxies });
  let count = 0;
  for (let at = 0; at < TRIES; at += 1) {
    const init = publication(at, forwarded?.replace("113.1", `113.${at}`) ?? "");
    if (forwarded === undefined) delete (init.headers as Record<string, string>)["X-Forwarded-For"];
    const { result } = await json(world.fetch("/api/mcp", init, "10.0.0.1"));
    if (result.isError !== true) count += 1;
  }
  await world.end();

  expect(count).toBe(LIMIT);
});

const CLIENT = "198.51.100.7";
const CLIENT_IPV6 = "2001:db8:0:7::1";
test.each([
  [CLIENT, CLIENT],
  [CLIENT, ` ${CLIENT}:50100 `],
  [CLIENT, `"${CLIENT}:50100"`],
  [CLIENT, `[::ffff:${CLIENT}]:443`],
  [CLIENT_IPV6, `"[${CLIENT_IPV6}]:443"`],
  [CLIENT_IPV6, "2001:db8:0:7:0:0:0:1:443"],
  [CLIENT_IPV6, `${CLIENT_IPV6}%eth0`],
])("the client %s is known by the entry %s", async (client, entry) => {
  const world = await createWorld({ TRUST_PROXY: "1" });
  for (let at = 0; at < LIMIT; at += 1)
    await json(world.fetch("/api/mcp", publication(at, `203.0.113.9, ${client}`), "10.0.0.1"));
  const again = json(world.fetch("/api/mcp", publication(7, `203.0.113.9, ${entry}`), "10.0.0.1"));
  const { result } = await again;
  const other = json(world.fetch("/api/mcp", publication(8, "192.0.2.1:50100"), "10.0.0.1"));
  const { isError } = (await other).result;
  await world.end();

  expect([result.isError, isError]).toEqual([true, undefined]);
});

test.each(["", "unknown", "198.51.100", "[]:443"])(
  "an alarm says that the address of a client cannot be read from %p, and ends an hour after the last one",
  async (entry) => {
    const world = await createWorld({ TRUST_PROXY: "1" });
    const alarms = () => world.logged.filter((line) => line.includes("proxy")).length;
    await world.fetch("/about", { headers: { "X-Forwarded-For": CLIENT } });
    await world.fetch("/healthz");
    await world.tick();
    expect(alarms()).toBe(0);

    await world.fetch("/about", entry === "" ? {} : { headers: { "X-Forwarded-For": entry } });
    await world.pass(MINUTE);
    expect(world.logged.join()).toContain("X-Forwarded-For holds no address that can be read");
    await world.pass(MINUTE);
    expect(alarms()).toBe(1);
    if (entry !== "") expect(world.logged.join()).not.toContain(`"${entry}"`);

    await world.pass(2 * HOUR, MINUTE);
    expect(world.logged.at(-1)).toStartWith("alarm_resolved");
    await world.end();
  },
);

test("check warns of it while the service runs, and says nothing without a proxy", async () => {
  const settings = { TRUST_PROXY: "1", BASE_URL: "https://pets.example.org" };
  const world = await createWorld(settings);
  const control = Bun.serve({
    unix: join(world.dataDir, CONTROL_SOCKET),
    fetch: (request) => world.app.control(request),
  });
  const check = async (trustProxy: string) => {
    const env = { ...settings, TRUST_PROXY: trustProxy, DATA_DIR: world.dataDir };
    return (await run(FROM_SOURCES, ["check"], env)).said;
  };
  expect(await check("1")).toContain("ok    The addresses of clients can be read.");

  await world.fetch("/about", { headers: { "X-Forwarded-For": "unknown" } });
  await world.pass(MINUTE);
  expect(await check("1")).toContain("warn  X-Forwarded-For holds no address that can be read");
  expect(await check("0")).not.toContain("X-Forwarded-For");
  await control.stop(true);
  await world.end();
}, 60_000);

test("callers whose address is not known share one small limit", async () => {
  const world = await createWorld();
  let count = 0;
  for (let at = 0; at < TRIES; at += 1) {
    const answer = world.fetch("/api/mcp", publication(at, `203.0.113.${at}`), null);
    if ((await json(answer)).result.isError !== true) count += 1;
  }
  await world.end();

  expect(count).toBe(LIMIT);
});
