import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PAGE_MESSAGES } from "../../../src/messages/messages.ts";
import { fileTransport } from "../../../src/mail/smtp.ts";
import { SENDER } from "../../support/mail.ts";
import { bytesIn } from "../../support/disk.ts";
import { makeBulk, makeDraft } from "../../support/make.ts";
import { DAY } from "../../support/time.ts";
import { createWorld, type World } from "../../support/world.ts";

const ANNA = "anna@example.org";
const BEN = "ben@example.org";

let world: World;
beforeEach(async () => {
  world = await createWorld({ LIMIT_PUBLISH: "off", LIMIT_MESSAGE: "off" });
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

/** Emails of this kind to a mailbox so far. */
async function erasureEmails(to: string) {
  return (await world.emails(to)).filter((email) => email.text?.includes("/erase/"));
}

/** Asks for the link, and gives it. */
async function asked(email = ANNA, from?: string): Promise<string> {
  await world.post("/erase", { email }, {}, from);
  return world.linkTo(email, "/erase/");
}

async function watch(email: string): Promise<void> {
  await world.tool("subscribe_zone", { lat: 45.77, lng: 4.83, email });
  await world.confirm(email);
}

async function write(alert: { short_code: string }, email: string, message = "Seen!") {
  await world.tool("send_message", { alert: alert.short_code, message, email });
  await world.confirm(email);
  await world.tick();
}

/** Writes an email to Anna into a folder, as the service does where no mail server takes it. */
async function writeEmail(folder: string, id: string): Promise<void> {
  const transport = fileTransport({ folder, sender: SENDER, announce: () => {} });
  await transport.send({
    id,
    to: ANNA,
    language: "en",
    subject: "A message",
    text: "Hello!",
    html: "<p>Hello!</p>",
    link: "http://localhost:3000/",
    unsubscribeUrl: null,
    createdAt: world.now(),
    sentAt: world.now(),
  });
}

describe("asking for the link that erases", () => {
  test("is answered alike for every address, and only what is kept under one brings an email", async () => {
    await world.publish({ email: ANNA });
    const answer = async (email: string) => {
      const sent = await world.press("/erase", { email });
      return { status: sent.status, page: await sent.text() };
    };

    expect(await answer("aura@example.org")).toEqual(await answer(ANNA));
    expect(await erasureEmails(ANNA)).toHaveLength(1);
    expect(await erasureEmails("aura@example.org")).toEqual([]);
  });

  test("leads to a page that shows nothing but a masked address", async () => {
    const answer = await world.post("/erase", { email: ANNA });

    expect(answer.headers.get("Location")).toBe(`/erase?sent=${encodeURIComponent("a…@e…")}`);
    for (const text of ["call 0612345678", "a…@e… and call me", "anna@example.org", ""])
      expect(await world.text(`/erase?sent=${encodeURIComponent(text)}`)).toContain("<form");
  });

  test("finds out who is known only when nobody waits for the answer", async () => {
    await world.publish({ email: ANNA });
    await world.tick();
    const { store } = world.app;

    for (const email of [ANNA, "nobody@example.org"]) await world.post("/erase", { email });

    expect(await store.linkRequests(10)).toHaveLength(2);
    expect(bytesIn(world.dataDir)).not.toContain("nobody@example.org");
    expect((await store.outboxState()).waiting).toBe(0);
    await world.tick();
    expect(await store.linkRequests(10)).toEqual([]);
    expect(await erasureEmails(ANNA)).toHaveLength(1);
  });

  test("under other ways to write a mailbox keeps nobody from their own", async () => {
    await world.publish({ email: ANNA });
    for (const tag of ["a", "b", "c"])
      await world.post("/erase", { email: `anna+${tag}@example.org` });
    await world.tick();

    expect(await world.text(await asked())).toContain("<li>1 alert</li>");
  });

  test("by whoever confirmed something goes on, also for one who stopped emails that ask to confirm", async () => {
    await world.publish({ email: ANNA });
    await world.tool("subscribe_zone", { lat: 1, lng: 4.83, email: ANNA });
    await world.post(await world.linkTo(ANNA, "/not-me"));

    const link = await asked();

    expect((await erasureEmails(ANNA)).at(-1)?.text).not.toContain("not-me");
    expect((await world.fetch(`${link}/not-me`)).status).toBe(404);
    for (const path of ["not-me", "allow"])
      expect((await world.post(`${link}/${path}`)).status).toBe(404);
    expect(await world.text(link)).toContain("<button");
  });

  test("too often from one place is refused, whatever the address", async () => {
    const statuses = [];
    for (let time = 0; time < 11; time++)
      statuses.push((await world.post("/erase", { email: `nobody${time}@example.org` })).status);

    expect(statuses).toEqual([...Array(10).fill(303), 429]);
    expect((await world.post("/erase", { email: ANNA }, {}, "203.0.113.9")).status).toBe(303);
  });

  test("of what is no address, or from another site, is refused and keeps what was typed", async () => {
    const refused = await world.post("/erase", { email: "anna" });

    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('value="anna"');
    expect(
      (await world.post("/erase", { email: ANNA }, { "Sec-Fetch-Site": "cross-site" })).status,
    ).toBe(403);
  });
});

describe("the link that erases", () => {
  test("shows what there is and changes nothing until the button is pressed", async () => {
    const alert = await world.publish({ email: ANNA, name: "Mimi" });
    await watch(ANNA);
    await write(alert, BEN);
    const link = await asked();

    for (const method of ["GET", "HEAD", "OPTIONS"]) await world.fetch(link, { method });
    const answer = await world.fetch(link);
    const page = await answer.text();

    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(answer.headers.get("X-Robots-Tag")).toBe("noindex");
    expect(page).toContain("a…@e…");
    expect(page).not.toContain(ANNA);
    for (const part of ["1 alert", "1 conversation", "1 message", "1 alert area"])
      expect(page).toContain(`<li>${part}</li>`);
    expect(page).toContain("Lost cat: </span>Mimi");
    expect((await world.json(`/api/v1/alerts/${alert.id}`)).status).toBe("active");
    expect((await world.post(link, {}, { "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
    expect((await world.json(`/api/v1/alerts/${alert.id}`)).status).toBe("active");
  });

  test("erases all of it at one press, says what it was, and says the same ever after", async () => {
    const alert = await world.publish({ email: ANNA });
    const away = await world.publish({ email: BEN, lat: 48.85, lng: 2.35 });
    await watch(ANNA);
    await write(alert, BEN, "About yours");
    await write(away, ANNA, "About his");
    const manage = await world.linkTo(ANNA, "/manage/");
    const [benAboutHers, benAboutHis] = [
      await world.linkTo(BEN, "/conversation/"),
      await world.linkTo(ANNA, "/conversation/"),
    ];
    const link = await asked();

    const pressed = await world.post(link);
    const page = await world.text(link);

    expect(pressed.status).toBe(303);
    for (const part of ["1 alert", "2 conversations", "2 messages", "1 alert area"])
      expect(page).toContain(`<li>${part}</li>`);
    expect((await world.post(link)).status).toBe(303);
    expect(await world.text(link)).toBe(page);
    expect(page).not.toContain("<button");

    expect((await world.fetch(`/api/v1/alerts/${alert.id}`)).status).toBe(410);
    expect((await world.fetch(alert.url)).status).toBe(410);
    expect((await world.fetch(`/api/qr/${alert.short_code}`)).status).toBe(200);
    for (const gone of [manage, benAboutHers, benAboutHis])
      expect([gone, (await world.fetch(gone)).status]).toEqual([gone, 404]);
    expect((await world.json("/api/v1/alerts")).alerts.map((one: any) => one.id)).toEqual([
      away.id,
    ]);
  });

  test("pressed twice at once erases once, emails in files too", async () => {
    await world.publish({ email: ANNA });
    const link = await asked();
    const folder = join(world.dataDir, "mail");
    for (let email = 0; email < 20; email++) await writeEmail(folder, `email-${email}`);

    const answers = await Promise.all(Array.from({ length: 20 }, () => world.post(link)));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]));
    expect(await world.text(link)).toContain("<li>1 alert</li>");
    expect(readdirSync(folder)).toEqual([]);
    expect(
      readFileSync(join(world.dataDir, "erased.list"), "latin1")
        .trim()
        .split("\n")
        .map((line) => line.split(" ")[1]),
    ).toEqual(["mailbox", "confirmed"]);
  });

  test("takes an email with it that is written to a file meanwhile", async () => {
    await world.publish({ email: ANNA });
    const link = await asked();
    const folder = join(world.dataDir, "mail");
    const { store } = world.app;
    const begin = store.beginErasure;
    store.beginErasure = async (...given) => {
      await writeEmail(folder, "late");
      return begin(...given);
    };

    await world.post(link);

    expect(readdirSync(folder)).toEqual([]);
  });

  test("lets others have their turn while a shelter with many alerts goes", async () => {
    const many = 200;
    const bulk = { ownerEmail: ANNA, expiresAt: world.now() + DAY };
    await world.app.service.alerts.add(
      Array.from({ length: many }, () =>
        makeBulk({ ...bulk, draft: makeDraft({ id: crypto.randomUUID() }) }),
      ),
    );
    const link = await asked();
    const left = new Set<number>();
    let isDone = false;

    const pressed = world.post(link).finally(() => (isDone = true));
    while (!isDone) {
      left.add((await world.app.service.state()).activeAlerts);
      await new Promise((resolve) => setImmediate(resolve));
    }

    expect((await pressed).status).toBe(303);
    expect([...left].filter((one) => one > 0 && one < many)).not.toEqual([]);
    expect(await world.text(link)).toContain(`<li>${many} alerts</li>`);
  });
});

test("pages about privacy and private links lead to it", async () => {
  for (const path of ["/privacy", "/about", "/manage"])
    expect(await world.text(path)).toContain(`<a href="/erase">${PAGE_MESSAGES.en.erase.link}</a>`);
});
