import type { Random } from "../../src/commands/demo/random.ts";
import { CAPS } from "../../src/core/caps.ts";
import { distanceKm, type Point } from "../../src/values/point.ts";
import { EMAIL_LEASE_MS } from "../../src/mail/outbox-worker.ts";
import { type Fetch, searchAll, submit } from "../chaos/client.ts";
import { holdsBefore } from "../support/process.ts";
import { linkWith } from "../support/world.ts";
import { type Queries, type Service, SUBSCRIBE_MAX } from "./service.ts";

/** Answers of nodes, and the emails they sent. */
export type History = {
  /** Short codes of alerts that wait for their confirmation, with the owner's mailbox. */
  readonly asked: Map<string, string>;
  /** Slugs of published alerts, with the owner's mailbox. */
  readonly live: Map<string, string>;
  /** Places at which alerts were asked for, by the owner's mailbox. */
  readonly places: Map<string, Point>;
  /** Texts of messages, with the owner's mailbox. */
  readonly said: Map<string, string>;
  /** Slugs of alerts that their owner resolved or removed, with the time of the answer. */
  readonly ended: Map<string, { readonly move: "resolve" | "remove"; readonly at: number }>;
  /** Slugs of alerts whose removal was asked for: without an answer it may be done or not, also later. */
  readonly removing: Set<string>;
  /** Mailboxes that confirmed a zone. */
  readonly watching: Set<string>;
  /** By Message-ID, with the times at which the mail server got them. */
  readonly emails: Map<
    string,
    { readonly to: string; readonly text: string; readonly arrivedAt: number[] }
  >;
  /** Requests that failed or had no answer. */
  unanswered: number;
  slowestMs: number;
};

export function emptyHistory(): History {
  return {
    asked: new Map(),
    live: new Map(),
    places: new Map(),
    said: new Map(),
    ended: new Map(),
    removing: new Set(),
    watching: new Set(),
    emails: new Map(),
    unanswered: 0,
    slowestMs: 0,
  };
}

export function acknowledged({ asked, live, said, ended, watching }: History): number {
  return asked.size + live.size + said.size + ended.size + watching.size;
}

/**
 * Makes the database write down every revision that it gives out, so that gaps and doubles show. To be called once the
 * tables are there, before anything else is written.
 */
export async function recordRevisions({ run }: Queries): Promise<void> {
  await run(`
    create table revision_given (revision bigint not null);
    create function give_revision() returns trigger language plpgsql as $$
      begin
        if new.revision > 0 and (tg_op = 'INSERT' or new.revision <> old.revision) then
          insert into revision_given values (new.revision);
        end if;
        return new;
      end $$;
    create trigger alert_revision after insert or update on alert
      for each row execute function give_revision();
    create trigger zone_revision after insert or update on zone
      for each row execute function give_revision()`);
}

/** An index that is later than that shows what is no longer so. */
const REST_SECONDS_MAX = 2;
const EMAIL_SECONDS_MAX = 60;
/** Longest time from the lease of an email to its arrival. */
const SENDING_MS_MAX = 60_000;
const CIRCLES = 3;
const SHOWN_MAX = 5;

/**
 * Checks a history once the people have stopped: what was acknowledged against the database, and every node against it. All
 * nodes must run. Returns what is wrong, in sentences.
 */
export async function checkHistory(
  history: History,
  queries: Queries,
  service: Service,
  random: Random,
): Promise<string[]> {
  // First, because it is about time.
  const unlike = await indexesUnlikeTables(queries, service, random);
  const doubled = [...history.emails.values()].filter(isSentWithinLease).length;
  const inTime = doubled === 0 ? [] : [`${doubled} emails were sent twice within their lease`];
  await passLeases(queries);
  const isDelivered = await holdsBefore(EMAIL_SECONDS_MAX, () => nothingWaits(queries));
  return [
    ...unlike,
    ...inTime,
    ...(isDelivered ? [] : ["emails still wait in the outbox"]),
    ...(await notStored(history, queries)),
    ...(await doneTwice(queries)),
    ...(await wrongRevisions(queries)),
    ...emailsMissing(history),
    ...limitsExceeded(history),
  ];
}

/**
 * Sent again before the lease of the first attempt was over. After it another node sends the email of one that died, which
 * may have arrived: in a run of ten minutes, too.
 */
function isSentWithinLease({ arrivedAt }: { readonly arrivedAt: readonly number[] }): boolean {
  return arrivedAt.some(
    (at, index) => index > 0 && at - arrivedAt[index - 1]! < EMAIL_LEASE_MS - SENDING_MS_MAX,
  );
}

