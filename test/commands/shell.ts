import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rowsIn } from "../../db/sqlite/backups/check.ts";
import { DATABASE_FILE } from "../../db/sqlite/open.ts";
import type { Command } from "../../src/commands/shell/command.ts";
import { readConfig } from "../../src/settings/config.ts";
import { codeOf } from "../../src/ops/fs.ts";
import { type App, start, systemClock } from "../../src/start.ts";

export type Shell = ReturnType<typeof openShell>;

/** A scratch folder, in which commands run as they would at a shell. Call `end()` when done. */
export function openShell() {
  const folder = mkdtempSync(join(tmpdir(), "pet-alert-test-"));
  const env = { DATA_DIR: join(folder, "data"), LIMIT_READ: "off" };

  return {
    folder,
    dataDir: env.DATA_DIR,

    /** Writes a file into the folder; gives its path. */
    async write(name: string, content: string | Uint8Array): Promise<string> {
      const path = join(folder, name);
      await Bun.write(path, content);
      return path;
    },

    /** Runs a command; what it throws, its caller gets. `answer` is typed at the terminal; null: there is none. */
    async run(
      command: Command,
      args: readonly string[],
      {
        answer = null,
        stopped = new AbortController().signal,
        settings = {},
        input = "",
        isTerminal = false,
        program = null,
      }: Typed = {},
    ) {
      const lines: string[] = [];
      const aside: string[] = [];
      const written: Uint8Array[] = [];
      const asked: string[] = [];
      const code = await command.run(args, {
        env: { ...env, ...settings },
        stopped,
        print: (text) => lines.push(text),
        printError: (text) => aside.push(text),
        async *standardInput() {
          // In two pieces, as a pipe may give it.
          const bytes = Buffer.from(input);
          const half = Math.floor(bytes.length / 2);
          yield bytes.subarray(0, half);
          yield bytes.subarray(half);
        },
        standardOutput: {
          write: async (bytes) => void written.push(bytes),
          flush: () => {},
          isTerminal,
        },
        program,
        ask:
          answer === null
            ? null
            : (question) => {
                asked.push(question);
                return answer;
              },
        isTerminal: false,
        now: systemClock,
      });
      return {
        code,
        said: lines.join("\n"),
        aside: aside.join("\n"),
        written: Buffer.concat(written),
        asked,
      };
    },

    /** Runs a command that should not get far; gives the sentence for the operator. */
    async failing(command: Command, args: readonly string[], typed: Typed = {}): Promise<string> {
      const outcome = await this.run(command, args, typed).catch((error: Error) => error.message);
      if (typeof outcome !== "string") throw new Error(`it went on: ${outcome.said}`);
      return outcome;
    },

    /** Looks at what the folder holds. */
    async look<Seen>(
      view: (app: App) => Seen | Promise<Seen>,
      settings: Typed["settings"] = {},
    ): Promise<Seen> {
      const app = await start(readConfig({ ...env, ...settings }), { log: () => {} });
      try {
        return await view(app);
      } finally {
        await app.stop();
      }
    },

    /** Every active alert as REST gives it, newest first. */
    alerts(settings: Typed["settings"] = {}): Promise<any[]> {
      return this.look(everyAlert, settings);
    },

    end: () => rmSync(folder, { recursive: true, force: true }),
  };
}

type Typed = {
  readonly answer?: string | null;
  readonly stopped?: AbortSignal;
  /** Set in the environment beside the data folder. */
  readonly settings?: Readonly<Record<string, string>>;
  /** On standard input. */
  readonly input?: string | Uint8Array;
  /** Whether standard output is a terminal. */
  readonly isTerminal?: boolean;
  /** File of the program. */
  readonly program?: string | null;
};

/** Every active alert of an app as REST gives it, newest first. */
export async function everyAlert(app: App): Promise<any[]> {
  const all: any[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const path: string = `/api/v1/alerts?limit=50${cursor && `&cursor=${cursor}`}`;
    const page: any = await (await get(app, path)).json();
    all.push(...page.alerts);
    cursor = page.next_cursor;
  }
  return all;
}

/** Asks an app for a page or an answer. */
export async function get(app: App, path: string): Promise<Response> {
  const url = path.startsWith("http") ? path : `http://localhost:3000${path}`;
  return app.fetch(new Request(url, { redirect: "manual" }), "127.0.0.1");
}

/** Number of alerts in a data folder that another process is using; 0 while it makes its tables or opens them again. */
export function storedAlerts(dataDir: string): number {
  if (!existsSync(join(dataDir, DATABASE_FILE))) return 0;
  try {
    return rowsIn(dataDir).alerts;
  } catch (error) {
    if (["SQLITE_ERROR", "SQLITE_BUSY_RECOVERY"].includes(codeOf(error))) return 0;
    throw error;
  }
}
