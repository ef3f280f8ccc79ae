import { join } from "node:path";
import { freePort, scratchFolder, serve } from "../support/process.ts";
import {
  get,
  load,
  medianRun,
  type Request,
  type Run,
  scriptOf,
  type Server as LoadedServer,
} from "./wrk.ts";

/**
 * What an answer over HTTP costs. Each kind of question is put to the
 * real program and to a bare `Bun.serve` that answers the same bytes from memory, in turns; the medians of the rounds
 * are compared. Needs `wrk`.
 */
export type HttpRow = Run & {
  readonly name: string;
  /** Bytes of an answer's body, on average. */
  readonly bytes: number;
  readonly bare: Run;
  /** Requests a second of ours for each of the bare server's. */
  readonly ratio: number;
};

export type Kind = { readonly name: string; readonly questions: readonly Request[] };

/** So many alerts are shown by one answer. */
const LIMIT = 20;
/** Different questions of one kind, asked in turn: no answer is asked for twice in a row. */
const WARM = 100;
/** More alerts than are kept at once. */
const COLD = 12_000;

/** So many rounds that count, after some that only warm up, each of so many whole seconds for each server. */
export type Effort = {
  readonly warmUps: number;
  readonly rounds: number;
  readonly seconds: number;
};

/** Measures all kinds on a data folder that is filled. */
export async function benchHttp(dataDir: string, effort: Effort): Promise<HttpRow[]> {
  // With a mail server, as in use: without one the outbox is looked at after every POST.
  const ours = await serve(dataDir, { LIMIT_READ: "off", SMTP_URL: "smtp://127.0.0.1:9" });
  try {
    const kinds = await kindsOf(ours.baseUrl);
    const rows: HttpRow[] = [];
    for (const kind of kinds) rows.push(await compared(ours, kind, effort));
    return rows;
  } finally {
    await ours.stop();
  }
}

type Server = LoadedServer & { readonly stop: () => Promise<unknown> };

async function compared(
  ours: Server,
  { name, questions }: Kind,
  { warmUps, rounds, seconds }: Effort,
): Promise<HttpRow> {
  const folder = scratchFolder();
  const answers: Answer[] = [];
  for (const question of questions) answers.push(await ask(ours.baseUrl, question));
  const bare = await serveBare(folder.path, answers);
  const runs: { ours: Run; bare: Run }[] = [];
  for (let round = -warmUps; round < rounds; round++) {
    const script = join(folder.path, "ask.lua");
    await Bun.write(script, scriptOf(questions));
    const both = {
      ours: await load(ours, script, seconds),
      bare: await load(bare, script, seconds),
    };
    if (round >= 0) runs.push(both);
  }
  await bare.stop();
  folder.forget();
  const own = medianRun(runs.map((both) => both.ours));
  const other = medianRun(runs.map((both) => both.bare));
  return {
    name,
    bytes: Math.round(answers.reduce((sum, { body }) => sum + body.length, 0) / answers.length),
    ...own,
    bare: other,
    ratio: own.requestsPerSecond / other.requestsPerSecond,
  };
}

type Answer = { readonly type: string; readonly body: Uint8Array };

async function ask(baseUrl: string, { method, path, headers, body }: Request) {
  const answer = await fetch(baseUrl + path, {
    method,
    headers,
    ...(method === "POST" ? { body } : {}),
    redirect: "manual",
  });
  if (answer.status >= 400) throw new Error(`${method} ${path} answers ${answer.status}`);
  return {
    type: answer.headers.get("Content-Type") ?? "",
    body: new Uint8Array(await answer.arrayBuffer()),
  };
}

// Requests ------------------------------------------------------------------------------------------------------

async function kindsOf(baseUrl: string): Promise<Kind[]> {
  const alerts = await someAlerts(baseUrl, COLD);
  const everyNth = spread(alerts, WARM);
  const full = (questions: readonly Request[]) => fullAnswers(baseUrl, questions);
  const { warm, cold } = await nearSearches(baseUrl, alerts);
  return [
    { name: "liveness (/healthz)", questions: [get("/healthz")] },
    warm,
    {
      name: `search, everywhere, ${LIMIT} alerts`,
      questions: await full(
        ["dog", "cat"].map((species) => get(`/api/v1/alerts?species=${species}&limit=${LIMIT}`)),
      ),
    },
    {
      name: `search, 500 km, ${LIMIT} alerts`,
      questions: await full(everyNth.map(around(500)).map(get)),
    },
    cold,
    { name: "alert by slug", questions: everyNth.map(({ slug }) => get(`/api/v1/alerts/${slug}`)) },
    {
      name: "alert by slug, seldom asked for",
      questions: alerts.map(({ slug }) => get(`/api/v1/alerts/${slug}`)),
    },
    {
      name: "tools/call search_alerts",
      questions: warm.questions.map(({ path }) => call("search_alerts", path)),
    },
    { name: "tools/list", questions: [rpc("tools/list", {})] },
    { name: "QR image", questions: everyNth.map((alert) => get(`/api/qr/${alert.short_code}`)) },
  ];
}

