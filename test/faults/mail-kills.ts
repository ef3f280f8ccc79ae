import { PLACES } from "../../src/mail/postman.ts";
import { type Program, scratchFolder, serve } from "../support/process.ts";
import { MINUTE } from "../support/time.ts";
import { tool } from "./doors.ts";
import { amount, type Bite, chanceFor, type Fault } from "./fault.ts";
import { createMailServer, type MailServer } from "./mail-server.ts";
import { openPostOffice, within } from "./post-office.ts";
import { type Weakening, weakened, without } from "./weakened.ts";

const KILLS = 50;
const LETTERS_A_KILL = 30;
/** A server that takes its time has letters under way when the program dies. */
const MAIL_DELAY_MS = 4;
/** The program is killed so long after it began to send, at most. */
const SENDING_MS = 100;
/** The program's second between two looks at the outbox, shortened in a copy: all else in it is as it is. */
const OFTEN: Weakening = {
  file: "src/commands/serve.ts",
  piece: "TICK_MS = 1_000",
  instead: "TICK_MS = 50",
};

export const mailKills: Fault = {
  name: "kill -9 while letters go out",
  promise:
    "A letter whose ask was answered arrives, however often the program is killed; what arrives twice has one Message-ID",
  async run(say) {
    const server = createMailServer({ delayMs: MAIL_DELAY_MS });
    const folder = scratchFolder();
    const often = await weakened(OFTEN);
    const asked: string[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      asked.push(...(await sendAndKill(often.program, server, folder.path, kill)));
      if (kill % 10 === 9) say(`${kill + 1} kills, ${server.taken.length} letters`);
    }
    // What was under way at a kill is nobody's until its lease is over.
    const office = await openPostOffice(server, {
      folder: folder.path,
      now: Date.now() + 11 * MINUTE,
    });
    await office.pass(1_000);
    for (let round = 0; round < 3 && (await office.waiting()) > 0; round += 1)
      await office.pass(61 * MINUTE);
    await office.end();
    server.close();
    folder.forget();
    often.forget();

    const { lost, doubled, strangers } = tally(server, asked);
    const failures = [
      ...(lost > 0 ? [`${lost} of ${asked.length} letters never arrived`] : []),
      // As many as are under way at once may be sent twice by one kill.
      ...(doubled > KILLS * PLACES ? [`${doubled} letters arrived twice`] : []),
      ...(strangers > 0 ? [`${strangers} letters came again under another Message-ID`] : []),
      ...(asked.length < KILLS ? [`only ${asked.length} asks were answered`] : []),
    ];
    return {
      tried: `${KILLS} kills, ${amount(asked.length)} letters`,
      lost: `${lost} (${doubled} came twice, each with its Message-ID)`,
      failures,
      bites: [await withoutLease()],
    };
  },
};

/** Asks for letters, and kills the program after a few of them went. Gives the mailboxes whose ask was answered. */
async function sendAndKill(
  program: Program,
  server: MailServer,
  folder: string,
  kill: number,
): Promise<string[]> {
  const chance = chanceFor(`mail kill ${kill}`);
  const served = await serve(folder, { SMTP_URL: server.url, LIMIT_SUBSCRIBE: "off" }, program);
  const answered: string[] = [];
  const asking = Promise.allSettled(
    Array.from({ length: LETTERS_A_KILL }, async (_, at) => {
      const email = `reader-${kill}-${at}@well-${at}.example`;
      const said = await tool(served.fetch, "subscribe_zone", { lat: 45.77, lng: 4.83, email });
      if (said.kind === "done") answered.push(email);
    }),
  );
  const before = server.named.length;
  await within(5, () => server.named.length > before && answered.length > LETTERS_A_KILL / 2);
  await Bun.sleep(chance.below(SENDING_MS));
  served.child.kill("SIGKILL");
  await served.child.exited;
  await asking;
  return answered;
}

function tally(server: MailServer, asked: readonly string[]) {
  const ids = new Map<string, string[]>();
  for (const { to, messageId } of server.taken) ids.set(to, [...(ids.get(to) ?? []), messageId]);
  const seen = [...ids.values()];
  return {
    lost: asked.filter((to) => !ids.has(to)).length,
    doubled: seen.reduce((sum, all) => sum + all.length - 1, 0),
    strangers: seen.filter((all) => new Set(all).size > 1).length,
  };
}

/** Without a kill: letters that are not leased are taken again while they are under way. */
async function withoutLease(): Promise<Bite> {
  const unleased = {
    file: "db/sqlite/outbox.ts",
    piece: ".set({ dueAt: now + leaseMs })",
    instead: ".set({ dueAt: now })",
  };
  const server = createMailServer({ delayMs: 50 * MAIL_DELAY_MS });
  const folder = scratchFolder();
  const doubled = await without([OFTEN, unleased], ({ program }) =>
    doublesOf(program, server, folder.path),
  );
  server.close();
  folder.forget();
  return {
    defence: "the outbox's lease",
    found: `${doubled} of ${LETTERS_A_KILL} letters sent again without a kill`,
    bit: doubled > 0,
  };
}

async function doublesOf(program: Program, server: MailServer, folder: string): Promise<number> {
  const served = await serve(folder, { SMTP_URL: server.url, LIMIT_SUBSCRIBE: "off" }, program);
  const emails = Array.from({ length: LETTERS_A_KILL }, (_, at) => `reader-${at}@well.example`);
  for (const email of emails)
    await tool(served.fetch, "subscribe_zone", { lat: 45.77, lng: 4.83, email });
  await within(10, () => emails.every((one) => server.taken.some(({ to }) => to === one)));
  await served.stop();
  return tally(server, emails).doubled;
}
