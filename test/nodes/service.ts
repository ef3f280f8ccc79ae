import { SQL } from "bun";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import type { Fetch } from "../chaos/client.ts";
import { createBucket } from "../support/s3.ts";
import {
  FROM_SOURCES,
  holdsBefore,
  type Program,
  scratchFolder,
  type Served,
  serve,
} from "../support/process.ts";

export type ServiceOptions = {
  /** Database of each node, by its number: a fault may lie on the way of one of them. */
  readonly databaseUrl: (node: number) => string;
  readonly smtpUrl: (node: number) => string;
  readonly program?: Program;
  /** Programs of single nodes, by their numbers. */
  readonly programs?: Readonly<Record<number, Program>>;
  readonly nodes?: number;
  readonly settings?: Readonly<Record<string, string>>;
};

export type Service = Awaited<ReturnType<typeof startService>>;

/** Emails of all nodes name one site; each request says which node it goes to. */
const SITE = "http://127.0.0.1:9";
const READY_SECONDS_MAX = 60;
const BALANCER_MS = 500;
const ALARM_SECONDS_MAX = 75;
/** Longer than the ten seconds for which a node repeats what found no database. */
const ANSWER_MS_MAX = 20_000;

/** Several nodes on one database: the real program, each a process of its own. End them with `stop`. */
export async function startService(options: ServiceOptions) {
  const { databaseUrl, smtpUrl, program = FROM_SOURCES, programs = {}, nodes: count = 3 } = options;
  const folder = scratchFolder();
  const key = join(folder.path, "secret.key");
  await Bun.write(key, crypto.getRandomValues(new Uint8Array(32)));
  chmodSync(key, 0o600);
  const bucket = await createBucket();
  const running = new Map<number, Served>();
  const ready = new Set<number>();
  let starts = 0;
  let isOver = false;

  async function start(node: number): Promise<void> {
    const served = await serve(
      join(folder.path, `node-${node}-${(starts += 1)}`),
      {
        BASE_URL: SITE,
        DATABASE_URL: databaseUrl(node),
        DATABASE_POOL: "6",
        SECRET_KEY_FILE: key,
        S3_URL: bucket.url,
        SMTP_URL: smtpUrl(node),
        TRUST_PROXY: "1",
        METRICS_PUBLIC: "on",
        LIMIT_PUBLISH: "off",
        LIMIT_MESSAGE: "off",
        LIMIT_SUBSCRIBE: `${SUBSCRIBE_MAX}/h`,
        ...options.settings,
      },
      programs[node] ?? program,
    );
    running.set(node, served);
  }

  /** Looks as often as HAProxy does, and believes a node at the first answer. */
  async function balance(): Promise<void> {
    const look = async (node: number, served: Served) => {
      const is = await isReady(served);
      if (is && running.get(node) === served) ready.add(node);
      else if (!is) ready.delete(node);
    };
    while (!isOver) {
      for (const [node, served] of running) void look(node, served);
      await Bun.sleep(BALANCER_MS);
    }
  }

  const mustRun = (node: number): Served => {
    const served = running.get(node);
    if (served === undefined) throw new Error(`node ${node} does not run`);
    return served;
  };

  async function metric(node: number, name: string): Promise<number> {
    const text = await (await service.fetchOf(node)("/metrics")).text();
    const line = text.split("\n").find((one) => one.startsWith(`${name} `));
    if (line === undefined) throw new Error(`/metrics has no ${name}`);
    return Number(line.slice(name.length));
  }

  const service = {
    bucket,
    nodes: Array.from({ length: count }, (_, node) => node),
    /** Nodes that have not been killed. */
    running: () => [...running.keys()],
    /** Nodes to which a balancer leads visitors. */
    inRotation: () => [...ready],
    start,
    /** Client of one node, with the address of a visitor. */
    fetchOf:
      (node: number, visitor = "198.51.100.7"): Fetch =>
      (address, init = {}) =>
        mustRun(node).fetch(address.replace(SITE, ""), {
          signal: AbortSignal.timeout(ANSWER_MS_MAX),
          ...init,
          headers: { ...(init.headers as Record<string, string>), "X-Forwarded-For": visitor },
        }),
    async kill(node: number): Promise<void> {
      const { child } = mustRun(node);
      running.delete(node);
      ready.delete(node);
      child.kill("SIGKILL");
      await child.exited;
    },
    freeze: (node: number) => mustRun(node).child.kill("SIGSTOP"),
    thaw: (node: number) => mustRun(node).child.kill("SIGCONT"),
    isReady: (node: number) => isReady(mustRun(node)),
    /** Waits until a node is ready; false if it is not in time. */
    becomesReady: (node: number, seconds = READY_SECONDS_MAX) =>
      holdsBefore(seconds, () => isReady(mustRun(node))),
    errors: (node: number) => mustRun(node).errors(),
    /** True if the alarm is on, within the minute between two checks. */
    raises: (node: number, about: string) =>
      holdsBefore(
        ALARM_SECONDS_MAX,
        async () => (await metric(node, `pet_alert_operator_alarm{about="${about}"}`)) === 1,
      ),
    /** Ends all nodes; returns those that did not end well. */
    async stop(): Promise<string[]> {
      isOver = true;
      const codes = await Promise.all(
        [...running].map(async ([node, served]) => [node, await served.stop()] as const),
      );
      bucket.stop();
      folder.forget();
      return codes
        .filter(([, code]) => code !== 0)
        .map(([node, code]) => `node ${node} ended with ${code}`);
    },
  };
  // The first one makes the tables.
  await start(0);
  await Promise.all(service.nodes.slice(1).map(start));
  void balance();
  return service;
}

/** Zones that one visitor may ask for in an hour. */
export const SUBSCRIBE_MAX = 5;

async function isReady(served: Served): Promise<boolean> {
  try {
    return (await served.fetch("/readyz", { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}

/** Queries of the checks, on connections of their own. */
export function openQueries(url: string) {
  const parsed = new URL(url);
  const folder = parsed.searchParams.get("host");
  const sql = new SQL({
    adapter: "postgres",
    max: 2,
    connectionTimeout: 5,
    onclose: () => {},
    ...(folder === null
      ? { url }
      : {
          path: join(folder, ".s.PGSQL.5432"),
          username: parsed.username,
          database: parsed.pathname.slice(1),
        }),
  });
  return {
    rows: async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> => [
      ...(await sql.unsafe<Row[]>(text, [...values])),
    ],
    run: async (text: string): Promise<void> => void (await sql.unsafe(text)),
    close: () => sql.close({ timeout: 0 }),
  };
}

export type Queries = ReturnType<typeof openQueries>;
