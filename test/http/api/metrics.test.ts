import { afterEach, describe, expect, test } from "bun:test";
import { until } from "../../support/process.ts";
import { createWorld, LOST_CAT, type World } from "../../support/world.ts";
import { DAWN, MINUTE } from "../../support/time.ts";

let world: World;
const stopwatch = { ms: 0 };
afterEach(async () => {
  stopwatch.ms = 0;
  await world?.end();
});

async function open(
  settings: Readonly<Record<string, string>> = {},
  freeBytes = 5e9,
): Promise<void> {
  world = await createWorld(settings, {
    stopwatch: () => stopwatch.ms,
    freeBytes: async () => freeBytes,
  });
}

const HERE = "127.0.0.1";

/** Samples by name and labels, read from this machine. */
async function scrape(): Promise<ReadonlyMap<string, number>> {
  const answer = await world.fetch("/metrics", {}, HERE);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Content-Type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  return read(await answer.text());
}

/** Parses the text format strictly: https://prometheus.io/docs/instrumenting/exposition_formats/ */
function read(text: string): ReadonlyMap<string, number> {
  expect(text).toEndWith("\n");
  const samples = new Map<string, number>();
  const seen = new Set<string>();
  let family = { name: "", type: "" };
  for (const line of text.slice(0, -1).split("\n")) {
    const help = /^# HELP ([a-z_]+) (?:[^\\]|\\\\|\\n)+$/.exec(line);
    const type = /^# TYPE ([a-z_]+) (counter|gauge|histogram)$/.exec(line);
    const sample =
      /^([a-z_]+)(\{(?:[a-z]+="(?:[^"\\]|\\[\\"n])*",?)+\})? (-?\d+(?:\.\d+)?(?:e[+-]\d+)?|[+-]Inf|NaN)$/.exec(
        line,
      );
    const [, name = ""] = help ?? type ?? sample ?? [];
    expect([line, name]).not.toEqual([line, ""]);
    if (help !== null) {
      expect([name, seen.has(name)]).toEqual([name, false]);
      seen.add(name);
      family = { name, type: "" };
    } else if (type !== null) {
      expect([name, family.type]).toEqual([family.name, ""]);
      family.type = type[2] ?? "";
      expect([name, name.endsWith("_total")]).toEqual([name, family.type === "counter"]);
    } else {
      const suffixes = family.type === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
      expect(suffixes.map((suffix) => family.name + suffix)).toContain(name);
      const key = `${name}${sample?.[2] ?? ""}`;
      expect([key, samples.has(key)]).toEqual([key, false]);
      samples.set(key, Number(sample?.[3]?.replace("Inf", "Infinity")));
    }
  }
  return samples;
}

