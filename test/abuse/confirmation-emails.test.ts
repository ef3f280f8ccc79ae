import { expect, test } from "bun:test";
import { CAPS, FACTORS, QUOTAS } from "../../src/core/caps.ts";
import { DAY, HOUR, MINUTE } from "../support/time.ts";
import { createWorld, linkIn, type World } from "../support/world.ts";

const VICTIM = "victim@example.org";
const HOME = "192.0.2.10";
const DAYS_CAP = CAPS.confirmationEmailsPerMailbox.max;

/** Nth of many networks that have nothing to do with each other. */
const network = (nth: number) => `10.${nth >> 8}.${nth & 255}.7`;

/** Answers of a form: what a stranger sees of what became of it. */
async function subscribe(world: World, email: string, from: string, lat = 10) {
  const fields = { lat: String(lat), lng: "4.83", radiusKm: "5", email };
  const answer = await world.post("/subscribe", fields, {}, from);
  return { status: answer.status, waiting: answer.headers.get("Location") ?? "" };
}

/** Asks for an alert; gives its waiting page, and the short code that it will have. */
async function publish(world: World, email: string, from: string, color = "grey") {
  const fields = { type: "lost", species: "cat", color, lat: "45.77", lng: "4.83" };
  const answer = await world.post("/publish", { ...fields, email }, {}, from);
  const waiting = answer.headers.get("Location") ?? "";
  const page = await world.text(waiting);
  return { waiting, page, code: /code ([2-9A-HJKMNP-Z]{6})/.exec(page)?.[1] ?? "none" };
}

const emailsTo = async (world: World, to: string) => (await world.emails(to)).length;
const newestLink = async (world: World, to: string) =>
  linkIn((await world.emails(to)).at(-1), "/confirm/");

/** Links of the list on a page: short code, if any, and address. */
const listOn = (page: string) =>
  [...page.matchAll(/<a class="button quiet" href="(\/confirm\/[\w-]+)">([^<]*)</g)].map(
    ([, href = "", text = ""]) => ({ href, code: /\((\w{6})\)/.exec(text)?.[1] ?? null }),
  );

/** The form beside the short code of a request for another spelling. */
function formOf(page: string, code: string) {
  const [, action = "", name = "", value = ""] =
    new RegExp(
      `\\(${code}\\)(?:(?!<li>).)*?action="([^"]+)"><input type="hidden" name="(\\w+)" value="([^"]+)"`,
      "s",
    ).exec(page) ?? [];
  return action === "" ? null : { action, fields: { [name]: value } };
}

/** Whether the reader has a way to confirm the alert: an email about it, or the page behind the newest email. */
async function wayTo(world: World, to: string, code: string): Promise<"email" | "page" | null> {
  const emails = await world.emails(to);
  if (emails.some(({ text }) => text?.includes(code))) return "email";
  const page = await world.text(new URL(await newestLink(world, to)).pathname);
  return listOn(page).some((entry) => entry.code === code) ? "page" : null;
}

// A stranger subscribes in somebody's name, who then publishes an alert of their own.
async function strangersFirst(strangers: readonly string[]) {
  const world = await createWorld();
  for (const [nth, from] of strangers.entries()) await subscribe(world, VICTIM, from, nth + 1);
  const { code } = await publish(world, VICTIM, HOME);
  const way = await wayTo(world, VICTIM, code);
  await world.end();
  return way;
}

const DOZEN = Array.from({ length: 12 }, (_, nth) => nth);

test.each([
  ["one network", DOZEN.map(() => network(1))],
  ["a dozen networks", DOZEN.map(network)],
])(
  "a dozen subscriptions in a victim's name from %s: their own publication gets its email at once",
  async (_, from) => {
    expect(await strangersFirst(from)).toBe("email");
  },
);

