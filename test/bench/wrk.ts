import { median } from "./times.ts";

/** What one server did under load. */
export type Run = {
  readonly requestsPerSecond: number;
  readonly p99Ms: number;
  /** Processor time of the server for each request: steadier than time where others use the machine too. */
  readonly cpuMicros: number;
};

/** One request. */
export type Request = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type Server = {
  readonly baseUrl: string;
  readonly child: { readonly pid: number };
};

/** Connections kept open at once, as a reverse proxy does. */
const CONNECTIONS = 16;
/** Slow is no failure. */
const TIMEOUT_SECONDS = 60;
/** Clock ticks a second in /proc (sysconf(_SC_CLK_TCK) is 100 on every Linux). */
const TICKS_PER_SECOND = 100;

/** Whether there is a `wrk` (Debian package `wrk`). */
export function hasWrk(): boolean {
  return Bun.which("wrk") !== null;
}

/** Puts a server under load by `wrk` for whole seconds, with the requests of a script. Throws where any fails. */
export async function load(
  { baseUrl, child }: Server,
  script: string,
  seconds: number,
): Promise<Run> {
  const before = await cpuSeconds(child.pid);
  const wrk = Bun.spawn(
    [
      "wrk",
      "-t1",
      `-c${CONNECTIONS}`,
      `-d${seconds}s`,
      `--timeout=${TIMEOUT_SECONDS}s`,
      "-s",
      script,
      baseUrl,
    ],
    { stdout: "pipe", stderr: "pipe" },
  );
  const output = await new Response(wrk.stdout).text();
  const cpu = (await cpuSeconds(child.pid)) - before;
  const [requests = 0, micros = 0, p99 = 0, failed = 0] = (
    /^MEASURED (.*)$/m.exec(output)?.[1] ?? ""
  )
    .split(" ")
    .map(Number);
  if (requests === 0 || failed > 0) throw new Error(`wrk counted ${failed} failures: ${output}`);
  return {
    requestsPerSecond: requests / (micros / 1e6),
    p99Ms: p99 / 1e3,
    cpuMicros: (cpu * 1e6) / requests,
  };
}

/** What `wrk` asks, in turn, and the line it ends with. */
export function scriptOf(requests: readonly Request[]): string {
  return `
local asked = {${requests.map((one) => JSON.stringify(onTheWire(one))).join(",")}}
local nth = 0
function request()
  nth = nth % #asked + 1
  return asked[nth]
end
function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  print(string.format("MEASURED %d %d %d %d", summary.requests, summary.duration, latency:percentile(99), failed))
end
`;
}

export function get(path: string): Request {
  return { method: "GET", path, headers: {}, body: "" };
}

/** Each figure's median over the rounds. */
export function medianRun(runs: readonly Run[]): Run {
  return {
    requestsPerSecond: median(runs.map((run) => run.requestsPerSecond)),
    p99Ms: median(runs.map((run) => run.p99Ms)),
    cpuMicros: median(runs.map((run) => run.cpuMicros)),
  };
}

function onTheWire({ method, path, headers, body }: Request): string {
  return [
    `${method} ${path} HTTP/1.1`,
    "Host: 127.0.0.1",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(method === "POST" ? [`Content-Length: ${body.length}`] : []),
    "",
    body,
  ].join("\r\n");
}

/** Time all threads of a process have spent on a processor, its own and the system's for it. */
async function cpuSeconds(pid: number): Promise<number> {
  const stat = await Bun.file(`/proc/${pid}/stat`).text();
  // The fields after the name in brackets, which may hold spaces: utime and stime are the 14th and 15th of all.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