describe("metrics", () => {
  test("count requests by route, method and status, including refused ones", async () => {
    await open({ LIMIT_READ: "3/m" });

    for (const path of [
      "/api/v1/alerts/ABC234",
      "/api/v1/alerts/ABC235",
      "/nothing",
      "/api/v1/alerts",
    ])
      await world.fetch(path);
    await world.fetch("/api/v1/alerts", { method: "PURGE" }, null);

    const metrics = await scrape();
    const count = (labels: string) => metrics.get(`pet_alert_http_requests_total{${labels}}`);
    expect(count('route="/api/v1/alerts/:name",method="GET",status="404"')).toBe(2);
    expect(count('route="none",method="GET",status="404"')).toBe(1);
    expect(count('route="/api/v1/alerts",method="GET",status="429"')).toBe(1);
    expect(count('route="/api/v1/alerts",method="other",status="405"')).toBe(1);
    expect(metrics.get('pet_alert_limits_hit_total{limit="read"}')).toBe(1);
    // The request for the metrics.
    expect(metrics.get("pet_alert_http_requests_in_flight")).toBe(1);
  });

  test("contain request durations in cumulative buckets", async () => {
    await open();
    const durations = [0, 2.5, 30, 11_000];
    const { search } = world.app.service.alerts;
    world.app.service.alerts.search = async (...given) => {
      stopwatch.ms += durations.shift() ?? 0;
      return search(...given);
    };

    for (let nth = 0; nth < 4; nth++) await world.fetch("/api/v1/alerts.geojson");

    const metrics = await scrape();
    const of = (suffix: string, more = "") =>
      metrics.get(
        `pet_alert_http_request_duration_seconds_${suffix}{route="/api/v1/alerts.geojson"${more}}`,
      );
    const upTo = (le: string) => of("bucket", `,le="${le}"`);
    expect(["0.001", "0.0025", "0.05", "10", "+Inf"].map(upTo)).toEqual([1, 2, 3, 3, 4]);
    expect([of("count"), of("sum")]).toEqual([4, 11.0325]);
  });

  test("count rate-limited requests by limit, for tools and pages", async () => {
    await open({ LIMIT_SUBSCRIBE: "1/h" });
    const zone = (lat: number) =>
      world.tool("subscribe_zone", { lat, lng: 1, email: "a@example.org" }).catch(() => {});

    for (const lat of [1, 2, 3]) await zone(lat);

    expect((await scrape()).get('pet_alert_limits_hit_total{limit="zone"}')).toBe(2);
  });

  test("cover emails, the indexes, the disk and the process", async () => {
    await open();
    await world.publish();
    await world.tool("subscribe_zone", { lat: 1, lng: 1, email: "a@example.org" });
    world.jump(10 * MINUTE);

    const metrics = await scrape();

    // The owner's link and the confirmation of the zone.
    expect(metrics.get("pet_alert_outbox_emails")).toBe(2);
    expect(metrics.get("pet_alert_outbox_oldest_age_seconds")).toBe(600);
    expect(metrics.get("pet_alert_outbox_overdue_seconds")).toBe(600);
    expect(metrics.get('pet_alert_emails_total{outcome="sent"}')).toBe(1);
    expect(metrics.get("pet_alert_mail_paused_seconds")).toBe(0);
    expect(metrics.get("pet_alert_index_alerts")).toBe(1);
    expect(metrics.get("pet_alert_index_zones")).toBe(0);
    expect(metrics.get("pet_alert_disk_free_bytes")).toBe(5e9);
    expect(metrics.get('pet_alert_operator_alarm{about="mail"}')).toBe(0);
    expect(metrics.get("process_resident_memory_bytes")).toBeGreaterThan(1e7);
    expect(metrics.get("process_cpu_seconds_total")).toBeGreaterThan(0);
    expect(metrics.get("process_start_time_seconds")).toBeGreaterThan(1.7e9);
    expect([...metrics.keys()].join()).toMatch(
      /pet_alert_build_info\{version="[\d.]+",bun="[\d.]+"\}/,
    );
    // No backup was made.
    expect(metrics.has("pet_alert_backup_last_success_timestamp_seconds")).toBe(false);
  });

  test("contain the time of the last backup", async () => {
    await open({ BACKUP_KEEP: "1" });
    await world.tick();
    await until(() => world.logged.some((line) => line.startsWith("backup ")));

    const metrics = await scrape();

    expect(metrics.get("pet_alert_backup_last_success_timestamp_seconds")).toBe(DAWN / 1000);
    expect(metrics.get('pet_alert_log_events_total{event="backup"}')).toBe(1);
  });

  test("contain no user input", async () => {
    await open();
    const alert = await world.publish({ email: "canary@example.org", name: "Canary" });
    for (const path of [alert.url, `/confirm/canary`, `/?q=canary`, `/canary`])
      await world.fetch(path);

    const text = await (await world.fetch("/metrics", {}, HERE)).text();

    expect(text).toContain('route="/confirm/:token"');
    expect(text.toLowerCase()).not.toContain("canary");
    expect(text).not.toContain(LOST_CAT.color);
  });
});

const TOKEN = "t".repeat(32);

