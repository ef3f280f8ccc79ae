import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

/** The real program as a process of its own, serving on a loopback port. */
export type Served = Awaited<ReturnType<typeof serve>>;

/** A scratch data folder; remove it with `forget`. Where a program is killed it lies on a `DISK`. */
export function scratchFolder(parent = tmpdir()): { path: string; forget: () => void } {
  const path = mkdtempSync(join(parent, "pet-alert-process-"));
  return { path, forget: () => rmSync(path, { recursive: true, force: true }) };
}

/** Command that starts the program, and its working directory. */
export type Program = { readonly command: readonly string[]; readonly cwd: string };

/** The program as it lies in this repository. */
export const FROM_SOURCES: Program = {
  command: [process.execPath, "src/main.ts"],
  cwd: join(import.meta.dir, "../.."),
};

/** Runs a command of the program to its end, with no environment but `settings`. */
export async function run(
  { command, cwd }: Program,
  words: readonly string[],
  settings: Readonly<Record<string, string>> = {},
) {
  const child = Bun.spawn([...command, ...words], {
    cwd,
    env: { ...settings },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [code, said, errors] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code, said, errors };
}

/** Starts `serve` and resolves when it has said where it listens. `settings` are environment variables. */
export async function serve(
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
  program: Program = FROM_SOURCES,
) {
  for (let tries = 1; ; tries++) {
    const port = await freePort();
    try {
      return await serveOn(port, dataDir, settings, program);
    } catch (error) {
      // Another program can take the port before ours listens.
      const isTaken = error instanceof Error && error.message.includes(`Port ${port} is in use`);
      if (!isTaken || tries === PORT_TRIES) throw error;
    }
  }
}

async function serveOn(
  port: number,
  dataDir: string,
  settings: Readonly<Record<string, string>>,
  program: Program,
) {
  const baseUrl = `http://127.0.0.1:${port}`;
  const child = Bun.spawn([...program.command, "serve"], {
    cwd: program.cwd,
    env: {
      PORT: String(port),
      HOST: "127.0.0.1",
      BASE_URL: baseUrl,
      DATA_DIR: dataDir,
      LIMIT_READ: "off",
      BACKUP_KEEP: "off",
      LOG_REQUESTS: "off",
      ...settings,
    },
    stdout: "pipe",
    stderr: "pipe",
  });
  const said: string[] = [];
  const errors: string[] = [];
  const listening = Promise.withResolvers<void>();
  void collect(child.stdout, said, () => {
    if (said.join("").includes("  mail ")) listening.resolve();
  });
  const allErrors = collect(child.stderr, errors);
  await Promise.race([
    listening.promise,
    child.exited.then(async () => {
      await allErrors;
      throw new Error(`serve ended before it listened: ${said.join("")} ${errors.join("")}`);
    }),
  ]);
  return {
    baseUrl,
    child,
    said: () => said.join(""),
    errors: () => errors.join(""),
    /** On a connection of its own: the service may close an idle one at the moment at which it is used again. */
    fetch: (path: string, init: RequestInit = {}) =>
      fetch(path.startsWith("http") ? path : `${baseUrl}${path}`, {
        redirect: "manual",
        keepalive: false,
        ...init,
      }),
    async mcpClient(): Promise<Client> {
      const client = new Client({ name: "test", version: "1" });
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${baseUrl}/api/mcp`)) as Parameters<
          Client["connect"]
        >[0],
      );
      return client;
    },
    /** Asks it to end, as a service manager does; gives the exit code. */
    async stop(): Promise<number> {
      child.kill("SIGTERM");
      return child.exited;
    },
  };
}

/** The most memory a process was ever resident with (Linux). */
export function peakMemoryMb(pid: number): number {
  const kib = /^VmHWM:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Math.round(Number(kib) / 1024);
}

/** Longer than anything waited for takes on a busy machine. */
const WAIT_SECONDS_MAX = 60;
/**
 * Longest wait for an email. Longer than the outbox worker's first two pauses, one minute and two, which a single failed
 * connection to the mail server causes.
 */
export const EMAIL_SECONDS_MAX = 200;
const LOOK_AGAIN_MS = 5;

type Condition = () => boolean | Promise<boolean>;

/** Resolves when something that another process or thread does has come true; rejects when it does not. */
export async function until(isTrue: Condition): Promise<void> {
  if (!(await holdsWithin(WAIT_SECONDS_MAX, isTrue)))
    throw new Error(`in ${WAIT_SECONDS_MAX} s this did not come true: ${isTrue}`);
}

/** Waits until a condition holds; false if it does not within this time. */
export async function holdsWithin(seconds: number, isTrue: Condition): Promise<boolean> {
  // Counts looks, not the time: a machine that stood still meanwhile has not used up the wait.
  for (let looks = (seconds * 1_000) / LOOK_AGAIN_MS; looks > 0; looks--) {
    if (await isTrue()) return true;
    await Bun.sleep(LOOK_AGAIN_MS);
  }
  return isTrue();
}

const PAUSE_MS = 100;

/** Waits as `holdsWithin` does, for a condition that takes long to look at: by the time that has passed. */
export async function holdsBefore(seconds: number, isTrue: Condition): Promise<boolean> {
  const end = performance.now() + seconds * 1_000;
  for (;;) {
    if (await isTrue()) return true;
    if (performance.now() >= end) return false;
    await Bun.sleep(PAUSE_MS);
  }
}

/** Collects the text of a stream as it comes; resolves at its end. */
async function collect(
  stream: ReadableStream<Uint8Array>,
  into: string[],
  onText = () => {},
): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    into.push(decoder.decode(chunk, { stream: true }));
    onText();
  }
}

/** Ports below those that systems give to outgoing connections (RFC 6335: 49152; Linux: 32768), which take any of theirs. */
const PORTS = { from: 20_000, to: 32_000 };
const PORT_TRIES = 100;

const givenPorts = new Set<number>();

/** A free port. No outgoing connection takes it before its program listens, and no process is given it twice. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < PORT_TRIES; tries++) {
    const port = randomInt(PORTS.from, PORTS.to);
    if (givenPorts.has(port)) continue;
    givenPorts.add(port);
    if (await isFree(port)) return port;
  }
  throw new Error(`no port from ${PORTS.from} to ${PORTS.to} is free`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.on("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}