// Strangers from many networks fill everything, before and after the victim asks for an alert of their own.
async function siege() {
  const world = await createWorld();
  const sentAt: number[] = [];
  const look = async () => {
    for (let fresh = world.sentMail.length - sentAt.length; fresh > 0; fresh--)
      sentAt.push(world.now());
  };
  for (let nth = 0; nth < 60; nth++) await publish(world, VICTIM, network(nth), `${nth}`);
  await look();
  const { code, waiting, page } = await publish(world, VICTIM, HOME, "white");
  await world.pass(MINUTE);
  await look();
  const way = await wayTo(world, VICTIM, code);
  const again = await world.post(`${waiting}/again`, {}, {}, HOME);
  await look();
  for (let hour = 0; hour < 2 * 24; hour++) {
    // They go on, slowly.
    if (hour % 4 === 0) await publish(world, VICTIM, network(100 + hour), `x${hour}`);
    await world.pass(HOUR);
    await look();
  }
  const inADay = sentAt.map((from) => sentAt.filter((at) => at >= from && at < from + DAY).length);
  await world.end();
  return { way, says: page, again: again.status, emailsInADay: Math.max(...inADay) };
}

const WHERE =
  "If we can email this address right now, the email arrives within a minute. If it has already had emails from us today, open the newest one: its page lists everything that is waiting.";

test("strangers fill everything from sixty networks: the page behind the newest email lists the victim's publication within a minute, and its waiting page says so", async () => {
  const found = await siege();

  expect(found).toMatchObject({ way: "page", again: 303 });
  expect(found.says).toContain(WHERE);
  expect(found.emailsInADay).toBe(DAYS_CAP);
}, 600_000);

test("a thousand waiting requests: the list is bounded, with the victim's own in front, and holds no word of a stranger", async () => {
  const world = await createWorld({ LIMIT_SUBSCRIBE: "off", LIMIT_PUBLISH: "off" });
  const evil = `"><img src=x onerror=alert(1)><script>alert(1)</script>`;
  for (let nth = 0; nth < 1000; nth++)
    if (nth % 10 === 0) await publish(world, VICTIM, network(nth % 500), `${evil} ${nth}`);
    else await subscribe(world, VICTIM, network(nth % 500), nth / 20);
  const link = new URL(await newestLink(world, VICTIM)).pathname;
  world.jump(MINUTE);
  const { code } = await publish(world, VICTIM, HOME);
  world.jump(MINUTE);
  for (let nth = 0; nth < 50; nth++) await subscribe(world, VICTIM, network(nth), nth + 0.5);

  const page = await world.text(link);

  const entries = listOn(page.slice(page.indexOf('id="others"')));
  expect(entries[0]?.code).toBe(code);
  expect(entries.length).toBeLessThanOrEqual(QUOTAS.waitingInFront + QUOTAS.waitingFolded);
  const inFront = listOn(page.slice(page.indexOf('id="others"'), page.indexOf("<summary>More")));
  expect(inFront.length).toBe(QUOTAS.waitingInFront);
  expect(page.slice(page.indexOf('id="others"'))).not.toMatch(/<img|<script>|onerror/);
  expect(await (await world.post(entries[0]?.href ?? "")).text()).toContain("Your alert is live");
  await world.end();
}, 600_000);

test("the list stays behind a link whose own request was confirmed, refused or moved, or whose alert is gone, and ends with its 48 hours", async () => {
  const world = await createWorld({ LIMIT_PUBLISH: "off" });
  const alert = await world.publish({ email: "stranger@example.net" });
  const manage = await world.linkTo("stranger@example.net", "/manage/");
  const links = [];
  const message = { email: VICTIM, message: "Here." };
  const asked = await world.post(alert.contact_url, message, {}, network(1));
  links.push(await newestLink(world, VICTIM));
  for (const nth of [2, 3]) {
    await subscribe(world, VICTIM, network(nth), nth);
    links.push(await newestLink(world, VICTIM));
  }
  const [gone = "", confirmed = "", refused = ""] = links.map((link) => new URL(link).pathname);
  expect(asked.status).toBe(303);
  await world.post(`${manage}/remove`);
  await world.post(confirmed);
  await world.post(`${refused}/not-me`);

  const { code, page } = await publish(world, VICTIM, HOME);

  expect(page).toContain("its page has a button that allows our emails again");
  for (const link of [gone, confirmed, refused, `${refused}/not-me`])
    expect([link, listOn(await world.text(link)).map((entry) => entry.code)]).toEqual([
      link,
      [code],
    ]);
  world.jump(47 * HOUR);
  const late = await publish(world, VICTIM, HOME, "white");
  expect(listOn(await world.text(confirmed)).map((entry) => entry.code)).toContain(late.code);
  world.jump(HOUR);
  for (const link of [gone, confirmed, refused]) expect(listOn(await world.text(link))).toEqual([]);
  // The way back lasts as long as the stop.
  expect(await world.text(refused)).toContain(`${refused}/allow`);
  await world.post(`${refused}/allow`);
  await world.post(`${late.waiting}/again`);
  expect(await wayTo(world, VICTIM, late.code)).toBe("email");
  await world.end();
});

