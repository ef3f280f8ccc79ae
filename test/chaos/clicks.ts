import { Database } from "bun:sqlite";
import { join } from "node:path";
import { DATABASE_FILE } from "../../db/sqlite/open.ts";
import { EMAIL_SECONDS_MAX, holdsWithin, scratchFolder, serve } from "../support/process.ts";
import { form } from "../support/world.ts";
import { lostDog, submit, callTool } from "./client.ts";
import { formatNumber, type Fault, partOf } from "./fault.ts";
import { createFailingMailServer, type FailingMailServer } from "./failing-mail-server.ts";

const CLICKS = 200;
/** Of each kind: an alert to publish, a message, a sighting, a zone. */
const TOKENS_OF_A_KIND = partOf(5);

/** Tables in which each confirmed request of a kind adds one row. */
const EFFECTS = ["alert", "message", "sighting", "zone"] as const;

export const clicks: Fault = {
  name: "racing clicks on one link",
  promise: "A confirmation link pressed many times at once does what it says exactly once",
  async run(say) {
    const { failures, answered } = await race(TOKENS_OF_A_KIND, CLICKS, say);
    return {
      tried: `${4 * TOKENS_OF_A_KIND} links, ${formatNumber(answered)} presses, ${CLICKS} at once`,
      failures,
    };
  },
};

async function race(each: number, clicks: number, say: (line: string) => void) {
  const folder = scratchFolder();
  const server = await createFailingMailServer();
  const settings = { LIMIT_PUBLISH: "off", LIMIT_MESSAGE: "off", LIMIT_SUBSCRIBE: "off" };
  const served = await serve(folder.path, { SMTP_URL: server.url, ...settings });
  const failures: string[] = [];
  let answered = 0;

  const { content } = await done(callTool(served.fetch, "publish_alert", lostDog("first")));
  await submit(served.fetch, await linkTo(server, "owner-first@example.org"));
  const before = counts(folder.path);
  const emails = await askAll(served.fetch, content.short_code, each);
  for (const email of emails) {
    const link = await linkTo(server, email);
    const statuses = await Promise.all(
      Array.from({ length: clicks }, async () => {
        const answer = await served.fetch(link, { method: "POST", ...form({}) });
        await answer.arrayBuffer();
        return answer.status;
      }),
    );
    answered += statuses.length;
    const odd = statuses.filter((status) => status !== 200);
    if (odd.length > 0) failures.push(`${odd.length} presses were answered with ${odd[0]}`);
  }
  say(`${emails.length} links, ${formatNumber(answered)} presses`);
  // What a press sets off, such as the email to the owner, goes out with the next look at the outbox.
  await holdsWithin(EMAIL_SECONDS_MAX, () => counts(folder.path).waiting === 0);
  const code = await served.stop();
  if (code !== 0) failures.push(`it ended with ${code}`);

  const after = counts(folder.path);
  for (const kind of EFFECTS) {
    const made = after[kind] - before[kind];
    if (made !== each) failures.push(`${each} links made ${made} of ${kind}`);
  }
  // Confirmations, then what they set off: an email to the new owner, or to the first about message and sighting.
  const sent = server.accepted.length - 2;
  const wanted = emails.length + 3 * each;
  if (sent !== wanted) failures.push(`${sent} emails went out instead of ${wanted}`);
  server.close();
  folder.forget();
  return { failures, answered };
}

type Served = Awaited<ReturnType<typeof serve>>;

/** Every mailbox that has a link now. */
async function askAll(fetch: Served["fetch"], alert: string, each: number): Promise<string[]> {
  const numbers = Array.from({ length: each }, (_, at) => at);
  const here = { lat: 45.77, lng: 4.83 };
  for (const at of numbers) {
    await done(callTool(fetch, "publish_alert", lostDog(at, { ...here, lat: 10 + at })));
    await done(
      callTool(fetch, "send_message", { alert, message: `Seen ${at}`, email: of("finder", at) }),
    );
    const seen = { lat: "45.76", lng: "4.84", note: `by the river ${at}`, email: of("seer", at) };
    await fetch(`/alerts/${alert}/sighting`, { method: "POST", ...form(seen) });
    await done(callTool(fetch, "subscribe_zone", { lat: -45, lng: at, email: of("reader", at) }));
  }
  return numbers.flatMap((at) => ["owner", "finder", "seer", "reader"].map((who) => of(who, at)));
}

function of(who: string, at: number): string {
  return `${who}-${at}@example.org`;
}

async function done(call: ReturnType<typeof callTool>) {
  const answer = await call;
  if (answer.kind === "refused") throw new Error(answer.why);
  return answer;
}

async function linkTo(server: FailingMailServer, email: string): Promise<string> {
  const link = () => {
    const raw = server.accepted.findLast(({ to }) => to === email)?.raw.replace(/=\r\n/g, "") ?? "";
    return /http:\/\/127\.0\.0\.1:\d+\/confirm\/[\w-]+/.exec(raw)?.[0];
  };
  if (!(await holdsWithin(EMAIL_SECONDS_MAX, () => link() !== undefined)))
    throw new Error(`no confirmation email to ${email}`);
  return link() ?? "";
}

function counts(folder: string) {
  const database = new Database(join(folder, DATABASE_FILE), { readonly: true });
  const count = (from: string) =>
    database.query<{ rows: number }, []>(`SELECT count(*) AS rows FROM ${from}`).get()?.rows ?? 0;
  const found = {
    alert: count("alert"),
    message: count("message"),
    sighting: count("sighting"),
    zone: count("zone"),
    waiting: count("outbox WHERE state = 'waiting'"),
  };
  database.close();
  return found;
}
