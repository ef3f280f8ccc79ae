import { parseArgs } from "node:util";
import { createWorld } from "../support/world.ts";

const USAGE = `Usage: bun run bench:writes [--rounds N]

Prints how long a write and its confirmation take, in process and on the disk, each from a client, a mailbox and a
network of its own: milliseconds, p50 / p99. Compare two versions by running it in turns in both.

  --rounds  writes of each kind [300]`;

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "300" },
    help: { type: "boolean", default: false },
  },
});
if (options.help) {
  console.log(USAGE);
  process.exit(0);
}
const rounds = Number(options.rounds);
const MESSAGES_PER_ALERT = 5;

const world = await createWorld({
  LIMIT_PUBLISH: "off",
  LIMIT_MESSAGE: "off",
  LIMIT_SUBSCRIBE: "off",
});
/** Few messages go to each alert, so that no version of the program refuses or gathers any. */
const alerts: { readonly id: string }[] = [];
for (let at = 0; at < rounds / MESSAGES_PER_ALERT; at++) alerts.push(await world.publish());
const KINDS = {
  publish_alert: (at: number) => ({
    type: at % 2 === 0 ? "lost" : "found",
    species: "cat",
    color: ["grey tabby", "black", "white", "ginger"][at % 4],
    lat: 40 + (at % 90) / 10,
    lng: (at % 70) / 10,
    email: `publisher${at}@example.org`,
  }),
  send_message: (at: number) => ({
    alert: alerts[at % alerts.length]!.id,
    message: `I may have seen your cat near the station, number ${at}`,
    email: `finder${at}@example.net`,
  }),
  subscribe_zone: (at: number) => ({
    lat: 40 + (at % 90) / 10,
    lng: (at % 70) / 10,
    email: `neighbour${at}@example.com`,
  }),
} as const;

for (const [tool, input] of Object.entries(KINDS)) {
  const requests: number[] = [];
  const confirmations: number[] = [];
  for (let at = 0; at < rounds; at++) {
    const args = input(at);
    const from = `10.${at >> 8}.${at & 255}.7`;
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: tool, arguments: args },
    });
    const init = {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
      },
      body,
    };
    requests.push(await timeOf(async () => (await world.fetch("/api/mcp", init, from)).text()));
    const link = await world.linkTo(args.email, "/confirm/");
    confirmations.push(await timeOf(async () => (await world.post(link, {}, {}, from)).text()));
    await world.tick();
  }
  console.log(
    `${tool.padEnd(15)} request ${spread(requests)}  confirmation ${spread(confirmations)}`,
  );
}
await world.end();

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function spread(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
  return `${at(0.5).toFixed(2)} / ${at(0.99).toFixed(2)} ms`;
}