/** Searches around few alerts, whose answers are soon cached, and around more alerts than are kept at once. */
export async function nearSearches(
  baseUrl: string,
  given?: readonly Shown[],
): Promise<{ warm: Kind; cold: Kind }> {
  const alerts = given ?? (await someAlerts(baseUrl, COLD));
  const near = async (alerts: readonly Shown[]) =>
    fullAnswers(baseUrl, alerts.map(around(50)).map(get));
  return {
    warm: { name: `search, 50 km, ${LIMIT} alerts`, questions: await near(spread(alerts, WARM)) },
    cold: { name: `search, ${LIMIT} alerts seldom asked for`, questions: await near(alerts) },
  };
}

function around(radiusKm: number): (alert: Shown) => string {
  return ({ latitude, longitude }) =>
    `/api/v1/alerts?lat=${latitude}&lng=${longitude}&radius_km=${radiusKm}&limit=${LIMIT}`;
}

/** Searches whose answers have as many alerts as they may. */
async function fullAnswers(baseUrl: string, questions: readonly Request[]): Promise<Request[]> {
  const isFull = await Promise.all(
    questions.map(async (one) => {
      const { body } = await ask(baseUrl, one);
      return JSON.parse(new TextDecoder().decode(body)).alerts.length === LIMIT;
    }),
  );
  return questions.filter((_, nth) => isFull[nth]);
}

type Shown = {
  readonly slug: string;
  readonly short_code: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly published_at: string;
};

/** Alerts from all over the folder: a page here and there. */
async function someAlerts(baseUrl: string, count: number): Promise<Shown[]> {
  const page = async (cursor: string | null) => {
    const query = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await ask(baseUrl, get(`/api/v1/alerts?limit=100${query}`));
    return JSON.parse(new TextDecoder().decode(body)) as {
      alerts: Shown[];
      next_cursor: string | null;
    };
  };
  const seen: Shown[] = [];
  for (
    let cursor: string | null = null, first = true;
    (first || cursor !== null) && seen.length < count;
    first = false
  ) {
    const { alerts, next_cursor } = await page(cursor);
    seen.push(...alerts);
    cursor = next_cursor;
  }
  return seen;
}

/** So many of them, at even distances. */
function spread<Item>(items: readonly Item[], count: number): Item[] {
  const step = Math.max(1, Math.floor(items.length / count));
  return items.filter((_, nth) => nth % step === 0).slice(0, count);
}

/** Search by a tool with the parameters of a path. */
export function call(name: string, path: string, revision?: string): Request {
  const given = [...new URL(path, "http://x").searchParams].map(([key, value]) => [
    key,
    Number(value),
  ]);
  return rpc("tools/call", { name, arguments: Object.fromEntries(given) }, revision);
}

const NEWEST_REVISION = "2026-07-28";

export function rpc(
  method: string,
  params: { readonly name?: string; readonly arguments?: object },
  revision = "2025-03-26",
): Request {
  const isNewest = revision === NEWEST_REVISION;
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
  };
  return {
    method: "POST",
    path: "/api/mcp",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": revision,
      ...(isNewest ? { "Mcp-Method": method } : {}),
      ...(isNewest && params.name !== undefined ? { "Mcp-Name": params.name } : {}),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: isNewest ? { ...params, _meta } : params,
    }),
  };
}

// The bare server ------------------------------------------------------------------------------------------------

/** Gives the answers in turn, whatever is asked: nothing is faster on this runtime. */
const BARE = `
const answers = (await Bun.file(process.argv[2]).json()).map(({ type, body }) => ({
  init: { headers: { "Content-Type": type } },
  body: Buffer.from(body, "base64"),
}));
let nth = 0;
Bun.serve({
  hostname: "127.0.0.1",
  port: Number(process.argv[3]),
  fetch() {
    nth = (nth + 1) % answers.length;
    return new Response(answers[nth].body, answers[nth].init);
  },
});
console.log("listens");
`;

async function serveBare(folder: string, answers: readonly Answer[]): Promise<Server> {
  const [program, data] = [join(folder, "bare.ts"), join(folder, "answers.json")];
  await Bun.write(program, BARE);
  const written = answers.map(({ type, body }) => ({
    type,
    body: Buffer.from(body).toString("base64"),
  }));
  await Bun.write(data, JSON.stringify(written));
  const port = await freePort();
  const child = Bun.spawn([process.execPath, program, data, String(port)], { stdout: "pipe" });
  await child.stdout.getReader().read();
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    child,
    stop() {
      child.kill();
      return child.exited;
    },
  };
}
