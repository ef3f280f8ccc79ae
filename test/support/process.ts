import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

/** The real program as a process of its own, serving on a loopback port. */
export type Served = Awaited<ReturnType<typeof serve>>;

/** A scratch data folder; remove it with `forget`. */
export function scratchFolder(): { path: string; forget: () => void } {
  const path = mkdtempSync(join(tmpdir(), "pet-alert-process-"));
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
  const port = await freePort();
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
  const listening = readLines(child.stdout, said, (text) => text.includes("  mail "));
  const errors: string[] = [];
  void readLines(child.stderr, errors, () => false);
  await Promise.race([
    listening,
    child.exited.then(() => {
      throw new Error(`serve ended before it listened: ${said.join("")} ${errors.join("")}`);
    }),
  ]);
  return {
    baseUrl,
    child,
    said: () => said.join(""),
    errors: () => errors.join(""),
    fetch: (path: string, init: RequestInit = {}) =>
      fetch(path.startsWith("http") ? path : `${baseUrl}${path}`, { redirect: "manual", ...init }),
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
const WAIT_MS = 60_000;
const LOOK_AGAIN_MS = 5;

/** Resolves when something that another process or thread does has come true; rejects when it does not. */
export async function until(isTrue: () => boolean): Promise<void> {
  for (let left = WAIT_MS; !isTrue(); left -= LOOK_AGAIN_MS) {
    if (left <= 0) throw new Error(`in ${WAIT_MS} ms this did not come true: ${isTrue}`);
    await Bun.sleep(LOOK_AGAIN_MS);
  }
}

async function readLines(
  stream: ReadableStream<Uint8Array>,
  into: string[],
  until: (all: string) => boolean,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      into.push(decoder.decode(chunk, { stream: true }));
      if (until(into.join(""))) resolve();
    }
  })();
  return promise;
}

/** Ports below those that systems give to outgoing connections (RFC 6335: 49152; Linux: 32768), which take any of theirs. */
const PORTS = { from: 20_000, to: 32_000 };
const PORT_TRIES = 100;

/** A free port. No outgoing connection takes it before its program listens. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < PORT_TRIES; tries++) {
    const port = randomInt(PORTS.from, PORTS.to);
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
