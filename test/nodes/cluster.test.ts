import { expect } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Cluster,
  missingFromCluster,
  refusalOfHaproxy,
  startCluster,
} from "../support/cluster.ts";
import { freePort, until } from "../support/process.ts";
import { missingProgram, PROGRAMS, testsUnlessMissing } from "../support/system-programs.ts";

const { afterAll, beforeAll, describe, test } = testsUnlessMissing(
  missingFromCluster(),
  missingProgram(PROGRAMS.curl),
);
const START_MS_MAX = 300_000;

describe("the cluster that the tests run on", () => {
  let cluster: Cluster;
  const nodes: ReturnType<typeof Bun.serve>[] = [];

  beforeAll(async () => {
    for (const name of ["1", "2", "3"])
      nodes.push(
        Bun.serve({
          port: await freePort(),
          hostname: "127.0.0.1",
          fetch: () => new Response(name),
        }),
      );
    cluster = await startCluster({ nodePorts: nodes.map(({ port }) => port ?? 0) });
  }, START_MS_MAX);

  afterAll(async () => {
    await cluster.stop();
    for (const node of nodes) await node.stop(true);
  });

  test("leads each visitor to one node, and different ones to different nodes", async () => {
    const visitors = Array.from({ length: 20 }, (_, nth) => `127.0.0.${nth + 2}`);
    const visit = async () =>
      Promise.all(visitors.map((address) => nodeOf(`${cluster.pages}/`, address)));
    // HAProxy has to have looked at all of them.
    await until(async () => new Set(await visit()).size === 3);
    const [first, second] = [await visit(), await visit()];

    expect(second).toEqual(first);
  });

  test("moves only the visitors of a node that is gone", async () => {
    const visitors = Array.from({ length: 20 }, (_, nth) => `127.0.0.${nth + 2}`);
    const visit = async () =>
      Promise.all(visitors.map((address) => nodeOf(`${cluster.pages}/`, address)));
    const before = await visit();
    await nodes[0]?.stop(true);
    let after: string[] = [];
    await until(async () => {
      after = await visit();
      return after.every((name) => name === "2" || name === "3");
    });

    const staying = visitors.keys().filter((nth) => before[nth] !== "1");
    for (const nth of staying) expect(after[nth]).toBe(before[nth] ?? "");
  });
});

describe("the files of deploy/cluster", () => {
  test("HAProxy accepts its file", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "pet-alert-haproxy-")), "haproxy.cfg");
    const text = await Bun.file("deploy/cluster/haproxy.cfg").text();
    // The certificates are the operator's.
    await Bun.write(file, text.replace(/ ssl crt \S+ alpn \S+/, ""));

    expect(await refusalOfHaproxy(file)).toBe("");
  });
});

/** Answer of the node to which a visitor with this address comes. */
async function nodeOf(address: string, visitor: string): Promise<string> {
  const child = Bun.spawn(["curl", "--silent", "--interface", visitor, address], {
    stdout: "pipe",
  });
  return new Response(child.stdout).text();
}