describe("metrics may be read by", () => {
  type Options = {
    from?: string | null;
    headers?: Record<string, string>;
    method?: string;
    host?: string;
  };
  const get = ({
    from = HERE,
    headers = {},
    method = "GET",
    host = "localhost:3000",
  }: Options = {}) => world.fetch(`http://${host}/metrics`, { headers, method }, from);

  test("a program on this machine, and nobody else, who gets 404 as for any unknown path", async () => {
    await open();
    for (const [from, host] of [
      ["127.8.9.1", "localhost:3000"],
      ["::1", "[::1]:3000"],
      ["::ffff:127.0.0.1", "localhost:3000"],
    ] as const)
      for (const method of ["GET", "HEAD"])
        expect((await get({ from, host, method })).status).toBe(200);

    const withoutAddresses = async (page: Response) =>
      (await page.text()).replaceAll(/\/(?:metrics|nothing-here)\b/g, "");
    const unknown = await withoutAddresses(await world.fetch("/nothing-here"));
    for (const asked of [
      { from: "10.0.0.2" },
      // A client that has disconnected.
      { from: null },
      { from: "::127.0.0.1" },
      // Clients behind a proxy, and one that names the public host.
      { headers: { "X-Forwarded-For": "127.0.0.1" } },
      { headers: { Forwarded: "for=198.51.100.7" } },
      { headers: { Via: "1.1 proxy" } },
      { host: "pets.example.org" },
    ]) {
      const answer = await get(asked);
      expect([asked, answer.status, answer.headers.get("Allow")]).toEqual([asked, 404, null]);
      expect(await withoutAddresses(answer)).toBe(unknown);
    }
  });

  test("no address if there may be a proxy, as its requests come from loopback", async () => {
    for (const settings of [
      { BASE_URL: "https://pets.example.org", TRUST_PROXY: "0" },
      { BASE_URL: "http://localhost:3000", TRUST_PROXY: "1" },
    ]) {
      await open(settings);
      expect((await get({ host: "127.0.0.1:3000" })).status).toBe(404);
      await world.end();
    }
    await open();
  });

  test("anyone who can open the control socket", async () => {
    await open({ BASE_URL: "https://pets.example.org", TRUST_PROXY: "1" });

    const answer = await world.app.control(new Request("http://control/metrics"));

    expect(answer.headers.get("Content-Type")).toStartWith("text/plain; version=0.0.4");
    expect(read(await answer.text()).get("pet_alert_index_alerts")).toBe(0);
  });

  test("everyone if METRICS_PUBLIC is on", async () => {
    await open({ METRICS_PUBLIC: "on" });

    expect(
      (await get({ from: "198.51.100.7", headers: { "X-Forwarded-For": "203.0.113.1" } })).status,
    ).toBe(200);
    expect((await get({ method: "POST" })).status).toBe(404);
  });

  test("a program elsewhere that sends the token, however often and behind a proxy", async () => {
    const BASE_URL = "https://pets.example.org";
    await open({ BASE_URL, TRUST_PROXY: "1", METRICS_TOKEN: TOKEN, LIMIT_READ: "1/m" });
    const asked = (Authorization: string, method = "GET") =>
      get({
        method,
        host: "pets.example.org",
        from: "198.51.100.7",
        headers: { Authorization, "X-Forwarded-For": "203.0.113.1" },
      });

    for (const scheme of ["Bearer", "bearer", "Bearer"])
      expect((await asked(`${scheme} ${TOKEN}`)).status).toBe(200);
    expect((await asked(`Bearer ${TOKEN}`, "HEAD")).status).toBe(200);
    expect(read(await (await asked(`Bearer ${TOKEN}`)).text()).size).toBeGreaterThan(10);
    expect((await asked(`Bearer ${TOKEN}`)).headers.get("Cache-Control")).toBe("no-store");
  });

  test("not whoever sends another token or none: guesses count as reads", async () => {
    await open({ METRICS_TOKEN: TOKEN, LIMIT_READ: "4/m" });
    const sent = [
      `Bearer ${TOKEN.slice(1)}`,
      `Basic ${btoa(`prometheus:${TOKEN}`)}`,
      TOKEN,
      "",
      "",
    ];
    const statuses = [];
    for (const Authorization of sent)
      statuses.push(
        (
          await get({
            from: "198.51.100.7",
            headers: Authorization === "" ? {} : { Authorization },
          })
        ).status,
      );

    expect(statuses).toEqual([404, 404, 404, 404, 429]);
  });
});