/** Searches of every node must find what a scan of the table finds: everything, and in circles. */
export async function indexesUnlikeTables(
  { rows }: Queries,
  service: Service,
  random: Random,
): Promise<string[]> {
  await Bun.sleep(REST_SECONDS_MAX * 1_000);
  const active = await rows<{ id: string; lat: number; lng: number }>(
    "select id, lat, lng from alert where status = 'active'",
  );
  const circles = Array.from({ length: CIRCLES }, () => ({
    lat: 45 + random.next(),
    lng: 4 + random.next(),
    radiusKm: 5 + random.below(40),
  }));
  const wrong: string[] = [];
  for (const node of service.running()) {
    const compare = async (what: string, query: string, expected: readonly { id: string }[]) => {
      const found = new Set((await searchAll(service.fetchOf(node), query)).map(({ id }) => id));
      const missing = expected.filter(({ id }) => !found.has(id)).length;
      const extra = found.size - (expected.length - missing);
      if (missing + extra > 0)
        wrong.push(`node ${node}, ${what}: lacks ${missing} of ${expected.length}, ${extra} more`);
    };
    await compare("all alerts", "", active);
    for (const centre of circles) {
      const inside = active.filter((row) => distanceKm(centre, row) <= centre.radiusKm);
      const { lat, lng, radiusKm } = centre;
      await compare("a circle", `&lat=${lat}&lng=${lng}&radius_km=${radiusKm}`, inside);
    }
  }
  return wrong;
}

/** Emails that were on their way when their node died become due again after ten minutes: they pass here. */
async function passLeases({ run }: Queries): Promise<void> {
  await run("update outbox set due_at = 0 where state = 'waiting'");
}

async function nothingWaits({ rows }: Queries): Promise<boolean> {
  const [row] = await rows("select 1 as one from outbox where state = 'waiting' limit 1");
  return row === undefined;
}

async function notStored(history: History, { rows }: Queries): Promise<string[]> {
  const stored = async (text: string) =>
    new Map((await rows<{ it: string; is: string }>(text)).map(({ it, is }) => [it, is]));
  const codes = await stored("select code as it, '' as is from short_code");
  const alerts = await stored("select slug as it, status as is from alert");
  const messages = await stored("select text as it, '' as is from message where text is not null");
  const zones = await stored("select email as it, '' as is from zone where email is not null");
  const lost = [
    ...lacking("requests", history.asked.keys(), codes),
    ...lacking("alerts", history.live.keys(), alerts),
    ...lacking("zones", history.watching, zones),
    ...lacking(
      "messages",
      // The messages about an alert go with it.
      history.said.keys().filter((text) => !aboutRemoved(history, text)),
      messages,
    ),
  ];
  const reverted = [...history.ended].filter(([slug, { move }]) => {
    const status = alerts.get(slug);
    if (status === "removed") return !history.removing.has(slug);
    return move === "remove" || status !== "resolved";
  });
  if (reverted.length > 0)
    lost.push(`${reverted.length} alerts did not stay ended (${reverted[0]?.[0]})`);
  return lost;
}

function aboutRemoved({ said, live, removing }: History, text: string): boolean {
  const owner = said.get(text);
  return live.entries().some(([slug, to]) => to === owner && removing.has(slug));
}

function lacking(
  what: string,
  told: Iterable<string>,
  stored: ReadonlyMap<string, unknown>,
): string[] {
  const lost = [...told].filter((one) => !stored.has(one));
  return lost.length === 0
    ? []
    : [
        `${lost.length} acknowledged ${what} are not stored (${lost.slice(0, SHOWN_MAX).join(", ")})`,
      ];
}

/** Nobody asks for the same thing twice, nor publishes the dog of another. */
async function doneTwice({ rows }: Queries): Promise<string[]> {
  const repeated = await rows("select 1 as one from pending where repeats is not null");
  const twice = await rows<{ name: string }>(
    "select name from alert where name is not null group by name having count(*) > 1",
  );
  return [
    ...(twice.length === 0 ? [] : [`${twice.length} alerts are there twice (${twice[0]?.name})`]),
    ...(repeated.length === 0 ? [] : [`${repeated.length} requests are there twice`]),
  ];
}

async function wrongRevisions({ rows }: Queries): Promise<string[]> {
  const [given] = await rows<{ count: number; distinct: number; highest: number; last: number }>(
    `select count(*)::int as count, count(distinct revision)::int as distinct,
       coalesce(max(revision), 0)::int as highest, (select revision from counter)::int as last
     from revision_given`,
  );
  if (given === undefined) return ["revisions were not recorded"];
  const { count, distinct, highest, last } = given;
  const isRight = count === distinct && distinct === highest && highest === last;
  return isRight
    ? []
    : [`${count} revisions were given, ${distinct} different ones up to ${highest} of ${last}`];
}

