/** What packing a page of alerts costs and saves: `bun test/bench/packing.ts`. */
import { alertsFolder, rowsIn } from "./alerts.ts";

const ALERTS = 1_000;
const PAGE = 20;
const ROUNDS = 200;

const shown: string[] = [];
for await (const { json } of rowsIn(await alertsFolder(ALERTS))) {
  shown.push(json);
  if (shown.length === PAGE) break;
}
const page = new TextEncoder().encode(`{"alerts":[${shown.join()}],"next_cursor":null}`);

console.table([
  { coding: "none", bytes: page.length, microseconds: 0 },
  ...([1, 3, 6] as const).flatMap((level) => [
    measured(`zstd, level ${level}`, () => Bun.zstdCompressSync(page, { level })),
    measured(`gzip, level ${level}`, () => Bun.gzipSync(page, { level })),
  ]),
]);

/** Processor time, the least of many rounds. */
function measured(coding: string, pack: () => Uint8Array) {
  let least = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    for (let nth = 0; nth < ROUNDS; nth++) pack();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / ROUNDS);
  }
  return { coding, bytes: pack().length, microseconds: Math.round(least) };
}