test("emails about requests that are about to end fill the budget: the page behind the newest still lists the victim's publication", async () => {
  const world = await createWorld();
  const pages = [];
  for (let nth = 0; nth < DAYS_CAP; nth++)
    pages.push((await publish(world, VICTIM, network(nth), `${nth}`)).waiting);
  world.jump(48 * HOUR - MINUTE);
  for (const page of pages) await world.post(`${page}/again`);
  expect(await emailsTo(world, VICTIM)).toBe(2 * DAYS_CAP);
  world.jump(12 * HOUR);

  const { code } = await publish(world, VICTIM, HOME);

  expect(await wayTo(world, VICTIM, code)).toBe("page");
  await world.end();
});

test("confirming anything frees the budget", async () => {
  const world = await createWorld();
  for (let nth = 0; nth < 12; nth++) await publish(world, VICTIM, network(nth), `${nth}`);
  const { code, waiting } = await publish(world, VICTIM, HOME);
  expect(await wayTo(world, VICTIM, code)).toBe("page");

  await world.post(new URL(await newestLink(world, VICTIM)).pathname);
  world.jump(MINUTE);
  await world.post(`${waiting}/again`);

  expect(await wayTo(world, VICTIM, code)).toBe("email");
  await world.end();
});

test.each([
  ["Victim@example.org", "victim@example.org"],
  ["victim@proton.me", "vic-tim@pm.me"],
])(
  "strangers fill the budget of %s by other spellings such as %s: the page behind their emails shows and opens nothing of it, but has its email sent",
  async (victim, other) => {
    const world = await createWorld({ LIMIT_PUBLISH: "off" });
    for (let nth = 0; nth < 12; nth++) await publish(world, other, network(nth), `${nth}`);
    const { code } = await publish(world, victim, HOME);
    expect(await emailsTo(world, other)).toBe(DAYS_CAP);
    expect(await emailsTo(world, victim)).toBe(0);
    const link = new URL(await newestLink(world, other)).pathname;
    const page = await world.text(link);
    expect(listOn(page).map((entry) => entry.code)).not.toContain(code);
    // Others come after it, in as many spellings.
    for (let nth = 0; nth < 30; nth++)
      await publish(world, other.replace("@", `+${nth}@`), network(nth), `${nth}`);
    const form = formOf(await world.text(link), code);
    expect(form?.action).toBe(`${link}/other-spelling`);

    const press = async () => {
      const answer = await world.post(form?.action ?? "", form?.fields ?? {});
      return world.text(answer.headers.get("Location") ?? "");
    };
    expect(await press()).toContain("sending the email to that address now.");
    expect(await press()).toContain("We have already sent that email");

    expect(await emailsTo(world, victim)).toBe(1);
    expect(await wayTo(world, victim, code)).toBe("email");
    expect(await emailsTo(world, other)).toBe(DAYS_CAP);
    expect(formOf(await world.text(link), code)).toBeNull();
    const answers = [];
    for (let nth = 0; nth < DAYS_CAP; nth++) {
      const { action, fields } = formOf(await world.text(link), "\\w{6}") ?? { action: "" };
      answers.push((await world.post(action, fields)).headers.get("Location"));
    }
    expect(answers).toEqual([
      ...Array(DAYS_CAP - 1).fill(`${link}?email=sent`),
      `${link}?email=full`,
    ]);
    expect(await world.text(answers.at(-1) ?? "")).toContain("We did not send that email");
    await world.end();
  },
);

