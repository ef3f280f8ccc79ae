import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY, HOUR, MINUTE, SECOND } from "./support/time.ts";
import { createWorld, form, LOST_CAT, linkIn, type World } from "./support/world.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(async () => {
  // A clock that is far off is told to the operator.
  expect(world.logged.filter((line) => !line.includes('about: "clock"'))).toEqual([]);
  await world.end();
});

describe("publishing", () => {
  test("an assistant's call becomes a live alert when its human presses the button, and not before", async () => {
    const asked = await world.tool("publish_alert", LOST_CAT);
    expect(asked).toMatchObject({ status: "pending_confirmation", sent_to: "o…@e…" });
    expect((await world.fetch(`/api/v1/alerts/${asked["slug"]}`)).status).toBe(404);
    expect((await world.fetch(`/a/${asked["short_code"]}`)).status).toBe(404);
    expect(await world.json("/api/v1/alerts")).toEqual({ alerts: [], next_cursor: null });

    const [email] = await world.emails(LOST_CAT.email);
    const page = await world.fetch(linkIn(email, "/confirm/"));
    expect(await page.text()).toContain("Mimi");
    expect((await world.fetch(`/api/v1/alerts/${asked["slug"]}`)).status).toBe(404);
    const result = await world.fetch(linkIn(email, "/confirm/"), { method: "POST", ...form({}) });
    expect(result.status).toBe(200);

    const near = await world.json(
      "/api/v1/alerts?lat=45.77&lng=4.83&radius_km=5&species=cat&type=lost&q=mimi",
    );
    expect(near.alerts).toHaveLength(1);
    expect(near.alerts[0]).toMatchObject({
      id: asked["id"],
      slug: asked["slug"],
      city: "Lyon",
      country_code: "FR",
      latitude: 45.77,
      longitude: 4.83,
      status: "active",
      distance_km: 0,
    });
  });

  test("pressing twice, at once or a day later, publishes once and is answered kindly", async () => {
    const { slug } = await world.tool("publish_alert", LOST_CAT);
    const link = linkIn((await world.emails(LOST_CAT.email))[0], "/confirm/");

    const pressed = await Promise.all(
      [1, 2, 3].map(() => world.fetch(link, { method: "POST", ...form({}) })),
    );
    await world.pass(DAY);
    const late = await world.fetch(link, { method: "POST", ...form({}) });

    expect([...pressed, late].map((page) => page.status)).toEqual([200, 200, 200, 200]);
    expect(await late.text()).toContain(String(slug));
    expect((await world.json("/api/v1/alerts")).alerts).toHaveLength(1);
    const live = (await world.emails(LOST_CAT.email)).filter((email) =>
      email.subject?.startsWith("Your alert is live"),
    );
    expect(live).toHaveLength(1);
  });

  test("opening, prefetching and probing the link publish nothing", async () => {
    await world.tool("publish_alert", LOST_CAT);
    const link = linkIn((await world.emails(LOST_CAT.email))[0], "/confirm/");

    for (const method of ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"])
      await world.fetch(link, { method });
    await world.fetch(link, { headers: { "Sec-Purpose": "prefetch" } });

    expect((await world.json("/api/v1/alerts")).alerts).toEqual([]);
  });

  test("a link that is two days old publishes nothing", async () => {
    await world.tool("publish_alert", LOST_CAT);
    const link = linkIn((await world.emails(LOST_CAT.email))[0], "/confirm/");
    await world.pass(48 * HOUR);

    await world.fetch(link, { method: "POST", ...form({}) });

    expect((await world.json("/api/v1/alerts")).alerts).toEqual([]);
  });

  test("what the owner changes on the confirmation page is what goes live, cleaned", async () => {
    const { slug } = await world.tool("publish_alert", {
      ...LOST_CAT,
      description: "call 06 12 34 56 78",
    });
    const link = linkIn((await world.emails(LOST_CAT.email))[0], "/confirm/");

    await world.fetch(link, {
      method: "POST",
      ...form({ name: "Minou", color: "blue", description: "shy, write to me@example.org" }),
    });

    const alert = await world.json(`/api/v1/alerts/${slug}`);
    expect(alert.slug).toBe(`lost-cat-minou-lyon-${alert.short_code.toLowerCase()}`);
    expect(alert).toMatchObject({
      pet_name: "Minou",
      color: "blue",
      description: "shy, write to [removed]",
    });
  });

  test("the same request again within ten minutes is the same request", async () => {
    const first = await world.tool("publish_alert", LOST_CAT);
    const again = await world.tool("publish_alert", LOST_CAT);

    expect(again).toEqual(first);
    expect(await world.emails(LOST_CAT.email)).toHaveLength(1);
  });

  test("a person who requested nothing stops the emails, and nothing more comes", async () => {
    await world.tool("publish_alert", LOST_CAT);
    const notMe = linkIn((await world.emails(LOST_CAT.email))[0], "/not-me");
    await world.fetch(notMe, { method: "POST", ...form({}) });

    const next = await world.tool("publish_alert", { ...LOST_CAT, name: "Other" });

    expect(next["status"]).toBe("pending_confirmation");
    expect(await world.emails(LOST_CAT.email)).toHaveLength(1);
  });
});

describe("writing to an owner", () => {
  test("a finder's message reaches the owner, the answer reaches the finder, and neither sees an address", async () => {
    const alert = await world.publish();
    const message = {
      alert: alert.slug,
      message: "I saw her in the park.",
      email: "finder@example.net",
      name: "Ana",
    };
    await world.tool("send_message", message);
    const withText = async (to: string, text: string) =>
      (await world.emails(to)).filter((email) => email.text?.includes(text));
    expect(await withText(LOST_CAT.email, "in the park")).toEqual([]);

    await world.confirm("finder@example.net");
    const [toOwner] = await withText(LOST_CAT.email, "in the park");
    await world.fetch(linkIn(toOwner, "/conversation/"), {
      method: "POST",
      ...form({ message: "Thank you! Which park?" }),
    });
    const [toFinder] = await withText("finder@example.net", "Which park?");
    await world.fetch(linkIn(toFinder, "/conversation/"), {
      method: "POST",
      ...form({ message: "The small one." }),
    });

    expect(await withText(LOST_CAT.email, "The small one.")).toHaveLength(1);
    const raw = (to: string) =>
      world.sentMail
        .filter((mail) => mail.envelope.to === to)
        .map((mail) => new TextDecoder().decode(mail.raw))
        .join("");
    expect(raw(LOST_CAT.email)).not.toContain("finder@");
    expect(raw("finder@example.net")).not.toContain("owner@");
  });

  test("a resolved alert takes no messages, and a removed one is gone", async () => {
    const alert = await world.publish();
    const manage = linkIn((await world.emails(LOST_CAT.email)).at(-1), "/manage/");
    const write = () =>
      world.tool("send_message", {
        alert: alert.slug,
        message: "hello",
        email: "finder@example.net",
      });

    await world.fetch(`${manage}/resolve`, { method: "POST", ...form({}) });
    await expect(write()).rejects.toThrow("home again");
    await world.fetch(`${manage}/remove`, { method: "POST", ...form({}) });
    await expect(write()).rejects.toThrow("removed");
  });
});

describe("subscribing", () => {
  const zone = { lat: 45.77, lng: 4.83, radius_km: 10, email: "neighbour@example.org" };
  const news = async (to: string) =>
    (await world.emails(to)).filter((email) => email.text?.includes("/unsubscribe/"));

  test("a subscriber hears of a new alert nearby once, within a minute, and never again after one click", async () => {
    await world.tool("subscribe_zone", zone);
    await world.confirm(zone.email);
    const alert = await world.publish();
    await world.pass(MINUTE);
    const [email, ...more] = await news(zone.email);

    expect(email?.text).toContain(alert.url);
    expect(more).toEqual([]);
    const unsubscribe = linkIn(email, "/unsubscribe/");
    expect(email?.headers.find(({ key }) => key === "list-unsubscribe")?.value).toBe(
      `<${unsubscribe}>`,
    );

    const click = { method: "POST", ...form({ "List-Unsubscribe": "One-Click" }) };
    expect((await world.fetch(unsubscribe, click)).status).toBe(200);
    expect((await world.fetch(unsubscribe, click)).status).toBe(200);
    await world.publish({ name: "Felix", email: "second@example.org" });
    await world.pass(2 * HOUR);
    expect(await news(zone.email)).toHaveLength(1);
  });

  test("a zone's name is stored without addresses", async () => {
    await world.tool("subscribe_zone", { ...zone, label: "Home, or write to other@example.org" });
    await world.confirm(zone.email);
    await world.publish();
    await world.pass(MINUTE);

    const [email] = await news(zone.email);
    expect(email?.text).toContain("Home, or write to [removed]");
    expect(email?.text).not.toContain("other@example.org");
  });

  test("alerts elsewhere, of another kind or of the subscriber send no email", async () => {
    await world.tool("subscribe_zone", { ...zone, species: "dog" });
    await world.confirm(zone.email);
    await world.publish();
    await world.publish({ species: "dog", lat: 48.85, lng: 2.35, name: "Rex" });
    await world.publish({ species: "dog", email: zone.email, name: "Own" });

    await world.pass(2 * HOUR);

    expect(await news(zone.email)).toEqual([]);
  });

  test("alerts that go live within a minute come in one email, within a minute of the first", async () => {
    await world.tool("subscribe_zone", zone);
    await world.confirm(zone.email);
    const first = await world.publish();
    await world.pass(30 * SECOND, 10 * SECOND);
    const second = await world.publish({ name: "Felix", email: "second@example.org" });
    expect(await news(zone.email)).toEqual([]);

    await world.pass(30 * SECOND, 10 * SECOND);
    const [email, ...others] = await news(zone.email);
    expect(email?.subject).toBe("2 new alerts in your area");
    for (const { url } of [first, second]) expect(email?.text).toContain(url);

    await world.pass(2 * HOUR, 10 * MINUTE);
    expect(others).toEqual([]);
    expect(await news(zone.email)).toHaveLength(1);
  });

  test("a restart between publication and notification loses no notification", async () => {
    await world.tool("subscribe_zone", zone);
    await world.confirm(zone.email);
    const { slug } = await world.tool("publish_alert", LOST_CAT);
    const link = linkIn((await world.emails(LOST_CAT.email))[0], "/confirm/");
    await world.fetch(link, { method: "POST", ...form({}) });

    await world.restart();
    await world.pass(30 * SECOND);
    await world.restart();
    await world.pass(30 * SECOND);
    await world.restart();

    const [email, ...others] = await news(zone.email);
    expect(email?.text).toContain(String(slug));
    expect(others).toEqual([]);
  });
});

describe("the owner's private link", () => {
  test("resolves, reopens within a month, and removes; the page follows", async () => {
    const alert = await world.publish();
    const manage = linkIn((await world.emails(LOST_CAT.email)).at(-1), "/manage/");
    const press = (move: string) =>
      world.fetch(`${manage}/${move}`, { method: "POST", ...form({}) });
    const status = async () => (await world.json(`/api/v1/alerts/${alert.id}`)).status;
    const listed = async () => (await world.json("/api/v1/alerts")).alerts.length;

    await press("resolve");
    expect([await status(), await listed()]).toEqual(["resolved", 0]);
    await press("reopen");
    expect([await status(), await listed()]).toEqual(["active", 1]);
    await press("resolve");
    await world.pass(31 * DAY);
    expect((await press("reopen")).status).not.toBe(200);

    const other = await world.publish({ name: "Felix" });
    const second = linkIn((await world.emails(LOST_CAT.email)).at(-1), "/manage/");
    await world.fetch(`${second}/remove`, { method: "POST", ...form({}) });
    expect((await world.fetch(`/api/v1/alerts/${other.id}`)).status).toBe(410);
    expect((await world.fetch(other.url)).status).toBe(410);
    expect((await world.fetch(`/a/${other.short_code}`)).status).toBe(410);
  });

  test("looking changes nothing", async () => {
    const alert = await world.publish();
    const manage = linkIn((await world.emails(LOST_CAT.email)).at(-1), "/manage/");

    for (const path of ["", "/resolve", "/remove", "/renew"]) {
      for (const method of ["GET", "HEAD"]) await world.fetch(`${manage}${path}`, { method });
    }

    expect((await world.json(`/api/v1/alerts/${alert.id}`)).status).toBe("active");
  });

  test("an owner is reminded a week and a day before the end, can renew, and is forgotten thirty days after the end", async () => {
    const alert = await world.publish();
    const reminders = async () =>
      (await world.emails(LOST_CAT.email)).filter((email) =>
        email.subject?.startsWith("Your alert ends"),
      );

    await world.pass(82 * DAY, 10 * DAY);
    expect(await reminders()).toHaveLength(0);
    await world.pass(1 * DAY);
    expect(await reminders()).toHaveLength(1);
    await world.pass(6 * DAY);
    expect(await reminders()).toHaveLength(2);

    const manage = linkIn((await reminders())[1], "/manage/");
    await world.fetch(`${manage}/renew`, { method: "POST", ...form({}) });
    await world.pass(10 * DAY);
    expect((await world.json(`/api/v1/alerts/${alert.id}`)).status).toBe("active");
    await world.pass(70 * DAY, 10 * DAY);
    await world.pass(11 * DAY);
    expect((await world.json(`/api/v1/alerts/${alert.id}`)).status).toBe("expired");
    expect(await reminders()).toHaveLength(4);
    expect((await world.fetch(manage)).status).toBe(200);

    await world.pass(31 * DAY, 10 * DAY);
    expect((await world.fetch(manage)).status).toBe(404);
    expect((await world.json(`/api/v1/alerts/${alert.id}`)).status).toBe("expired");
    await expect(
      world.tool("send_message", { alert: alert.id, message: "x", email: "a@example.org" }),
    ).rejects.toThrow("no owner");
  });

  test("a clock that is 400 days off ends and erases nothing", async () => {
    const alert = await world.publish();
    const manage = linkIn((await world.emails(LOST_CAT.email)).at(-1), "/manage/");
    await world.pass(2 * DAY);

    await world.tool("subscribe_zone", { lat: 1, lng: 1, email: "waiting@example.org" });
    world.jump(400 * DAY);
    await world.tick();
    expect(
      world.sentMail.filter((mail) => mail.envelope.to === "waiting@example.org"),
    ).toHaveLength(1);
    await world.pass(HOUR, MINUTE);
    world.jump(-400 * DAY);
    await world.tick();
    await world.pass(2 * DAY);

    expect((await world.json(`/api/v1/alerts/${alert.id}`)).status).toBe("active");
    expect((await world.fetch(manage)).status).toBe(200);
  });
});