function emailsMissing(history: History): string[] {
  const { asked, live, said, emails } = history;
  const textsTo = Map.groupBy(emails.values(), ({ to }) => to);
  const got = (to: string, what: string) =>
    textsTo.get(to)?.some(({ text }) => text.includes(what));
  const missing = [
    ...[...asked.values()].filter((owner) => !got(owner, "/confirm/")),
    ...[...live.values()].filter((owner) => !got(owner, "/manage/")),
    // Emails about an alert that is removed are withdrawn.
    ...[...said]
      .filter(([text, owner]) => !got(owner, text) && !aboutRemoved(history, text))
      .map(([text]) => text),
  ];
  return missing.length === 0 ? [] : [`${missing.length} emails never came (${missing[0]})`];
}

function limitsExceeded({ emails }: History): string[] {
  const confirming = [...emails.values()].filter(({ text }) => text.includes("/confirm/"));
  const mailboxesOf = Map.groupBy(
    confirming.filter(({ to }) => to.startsWith("reader-")),
    ({ to }) => to.split("@")[1],
  );
  const groups = [...mailboxesOf.values()].map((all) => new Set(all.map(({ to }) => to)).size);
  const victims = Map.groupBy(
    confirming.filter(({ to }) => to.startsWith("victim-")),
    ({ to }) => to,
  );
  const flooded = [...victims.values()].map((all) => all.length);
  const { max } = CAPS.confirmationEmailsPerMailbox;
  return [
    ...groups
      .filter((size) => size > SUBSCRIBE_MAX)
      .map((size) => `a visitor was allowed ${size} zones instead of ${SUBSCRIBE_MAX}`),
    ...flooded
      .filter((size) => size > max)
      .map((size) => `a mailbox got ${size} confirmation emails instead of ${max}`),
  ];
}

/** Live alerts that nobody has asked to remove, oldest first, with their owner's link. */
export function removableAlerts(history: History) {
  return history.emails
    .values()
    .flatMap(({ text }) => {
      const link = linkWith("/manage/", text);
      const slug = slugIn(text);
      const isLive = slug !== null && history.live.has(slug) && !history.ended.has(slug);
      return link !== null && isLive && !history.removing.has(slug) ? [{ slug, link }] : [];
    })
    .toArray();
}

/** Slug of the alert that an email or a page is about. */
export function slugIn(text: string): string | null {
  return /\/alerts\/([a-z0-9-]+)/.exec(text)?.[1] ?? null;
}

/** Removes an alert through a node, as its owner does. */
export async function removeAlert(
  history: History,
  fetch: Fetch,
  { slug, link }: { readonly slug: string; readonly link: string },
): Promise<void> {
  history.removing.add(slug);
  const { status } = await submit(fetch, `${link}/remove`);
  if (status < 400) history.ended.set(slug, { move: "remove", at: performance.now() });
}

/** True if a search finds an alert. It looks near the alert only: a node that is cut off finds what it has in memory. */
export async function isFound(history: History, fetch: Fetch, slug: string): Promise<boolean> {
  const place = history.places.get(history.live.get(slug) ?? "");
  const circle = place === undefined ? "" : `&lat=${place.lat}&lng=${place.lng}&radius_km=2`;
  const found = await fetch(`/api/v1/alerts?limit=100${circle}`);
  const { alerts = [] } = (await found.json()) as { alerts?: { slug: string }[] };
  return alerts.some((one) => one.slug === slug);
}

/** Longest time for which a node may show what was removed. */
const SHOWN_SECONDS_MAX = 5;

/**
 * Asks every node for alerts that were removed more than five seconds ago, until it is stopped. Returns the function that
 * stops it and tells what was still shown.
 */
export function watchRemovals(history: History, service: () => Service) {
  const shown = new Set<string>();
  let asked = 0;
  let isOver = false;
  const checked = new Set<string>();

  async function isShown(fetch: Fetch, slug: string): Promise<boolean> {
    const alert = await fetch(`/api/v1/alerts/${slug}`);
    await alert.body?.cancel();
    return alert.status === 200;
  }

  async function look(slug: string, node: number): Promise<void> {
    const fetch = service().fetchOf(node);
    const ways = [
      ["finds", () => isFound(history, fetch, slug)],
      ["shows", () => isShown(fetch, slug)],
    ] as const;
    const looks = ways.map(async ([what, is]) => {
      const isThere = await is();
      asked += 1;
      if (isThere) shown.add(`node ${node} still ${what} ${slug}`);
    });
    // A node that is killed, frozen or cut off shows nothing.
    await Promise.allSettled(looks);
  }

  async function watch(): Promise<void> {
    while (!isOver) {
      const due = [...history.ended].filter(
        ([slug, { move, at }]) =>
          move === "remove" &&
          !checked.has(slug) &&
          performance.now() - at > SHOWN_SECONDS_MAX * 1_000,
      );
      for (const [slug] of due) {
        checked.add(slug);
        // Not awaited: a frozen node answers when it wakes up.
        for (const node of service().running()) void look(slug, node);
      }
      await Bun.sleep(100);
    }
  }

  const watching = watch();
  return async () => {
    isOver = true;
    await watching;
    return { shown: [...shown], asked };
  };
}