test("what a stranger sees is the same for a mailbox with room, a full one and one that stopped emails", async () => {
  const world = await createWorld({ LIMIT_SUBSCRIBE: "off" });
  const stopped = "stopped@example.org";
  await subscribe(world, stopped, network(50));
  await world.post(`${new URL(await world.linkTo(stopped, "/confirm/")).pathname}/not-me`);
  for (let nth = 0; nth < 8; nth++) await subscribe(world, "filled@example.org", network(nth), nth);
  const seen = [];
  for (const email of ["scarce@example.org", "filled@example.org", stopped]) {
    const { status, waiting } = await subscribe(world, email, HOME, 33);
    const shape = async (path: string) =>
      (await world.text(path)).replaceAll(/[sf]…@e…|\/waiting\/[\w-]+/g, "…");
    const before = await shape(waiting);
    world.jump(2 * MINUTE);
    const again = await world.post(`${waiting}/again`, {}, {}, HOME);
    const after = await shape(again.headers.get("Location") ?? "");
    world.jump(20 * HOUR);
    await world.tick();
    const later = await shape(waiting);
    world.jump(29 * HOUR);
    const over = await shape(waiting);
    world.jump(-49 * HOUR - 2 * MINUTE);
    seen.push([status, again.status, before, after, later, over]);
  }

  expect(seen[1]).toEqual(seen[0]);
  expect(seen[2]).toEqual(seen[0]);
  for (const page of [2, 3, 4]) expect(String(seen[0]?.[page])).toContain(WHERE);
  await world.end();
});

test("a network beyond its share of unconfirmed requests is told when to come again; others are not, nor those who confirm", async () => {
  const world = await createWorld();
  const max = 10 * FACTORS.networkClients;
  // Of a /48, 256 households with 256 networks each.
  const from = (nth: number) => `2001:db8:0:${(nth << 8).toString(16)}::1`;
  for (let nth = 0; nth < max; nth++)
    expect((await subscribe(world, `stranger${nth}@gmail.com`, from(nth), nth)).status).toBe(303);

  const fields = { lat: "45", lng: "4.83", radiusKm: "5", email: VICTIM };
  const refused = await world.post("/subscribe", fields, {}, from(200));
  expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "3600"]);
  expect(await emailsTo(world, VICTIM)).toBe(0);
  expect((await publish(world, VICTIM, from(200))).code).not.toBe("none");
  expect((await subscribe(world, "newcomer@example.org", HOME)).status).toBe(303);

  await world.confirm("stranger0@gmail.com");
  expect((await subscribe(world, VICTIM, from(200))).status).toBe(303);
  await world.end();
});

// More networks than the instance takes requests from.
async function floodFromManyNetworks() {
  const world = await createWorld();
  const { max } = CAPS.unconfirmedRequests;
  for (let nth = 0; nth < max; nth++)
    await subscribe(world, `stranger${nth}@gmail.com`, `10.0.${nth % 40}.${nth >> 6}`, nth / 10);
  const flooding = (await subscribe(world, "one-more@gmail.com", "10.0.1.200")).status;
  const newcomer = (await subscribe(world, VICTIM, HOME)).status;
  const newcomersEmails = await emailsTo(world, VICTIM);
  await world.pass(2 * MINUTE, MINUTE);
  const alarms = world.logged.filter((line) => line.startsWith("alarm ")).length;
  await world.end();
  return { flooding, newcomer, newcomersEmails, alarms };
}

test("a flood from forty networks: they are refused and the operator is told, newcomers get their emails at once", async () => {
  expect(await floodFromManyNetworks()).toEqual({
    flooding: 429,
    newcomer: 303,
    newcomersEmails: 1,
    alarms: 1,
  });
}, 600_000);

test("a mail domain with many invented mailboxes gets one email a day for each, its known mailbox all of its own", async () => {
  const world = await createWorld({ LIMIT_SUBSCRIBE: "off" });
  await subscribe(world, "known@small.example", HOME);
  await world.confirm("known@small.example");
  const { max } = CAPS.confirmationEmailsPerSmallDomain;
  for (let nth = 0; nth < max; nth++)
    await subscribe(world, `stranger${nth}@small.example`, network(nth), nth / 10);

  for (const nth of [1, 2]) {
    await subscribe(world, "late@small.example", network(nth), nth);
    await subscribe(world, "known@small.example", network(nth), nth);
    await subscribe(world, "late@gmail.com", network(nth), nth);
  }

  expect(await emailsTo(world, "late@small.example")).toBe(1);
  expect(await emailsTo(world, "known@small.example")).toBe(3);
  expect(await emailsTo(world, "late@gmail.com")).toBe(2);
  await world.end();
});
