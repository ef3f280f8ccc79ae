import { Database } from "bun:sqlite";
import { join } from "node:path";
import { DATABASE_FILE } from "../../db/sqlite/open.ts";
import type { Random } from "../../src/commands/demo/random.ts";
import { distanceKm } from "../../src/values/point.ts";
import {
  EMAIL_SECONDS_MAX,
  holdsWithin,
  scratchFolder,
  type Served,
  serve,
  until,
} from "../support/process.ts";
import { openSmtpSink, type ReceivedEmail } from "../support/mail.ts";
import { linkWith } from "../support/world.ts";
import { type Fetch, searchAll, lostDog, submit, callTool } from "./client.ts";
import { formatNumber, partOf, randomFor, type Fault } from "./fault.ts";

const KILLS = partOf(40);
const WRITERS = 12;
/** Answers before each kill, drawn at random. */
const ANSWERS_MAX = 60;
const CIRCLES = 3;
const SHOWN_MAX = 5;

/** The process is killed again and again while people publish, confirm, write and resolve. */
export const kill: Fault = {
  name: "kill -9 under load",
  promise: "what was answered is stored with its email, and searches find what is stored",
  async run(say) {
    const real = await killed(KILLS, "kill", scratchFolder(), say);
    return {
      tried: `${KILLS} kills, ${formatNumber(real.acknowledged)} acknowledged writes, ${formatNumber(real.emails)} emails (${real.doubled} sent twice)`,
      failures: real.failures.slice(0, SHOWN_MAX),
    };
  },
};

/** Writes that were acknowledged. */
type Acknowledged = {
  /** Short code → the owner's mailbox. */
  readonly asked: Map<string, string>;
  /** Slug → the owner's mailbox. */
  readonly live: Map<string, string>;
  /** Text of a message → the owner's mailbox. */
  readonly said: Map<string, string>;
  /** Slugs. */
  readonly resolved: Set<string>;
};

/** Kills the service so many times while people use it; gives what it lost of what it had acknowledged. */
export async function killed(
  kills: number,
  purpose: string,
  folder: ReturnType<typeof scratchFolder>,
  say: (line: string) => void = () => {},
) {
  const random = randomFor(purpose);
  const people = createPeople(random);
  const mail = await openSmtpSink(people.receive);
  const settings = {
    SMTP_URL: mail.url,
    LIMIT_PUBLISH: "off",
    LIMIT_MESSAGE: "off",
  };
  const failures: string[] = [];
  try {
    for (let nth = 0; nth < kills; nth++) {
      const served = await serve(folder.path, settings);
      failures.push(...(await missing(served.fetch, folder.path, people.toldSince(), random)));
      const end = new AbortController();
      const writers = Array.from({ length: WRITERS }, () => people.write(served, end.signal));
      // Soon after an answer, however slow the machine is: nothing but what was answered can be lost.
      const goal = people.count() + 1 + random.below(ANSWERS_MAX);
      await until(() => people.count() >= goal);
      end.abort();
      served.child.kill("SIGKILL");
      await served.child.exited;
      await Promise.all(writers);
      if (nth % 10 === 9)
        say(`${nth + 1} kills, ${formatNumber(people.count())} acknowledged writes`);
    }
    // An email that was on its way when its sender died falls due again after ten minutes: they pass here.
    passLeases(folder.path);
    const served = await serve(folder.path, settings);
    failures.push(...(await missing(served.fetch, folder.path, people.acknowledged, random)));
    if (!(await delivered(folder.path))) failures.push("emails still wait in the outbox");
    failures.push(...people.emailsMissing());
    if ((await served.stop()) !== 0) failures.push("it did not end well");
  } finally {
    await mail.close();
    folder.forget();
  }
  return { failures, acknowledged: people.count(), ...people.emails() };
}

