import { cpSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../src/settings/config.ts";
import { parse } from "../../src/core/input.ts";
import type { AlertReader } from "../../src/core/alerts/directory.ts";
import type { SearchInput, SearchPage } from "../../src/core/alerts/search.ts";
import { restSearchInput, withQuery } from "../../src/http/api/alerts.ts";
import { encodeBody } from "../../src/http/middleware/response-headers.ts";
import { etagOf } from "../../src/http/middleware/etag.ts";
import {
  isoTime,
  openAlertJson,
  type OpenAlertJson,
  pageJson,
} from "../../src/http/api/alert-json.ts";
import { fromWire } from "../../src/http/middleware/field-names.ts";
import { type App, start } from "../../src/start.ts";
import { scratchFolder } from "../support/process.ts";
import { alertsFolder, BASE_URL } from "./alerts.ts";
import { get, load, scriptOf } from "./wrk.ts";

/**
 * What each step from a question to its answer costs over HTTP: `bun test/bench/stages.ts`. The same search is answered
 * by servers that do ever more of it, each in a process of its own. Told is the processor time of the server for a
 * request, the least of several rounds. Needs `wrk`.
 */
const ALERTS = 100_000;
const ROUNDS = 8;
const LIMIT = 20;
const ASKED: SearchInput = { species: "dog", limit: LIMIT };
const PATH = "/api/v1/alerts?species=dog&limit=20";

type Answering = (request: Request, server: Bun.Server<undefined>) => Response | Promise<Response>;
type Alerts = AlertReader<OpenAlertJson>;
type Page = SearchPage<OpenAlertJson>;
type Stage = (app: App, alerts: Alerts, page: Page) => Answering;

const HEADERS = new Headers({ "Content-Type": "application/json", "Cache-Control": "no-cache" });

/** Each does what those before it do, and more. */
const STAGES: Readonly<Record<string, Stage>> = {
  "bytes made before"(_app, _alerts, page) {
    const bytes = encodeBody(pageJson(page)).slice();
    return () => new Response(bytes, { headers: HEADERS });
  },
  "who asks, and where"(_app, _alerts, page) {
    const bytes = encodeBody(pageJson(page)).slice();
    return (request, server) => {
      lookAt(request, server);
      return new Response(bytes, { headers: HEADERS });
    };
  },
  "joining the alerts' JSON": (_app, _alerts, page) => (request, server) => {
    lookAt(request, server);
    return new Response(encodeBody(pageJson(page)), { headers: HEADERS });
  },
  "tag, next page, request number": (_app, _alerts, page) => (request, server) => {
    lookAt(request, server);
    return responseOf(page, {});
  },
  "reading the question": (_app, _alerts, page) => (request, server) => {
    lookAt(request, server);
    const { given } = questionIn(request);
    return responseOf(page, given);
  },
  searching: (_app, alerts) => async (request, server) => {
    lookAt(request, server);
    const { given, query } = questionIn(request);
    return responseOf(await alerts.search(query), given);
  },
  "the whole program: routes, limits, security headers, log, figures": (app) => (request, server) =>
    app.fetch(request, server.requestIP(request)?.address ?? null),
};

function lookAt(request: Request, server: Bun.Server<undefined>): void {
  server.requestIP(request);
  request.headers.get("Host");
}

function questionIn({ url }: Request) {
  const given = Object.fromEntries(new URL(url).searchParams);
  const { q, ...rest } = parse(restSearchInput, fromWire(given));
  return { given, query: { ...rest, query: q } };
}

function responseOf(page: Page, given: Readonly<Record<string, string>>): Response {
  const body = encodeBody(pageJson(page));
  const answer = new Response(body, { headers: HEADERS });
  const next = { ...given, cursor: page.nextCursor ?? isoTime(0) };
  answer.headers.set("ETag", etagOf(body));
  answer.headers.set("Link", `<${withQuery(`${BASE_URL}/api/v1/alerts`, next)}>; rel="next"`);
  answer.headers.set("X-Request-Id", "0123456789ab");
  return answer;
}

/** In the process of one stage. */
async function serveStage(name: string, dataDir: string): Promise<void> {
  const settings = { BASE_URL, DATA_DIR: dataDir, LIMIT_READ: "off", BACKUP_KEEP: "off" };
  const app = await start(readConfig(settings));
  const stage = STAGES[name];
  if (stage === undefined) throw new Error(`There is no stage ${name}`);
  const alerts = app.service.alerts.as(openAlertJson, LIMIT);
  const fetch = stage(app, alerts, await alerts.search(ASKED));
  const { port } = Bun.serve({ hostname: "127.0.0.1", port: 0, development: false, fetch });
  console.log(`http://127.0.0.1:${port}`);
}

async function measure(): Promise<void> {
  const folder = scratchFolder();
  const dataDir = join(folder.path, "data");
  cpSync(await alertsFolder(ALERTS), dataDir, { recursive: true });
  const script = join(folder.path, "ask.lua");
  await Bun.write(script, scriptOf([get(PATH)]));
  const rows = [];
  let before = 0;
  for (const name of Object.keys(STAGES)) {
    const child = Bun.spawn([process.execPath, import.meta.path, name, dataDir], {
      stdout: "pipe",
    });
    const { value } = await child.stdout.getReader().read();
    const server = { baseUrl: new TextDecoder().decode(value).trim(), child };
    let micros = Infinity;
    for (let round = 0; round < ROUNDS; round++)
      micros = Math.min(micros, (await load(server, script, 1)).cpuMicros);
    child.kill();
    await child.exited;
    rows.push({ step: name, "µs so far": fixed(micros), µs: fixed(micros - before) });
    before = micros;
  }
  folder.forget();
  console.table(rows);
}

function fixed(micros: number): number {
  return Math.round(micros * 10) / 10;
}

if (import.meta.main) {
  const [stage, dataDir] = Bun.argv.slice(2);
  if (stage === undefined) await measure();
  else await serveStage(stage, dataDir ?? "");
}
