import { SEND_SLOTS } from "../../src/mail/outbox-worker.ts";
import {
  EMAIL_SECONDS_MAX,
  holdsWithin,
  type Program,
  scratchFolder,
  serve,
} from "../support/process.ts";
import { MINUTE } from "../support/time.ts";
import { callTool } from "./client.ts";
import { formatNumber, partOf, randomFor, type Fault } from "./fault.ts";
import { createFailingMailServer, type FailingMailServer } from "./failing-mail-server.ts";
import { startWithSmtp } from "./service-with-smtp.ts";
import { type Weakening, weakened } from "./weakened.ts";

const KILLS = partOf(50);
const EMAILS_PER_KILL = 30;
/** A slow server: emails are in transit when the program is killed. */
const MAIL_DELAY_MS = 4;
/** The program's second between two looks at the outbox, shortened in a copy: all else in it is as it is. */
const OFTEN: Weakening = {
  module: "src/start.ts",
  name: "start",
  instead: `async (...args) => {
    const app = await original.start(...args);
    const ticking = setInterval(() => void app.tick(), 50);
    const stop = () => {
      clearInterval(ticking);
      return app.stop();
    };
    return new Proxy(app, { get: (all, name) => (name === "stop" ? stop : all[name]) });
  }`,
};

export const mailKills: Fault = {
  name: "kill -9 while emails are sent",
  promise:
    "An email for an accepted request arrives, however often the program is killed; duplicates have the same Message-ID",
  async run(say) {
    const server = await createFailingMailServer({ delayMs: MAIL_DELAY_MS });
    const folder = scratchFolder();
    const often = await weakened(OFTEN);
    const asked: string[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      asked.push(...(await sendAndKill(often.program, server, folder.path, kill)));
      if (kill % 10 === 9) say(`${kill + 1} kills, ${server.accepted.length} emails`);
    }
    // Emails in transit at a kill are sent again when their lease ends.
    const service = await startWithSmtp(server, {
      folder: folder.path,
      now: Date.now() + 11 * MINUTE,
    });
    await service.pass(1_000);
    for (let round = 0; round < 3 && (await service.waiting()) > 0; round += 1)
      await service.pass(61 * MINUTE);
    await service.end();
    server.close();
    folder.forget();
    often.remove();

    const { lost, doubled, strangers } = tally(server, asked);
    const failures = [
      ...(lost > 0 ? [`${lost} of ${asked.length} emails never arrived`] : []),
      // One kill can duplicate every email in transit.
      ...(doubled > KILLS * SEND_SLOTS ? [`${doubled} emails arrived twice`] : []),
      ...(strangers > 0 ? [`${strangers} emails came again under another Message-ID`] : []),
      ...(asked.length < KILLS ? [`only ${asked.length} asks were answered`] : []),
    ];
    return {
      tried: `${KILLS} kills, ${formatNumber(asked.length)} emails`,
      lost: `${lost} (${doubled} came twice, each with its Message-ID)`,
      failures,
    };
  },
};

/** Requests emails and kills the program after a few were sent. Returns the mailboxes whose requests were answered. */
async function sendAndKill(
  program: Program,
  server: FailingMailServer,
  folder: string,
  kill: number,
): Promise<string[]> {
  const chance = randomFor(`mail kill ${kill}`);
  const served = await serve(folder, { SMTP_URL: server.url, LIMIT_SUBSCRIBE: "off" }, program);
  const answered: string[] = [];
  const asking = Promise.allSettled(
    Array.from({ length: EMAILS_PER_KILL }, async (_, at) => {
      const email = `reader-${kill}-${at}@well-${at}.example`;
      const result = await callTool(served.fetch, "subscribe_zone", {
        lat: 45.77,
        lng: 4.83,
        email,
      });
      if (result.kind === "done") answered.push(email);
    }),
  );
  const goal = server.recipients.length + 1 + chance.below(EMAILS_PER_KILL / 2);
  await holdsWithin(
    EMAIL_SECONDS_MAX,
    () => server.recipients.length >= goal && answered.length > EMAILS_PER_KILL / 2,
  );
  served.child.kill("SIGKILL");
  await served.child.exited;
  await asking;
  return answered;
}

function tally(server: FailingMailServer, asked: readonly string[]) {
  const ids = new Map<string, string[]>();
  for (const { to, messageId } of server.accepted) ids.set(to, [...(ids.get(to) ?? []), messageId]);
  const seen = [...ids.values()];
  return {
    lost: asked.filter((to) => !ids.has(to)).length,
    doubled: seen.reduce((sum, all) => sum + all.length - 1, 0),
    strangers: seen.filter((all) => new Set(all).size > 1).length,
  };
}
