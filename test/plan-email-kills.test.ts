import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect } from "bun:test";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { DATABASE_FILE } from "../db/sqlite/open.ts";
import { callTool, lostDog, submit } from "./chaos/client.ts";
import { createFailingMailServer, type FailingMailServer } from "./chaos/failing-mail-server.ts";
import { DISK } from "./support/disk.ts";
import { scratchFolder, serve, until } from "./support/process.ts";
import { missingPushedClock, pushedClock, testsUnlessMissing } from "./support/system-programs.ts";
import { DAY, HOUR, MINUTE } from "./support/time.ts";
import { linkIn } from "./support/world.ts";

const { test } = testsUnlessMissing(missingPushedClock);

const OWNERS = 16;
const ENDS_BEFORE = lostDog(0).email;
const ENDS_WHILE_EMAIL_WAITS = lostDog(1).email;
/** Owner of three more alerts. */
const OF_SEVERAL = "several@example.org";
const TEST_MS = 600_000;

let folder: ReturnType<typeof scratchFolder>;
let mail: FailingMailServer;
/** Paths of the manage pages, by mailbox. */
let manage: Map<string, string>;
beforeEach(async () => {
  folder = scratchFolder(DISK);
  mail = await createFailingMailServer();
});
afterEach(() => {
  mail.close();
  folder.forget();
});

test(
  "emails about what to do next come once each, however often the program is killed while it queues them",
  async () => {
    await publish();
    for (const day of [1, 3, 7, 30]) await killAndDeliver(day);

    // Ten days later there is nothing to send.
    const served = await start(40 * DAY);
    await until(() => heartbeat() > Date.now() + 40 * DAY - MINUTE);
    await served.stop();
    expect(count(`${WAITING} AND json_extract(content, '$.kind') = 'plan'`)).toBe(0);

    const all = [1, 3, 7, 30];
    const expected = new Map(owners().map((owner) => [owner, all]));
    expected.set(ENDS_BEFORE, []);
    expected.set(ENDS_WHILE_EMAIL_WAITS, [1]);
    expect(new Map(owners().map((owner) => [owner, daysOf(owner)]))).toEqual(expected);
    expect(planEmails(OF_SEVERAL).map(({ raw }) => /^Subject: (.*)\r$/m.exec(raw)?.[1])).toEqual(
      all.map(() => "What to do next for your 3 animals"),
    );
  },
  TEST_MS,
);

test(
  "an email that the mail server took just before the kill comes again under its Message-ID",
  async () => {
    await publish();
    const served = await start(DAY + MINUTE);
    const [last = ""] = owners().slice(-1);
    mail.behavior = {
      text(to) {
        if (to === last) served.child.kill("SIGKILL");
        return "250 accepted";
      },
    };
    await served.child.exited;
    mail.behavior = {};
    await deliver(1);

    expect(planEmails(last)).toHaveLength(2);
    const ids = owners().map(
      (owner) => new Set(planEmails(owner).map(({ messageId }) => messageId)).size,
    );
    expect(ids).toEqual([0, ...Array.from({ length: OWNERS - 1 }, () => 1)]);
  },
  TEST_MS,
);

const start = (aheadMs: number) =>
  serve(folder.path, { SMTP_URL: mail.url, LIMIT_PUBLISH: "off", ...pushedClock(aheadMs) });
const owners = () => Array.from({ length: OWNERS }, (_, nth) => lostDog(nth).email);

/** Publishes the alerts of all owners, and ends the first. */
async function publish(): Promise<void> {
  manage = new Map();
  const served = await start(0);
  for (let nth = 0; nth < OWNERS; nth++)
    await callTool(served.fetch, "publish_alert", lostDog(nth));
  for (const owner of owners()) await submit(served.fetch, await pathIn(owner, "/confirm/"));
  for (const owner of owners()) manage.set(owner, await pathIn(owner, "/manage/"));
  await submit(served.fetch, `${manage.get(ENDS_BEFORE)}/resolve`);
  for (let nth = 0; nth < 3; nth++) {
    const dog = lostDog(OWNERS + nth, { email: OF_SEVERAL });
    const { content }: any = await callTool(served.fetch, "publish_alert", dog);
    const path = await pathIn(OF_SEVERAL, "/confirm/", content.short_code);
    await submit(served.fetch, path);
  }
  await served.stop();
}

/**
 * Kills the program around the tick that queues the emails of a day, while nothing can be sent: before, in the middle, and
 * after the last one is queued. Then lets it send them.
 */
async function killAndDeliver(day: number): Promise<void> {
  mail.close();
  const moments = [() => true, () => queued(day) > 0, () => queued(day) >= active()];
  for (const [nth, moment] of moments.entries()) {
    const served = await start(day * DAY + (1 + 2 * nth) * MINUTE);
    await until(moment);
    served.child.kill("SIGKILL");
    await served.child.exited;
  }
  if (day === 3) {
    const served = await start(day * DAY + 10 * MINUTE);
    await submit(served.fetch, `${manage.get(ENDS_WHILE_EMAIL_WAITS)}/resolve`);
    served.child.kill("SIGKILL");
    await served.child.exited;
  }
  mail.open();
  await deliver(day);
}

/** Runs the program until the emails of a day are sent. By then, those in transit at a kill are due again. */
async function deliver(day: number): Promise<void> {
  const served = await start(day * DAY + HOUR);
  await until(() => queued(day) >= active());
  await until(() => count(WAITING) === 0);
  await served.stop();
}

/** Path of the newest link of a kind that came to a mailbox, as soon as it is there; `code`: of an alert it is about. */
async function pathIn(to: string, part: string, code = ""): Promise<string> {
  const newest = () =>
    mail.accepted.findLast(
      (email) => email.to === to && email.raw.includes(part) && email.raw.includes(code),
    );
  await until(() => newest() !== undefined);
  return new URL(linkIn(await PostalMime.parse(newest()!.raw), part)).pathname;
}

const planEmails = (to: string) =>
  mail.accepted.filter(
    (email) => email.to === to && /^Subject: What to do (?:after|next)/m.test(email.raw),
  );
/** Days of the emails that came to a mailbox, in order. */
const daysOf = (to: string) =>
  planEmails(to).map(({ raw }) => Number(/after (\d+) days/.exec(raw)?.[1] ?? 1));

const WAITING = "outbox WHERE state = 'waiting'";
const active = () => count("alert WHERE status = 'active'");
const queued = (day: number) => count(`plan_email WHERE day = ${day}`);
const count = (rows: string) => look<number>(`SELECT count(*) AS it FROM ${rows}`);
const heartbeat = () => look<number>("SELECT beat_at AS it FROM counter");

function look<Value>(query: string): Value {
  const database = new Database(join(folder.path, DATABASE_FILE), { readonly: true });
  try {
    return database.query<{ it: Value }, []>(query).get()!.it;
  } finally {
    database.close();
  }
}
