import { Database } from "bun:sqlite";
import { afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { DrizzleQueryError } from "drizzle-orm/errors";
import { Fault } from "../../src/core/fault.ts";
import { createLog, loggedError, LINES_PER_MINUTE } from "../../src/ops/log.ts";
import type { Mail } from "../../src/mail/mime-message.ts";
import { memoryTransport } from "../support/memory-transport.ts";
import { createWorld, form, linkIn, LOST_CAT, upload, type World } from "../support/world.ts";
import { DAWN, HOUR, MINUTE } from "../support/time.ts";

describe("a line of the log", () => {
  test("is one JSON object with the time, the event and its details", () => {
    const lines: string[] = [];
    const log = createLog({ write: (line) => lines.push(line), clock: () => DAWN });

    log("backup", { alerts: 3, note: "two\nlines" });

    expect(lines).toEqual([
      '{"at":"2026-05-01T08:00:00.000Z","event":"backup","alerts":3,"note":"two\\nlines"}',
    ]);
  });

  test("is left out beyond so many of its event a minute, and counted", () => {
    const lines: { event: string; left_out?: number }[] = [];
    const clock = { now: DAWN };
    const write = (line: string) => lines.push(JSON.parse(line));
    const log = createLog({ write, clock: () => clock.now, whole: ["request"] });

    for (let nth = 0; nth < LINES_PER_MINUTE + 7; nth++)
      for (const event of ["bug", "request"]) log(event);
    log("alarm");
    clock.now += MINUTE;
    log("bug");
    log("bug");

    const of = (event: string) => lines.filter((line) => line.event === event);
    expect(of("request")).toHaveLength(LINES_PER_MINUTE + 7);
    expect(of("alarm")).toHaveLength(1);
    expect(of("bug")).toHaveLength(LINES_PER_MINUTE + 2);
    expect(
      of("bug")
        .map((line) => line.left_out ?? 0)
        .filter((left) => left > 0),
    ).toEqual([7]);
  });
});

describe("of an error the log holds", () => {
  const caught = (work: () => unknown): unknown => {
    try {
      return work();
    } catch (error) {
      return error;
    }
  };

  test.each<readonly [string, () => unknown, string]>([
    ["a parser quotes", () => JSON.parse('{"a": canary}'), "JSON Parse error"],
    ["a name", () => Reflect.get(Object(null), "canary").canary, "undefined is not an object"],
    ["with an apostrophe", () => fail("it can't be, it's ‘canary’"), "it can't be, it's"],
    ["an address after words", () => fail("refused by canary@example.org"), "refused by"],
  ])("what its code says, not the values: %s", (_, work, message) => {
    const shown = loggedError(caught(work));

    expect(shown.message).toBe(message);
    expect(shown.frames.join("\n")).toContain("log.test.ts:");
    expect(shown.frames.join("\n")).not.toContain("canary");
  });

  test("words of ours in full, its code, and what caused it", () => {
    const cause = Object.assign(new Error("UNIQUE constraint failed: a.b"), {
      code: "SQLITE_CONSTRAINT",
    });
    const shown = loggedError(
      new AggregateError(
        [new Fault("unavailable", "Wait 5 minutes: the disk is full."), new Error("x", { cause })],
        "some failed",
      ),
    );

    expect(shown).toMatchObject({
      name: "AggregateError",
      message: "some failed",
      errors: [
        { name: "Fault", code: "unavailable", message: "Wait 5 minutes: the disk is full." },
        { cause: { code: "SQLITE_CONSTRAINT", message: "UNIQUE constraint failed" } },
      ],
    });
  });

  test("a query without its parameters, and why it failed", () => {
    const cause = new Error("no such table: pending");
    const params = ["canary@example.org", "canary words"];

    const shown = loggedError(
      new DrizzleQueryError("insert into pending values (?, ?)", params, cause),
    );

    expect(shown).toMatchObject({
      name: "DrizzleQueryError",
      message: "Failed query",
      cause: { message: "no such table" },
    });
    expect(JSON.stringify(shown)).not.toContain("canary");
  });

  function fail(message: string): never {
    throw new Error(message);
  }
});

describe("requests in the log", () => {
  const lines: Record<string, unknown>[] = [];
  const stopwatch = { ms: 0 };
  let world: World;
  afterEach(async () => {
    await world.end();
    lines.length = 0;
  });
  const open = async (logged: string) => {
    world = await createWorld(
      { LOG_REQUESTS: logged },
      {
        log: createLog({ write: (line) => lines.push(JSON.parse(line)), clock: () => DAWN }),
        stopwatch: () => stopwatch.ms,
      },
    );
  };

  test("are all told when all are wanted, by their route", async () => {
    await open("on");

    const answer = await world.fetch("/confirm/not-a-token?lang=en");
    const head = await world.fetch("/healthz", { method: "HEAD" });
    await world.fetch("/nothing/of/ours", { method: "PURGE" });

    const request = answer.headers.get("X-Request-Id");
    expect(request).toMatch(/^[0-9a-f]{12}$/);
    expect(lines).toEqual([
      {
        at: expect.any(String),
        event: "request",
        request,
        method: "GET",
        route: "/confirm/:token",
        status: 404,
        ms: 0,
      },
      expect.objectContaining({
        method: "HEAD",
        route: "/healthz",
        status: 200,
        request: head.headers.get("X-Request-Id"),
      }),
      expect.objectContaining({ method: "other", route: "none", status: 404 }),
    ]);
  });

  test("are told when they failed or took long, otherwise not", async () => {
    await open("errors");
    await world.fetch("/nothing");
    await world.fetch("/");
    expect(lines).toEqual([]);

    world.app.service.alerts.search = async () => {
      stopwatch.ms += 2_345.67;
      const explanation = { corrections: [], exclusions: [] };
      return { alerts: [], nextCursor: null, total: null, explanation };
    };
    await world.fetch("/api/v1/alerts.geojson");

    expect(lines).toMatchObject([{ route: "/api/v1/alerts.geojson", status: 200, ms: 2345.7 }]);
  });

  test("carry a number of ours, which a person can quote when something broke", async () => {
    await open("errors");
    breakStore(world);
    const claimed = { headers: { "X-Request-Id": "canary" } };

    const page = await world.fetch("/alerts/ABC234", claimed);
    const told = await world
      .tool("get_alert", { alert: "ABC234" })
      .catch((error: Error) => error.message);

    const request = page.headers.get("X-Request-Id") ?? "";
    expect(request).toMatch(/^[0-9a-f]{12}$/);
    expect(await page.text()).toContain(`We have logged it as ${request}.`);
    expect(lines.slice(0, 2)).toMatchObject([
      {
        event: "bug",
        request,
        route: "/alerts/:name",
        error: { code: "SQLITE_ERROR", message: "no such table" },
      },
      { event: "request", request, route: "/alerts/:name", status: 500 },
    ]);
    expect(lines[2]).toMatchObject({ event: "bug", tool: "get_alert" });
    expect(told).toContain(`logged as ${lines[2]?.["request"]}.`);
  });

  test("have numbers of their own, on pages kept for long and refused ones too", async () => {
    await open("off");
    const paths = [
      "/",
      "/style.css",
      "/api/qr/ABC234",
      "/api/v1/alerts?lat=91&lng=0",
      "/healthz",
      "/api/mcp",
    ];

    const ids = await Promise.all(
      paths.map(async (path) => (await world.fetch(path)).headers.get("X-Request-Id")),
    );

    expect(new Set(ids).size).toBe(paths.length);
    expect(ids).not.toContain(null);
  });
});

test("whatever is sent to whatever address, and breaks inside, no word of it comes into the log", async () => {
  const lines: string[] = [];
  // The server's words name the reader, as those of real ones do.
  const refuse = ({ to }: Mail) =>
    ({ kind: "refused", why: `550 5.1.1 ${to.split("@")[0]}... User unknown (${to})` }) as const;
  let refused = false;
  const transport = memoryTransport({
    answer: (mail) => (refused ? refuse(mail) : { kind: "sent" }),
  });
  const world = await createWorld(
    {
      LOG_REQUESTS: "on",
      LIMIT_PUBLISH: "off",
      LIMIT_MESSAGE: "off",
      LIMIT_SUBSCRIBE: "off",
      ADMIN_EMAILS: "canary-moderator@example.org",
    },
    {
      transport,
      log: createLog({
        write: (line) => lines.push(line),
        clock: () => DAWN,
        whole: ["request", "bug", "mail"],
      }),
    },
  );
  const canaries = ["canary", "45.774", "4.832", "612345678", "12 34 56", "198.51.100"];
  const said = {
    text: "canary words",
    message: "canary words 06 12 34 56 78",
    reason: "other",
    name: "canary",
  };
  const about = {
    ...LOST_CAT,
    ...said,
    name: "Canary",
    description: "canary +33612345678",
    microchip: "250269812345678",
  };
  const tokens: string[] = [];
  const keepTokens = () => {
    for (const { mail } of transport.kept)
      for (const [, token = ""] of mail.text.matchAll(/\/([\w-]{43})(?=[/\s]|$)/g))
        tokens.push(token);
  };
  const emailsTo = async (to: string) => {
    await world.tick();
    return transport.kept.filter((kept) => kept.envelope.to === to).map(({ mail }) => mail);
  };
  const confirm = async (to: string) => {
    const mail = (await emailsTo(to)).findLast(({ text }) => text.includes("/confirm/"));
    return world.fetch(linkIn({ text: mail?.text } as never, "/confirm/"), {
      method: "POST",
      ...form({}),
    });
  };

  // A life: everything that can be written is written by somebody, answered and read.
  const { slug } = await world.tool("publish_alert", {
    ...LOST_CAT,
    email: "canary-owner@example.org",
    name: "Canary",
    description: "canary",
  });
  await confirm("canary-owner@example.org");
  await world.tool("subscribe_zone", {
    lat: LOST_CAT.lat,
    lng: LOST_CAT.lng,
    email: "canary-zone@example.org",
    label: "canary",
  });
  await confirm("canary-zone@example.org");
  await world.tool("send_message", {
    alert: slug,
    message: "canary words",
    email: "canary-writer@example.org",
    name: "canary",
  });
  await confirm("canary-writer@example.org");
  await world.pass(HOUR, MINUTE);
  keepTokens();
  canaries.push(String(slug));

  const everywhere = async () => {
    for (const { path, method } of world.app.routes) {
      if (path.includes("*")) continue;
      for (const name of ["canary-path", String(slug), ...tokens.slice(-4)]) {
        const address = path.replaceAll(/:\w+(\{[^}]*\})?/g, name);
        const query = "?q=canary&lat=45.7741&lng=4.8321&email=canary@example.org";
        if (method === "GET" || method === "ALL") await world.fetch(`${address}${query}`);
        if (method !== "POST" && method !== "ALL") continue;
        const fields = Object.fromEntries(
          Object.entries(about).map(([key, value]) => [key, String(value)]),
        );
        await world.fetch(address, { method: "POST", ...form(fields) });
        await world.fetch(address, { method: "POST", ...upload(fields) });
      }
    }
    for (const tool of [
      "publish_alert",
      "send_message",
      "subscribe_zone",
      "get_alert",
      "find_matches",
    ])
      await world
        .tool(tool, { ...about, alert: slug, email: "canary-tool@example.org" })
        .catch(() => {});
  };
  await everywhere();
  refused = true;
  await world.tool("publish_alert", { ...LOST_CAT, email: "canary.new@canary-domain.example" });
  await world.tick();
  refuseWithWords(world);
  await world.tool("publish_alert", { ...LOST_CAT, email: "canary@example.org" }).catch(() => {});
  expect(lines.at(-2)).toContain('"message":"the row is refused"');
  breakStore(world);
  await everywhere();
  await world.tick();

  const events = lines.map((line): string => JSON.parse(line).event);
  for (const [event, least] of Object.entries({ request: 500, bug: 50, mail: 1, tick_failed: 1 }))
    expect([event, events.filter((one) => one === event).length >= least]).toEqual([event, true]);
  expect(lines.find((line) => line.includes("User unknown"))).toContain("[reader]... User unknown");
  expect(tokens.length).toBeGreaterThan(5);
  for (const canary of [...canaries, ...tokens, ...tokens.map((token) => token.slice(0, 12))])
    expect(lines.filter((line) => line.toLowerCase().includes(canary.toLowerCase()))).toEqual([]);
  await world.end();
}, 300_000);

/** From now on a request that is to be kept fails inside, with what it holds in the words of the error. */
function refuseWithWords({ dataDir }: World): void {
  const sqlite = new Database(join(dataDir, "pet-alert.sqlite"));
  sqlite.run(
    `CREATE TRIGGER refuse BEFORE INSERT ON pending
     BEGIN SELECT RAISE(ABORT, 'the row is refused: ' || NEW.email || NEW.payload); END`,
  );
  sqlite.close();
}

/** From now on every question to these tables fails inside, with what was asked for among the words of the error. */
function breakStore({ dataDir }: World): void {
  const sqlite = new Database(join(dataDir, "pet-alert.sqlite"));
  for (const table of ["alert", "pending", "private_link", "link", "hit", "zone"])
    if (sqlite.query("select 1 from sqlite_master where name = ?").get(table) !== null)
      sqlite.run(`ALTER TABLE ${table} RENAME TO ${table}_gone`);
  sqlite.close();
}
