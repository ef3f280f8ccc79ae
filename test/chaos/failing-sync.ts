import { Database } from "bun:sqlite";
import { join } from "node:path";
import { DATABASE_FILE } from "../../db/sqlite/open.ts";
import {
  EMAIL_SECONDS_MAX,
  FROM_SOURCES,
  holdsWithin,
  scratchFolder,
  type Served,
  serve,
} from "../support/process.ts";
import { openSmtpSink, type ReceivedEmail } from "../support/mail.ts";
import { form, linkWith } from "../support/world.ts";
import { type Fetch, lostDog, callTool } from "./client.ts";
import { type Fault, partOf } from "./fault.ts";
import { createRecorder, type Recorder } from "./recorder.ts";

const ALL_SYNCS = 1_000_000;
/** Longest wait for the program to finish a write, on a slow disk. */
const BUSY_MS = 60_000;
const SHOWN_MAX = 5;
/** Looks at the outbox before leases are ended. */
const LOOKS_PER_LEASE = 400;
const DISK_WORDS = "cannot write to its disk";

/** Every sync of the disk fails with EIO while somebody writes; then the disk is well again and they press once more. */
export const failingSync: Fault = {
  name: "EIO on every sync",
  promise:
    "a write that the disk refused is answered 503, and repeating it performs it exactly once",
  async run(say) {
    const healthy = await liveThrough("never");
    const failures = [
      ...(await differences("and goes on", healthy)),
      ...(await differences("and dies", healthy)),
    ];
    say(
      `${healthy.rows.length} writes, each refused and repeated, with and without a kill in between`,
    );
    return {
      tried: `${healthy.rows.length} kinds of write, each refused and then repeated; once more with a kill -9 in between`,
      failures: failures.slice(0, SHOWN_MAX),
    };
  },
};

/** Disk failures: never; at every write; at every write, followed by a kill. */
type Failing = "never" | "and goes on" | "and dies";
type Rows = Readonly<Record<string, number>>;

/** Differences from a run without disk failures, after each step. */
async function differences(
  failing: Failing,
  healthy: { readonly rows: readonly Step[] },
): Promise<string[]> {
  const { rows, failures } = await liveThrough(failing);
  const differing = rows.flatMap(({ name, counts }, nth) =>
    Object.entries(healthy.rows[nth]?.counts ?? {})
      .filter(([what, count]) => counts[what] !== count)
      .map(([what, count]) => `after ${name}, ${what}: ${counts[what]} instead of ${count}`),
  );
  return [...failures, ...differing].map((sentence) => `${failing}: ${sentence}`);
}

/** Number of rows of each kind after a write. */
type Step = { readonly name: string; readonly counts: Rows };

/** Every kind of write, one after the other. */
async function liveThrough(failing: Failing) {
  const folder = scratchFolder();
  const data = join(folder.path, "data");
  const recorder = await createRecorder(data, folder.path);
  const emails: ReceivedEmail[] = [];
  const mail = await openSmtpSink((email) => emails.push(email));
  const [bun = "", ...words] = FROM_SOURCES.command;
  const command = [bun, "--preload", "./test/chaos/recorded-program.ts", ...words];
  const settings = { ...recorder.env, SMTP_URL: mail.url, ADMIN_EMAILS: "admin@example.org" };
  const start = () => serve(data, settings, { ...FROM_SOURCES, command });
  let served = await start();
  const fetch: Fetch = (address, init) =>
    served.fetch(address.replace(/^http:\/\/[^/]+/, ""), init);
  const failures: string[] = [];
  const rows: Step[] = [];
  try {
    const all = writes(fetch, (to, part) =>
      newestLink(emails, to, part, () => served.said() + served.errors()),
    );
    for (const [name, write] of all.slice(0, partOf(all.length))) {
      if (failing !== "never") {
        const refused = await whileFailing(recorder, write);
        if (refused !== "refused") failures.push(`${name}, while the disk failed: ${refused}`);
      }
      if (failing === "and dies") served = await afterKill(served, start);
      const done = await write();
      await settled(data);
      rows.push({ name, counts: rowsIn(data) });
      if (done === "done") continue;
      // The writes after it build on it.
      failures.push(`${name}, repeated: ${done}`);
      break;
    }
    // What the program believes is what lies on the disk.
    served = await afterKill(served, start);
    const code = await served.stop();
    if (code !== 0) failures.push(`it ended with ${code}: ${served.errors()}`);
    return { rows, failures };
  } finally {
    served.child.kill("SIGKILL");
    await mail.close();
    folder.forget();
  }
}

async function whileFailing(recorder: Recorder, write: Write): Promise<string> {
  recorder.failSyncs(ALL_SYNCS);
  try {
    return await write();
  } finally {
    recorder.failSyncs(0);
  }
}

async function afterKill(served: Served, start: () => Promise<Served>): Promise<Served> {
  served.child.kill("SIGKILL");
  await served.child.exited;
  return start();
}

/** "done", "refused" (503, or its words), or what else was answered. */
type Write = () => Promise<string>;

