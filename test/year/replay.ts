import { join } from "node:path";
import { parseArgs } from "node:util";
import { randomFrom } from "../../src/commands/demo/random.ts";
import { parseDate } from "../../src/tables/date-format.ts";
import { chooseMapping, openTable } from "../../src/commands/import/table-file.ts";
import { type Mapping } from "../../src/tables/mapping.ts";
import { DAY_MS, HOUR_MS } from "../../src/core/duration.ts";
import { csvLine } from "../../src/text/csv.ts";
import { isoDate } from "../../src/core/input.ts";
import { scratchFolder } from "../support/process.ts";
import type { Answer, Request } from "./node.ts";

/**
 * A year of a real shelter, day by day: `bun test/year/replay.ts TABLE` takes a table of intakes and outcomes, writes
 * for each day the table that the shelter would have exported on its evening, and reads it twice, as `import --sync`
 * does. After each day the instance must show exactly the animals that are in the kennel. Meanwhile its process is
 * killed (SIGKILL) at random moments, and reads again.
 *
 * The columns that must be empty by the mapping's `where` are those of the outcome; the first of them whose name holds
 * "date", or `--left COLUMN`, says when the animal left. `--mapping NAME_OR_FILE`, `--place PLACE`, `--days N` (365),
 * `--until YYYY-MM-DD` (the last intake), `--kills N` (50), `--seed WORD`. Exits with 1 if a day was not as it should be.
 */
const DAYS = 365;
const KILLS = 50;
/** An export leaves out the animals that left longer ago. */
const EXPORTED_DAYS = 60;
const READS_AT_HOURS = [8, 20];
const DAYS_PER_LINE = 30;

type Animal = {
  readonly id: string;
  readonly cells: readonly string[];
  readonly entered: string;
  /** Day it left; null while it has no outcome. */
  readonly left: string | null;
  /** True if it is of those that the mapping publishes, whatever its outcome. */
  readonly isWanted: boolean;
};
type Shelter = {
  readonly header: readonly string[];
  readonly mapping: Mapping;
  /** Positions of the columns of the outcome. */
  readonly outcome: ReadonlySet<number>;
  readonly animals: readonly Animal[];
};

async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      mapping: { type: "string" },
      place: { type: "string" },
      left: { type: "string" },
      days: { type: "string", default: String(DAYS) },
      until: { type: "string" },
      kills: { type: "string", default: String(KILLS) },
      seed: { type: "string", default: "year" },
    },
  });
  const [path] = positionals;
  if (path === undefined) {
    console.error("Usage: bun test/year/replay.ts TABLE [--mapping NAME_OR_FILE] [--place PLACE]");
    return 2;
  }
  const shelter = await readShelter(path, values.mapping ?? null, values.left ?? null);
  const last =
    values.until ??
    shelter.animals
      .map(({ entered }) => entered)
      .sort()
      .at(-1)!;
  const days = Number(values.days);
  const first = isoDate(Date.parse(last) - (days - 1) * DAY_MS);
  const random = randomFrom(values.seed);
  const scratch = scratchFolder();
  const table = join(scratch.path, "table.csv");
  const node = openNode(join(scratch.path, "data"));
  const reads = days * READS_AT_HOURS.length;
  const kills = new Set(Array.from({ length: Number(values.kills) }, () => random.below(reads)));
  const counts = { shown: 0, most: 0, killed: 0, wrong: 0 };
  const refused = new Map<string, string>();
  const startedAt = performance.now();
  for (let nth = 0; nth < days; nth++) {
    const day = isoDate(Date.parse(first) + nth * DAY_MS);
    await Bun.write(table, tableOn(day, shelter));
    let answer: Answer | null = null;
    for (const [at, hour] of READS_AT_HOURS.entries()) {
      const now = Date.parse(day) + hour * HOUR_MS;
      const mapping = values.mapping ?? shelter.mapping.mapping;
      const request = { now, table, mapping, place: values.place ?? null };
      if (kills.has(nth * READS_AT_HOURS.length + at)) {
        counts.killed++;
        await node.killDuring(request, random.next());
      }
      answer = await node.ask(request);
      if (answer.guard !== null)
        console.log(`${day}: nothing was changed, ${Bun.inspect(answer.guard)}`);
    }
    const rejected = answer!.rejected.filter(({ why }) => !why.includes("is the same as in line"));
    for (const { id, why } of rejected) refused.set(id ?? "", why);
    const left = new Set(rejected.map(({ id }) => id));
    const expected = [...new Set(inKennel(day, shelter).filter((id) => !left.has(id)))].sort();
    if (expected.join() !== answer!.shown.join()) {
      counts.wrong++;
      const surplus = answer!.shown.filter((id) => !expected.includes(id));
      const missing = expected.filter((id) => !answer!.shown.includes(id));
      console.log(`${day}: shown though gone ${surplus.join()}; not shown ${missing.join()}`);
    }
    if (nth % DAYS_PER_LINE === DAYS_PER_LINE - 1)
      console.log(`${day}: ${expected.length} in the kennel, ${counts.killed} kills so far`);
    counts.shown += expected.length;
    counts.most = Math.max(counts.most, expected.length);
  }
  await node.end();
  scratch.forget();
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  console.log(
    `${first} to ${last}: ${days} days, ${reads} reads, ${counts.killed} kills in ${seconds} s; ${Math.round(counts.shown / days)} animals shown on an average day, ${counts.most} at most; ${refused.size} refused.`,
  );
  for (const [id, why] of refused) console.log(`  ${id}: ${why}`);
  console.log(counts.wrong === 0 ? "Every day as it should be." : `${counts.wrong} days differ.`);
  return counts.wrong === 0 ? 0 : 1;
}

