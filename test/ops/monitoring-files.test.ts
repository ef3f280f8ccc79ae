import { describe, expect, test } from "bun:test";
import { METRIC_NAMES } from "../../src/ops/metrics.ts";
import { createWorld } from "../support/world.ts";

// What operators load into Prometheus and Grafana names metrics that the service has.

const rules = await Bun.file("deploy/monitoring/alerts.yml").text();
const ruleTests = await Bun.file("deploy/monitoring/alerts.test.yml").text();
const dashboard: Dashboard = await Bun.file("deploy/monitoring/grafana.json").json();

type Dashboard = {
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly gridPos: {
      readonly x: number;
      readonly y: number;
      readonly w: number;
      readonly h: number;
    };
    readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
  }[];
};
const expressions = dashboard.panels.flatMap(({ targets }) => targets);

const SERIES = new Set([
  ...METRIC_NAMES.counter,
  ...METRIC_NAMES.gauge,
  ...METRIC_NAMES.histogram.flatMap((name) =>
    ["_bucket", "_sum", "_count"].map((suffix) => name + suffix),
  ),
]);

describe("the files for Prometheus and Grafana", () => {
  test.each([
    ["the alerting rules", rules],
    ["the tests of the rules", ruleTests],
    ["the dashboard", expressions.map(({ expr }) => expr).join("\n")],
  ])("%s name only metrics that there are", (_, text) => {
    const named = text.match(/\b(?:pet_alert|process)_[a-z_]+/g) ?? [];

    expect(named.length).toBeGreaterThan(5);
    expect([...new Set(named)].filter((name) => !SERIES.has(name))).toEqual([]);
  });

  test("the dashboard shows every metric", () => {
    const shown = expressions.map(({ expr }) => expr).join("\n");
    const names = Object.values(METRIC_NAMES).flat();

    expect(names.filter((name) => !new RegExp(`\\b${name}(?:_bucket)?\\{`).test(shown))).toEqual(
      [],
    );
  });

  test("the rules and the dashboard use only labels that the metrics have", async () => {
    const world = await createWorld({ LIMIT_READ: "1/m" });
    for (let nth = 0; nth < 2; nth++) await world.fetch("/about");
    const text = await (await world.fetch("/metrics", {}, "127.0.0.1")).text();
    await world.end();
    const labels = new Set(["job", "instance", "severity", "class", "limit", "outcome", "table"]);
    for (const [, label = ""] of text.matchAll(/[{,](\w+)="/g)) labels.add(label);

    const used = [
      ...rules.matchAll(/\$labels\.(\w+)/g),
      ...[...`${rules}${JSON.stringify(dashboard)}`.matchAll(/\bby \(([^)]*)\)/g)].flatMap(
        ([, list = ""]) => [...list.matchAll(/(\w+)/g)],
      ),
      ...expressions.flatMap(({ legendFormat }) => [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)]),
    ].map(([, label]) => label ?? "");

    expect(used.length).toBeGreaterThan(10);
    expect([...new Set(used)].filter((label) => !labels.has(label))).toEqual([]);
  });
});
