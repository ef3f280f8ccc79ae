import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import kingCounty from "../../src/tables/mappings/king-county.json" with { type: "json" };
import { type Random, randomFrom } from "../../src/commands/demo/random.ts";
import { FROM_SOURCES, peakMemoryMb, scratchFolder, serve } from "../support/process.ts";

/**
 * Time and peak memory of `pet-alert import` on a made-up table in the shape of King County's, of which every row is
 * published: `bun run bench:import`. `--rows N` for the import that adds, `--sync N` for the one that keeps in step,
 * which is run on a folder, and through a running service.
 */
export type ImportRun = {
  readonly what: string;
  readonly rows: number;
  readonly seconds: number;
  /** Resident, of the command itself. 1 MB is 2^20 bytes. */
  readonly commandMb: number;
  /** Of the service that it goes through; null if there is none. */
  readonly serviceMb: number | null;
};

const ROWS = 100_000;
const SYNC_ROWS = 20_000;

export async function measureImports(rows: number, syncRows: number): Promise<ImportRun[]> {
  const scratch = scratchFolder();
  try {
    const whole = await writeTable(join(scratch.path, "whole.csv"), rows);
    const kennel = await writeTable(join(scratch.path, "kennel.csv"), syncRows);
    const mapping = join(scratch.path, "mapping.json");
    await Bun.write(mapping, JSON.stringify({ ...kingCounty, description: "Memo" }));
    const options = ["--email", "desk@shelter.example", "--yes", "--mapping", mapping];
    const onFolder = (name: string) => ({ DATA_DIR: join(scratch.path, name) });
    const runs: ImportRun[] = [];
    const measure = async (
      what: string,
      count: number,
      words: readonly string[],
      settings: Readonly<Record<string, string>>,
      service: number | null = null,
    ) => {
      const { seconds, peakMb } = await runImport([...words, ...options], settings);
      const serviceMb = service === null ? null : peakMemoryMb(service);
      runs.push({ what, rows: count, seconds, commandMb: peakMb, serviceMb });
    };
    await measure("import", rows, [whole], onFolder("plain"));
    await measure("import again", rows, [whole], onFolder("plain"));
    await measure("import --sync", syncRows, [kennel, "--sync"], onFolder("sync"));
    await measure("import --sync again", syncRows, [kennel, "--sync"], onFolder("sync"));
    const served = await serve(join(scratch.path, "served"));
    const through = onFolder("served");
    await measure("import --sync, served", syncRows, [kennel, "--sync"], through, served.child.pid);
    await served.stop();
    return runs;
  } finally {
    scratch.forget();
  }
}

const LOOK_MS = 100;

async function runImport(words: readonly string[], settings: Readonly<Record<string, string>>) {
  const startedAt = performance.now();
  const child = Bun.spawn([...FROM_SOURCES.command, "import", ...words], {
    cwd: FROM_SOURCES.cwd,
    env: { ...settings },
    stdout: "pipe",
    stderr: "inherit",
  });
  let peakMb = 0;
  const looking = setInterval(() => {
    // A process that has ended holds no memory, and may be gone.
    const seenMb = existsSync(`/proc/${child.pid}/status`) ? peakMemoryMb(child.pid) : NaN;
    if (seenMb > peakMb) peakMb = seenMb;
  }, LOOK_MS);
  const said = await new Response(child.stdout).text();
  const code = await child.exited;
  clearInterval(looking);
  if (code !== 0) throw new Error(`the import ended with ${code}: ${said}`);
  return { seconds: (performance.now() - startedAt) / 1_000, peakMb };
}

const COLUMNS = [
  "impound_no",
  "Record_Type",
  "Current_Location",
  "Animal_Name",
  "animal_type",
  "Age",
  "Animal_Gender",
  "Animal_Breed",
  "Animal_Color",
  "Date",
  "City",
  "jurisdiction",
  "Zip",
  "obfuscated_latitude",
  "obfuscated_longitude",
  "Memo",
];
const NAMES = ["", "", "BELLA", "MAX", "LUNA", "CHARLIE", "MISS KITTY", "BUDDY", "COCO", "OLLIE"];
const CAT_BREEDS = ["DOMESTIC SHORTHAIR", "DOMESTIC LONGHAIR", "SIAMESE / MIX", "MAINE COON"];
const DOG_BREEDS = ["Pit Bull / Mix", "Labrador Retriever", "GERM SHEPHERD", "CHIHUAHUA SH / MIX"];
const COLORS = ["Blk / Wht", "Brn Tabby", "Org Tabby / Wht", "Gry", "Crm", "Tortie Pt", "Tan"];
const TOWNS = ["KENT", "BELLEVUE", "AUBURN", "RENTON", "SHORELINE", "BURIEN", "ENUMCLAW"];
const NOTES = [
  "",
  "Very shy and may run. Please do not chase; call the shelter with the time and the place.",
  "Wears a red collar without tags. Has a small scar over the left eye, and limps a little on a hind leg.",
  "Found under the porch of a neighbor after the storm. Friendly, hungry, looks well cared for. No chip was found.",
];

/** Writes a table whose rows are all lost or found animals with a position, each with its own number. */
async function writeTable(path: string, rows: number): Promise<string> {
  const random = randomFrom("import");
  const file = Bun.file(path).writer();
  void file.write(`${COLUMNS.join(",")}\n`);
  for (let nth = 0; nth < rows; nth++) {
    void file.write(`${rowOf(nth, random).map(quoted).join(",")}\n`);
    if (nth % 1_000 === 0) await file.flush();
  }
  await file.end();
  return path;
}

function rowOf(nth: number, random: Random): string[] {
  const isCat = random.chance(0.5);
  const isLost = random.chance(0.5);
  const day = `${String(1 + (nth % 12)).padStart(2, "0")}/${String(1 + (nth % 28)).padStart(2, "0")}/2025`;
  const town = random.of(TOWNS);
  return [
    `K${nth}`,
    isLost ? "LOST" : "FOUND",
    isLost ? "LOST" : "In Public Home",
    random.of(NAMES),
    isCat ? "Cat" : "Dog",
    "2 YEARS",
    random.of(["Male", "Neutered Male", "Spayed Female", "Unknown"]),
    random.of(isCat ? CAT_BREEDS : DOG_BREEDS),
    random.of(COLORS),
    day,
    town,
    town,
    "",
    (47.3 + random.next() * 0.4).toFixed(6),
    (-122.3 + random.next() * 0.4).toFixed(6),
    random.of(NOTES),
  ];
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { rows: { type: "string" }, sync: { type: "string" } },
  });
  const runs = await measureImports(Number(values.rows ?? ROWS), Number(values.sync ?? SYNC_ROWS));
  console.table(runs.map((run) => ({ ...run, seconds: Math.round(run.seconds) })));
}
