import { join } from "node:path";
import { openGazetteer } from "../../src/places/gazetteer.ts";
import { openTableList } from "../../src/tables/listed-tables.ts";
import { scratchFolder } from "../support/process.ts";
import { stray } from "../support/table-server.ts";
import { type Pause, watchPauses } from "./pauses.ts";

/**
 * Longest time for which a table at an address holds the service up while it is read: `bun run bench:table-pauses`. The
 * rows are those of asm3, 20,000 of them, as JSON and as CSV; text is added that no mapping names.
 */
const ROWS = 20_000;
const TEXT_LENGTH = 1_000;
const RUNS = 5;
/** Bytes that come at once. */
const PIECE_BYTES = 64 * 1024;

const folder = scratchFolder();
await Bun.write(
  join(folder.path, "sources.json"),
  JSON.stringify([
    {
      table: "https://asm.example/table",
      mapping: "asm3-stray",
      owner: "desk@shelter.example",
      place: "Kent, Washington",
    },
  ]),
);
const rows = Array.from({ length: ROWS }, (_, nth) =>
  Object.entries({ ...stray(`D${nth}`), MORE: "x".repeat(TEXT_LENGTH) }),
);
const names = rows[0]!.map(([name]) => name);
const quoted = (text: unknown) => `"${String(text ?? "").replaceAll('"', '""')}"`;
const gazetteer = await openGazetteer();
for (const [kind, text] of [
  ["JSON", JSON.stringify(rows.map((row) => Object.fromEntries(row)))],
  [
    "CSV",
    [names, ...rows.map((row) => row.map(([, value]) => value))]
      .map((cells) => cells.map(quoted).join())
      .join("\n"),
  ],
] as const) {
  const bytes = new TextEncoder().encode(text);
  const runs: Run[] = [];
  for (let run = 0; run < RUNS; run++) runs.push(await read(bytes));
  const each = (of: (run: Run) => string) => runs.map(of).join(", ");
  const megabytes = (bytes.length / 2 ** 20).toFixed(1);
  console.log(
    `${kind}, ${megabytes} MB: held up for ${each(({ pauseMs }) => pauseMs.toFixed(0))} ms at most, of which the processor worked ${each(({ workMs }) => workMs.toFixed(0))} ms; read in ${each(({ seconds }) => seconds.toFixed(1))} s`,
  );
}
folder.forget();

type Run = Pause & { readonly seconds: number };

async function read(bytes: Uint8Array): Promise<Run> {
  const tables = await openTableList({
    folder: folder.path,
    gazetteer,
    fetchTable: async () => ({
      kind: "body",
      bytes: pieces(bytes),
      etag: null,
      lastModified: null,
    }),
    yieldToEventLoop: () => new Promise<void>((resolve) => setImmediate(resolve)),
  });
  const watch = watchPauses();
  const startedAt = performance.now();
  const result = await tables.read("asm3-stray", null, new AbortController().signal);
  const longest = watch.longest();
  if (result.kind !== "table" || result.input.rows.length !== ROWS)
    throw new Error(`not read: ${JSON.stringify(result).slice(0, 600)}`);
  return { seconds: (performance.now() - startedAt) / 1000, ...longest };
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    yield bytes.subarray(at, at + PIECE_BYTES);
    // Bytes from the network come in turns of the event loop, too.
    await new Promise((resolve) => setImmediate(resolve));
  }
}
