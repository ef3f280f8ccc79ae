import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { PAGE_MESSAGES } from "../../../src/messages/messages.ts";
import { allLinks } from "../../support/private-links.ts";
import { makeBulk } from "../../support/make.ts";
import { DAY, HOUR, MINUTE } from "../../support/time.ts";
import { createWorld, linkIn, LOST_CAT, type World } from "../../support/world.ts";

const READER = "reader@example.org";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

function post(fields: Record<string, string>, headers: Record<string, string> = {}) {
  return world.post("/subscribe", { email: READER, ...fields }, headers);
}

/** The page behind the link of the newest confirmation email. */
async function review(): Promise<string> {
  return world.text(await world.linkTo(READER, "/confirm/"));
}

describe("watching a zone", () => {
  test("takes a town's name alone, and says so before anything begins", async () => {
    const answer = await post({ place: "Lyon, France", lat: "", lng: "", radiusKm: "10" });
    const waiting = await world.text(answer.headers.get("Location") ?? "");
    const asked = await review();
    await world.confirm(READER);
    await world.publish({ lat: 45.8, lng: 4.85 });
    await world.publish({ lat: 48.86, lng: 2.35, email: "far@example.org" });
    await world.pass(MINUTE);

    expect(answer.status).toBe(303);
    expect(answer.headers.get("Location")).toStartWith("/waiting/");
    expect(waiting).toContain("r…@e…");
    expect(asked).toContain("10\u00a0km around Lyon</dd>");
    const news = (await world.emails(READER)).filter(({ subject }) => subject?.includes("area"));
    expect(news.filter(({ subject }) => subject?.startsWith("New in your area"))).toHaveLength(1);
  });

  test("leads from an email with much news to all alerts of the zone", async () => {
    await post({ place: "Lyon, France", radiusKm: "10" });
    await world.confirm(READER);
    const expiresAt = world.now() + DAY;
    await world.app.service.alerts.add(Array.from({ length: 7 }, () => makeBulk({ expiresAt })));
    await world.pass(2 * HOUR);

    const gathered = (await world.emails(READER)).at(-1);
    const all = linkIn(gathered, "radius_km");

    expect(all).toBe("http://localhost:3000/?lat=45.75&lng=4.85&radius_km=10");
    expect(await world.text(all)).toContain(PAGE_MESSAGES.en.home.around({ km: 10, town: "Lyon" }));
  });

  test.each([
    [{ place: "Lyonn" }, "field-place"],
    [{ place: "Lyon", email: "nobody" }, "field-email"],
    [{ place: "Lyon", radiusKm: "5000" }, "field-radiusKm"],
    [{ place: "Córdoba", which: "somewhere,else" }, "field-place"],
  ])("is refused beside the field that is wrong: %p", async (fields, field) => {
    const answer = await post(fields as Record<string, string>);
    const page = await answer.text();

    expect(answer.status).toBe(400);
    expect(page).toContain(`href="#${field}"`);
    expect(page).toContain(`id="${field}-wrong"`);
    expect(await world.emails(READER)).toEqual([]);
  });

  test("is limited for each caller, in words", async () => {
    await world.end();
    world = await createWorld({ LIMIT_SUBSCRIBE: "1/h" });

    await post({ place: "Lyon" });
    const answer = await post({ place: "Paris" });

    expect(answer.status).toBe(429);
    expect(answer.headers.get("Retry-After")).toMatch(/^\d+$/);
    expect(await answer.text()).toContain('value="Paris"');
  });
});

