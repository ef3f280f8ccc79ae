import { cpSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { FROM_SOURCES, type Program, run, scratchFolder, serve } from "../support/process.ts";
import { call, type Kind, nearSearches, rpc } from "./http.ts";
import { hasWrk, load, medianRun, type Request, type Run, scriptOf } from "./wrk.ts";

const USAGE = `Usage: bun run bench:cold [--tools] [--other FOLDER] [--alerts N] [--rounds N] [--seconds N]

Puts searches under load whose alerts are cached, and searches whose alerts are not, and prints requests a second, and
microseconds of processor time for each. Needs wrk. Two versions of the program are loaded in turns.

  --tools    tools/list and a tools/call of 20 alerts instead, in an older and the newest revision (bench:mcp)
  --other    folder with another version of the program, to compare this one with
  --alerts   alerts in the directory [100000]
  --rounds   rounds that count, after one that warms up [5]
  --seconds  length of each load [2]`;

const { values: options } = parseArgs({
  options: {
    tools: { type: "boolean", default: false },
    other: { type: "string" },
    alerts: { type: "string", default: "100000" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "2" },
    help: { type: "boolean", default: false },
  },
});
if (options.help) {
  console.log(USAGE);
  process.exit(0);
}
if (!hasWrk()) {
  console.error("wrk is missing: apt-get install wrk");
  process.exit(1);
}

type Version = { readonly name: string; readonly program: Program };
const { other } = options;
const versions: readonly Version[] = [
  ...(other === undefined
    ? []
    : [{ name: "other", program: { ...FROM_SOURCES, cwd: other } satisfies Program }]),
  { name: "this", program: FROM_SOURCES },
];

const scratch = scratchFolder();
// Made by the other version, which may be older: this one can migrate it.
const original = join(scratch.path, "original");
const made = await run(versions[0]!.program, ["demo", "world", "--count", options.alerts], {
  DATA_DIR: original,
});
if (made.code !== 0) throw new Error(made.errors);
const servers = await Promise.all(
  versions.map(async ({ name, program }) => {
    const dataDir = join(scratch.path, name);
    cpSync(original, dataDir, { recursive: true });
    return {
      name,
      ...(await serve(dataDir, { LIMIT_READ: "off", SMTP_URL: "smtp://127.0.0.1:9" }, program)),
    };
  }),
);
try {
  const { warm, cold } = await nearSearches(servers[0]!.baseUrl);
  for (const kind of options.tools ? toolKinds(warm) : [warm, cold]) await compare(kind);
} finally {
  for (const server of servers) await server.stop();
  scratch.forget();
}

/** The same searches as calls of a tool, and the list of the tools. */
function toolKinds({ questions }: Kind): Kind[] {
  return ["2025-11-25", "2026-07-28"].flatMap((revision) => [
    {
      name: `tools/call, ${revision}`,
      questions: questions.map(({ path }) => call("search_alerts", path, revision)),
    },
    { name: `tools/list, ${revision}`, questions: [rpc("tools/list", {}, revision)] },
  ]);
}

/** False for a version of the program that does not speak the revision yet. */
async function isAnswered(baseUrl: string, { method, path, headers, body }: Request) {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers,
    ...(method === "POST" ? { body } : {}),
  });
  const answer = await response.text();
  return response.ok && !answer.includes('"isError":true');
}

async function compare({ name, questions }: Kind): Promise<void> {
  const answering: typeof servers = [];
  for (const server of servers)
    if (await isAnswered(server.baseUrl, questions[0]!)) answering.push(server);
  const script = join(scratch.path, "questions.lua");
  await Bun.write(script, scriptOf(questions));
  const runs = answering.map((): Run[] => []);
  for (let round = -1; round < Number(options.rounds); round++) {
    for (const [nth, server] of answering.entries()) {
      const measured = await load(server, script, Number(options.seconds));
      if (round >= 0) runs[nth]!.push(measured);
    }
  }
  for (const [nth, server] of answering.entries()) {
    const { requestsPerSecond, cpuMicros, p99Ms } = medianRun(runs[nth]!);
    console.log(
      `${name}, ${server.name}: ${requestsPerSecond.toFixed(0)} requests/s, ${cpuMicros.toFixed(1)} us, p99 ${p99Ms.toFixed(2)} ms`,
    );
  }
}