/** People who publish, confirm, write and resolve, each step as soon as the email for it has come. */
function createPeople(random: Random) {
  const acknowledged: Acknowledged = {
    asked: new Map(),
    live: new Map(),
    said: new Map(),
    resolved: new Set(),
  };
  const received: ReceivedEmail[] = [];
  /** Links that came and were not yet opened, with the mailbox they came to. */
  const toConfirm: { readonly to: string; readonly link: string }[] = [];
  const toManage: { readonly to: string; readonly link: string; readonly slug: string }[] = [];
  const textOf = new Map<string, { readonly text: string; readonly owner: string }>();
  let made = 0;
  let checked = { asked: 0, live: 0, said: 0 };

  async function step(fetch: Fetch): Promise<void> {
    const confirming = toConfirm.shift();
    if (confirming !== undefined) return confirm(fetch, confirming.to, confirming.link);
    const managing = toManage.shift();
    if (managing === undefined) return publish(fetch);
    const { to, link, slug } = managing;
    return random.chance(0.5) ? write(fetch, to, slug) : resolve(fetch, link, slug);
  }

  async function publish(fetch: Fetch): Promise<void> {
    const dog = lostDog(made++, { lat: 45 + random.next(), lng: 4 + random.next() });
    const result = await callTool(fetch, "publish_alert", dog);
    if (result.kind === "refused") throw new Error(result.why);
    acknowledged.asked.set(result.content.short_code, dog.email);
  }

  async function confirm(fetch: Fetch, to: string, link: string): Promise<void> {
    const { status, text } = await submit(fetch, link);
    if (status !== 200) throw new Error(`the confirmation of ${to} answered ${status}`);
    const message = textOf.get(to);
    const slug = slugIn(text);
    if (message !== undefined) acknowledged.said.set(message.text, message.owner);
    else if (slug !== null) acknowledged.live.set(slug, to);
  }

  async function write(fetch: Fetch, owner: string, slug: string): Promise<void> {
    const finder = `finder-${made++}@example.net`;
    const message = `This is what ${finder.split("@")[0]} saw.`;
    textOf.set(finder, { text: message, owner });
    const result = await callTool(fetch, "send_message", { alert: slug, message, email: finder });
    if (result.kind === "refused") throw new Error(result.why);
  }

  async function resolve(fetch: Fetch, link: string, slug: string): Promise<void> {
    const { status } = await submit(fetch, `${link}/resolve`);
    if (status >= 400) throw new Error(`resolving answered ${status}`);
    acknowledged.resolved.add(slug);
  }

  return {
    acknowledged,
    receive(email: ReceivedEmail): void {
      const isNew = !received.some(({ messageId }) => messageId === email.messageId);
      received.push(email);
      if (!isNew) return;
      const { to, text = "" } = email;
      const confirmLink = linkWith("/confirm/", text);
      const manageLink = linkWith("/manage/", text);
      const slug = slugIn(text);
      if (confirmLink !== null) toConfirm.push({ to, link: confirmLink });
      else if (manageLink !== null && slug !== null) toManage.push({ to, link: manageLink, slug });
    },
    /** Goes on until the server is killed. */
    async write(served: Served, killed: AbortSignal): Promise<void> {
      // The port is another one after each start, and emails name the one they were written under.
      const fetch: Fetch = (address, init) =>
        served.fetch(address.replace(/^http:\/\/[^/]+/, ""), init);
      while (!killed.aborted) {
        try {
          await step(fetch);
        } catch (error) {
          // Cut off by the kill: nothing was told.
          if (!killed.aborted) throw error;
        }
      }
    },
    /** Writes acknowledged since the last call. */
    toldSince(): Acknowledged {
      const fresh = <Key, Value>(all: Map<Key, Value>, from: number) =>
        new Map([...all].slice(from));
      const since = {
        asked: fresh(acknowledged.asked, checked.asked),
        live: fresh(acknowledged.live, checked.live),
        said: fresh(acknowledged.said, checked.said),
        resolved: acknowledged.resolved,
      };
      checked = {
        asked: acknowledged.asked.size,
        live: acknowledged.live.size,
        said: acknowledged.said.size,
      };
      return since;
    },
    count: () =>
      acknowledged.asked.size +
      acknowledged.live.size +
      acknowledged.said.size +
      acknowledged.resolved.size,
    emails() {
      const different = new Set(received.map(({ messageId }) => messageId)).size;
      return { emails: different, doubled: received.length - different };
    },
    emailsMissing(): string[] {
      const got = (to: string, what: string) =>
        received.some((email) => email.to === to && email.text?.includes(what));
      return [
        ...[...acknowledged.asked.values()]
          .filter((owner) => !got(owner, "/confirm/"))
          .map((owner) => `no confirmation email came to ${owner}`),
        ...[...acknowledged.live.values()]
          .filter((owner) => !got(owner, "/manage/"))
          .map((owner) => `no manage link came to ${owner}`),
        ...[...acknowledged.said]
          .filter(([text, owner]) => !got(owner, text))
          .map(([text]) => `nobody read: ${text}`),
      ];
    },
  };
}