describe("emails once a day", () => {
  const news = async () =>
    (await world.emails(READER)).filter(({ text }) => text?.includes("/unsubscribe/"));
  const frequencies = async () =>
    (await world.app.store.zonesOf(READER, 10)).map(({ frequency }) => frequency);
  /** Lyon is two hours ahead of UTC in May: these worlds begin at 10:00. */
  const UNTIL_EIGHT = 22 * HOUR;

  test("come in the morning at the zone's place, with all alerts of the day, and only if there are any", async () => {
    await post({ place: "Lyon, France", frequency: "daily" });
    expect(await review()).toMatch(/value="daily" checked/);
    const done = await (await world.confirm(READER)).text();
    expect(done).toContain("once a day, in the morning");

    await world.pass(UNTIL_EIGHT + HOUR);
    expect(await news()).toEqual([]);
    const first = await world.publish();
    await world.pass(5 * HOUR);
    const second = await world.publish({ name: "Felix", email: "second@example.org" });
    await world.pass(18 * HOUR - MINUTE);
    expect(await news()).toEqual([]);

    await world.pass(MINUTE);
    const [email, ...others] = await news();
    expect(email?.date).toBe("2026-05-03T06:00:00.000Z");
    expect(email?.subject).toBe("2 new alerts in your area");
    expect(email?.text).toMatch(/once a\s+day/);
    for (const { url } of [first, second]) expect(email?.text).toContain(url);
    await world.pass(3 * DAY);
    expect(others).toEqual([]);
    expect(await news()).toHaveLength(1);
  });

  test("keep their hour when the clocks change", async () => {
    await post({ place: "Lyon, France", frequency: "daily" });
    await world.confirm(READER);
    // The clocks go back in the night to 25 October.
    await world.pass(Date.parse("2026-10-24T16:00:00Z") - world.now(), 13 * DAY);
    await world.publish();
    await world.pass(15 * HOUR - MINUTE);
    expect(await news()).toEqual([]);
    await world.pass(MINUTE);
    expect((await news())[0]?.date).toBe("2026-10-25T07:00:00.000Z");
  });

  test("begin and end on the page behind the email's link, which a mail program's click still ends", async () => {
    await post({ place: "Lyon, France" });
    const done = await (await world.confirm(READER)).text();
    const page = /href="(\/unsubscribe\/[^"]+)"/.exec(done)?.[1] ?? "";
    expect(await world.text(page)).toMatch(/value="at_once" checked/);

    const wrong = await world.post(`${page}/frequency`, { frequency: "" });
    expect([wrong.status, await wrong.text()]).toEqual([
      400,
      expect.stringContaining('href="#field-frequency"'),
    ]);
    const saved = await world.post(`${page}/frequency`, { frequency: "daily" });
    expect(saved.status).toBe(303);
    const after = await world.text(saved.headers.get("Location") ?? "");
    expect(after).toContain("Saved.");
    expect(after).toMatch(/value="daily" checked/);

    await world.publish();
    await world.pass(HOUR);
    expect(await news()).toEqual([]);
    await world.post(`${page}/frequency`, { frequency: "at_once" });
    await world.publish({ name: "Felix", email: "second@example.org" });
    await world.pass(MINUTE);
    // The alert of before is news of the day and comes in the morning.
    expect((await news()).map(({ subject }) => subject?.split(":")[0])).toEqual([
      "New in your area",
    ]);
    await world.pass(UNTIL_EIGHT);
    expect(await news()).toHaveLength(2);

    await world.post(page, { "List-Unsubscribe": "One-Click" });
    expect(await frequencies()).toEqual([]);
    const late = await world.post(`${page}/frequency`, { frequency: "daily" });
    expect(late.status).toBe(404);
  });

  test("and at once for two areas of one mailbox: an alert in both comes once, at once", async () => {
    await post({ place: "Lyon, France", label: "Day", frequency: "daily", radiusKm: "50" });
    await world.confirm(READER);
    await post({ place: "Lyon, France", label: "Now" });
    await world.confirm(READER);
    await world.publish();
    const far = { lat: 45.95, lng: 4.83, email: "second@example.org", name: "Felix" };
    const { url } = await world.publish(far);
    await world.pass(MINUTE);
    expect(await news()).toHaveLength(1);
    expect((await news())[0]?.text).toContain("your area “Now”");

    await world.pass(2 * DAY, 6 * HOUR);
    const [, morning, ...others] = await news();
    expect(morning?.text).toContain("your area “Day”");
    expect(morning?.text).toContain(url);
    expect(morning?.text).not.toContain("Mimi");
    expect(others).toEqual([]);
  });

  test("that were due while the service was down come once when it is up", async () => {
    await post({ place: "Lyon, France", frequency: "daily" });
    await world.confirm(READER);
    await world.publish();
    await world.pass(MINUTE);
    world.jump(UNTIL_EIGHT + 3 * HOUR);
    await world.restart();
    await world.tick();
    await world.restart();
    await world.pass(HOUR);

    expect(await news()).toHaveLength(1);
  });
});

describe("unsubscribing", () => {
  test("takes one click of a mail program, and the second is as good", async () => {
    const { unsubscribe } = await allLinks(world);
    const zones = async () => (await world.app.service.state()).zones;
    expect(await world.text(unsubscribe)).toContain("Stop the emails about this area");
    expect(await zones()).toBe(1);

    for (const _ of ["first", "second"])
      expect((await world.post(unsubscribe, { "List-Unsubscribe": "One-Click" })).status).toBe(200);

    expect(await zones()).toBe(0);
    expect(await world.text(unsubscribe)).toContain("These emails have stopped");
  });

  test("from reminders leaves the alert alone", async () => {
    const alert = await world.publish();
    await world.pass(83 * DAY, 13 * DAY);
    const link = await world.linkTo(LOST_CAT.email, "/unsubscribe/");

    expect(await world.text(link)).toContain("Stop the reminders about this alert?");
    expect((await world.post(link)).status).toBe(200);
    await world.pass(6 * DAY + HOUR);

    const reminders = (await world.emails(LOST_CAT.email)).filter(({ subject }) =>
      subject?.startsWith("Your alert ends"),
    );
    expect(reminders).toHaveLength(1);
    expect((await world.json(`/api/v1/alerts/${alert.id}`)).status).toBe("active");
  });
});