/** Every kind of write, in an order in which each is possible. */
function writes(
  fetch: Fetch,
  linkTo: (mailbox: string, part: string) => Promise<string>,
): readonly (readonly [name: string, write: Write])[] {
  const owner = "owner-eio@example.org";
  const finder = "finder@example.net";
  const neighbour = "neighbour@example.org";
  const stranger = "stranger@example.com";
  const known = { slug: "" };
  const byTool =
    (name: string, args: () => Record<string, unknown>): Write =>
    async () => {
      const result = await callTool(fetch, name, args());
      if (result.kind === "refused")
        return result.why.includes(DISK_WORDS) ? "refused" : result.why;
      known.slug = result.content.slug ?? known.slug;
      return "done";
    };
  const byForm =
    (address: () => Promise<string> | string, fields = {}): Write =>
    async () => {
      const answer = await fetch(await address(), { method: "POST", ...form(fields) });
      if (answer.status < 400) return "done";
      return answer.status === 503 ? "refused" : `answered ${answer.status}`;
    };
  const confirm = (mailbox: string) => byForm(() => linkTo(mailbox, "/confirm/"));
  const manage = (move: string, fields = {}) =>
    byForm(async () => `${await linkTo(owner, "/manage/")}/${move}`, fields);
  const unlessGone =
    (write: Write): Write =>
    async () => {
      const outcome = await write();
      return outcome === "answered 404" ? "done" : outcome;
    };
  const seen = { place: "Lyon", hoursAgo: "1", note: "By the river.", email: "seer@example.com" };
  return [
    ["publishing", byTool("publish_alert", () => lostDog("eio", { email: owner }))],
    ["confirming it", confirm(owner)],
    [
      "writing",
      byTool("send_message", () => ({ alert: known.slug, message: "Seen.", email: finder })),
    ],
    ["confirming it", confirm(finder)],
    ["answering", byForm(() => linkTo(owner, "/conversation/"), { message: "Where?" })],
    ["telling of a sighting", byForm(() => `/alerts/${known.slug}/sighting`, seen)],
    ["confirming it", confirm(seen.email)],
    ["subscribing", byTool("subscribe_zone", () => ({ lat: 45.75, lng: 4.85, email: neighbour }))],
    ["confirming it", confirm(neighbour)],
    [
      "asking for nothing",
      byTool("subscribe_zone", () => ({ lat: 45.75, lng: 4.85, email: stranger })),
    ],
    ["saying so", byForm(async () => `${await linkTo(stranger, "/confirm/")}/not-me`)],
    ["allowing emails again", byForm(async () => `${await linkTo(stranger, "/confirm/")}/allow`)],
    ["reporting", byForm(() => `/alerts/${known.slug}/report`, { reason: "scam" })],
    ["correcting", manage("edit", { color: "white", name: "Dog", edited: "1" })],
    ["coming home", manage("resolve")],
    ["telling how", manage("outcome", { how: "came_back" })],
    ["being lost again", manage("reopen")],
    [
      "closing a conversation",
      byForm(async () => `${await linkTo(owner, "/conversation/")}/close`),
    ],
    // Once it has happened the link is no more.
    ["removing", unlessGone(manage("remove"))],
  ];
}

async function newestLink(
  emails: readonly ReceivedEmail[],
  to: string,
  part: string,
  log: () => string,
): Promise<string> {
  const link = () => {
    const email = emails.findLast((one) => one.to === to && one.text?.includes(part));
    return linkWith(part, email?.text ?? "");
  };
  if (!(await holdsWithin(EMAIL_SECONDS_MAX, () => link() !== null)))
    throw new Error(`no email with ${part} came to ${to}; the program logged: ${log()}`);
  return link() ?? "";
}

/** Waits until nothing waits in the outbox: emails that had to wait go now. */
async function settled(data: string): Promise<void> {
  const database = new Database(join(data, DATABASE_FILE));
  database.run(`PRAGMA busy_timeout = ${BUSY_MS}`);
  const waiting = database.query<{ it: number }, []>(
    "SELECT count(*) AS it FROM outbox WHERE state = 'waiting'",
  );
  let looks = 0;
  try {
    await holdsWithin(EMAIL_SECONDS_MAX, () => {
      if (waiting.get()!.it === 0) return true;
      looks += 1;
      // A lease of an email whose sender died lasts ten minutes: they pass here.
      if (looks % LOOKS_PER_LEASE === 0)
        database.run("UPDATE outbox SET due_at = 0 WHERE state = 'waiting'");
      return false;
    });
  } finally {
    database.close();
  }
}

const COUNTED = {
  asks: "SELECT count(*) FROM pending WHERE repeats IS NULL",
  "asks confirmed": "SELECT count(*) FROM pending WHERE state = 'confirmed'",
  "asks disowned": "SELECT count(*) FROM pending WHERE state = 'disowned'",
  // A repeated request reserves one for the case that its address is corrected.
  "short codes": `SELECT (SELECT count(*) FROM short_code) -
    (SELECT count(*) FROM pending WHERE repeats IS NOT NULL AND kind = 'publish')`,
  alerts: "SELECT count(*) FROM alert",
  "alerts removed": "SELECT count(*) FROM alert WHERE status = 'removed'",
  links: "SELECT count(*) FROM link",
  zones: "SELECT count(*) FROM zone",
  emails: "SELECT count(*) FROM outbox",
  "emails sent": "SELECT count(*) FROM outbox WHERE state = 'sent'",
  messages: "SELECT count(*) FROM message",
  reports: "SELECT count(*) FROM report",
  outcomes: "SELECT count(*) FROM outcome",
  "mailboxes that want no emails": "SELECT count(*) FROM stopped",
  "broken references": "SELECT count(*) FROM pragma_foreign_key_check",
  damage: "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
} as const;

function rowsIn(data: string): Rows {
  const database = new Database(join(data, DATABASE_FILE), { readonly: true });
  const counts = Object.entries(COUNTED).map(([what, sql]) => [
    what,
    database.query<{ it: number }, []>(`SELECT (${sql}) AS it`).get()!.it,
  ]);
  database.close();
  return Object.fromEntries(counts);
}