function slugIn(text: string): string | null {
  return /\/alerts\/([a-z0-9-]+)/.exec(text)?.[1] ?? null;
}

/** Acknowledged writes that the restarted program has lost, in sentences. */
async function missing(
  fetch: Fetch,
  dataDir: string,
  told: Acknowledged,
  random: Random,
): Promise<string[]> {
  const database = new Database(join(dataDir, DATABASE_FILE), { readonly: true });
  try {
    return [
      ...(await unknownAtTheDoors(fetch, told)),
      ...unsound(database),
      ...(await notAsScanned(fetch, database, random)),
    ];
  } finally {
    database.close();
  }
}

async function unknownAtTheDoors(fetch: Fetch, told: Acknowledged): Promise<string[]> {
  const gone: string[] = [];
  for (const code of told.asked.keys())
    if ((await fetch(`/api/qr/${code}`)).status !== 200)
      gone.push(`the asked alert ${code} is gone`);
  for (const slug of told.live.keys()) {
    const answer = await fetch(`/api/v1/alerts/${slug}`);
    const alert: any = await answer.json();
    if (!answer.ok) gone.push(`the live alert ${slug} is gone`);
    else if (told.resolved.has(slug) && alert.status !== "resolved")
      gone.push(`${slug} is at home no more`);
  }
  return gone;
}

function unsound(database: Database): string[] {
  const number = (sql: string) =>
    database.query<{ it: number }, []>(`SELECT (${sql}) AS it`).get()!.it;
  const check = database.query<{ integrity_check: string }, []>("PRAGMA integrity_check").get()!
    .integrity_check;
  // Each of these put exactly one email into the outbox, where a row stays when the email is gone.
  const due = number(
    "SELECT (SELECT count(*) FROM confirmation_email) + (SELECT count(*) FROM alert) + (SELECT count(*) FROM message)",
  );
  const emails = number("SELECT count(*) FROM outbox");
  return [
    ...(check === "ok" ? [] : [`the database is corrupt: ${check}`]),
    ...(due === emails ? [] : [`${due} emails are due, and the outbox has had ${emails}`]),
  ];
}

/** Searches must find what a scan of the table finds: everything, and in circles. */
async function notAsScanned(fetch: Fetch, database: Database, random: Random): Promise<string[]> {
  const rows = database
    .query<{ id: string; lat: number; lng: number }, []>(
      "SELECT id, lat, lng FROM alert WHERE status = 'active'",
    )
    .all();
  const wrong: string[] = [];
  const compare = async (query: string, ids: readonly string[]) => {
    const answer = (await searchAll(fetch, query)).map(({ id }) => id).toSorted();
    if (answer.join() !== ids.toSorted().join())
      wrong.push(`a search (${query || "for everything"}) found ${answer.length} of ${ids.length}`);
  };
  await compare(
    "",
    rows.map(({ id }) => id),
  );
  for (let nth = 0; nth < CIRCLES; nth++) {
    const centre = { lat: 45 + random.next(), lng: 4 + random.next() };
    const radiusKm = 5 + random.below(40);
    const inside = rows.filter((row) => distanceKm(centre, row) <= radiusKm);
    await compare(
      `&lat=${centre.lat}&lng=${centre.lng}&radius_km=${radiusKm}`,
      inside.map(({ id }) => id),
    );
  }
  return wrong;
}

function passLeases(dataDir: string): void {
  const database = new Database(join(dataDir, DATABASE_FILE));
  database.run("UPDATE outbox SET due_at = 0 WHERE state = 'waiting'");
  database.close();
}

async function delivered(dataDir: string): Promise<boolean> {
  const database = new Database(join(dataDir, DATABASE_FILE), { readonly: true });
  const waiting = database.query<{ it: number }, []>(
    "SELECT count(*) AS it FROM outbox WHERE state = 'waiting'",
  );
  try {
    return await holdsWithin(EMAIL_SECONDS_MAX, () => waiting.get()!.it === 0);
  } finally {
    database.close();
  }
}
