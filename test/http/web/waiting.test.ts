import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { PAGE_MESSAGES } from "../../../src/messages/messages.ts";
import { RESEND_WINDOW_MS } from "../../../src/core/pending/pending.ts";
import { bytesIn } from "../../support/disk.ts";
import { jpeg } from "../../support/picture.ts";
import { DAY, HOUR } from "../../support/time.ts";
import { createWorld, linkIn, LOST_CAT, upload, type World, FINDER } from "../../support/world.ts";

const words = PAGE_MESSAGES.en.waiting;
const OWNER = LOST_CAT.email;
const OTHER = "other@example.net";
const EVIL = `"><img src=x onerror=alert(1)><script>alert(1)</script>'`;

let world: World;
beforeEach(async () => {
  world = await createWorld({ LIMIT_PUBLISH: "off", LIMIT_SUBSCRIBE: "off" });
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

/** Asks for a publication by the page; gives the way to its waiting page. */
async function publish(
  fields: Record<string, string> = {},
  photos: Uint8Array[] = [],
  from?: string,
) {
  const { type, species, color, email } = LOST_CAT;
  const { body } = upload({ type, species, color, email, place: "Lyon", ...fields }, photos);
  return ticketIn(await world.fetch("/publish", { method: "POST", body }, from));
}

async function watch(email: string, lat = 45.77): Promise<string> {
  return ticketIn(
    await world.post("/subscribe", { lat: String(lat), lng: "4.83", radiusKm: "5", email }),
  );
}

function ticketIn(answer: Response): string {
  const address = answer.headers.get("Location") ?? "";
  expect([answer.status, address]).toEqual([303, expect.stringMatching(/^\/waiting\/[\w-]+$/)]);
  return address;
}

const links = async (to: string) =>
  (await world.emails(to)).map((email) => linkIn(email, "/confirm/"));

describe("the page after asking", () => {
  test("says where the email went, that nothing is live yet, and by what code it will be known", async () => {
    const ticket = await publish({ description: "Call 06 12 34 56 78" });

    const answer = await world.fetch(ticket);
    const page = await answer.text();

    expect(page).toContain("<h1>Check your email</h1>");
    expect(page).toContain("o…@e…");
    expect(page).not.toContain(OWNER);
    expect(page).toContain("Your alert is not public yet.");
    expect(page).toMatch(/Your alert will have the code [2-9A-HJKMNP-Z]{6}\./);
    expect(page).toContain("Description: a phone number");
    expect(page).toMatch(/The link works until <time[^>]*>3 May 2026/);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(answer.headers.get("X-Robots-Tag")).toBe("noindex");
  });

  test("says of each kind of ask what has not happened yet", async () => {
    const alert = await world.publish();
    const tickets = {
      publish: await publish({ email: OTHER }),
      message: ticketIn(await world.post(alert.contact_url, { email: OTHER, message: "Here." })),
      zone: await watch(OTHER),
      sighting: ticketIn(
        await world.post(`/alerts/${alert.slug}/sighting`, {
          lat: "45.77",
          lng: "4.83",
          email: OTHER,
        }),
      ),
    };

    for (const [kind, ticket] of Object.entries(tickets))
      expect(await world.text(ticket)).toContain(words.next[kind as keyof typeof tickets]);
  });

  test("follows what becomes of it", async () => {
    const confirmed = await publish();
    const disowned = await publish({ email: OTHER });
    const late = await publish({ email: "late@example.net" });

    await world.confirm(OWNER);
    await world.post(`${new URL((await links(OTHER))[0] ?? "").pathname}/not-me`);
    expect(await world.text(confirmed)).toContain(words.confirmedTitle);
    expect(await world.text(confirmed)).toContain(words.confirmedNext);
    expect(await world.text(confirmed)).toMatch(/href="\/alerts\/lost-cat-grey-tabby-lyon-/);
    expect(await world.text(disowned)).toContain(words.overTitle);
    world.jump(2 * DAY);

    expect(await world.text(late)).toContain(words.overTitle);
  });

  test("is nobody's under a ticket that is none, whatever is asked of it", async () => {
    for (const ticket of ["nothing", encodeURIComponent(EVIL), "A".repeat(2_000)])
      for (const answer of [
        await world.fetch(`/waiting/${ticket}`),
        await world.post(`/waiting/${ticket}/again`),
        await world.post(`/waiting/${ticket}/address`, { email: OTHER }),
      ]) {
        expect(answer.status).toBe(404);
        expect(await answer.text()).not.toMatch(/<img src=x|<script>/);
      }
  });
});

describe("asking for the email again", () => {
  test("is possible once, after a minute; both emails have the link", async () => {
    const ticket = await publish();
    const early = await world.post(`${ticket}/again`);
    world.jump(RESEND_WINDOW_MS);
    const again = await world.post(`${ticket}/again`);
    const after = await world.text(again.headers.get("Location") ?? "");
    const third = await world.post(`${ticket}/again`);

    expect(await world.text(early.headers.get("Location") ?? "")).toContain(words.soon);
    expect(again.status).toBe(303);
    expect(after).toContain(words.sentAgain);
    expect(after).not.toContain(`>${words.again}<`);
    expect(third.status).toBe(409);
    const [first = "", second = ""] = await links(OWNER);
    expect(await links(OWNER)).toHaveLength(2);
    expect(first).toBe(second);
    for (let presses = 0; presses < 2; presses++)
      expect(await (await world.post(second)).text()).toContain("Your alert is live");
    expect((await world.json("/api/v1/alerts")).alerts).toHaveLength(1);
  });
});

describe("a mistyped address", () => {
  test("can be corrected: the ask goes on there and ends where it was sent by mistake", async () => {
    const ticket = await publish({ name: "Mimi" }, [await jpeg({ width: 32, height: 32 })]);
    const [mistyped = ""] = await links(OWNER);

    const moved = ticketIn(await world.post(`${ticket}/address`, { email: OTHER }));

    expect(await world.text(moved)).toContain("o…@e…");
    expect(await world.text(ticket)).toContain(words.overTitle);
    expect(await world.text(mistyped)).toContain("This link has expired");
    expect(await (await world.post(mistyped)).text()).toContain("This link has expired");
    expect((await world.json("/api/v1/alerts")).alerts).toEqual([]);
    await world.confirm(OTHER);
    const [alert] = (await world.json("/api/v1/alerts")).alerts;
    expect(alert.pet_name).toBe("Mimi");
    expect((await world.fetch(alert.photos[0])).status).toBe(200);
  });

  test("that is none is told beside it, as text", async () => {
    const ticket = await publish();

    const answer = await world.post(`${ticket}/address`, { email: EVIL });
    const page = await answer.text();

    expect(answer.status).toBe(400);
    expect(page).toContain("<details open");
    expect(page).toContain('href="#field-email"');
    expect(page).toContain("&gt;&lt;img");
    expect(page).not.toMatch(/<img src=x|<script>/);
    expect(await links(OWNER)).toHaveLength(1);
  });
});

describe("a request repeated within ten minutes", () => {
  test("gets a page of its own with the same code, and sends no second email", async () => {
    const first = await publish();
    const again = await publish();

    const shape = (page: string) => page.replaceAll(/\/waiting\/[\w-]+/g, "…");
    expect(again).not.toBe(first);
    expect(shape(await world.text(again))).toBe(shape(await world.text(first)));
    expect(await links(OWNER)).toHaveLength(1);
  });

  test("keeps nothing of an alert that its owner has removed", async () => {
    await publish({ description: "canary-description" });
    await publish({ description: "canary-description" });
    await world.confirm(OWNER);
    expect(bytesIn(world.dataDir)).toContain("canary-description");

    await world.post(`${await world.linkTo(OWNER, "/manage/")}/remove`);

    expect(bytesIn(world.dataDir)).not.toContain("canary-description");
  });
});

/** Key that the form for a new alert draws when it is opened. */
const idempotencyKey = "0123456789abcdef0123456789abcdef";

describe("the form for a new alert", () => {
  test("takes a form that arrives again with its key as one, hours later, even once it was confirmed", async () => {
    const photo = await jpeg({ width: 64, height: 48 });
    const first = await publish({ idempotencyKey }, [photo]);
    world.jump(5 * HOUR);
    const again = await publish({ idempotencyKey }, [photo]);

    expect(again).not.toBe(first);
    expect(await world.text(again)).toContain("Your alert is not public yet.");
    expect(await world.emails(OWNER)).toHaveLength(1);
    await world.confirm(OWNER);
    world.jump(HOUR);
    await publish({ idempotencyKey }, [photo]);
    expect(await world.emails(OWNER)).toHaveLength(2);
    expect((await world.json("/api/v1/alerts")).alerts).toHaveLength(1);
  });

  test("takes a key for nothing without the form it belongs to, nor for more than two days", async () => {
    await publish({ idempotencyKey });
    world.jump(HOUR);

    // Somebody else's key with other words, or another address, is a request like any other.
    await publish({ idempotencyKey, color: "black" });
    await publish({ idempotencyKey, email: OTHER });
    expect(await links(OWNER)).toHaveLength(2);
    expect(await links(OTHER)).toHaveLength(1);
    // Keys that no form draws do not count.
    for (const key of ["1", "x".repeat(5_000), "'; drop table"])
      await publish({ idempotencyKey: key, color: `brown ${key.length}` });
    world.jump(49 * HOUR);
    const before = (await links(OWNER)).length;
    await publish({ idempotencyKey });
    expect(await links(OWNER)).toHaveLength(before + 1);
  });
});

describe("the form for a sighting", () => {
  test("is one request with its key, though it gave the time as hours first and as a day and an hour later", async () => {
    const { slug } = await world.publish();
    const report = (fields: Readonly<Record<string, string>>) =>
      world.post(`/alerts/${slug}/sighting`, { place: "Lyon", email: FINDER, ...fields });
    await report({ hoursAgo: "0", idempotencyKey });
    world.jump(HOUR);
    const later = { hoursAgo: "0", seenDay: "2026-05-01", seenHour: "10" };
    expect((await report({ ...later, idempotencyKey })).status).toBe(303);

    expect(await world.emails(FINDER)).toHaveLength(1);
    await report({ ...later, idempotencyKey: idempotencyKey.replace("0", "f") });
    expect(await world.emails(FINDER)).toHaveLength(2);
  });
});
