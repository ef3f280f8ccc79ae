import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  converse,
  MOD,
  MODERATED,
  report,
  signIn,
  moderate,
  type Session,
} from "../../support/moderators.ts";
import { DAY } from "../../support/time.ts";
import { createWorld, FINDER, LOST_CAT, type World } from "../../support/world.ts";
import { PAGE_MESSAGES } from "../../../src/messages/messages.ts";
import type { AlertDraft } from "../../../src/core/alerts/alert.ts";
import { makeBulk, makeDraft } from "../../support/make.ts";
import { allLinks } from "../../support/private-links.ts";

let world: World;
let session: Session;
beforeEach(async () => {
  world = await createWorld(MODERATED);
  session = await signIn(world);
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

describe("a report", () => {
  test("reaches moderators with the alert's whole text, grouped, the newest first", async () => {
    const alert = await world.publish({ description: "She is shy" });
    const other = await world.publish({ name: "Rex", email: "rex@example.org" });

    const thanks = await report(world, alert, { reason: "not_true", text: "He has no cat" });
    world.jump(1);
    await report(world, other, { reason: "offensive" });
    world.jump(1);
    await report(world, alert, { reason: "scam", text: "He wants money" });
    const page = await world.text("/admin", session);

    expect([thanks.status, await thanks.text()]).toEqual([
      200,
      expect.stringContaining("A moderator will review it."),
    ]);
    expect(page).toMatch(
      /It’s a scam.*He wants money.*It’s not true.*He has no cat.*Mimi.*She is shy.*It’s offensive.*Rex/s,
    );
    expect(page).not.toContain(LOST_CAT.email);
  });

  test("is taken five times an hour from one caller; the same one again costs nothing", async () => {
    const alert = await world.publish();
    for (let at = 0; at < 5; at++) {
      for (const _ of ["first", "second"])
        expect((await report(world, alert, { reason: "other", text: `${at}` })).status).toBe(200);
    }

    const refused = await report(world, alert, { reason: "other", text: "six" });

    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect(await refused.text()).toContain("six");
  });

  test("shows hostile text as text", async () => {
    const evil = `"><img src=x onerror=alert(1)></textarea></details><script>'\u202e`;
    const alert = await world.publish({
      name: evil.slice(0, 40),
      color: evil,
      description: evil,
      city: evil,
    });
    const { owner } = await converse(world, alert, evil);
    await report(world, alert, { reason: "other", text: evil });
    await world.post(`${owner}/report`, { reason: "scam", text: evil });

    const pages = [
      await world.text("/admin", session),
      await world.text(`/admin/alerts/${alert.id}/block`, session),
      await world.text(`/admin?done=${encodeURIComponent(evil)}`, session),
      await (await report(world, alert, { reason: evil, text: evil })).text(),
      await (await world.post("/admin/sign-in", { email: evil })).text(),
      await world.text(`/admin/enter/${encodeURIComponent(evil)}`),
    ];

    for (const page of pages.slice(0, 5)) expect(page).toContain("&gt;&lt;img");
    expect(pages[0]).not.toContain("\u202e");
    for (const page of pages) {
      expect(page).not.toMatch(
        /<img src=x|<script(?! type="module" src="\/scripts\/)|<\/textarea>&lt;img/i,
      );
      expect(page).not.toMatch(/\son\w+="|href="javascript:/i);
    }
  });
});

describe("a conversation", () => {
  test("is closed by either side, for both and for good", async () => {
    for (const closer of ["owner", "stranger"] as const) {
      const alert = await world.publish();
      const links = await converse(world, alert, `Hello from ${closer}`);
      const other = closer === "owner" ? links.stranger : links.owner;

      const question = await world.text(`${links[closer]}/close`);
      expect(await world.text(links[closer])).toContain('name="message"');
      const closed = await world.post(`${links[closer]}/close`);
      const again = await world.post(`${links[closer]}/close`);

      expect(question).toContain("Close this conversation?");
      expect([closed.status, again.status]).toEqual([303, 303]);
      for (const side of [links[closer], other]) {
        const page = await world.text(side);
        expect(page).toContain("This conversation was closed.");
        expect(page).not.toContain('name="message"');
        const refused = await world.post(side, { message: "One more thing" });
        expect(refused.status).toBe(409);
        expect(await refused.text()).toContain(
          "This conversation was closed. New messages are no longer possible",
        );
      }
      await world.pass(DAY);
    }
  });

  test("cannot be begun anew by the stranger of a closed one, who is told so on the page", async () => {
    const alert = await world.publish();
    const { owner } = await converse(world, alert);
    await world.post(`${owner}/close`);
    const before = (await world.emails(LOST_CAT.email)).length;

    const asked = await world.post(alert.contact_url, { email: FINDER, message: "Me again" });
    const pressed = await world.post(await world.linkTo(FINDER, "/confirm/"));
    const someone = await world.post(alert.contact_url, {
      email: "x@example.net",
      message: "Me too",
    });
    await world.confirm("x@example.net");

    // Asking tells nobody what another mailbox has done.
    expect(someone.status).toBe(asked.status);
    expect(pressed.status).toBe(409);
    expect(await pressed.text()).toContain("Your conversation about this alert was closed");
    expect(await world.emails(LOST_CAT.email)).toHaveLength(before + 1);
  });

  test("is read by moderators once a side reported it, without any address", async () => {
    const alert = await world.publish();
    const { owner, stranger } = await converse(world, alert, "I want gift cards");
    expect(await world.text("/admin", session)).not.toContain("gift cards");

    const before = await world.text(`${owner}/report`);
    const thanks = await world.press(`${owner}/report`, {
      reason: "scam",
      text: "He asks for money",
    });
    const desk = await world.text("/admin", session);

    expect(before).toContain("moderators can read every message in this conversation");
    expect(await world.text(owner)).toContain(`${new URL(owner).pathname}/report`);
    expect(thanks.status).toBe(200);
    expect(desk).toMatch(/He asks for money.*Jo<.*I want gift cards.*Publisher<.*Where\?/s);
    for (const address of [FINDER, LOST_CAT.email]) expect(desk).not.toContain(address);
    expect(await world.text(stranger)).not.toContain("He asks for money");
    expect((await world.post(`${owner}/report`, { reason: "" })).status).toBe(400);
    expect((await world.post("/conversation/unknown/report", { reason: "scam" })).status).toBe(404);
  });

  test("lets moderators block who wrote, and leaves the alert alone", async () => {
    const alert = await world.publish();
    const { owner, stranger } = await converse(world, alert);
    await world.post(`${owner}/report`, { reason: "scam" });
    const path =
      /href="(\/admin\/alerts\/[^"]+\/conversations\/[^"]+\/block)"/.exec(
        await world.text("/admin", session),
      )?.[1] ?? "";

    expect(await world.text(path, session)).toContain("Block the sender’s address?");
    expect((await world.post(path, {}, session)).status).toBe(303);

    const desk = await world.text("/admin", session);
    expect(desk).toContain(`${MOD}, sender blocked, ${alert.short_code}`);
    expect(desk).toContain("No open reports.");
    expect((await world.json(`/api/v1/alerts/${alert.id}`)).status).toBe("active");
    expect((await world.post(stranger, { message: "Pay me" })).status).toBe(409);
    const emails = (await world.emails(FINDER)).length;
    await world.post(alert.contact_url, { email: FINDER, message: "Pay me again" });
    expect(await world.emails(FINDER)).toHaveLength(emails);
  });
});

const FAR = { lat: 40.42, lng: -3.7 };
const texts = PAGE_MESSAGES.en.admin;

const page = (path: string) => world.text(path, session);

/** Short codes of the alerts that a search lists, in order. */
async function found(query: string): Promise<string[]> {
  return codesIn(await page(`/admin/alerts?q=${encodeURIComponent(query)}`));
}

function codesIn(html: string): string[] {
  return [...html.matchAll(/(?:>| · )([2-9A-HJ-NP-Z]{6}) ·/g)].map(([, code]) => code ?? "");
}

describe("a search of moderators", () => {
  test("finds an alert by every name it has, whether it is public, hidden or removed", async () => {
    for (const done of [null, "hide", "remove"]) {
      const alert = await world.publish({ email: `owner-${done}@example.org` });
      if (done !== null) await moderate(world, session, alert, done);
      const names = [
        alert.id,
        alert.slug,
        alert.short_code,
        alert.short_code.toLowerCase(),
        alert.url,
        `  ${alert.url}  `,
        `/a/${alert.short_code}`,
      ];
      for (const name of names)
        expect([name, (await found(name))[0]]).toEqual([name, alert.short_code]);
    }
  });

  test("finds words of name, breed, town, colour and text in any order, without case and accents", async () => {
    const alert = await world.publish({
      name: "Mïmi",
      breed: "Chartreux",
      description: "Please pay the reward by Western Union",
    });
    await world.publish({ name: "Felix", email: "other@example.org", color: "black" });

    for (const query of ["mimi", "LYON mimi", "chartr", "grey tabby", "western UNION"])
      expect([query, await found(query)]).toEqual([query, [alert.short_code]]);
    expect(await found("lyon")).toHaveLength(2);
    expect(await found("mimi black")).toEqual([]);
    expect(await found("!!!")).toEqual([]);
    expect(await page("/admin/alerts?q=unicorn")).toContain(texts.alerts.none);
  });

  test("takes a session, and shows no address and no hostile markup", async () => {
    const evil = "<img src=x onerror=alert(1)>";
    const alert = await world.publish({ name: evil });
    for (const path of ["/admin/alerts", `/admin/alerts/${alert.id}`, "/admin/alerts?q=mimi"])
      expect(await world.text(path)).not.toContain(alert.short_code);

    const pages = [
      await page("/admin/alerts"),
      await page(`/admin/alerts?q=${encodeURIComponent(evil)}`),
      await page(`/admin/alerts/${alert.id}`),
    ];
    for (const html of pages) {
      expect(html).not.toContain("<img src=x");
      expect(html).not.toContain(LOST_CAT.email);
    }
    expect((await world.fetch("/admin/alerts/nobody", { headers: session })).status).toBe(404);
  });
});

describe("the look-alikes of a reported alert", () => {
  const SCAM =
    "Found your pet? I have him safe with me, send the vet costs by gift card first and I will bring him home";

  test("are told with the reports: alerts of the same publisher, photo, text or looks, of any status", async () => {
    const photo = "0".repeat(32);
    const about = { ...makeDraft(), species: "dog", name: null, photos: [photo] } as const;
    const add = async (more: Partial<AlertDraft>, ownerEmail: string | null) => {
      const { slug, shortCode } = makeDraft();
      const id = crypto.randomUUID();
      const draft = { ...about, color: shortCode, photos: [], ...more, id, slug, shortCode };
      const expiresAt = world.now() + 30 * DAY;
      await world.app.service.alerts.add([makeBulk({ draft, ownerEmail, expiresAt })]);
      return draft;
    };
    const looks = { color: "white", breed: "Labrador" };
    const reported = await add({ ...looks, photos: [photo], description: SCAM }, "a.b@gmail.com");
    const bySame = await add({}, "ab+2@gmail.com");
    const withPhoto = await add({ photos: [photo] }, "photo@example.org");
    const description = SCAM.replace("vet costs", "doctor fees");
    const withText = await add({ species: "bird", description, point: FAR }, "text@example.org");
    const likeIt = await add({ ...looks, color: "WHITE" }, "looks@example.org");
    const all = await add({ ...looks, photos: [photo], description: SCAM }, "AB@gmail.com");
    const others = [
      await add({ ...looks, point: FAR }, "far@example.org"),
      await add({ ...looks, eventDate: "2025-01-01" }, "long-ago@example.org"),
      await add({ description: "Found your pet?" }, "short@example.org"),
      await add({}, null),
    ];
    await moderate(world, session, withPhoto, "hide");
    const answer = await report(world, { url: `/alerts/${reported.shortCode}` });
    expect(answer.status).toBe(200);

    const queue = await page("/admin");
    const file = await page(`/admin/alerts/${reported.id}`);
    const { way } = texts.lookAlikes;
    const counts = `${way.publisher}: 2 · ${way.photo}: 2 · ${way.text}: 2 · ${way.looks}: 2`;
    expect(queue).toContain(counts);
    expect(file).toContain(counts);
    const alike = [all, likeIt, withText, withPhoto, bySame];
    expect(codesIn(file)).toEqual(alike.map(({ shortCode }) => shortCode));
    for (const { shortCode } of others) expect(file).not.toContain(shortCode);
    expect(file).not.toMatch(/gmail|example\.org/);
  });
});

describe("a conversation", () => {
  test("shows both sides in order, each under its own name", async () => {
    const { conversation } = await allLinks(world);

    const answer = await world.post(conversation, { message: "Thank you!\nWhere?" });
    const theirs = await world.linkTo(FINDER, "/conversation/");

    expect(answer.status).toBe(303);
    expect(answer.headers.get("Location")).toBe(`${new URL(conversation).pathname}#latest`);
    expect(await world.text(conversation)).toMatch(
      /Jo<.*She is here\..*You<.*Thank you!\nWhere\?/s,
    );
    expect(await world.text(theirs)).toMatch(
      /You<.*She is here\..*The owner<.*Thank you!\nWhere\?/s,
    );
  });
});

describe("writing to an owner", () => {
  test("asks for a look into the mail, and tells what was taken out", async () => {
    const alert = await world.publish();

    const answer = await world.post(alert.contact_url, {
      name: "",
      email: FINDER,
      message: "Call 06 12 34 56 78",
    });
    const page = await world.text(answer.headers.get("Location") ?? "");
    const review = await world.text(await world.linkTo(FINDER, "/confirm/"));

    expect(answer.status).toBe(303);
    expect(page).toContain("f…@e…");
    expect(page).not.toContain(FINDER);
    expect(page).toContain("Message: a phone number");
    expect(review).toContain("Call [removed]");
    expect(review).toContain("No name given");
  });

  test("counts a line break as one character, as browsers do", async () => {
    const alert = await world.publish();
    const message = "a\r\n".repeat(1_000);

    expect((await world.post(alert.contact_url, { email: FINDER, message })).status).toBe(303);
  });
});