async function readShelter(
  path: string,
  name: string | null,
  leftColumn: string | null,
): Promise<Shelter> {
  const context = { env: {}, isTerminal: false } as never;
  const table = await openTable(path, context);
  const mapping = await chooseMapping(name, table.header, context);
  const isOutcome = ({ is }: Mapping["where"][number]) => is?.length === 1 && is[0] === "";
  const outcome = mapping.where.filter(isOutcome).map(({ column }) => column);
  const left = leftColumn ?? outcome.find((column) => /date/i.test(column));
  if (left === undefined)
    throw new Error("No column tells when an animal left: the mapping must want one to be empty.");
  const others = mapping.where.filter((condition) => !isOutcome(condition));
  const animals: Animal[] = [];
  for await (const row of table.rows) {
    const entered = parseDate(row.value(mapping.date.column), mapping.date.format);
    if (entered === null || row.excess !== 0) continue;
    const hasOutcome = outcome.some((column) => row.value(column) !== "");
    const leftOn = parseDate(row.value(left), mapping.date.format);
    // An outcome without a day: it is not known when the animal was there.
    if (hasOutcome && leftOn === null) continue;
    const fits = (values: readonly string[], column: string) =>
      values.some((value) => value.toLowerCase() === row.value(column).toLowerCase());
    animals.push({
      id: row.value(mapping.id),
      cells: table.header.map((column) => row.value(column)),
      entered,
      left: hasOutcome ? leftOn : null,
      isWanted: others.every(({ column, is, not }) =>
        is === undefined ? !fits(not ?? [], column) : fits(is, column),
      ),
    });
  }
  const positions = outcome.map((column) => table.header.indexOf(column));
  return { header: table.header, mapping, outcome: new Set(positions), animals };
}

/** True for an animal that is in the kennel on the evening of a day. */
function isThere({ entered, left }: Animal, day: string): boolean {
  return entered <= day && (left === null || left > day);
}

function inKennel(day: string, { animals }: Shelter): string[] {
  return animals.filter((one) => one.isWanted && isThere(one, day)).map(({ id }) => id);
}

/** Table that the shelter would have exported on the evening of a day: outcomes to come are not in it. */
function tableOn(day: string, { header, outcome, animals }: Shelter): string {
  const from = isoDate(Date.parse(day) - EXPORTED_DAYS * DAY_MS);
  const lines = animals
    .filter(({ entered, left }) => entered <= day && (left === null || left >= from))
    .map((one) =>
      csvLine(one.cells.map((cell, at) => (outcome.has(at) && isThere(one, day) ? "" : cell))),
    );
  return csvLine(header) + lines.join("");
}

/** The process of the service, which is started whenever it is needed. */
function openNode(dataDir: string) {
  let child: Bun.Subprocess<"pipe", "pipe", "inherit"> | null = null;
  let lines: AsyncIterator<string> | null = null;
  /** Time of the last answer, in milliseconds. */
  let usualMs = 1_000;

  function send(request: Request): void {
    if (child === null) {
      child = Bun.spawn([process.execPath, join(import.meta.dir, "node.ts"), dataDir], {
        stdin: "pipe",
        stdout: "pipe",
        stderr: "inherit",
      });
      lines = linesOf(child.stdout);
    }
    void child.stdin.write(`${JSON.stringify(request)}\n`);
    void child.stdin.flush();
  }

  async function end(): Promise<void> {
    child?.kill("SIGKILL");
    await child?.exited;
    child = null;
  }

  return {
    async ask(request: Request): Promise<Answer> {
      const isRunning = child !== null;
      const before = performance.now();
      send(request);
      const { value, done } = await lines!.next();
      if (done === true) throw new Error("the service ended by itself");
      if (isRunning) usualMs = performance.now() - before;
      return JSON.parse(value);
    },
    /** Kills the process while it reads, after this share of the usual time. */
    async killDuring(request: Request, share: number): Promise<void> {
      send(request);
      await Bun.sleep(share * usualMs);
      await end();
    },
    end,
  };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let held = "";
  for await (const chunk of stream) {
    held += decoder.decode(chunk, { stream: true });
    const whole = held.split("\n");
    held = whole.pop() ?? "";
    yield* whole;
  }
}

process.exit(await main());
