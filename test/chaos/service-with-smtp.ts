import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../src/settings/config.ts";
import { smtpTransport } from "../../src/mail/smtp.ts";
import { start } from "../../src/start.ts";
import { type Fetch, callTool } from "./client.ts";
import type { FailingMailServer } from "./failing-mail-server.ts";

type SmtpTimeouts = Parameters<typeof smtpTransport>[0]["timeouts"];

const BASE_URL = "http://localhost:3000";
const NOW = Date.UTC(2026, 10, 21, 7, 30);

export type ServiceWithSmtp = Awaited<ReturnType<typeof startWithSmtp>>;

/** Whole service that sends its email over SMTP, with a clock that the test moves. */
export async function startWithSmtp(
  server: FailingMailServer,
  {
    timeouts = null,
    folder = mkdtempSync(join(tmpdir(), "pet-alert-post-")),
    now = NOW,
  }: { timeouts?: SmtpTimeouts | null; folder?: string; now?: number } = {},
) {
  const clock = { now };
  const logged: string[] = [];
  const config = readConfig({
    BASE_URL,
    DATA_DIR: folder,
    SMTP_URL: server.url,
    LIMIT_READ: "off",
    LIMIT_PUBLISH: "off",
    LIMIT_MESSAGE: "off",
    LIMIT_SUBSCRIBE: "off",
    BACKUP_KEEP: "off",
  });
  const smtp = { server: config.smtp!, sender: config.sender, dkim: null };
  const app = await start(config, {
    clock: () => clock.now,
    log: (event, details = {}) => logged.push(`${event} ${Bun.inspect(details)}`),
    ...(timeouts === null ? {} : { transport: smtpTransport({ ...smtp, timeouts }) }),
  });
  const fetch: Fetch = async (address, init = {}) => {
    const url = address.startsWith("http") ? address : `${BASE_URL}${address}`;
    return app.fetch(new Request(url, { redirect: "manual", ...init }), "198.51.100.7");
  };
  return {
    app,
    fetch,
    /** Number of log lines that contain this text. */
    logCount: (words: string) => logged.filter((line) => line.includes(words)).length,
    /** Queues a confirmation email to each address. */
    async ask(emails: readonly string[]): Promise<void> {
      for (const email of emails) {
        const result = await callTool(fetch, "subscribe_zone", { lat: 45.77, lng: 4.83, email });
        if (result.kind === "refused") throw new Error(result.why);
      }
    },
    waiting: async () => (await app.store.outboxState()).waiting,
    /** Moves the clock in steps and runs the jobs after each. */
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
