import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../src/config.ts";
import { start } from "../../src/start.ts";
import { type Fetch, tool } from "./doors.ts";
import type { MailServer } from "./mail-server.ts";
import type { Weakened } from "./weakened.ts";

/** What starts a service in this process: the program's own, or a weakened copy's. */
export type Starter = { readonly start: typeof start; readonly readConfig: typeof readConfig };

export const REAL: Starter = { start, readConfig };

export async function starterOf(copy: Weakened): Promise<Starter> {
  const { start } = await copy.load<typeof import("../../src/start.ts")>("src/start.ts");
  const { readConfig } = await copy.load<typeof import("../../src/config.ts")>("src/config.ts");
  return { start, readConfig };
}

const BASE_URL = "http://localhost:3000";
const NOW = Date.UTC(2026, 10, 21, 7, 30);

export type PostOffice = Awaited<ReturnType<typeof openPostOffice>>;

/** A whole service whose letters go to a mail server over SMTP, and whose clock moves when it is pushed. */
export async function openPostOffice(
  server: MailServer,
  {
    starter = REAL,
    folder = mkdtempSync(join(tmpdir(), "pet-alert-post-")),
    now = NOW,
  }: { starter?: Starter; folder?: string; now?: number } = {},
) {
  const clock = { now };
  const logged: string[] = [];
  const app = await starter.start(
    starter.readConfig({
      BASE_URL,
      DATA_DIR: folder,
      SMTP_URL: server.url,
      LIMIT_READ: "off",
      LIMIT_PUBLISH: "off",
      LIMIT_MESSAGE: "off",
      LIMIT_SUBSCRIBE: "off",
      BACKUP_KEEP: "off",
    }),
    {
      clock: () => clock.now,
      log: (event, details = {}) => logged.push(`${event} ${Bun.inspect(details)}`),
    },
  );
  const fetch: Fetch = async (address, init = {}) => {
    const url = address.startsWith("http") ? address : `${BASE_URL}${address}`;
    return app.fetch(new Request(url, { redirect: "manual", ...init }), "198.51.100.7");
  };
  return {
    app,
    fetch,
    /** How often something was logged that holds these words. */
    said: (words: string) => logged.filter((line) => line.includes(words)).length,
    /** Puts a confirmation letter to each of these into the outbox. */
    async ask(emails: readonly string[]): Promise<void> {
      for (const email of emails) {
        const said = await tool(fetch, "subscribe_zone", { lat: 45.77, lng: 4.83, email });
        if (said.kind === "refused") throw new Error(said.why);
      }
    },
    waiting: async () => (await app.store.outboxState()).waiting,
    /** Does what is due, and again as time goes by. */
    async pass(ms: number, every = ms): Promise<void> {
      for (let left = ms; left > 0; left -= every) {
        clock.now += Math.min(every, left);
        await app.tick();
      }
    },
    async end(): Promise<void> {
      await app.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Waits for what should come soon; false when it did not. */
export async function within(seconds: number, holds: () => boolean): Promise<boolean> {
  const end = performance.now() + seconds * 1_000;
  while (!holds()) {
    if (performance.now() > end) return false;
    await Bun.sleep(5);
  }
  return true;
}
