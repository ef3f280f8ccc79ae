import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { confirmLink, allLinks } from "../../support/private-links.ts";
import { DAY, HOUR } from "../../support/time.ts";
import { createWorld, FINDER, LOST_CAT, type World } from "../../support/world.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

describe("the confirmation page", () => {
  test("shows the alert as it will look and what was taken out, and says the same ever after", async () => {
    const link = await confirmLink(world, {
      description: "Call 06 12 34 56 78 or write to me@example.org",
    });

    const review = await world.text(link);
    const first = await (await world.post(link)).text();
    const second = await (await world.post(link)).text();
    const later = await world.text(link);

    expect(review).toContain("Call [removed] or write to [removed]");
    expect(review).toContain("Description: a phone number and an email address");
    expect(review).toContain("Lost cat: Mimi");
    expect(first).toContain("Your alert is live");
    expect(first).toMatch(/href="\/manage\/[\w-]{43}"/);
    const content = (page: string) => /<h1.*<\/main>/s.exec(page)?.[0];
    expect([second, later].map(content)).toEqual([content(first), content(first)]);
  });

  test("doubts a pin far from the city given, or from every town", async () => {
    const lyon = { lat: 45.76, lng: 4.84 };
    const far = await world.text(await confirmLink(world, { ...lyon, city: "Marseille" }));
    const sea = await world.text(await confirmLink(world, { lat: 0, lng: 0, city: undefined }));

    expect(far).toMatch(/names Marseille, but its pin is 27\d km from there, near Lyon/);
    expect(sea).toMatch(/pin is \d{3} km from the nearest town, .*, perhaps in the sea/);
  });

  test("does not doubt a pin near the city given, or near a city that nobody knows", async () => {
    for (const city of ["Villeurbanne", "Zzyzxqua"]) {
      const page = await world.text(await confirmLink(world, { lat: 45.76, lng: 4.84, city }));
      expect(page).not.toContain("pin is");
    }
  });

  test("shows the private links for an hour after confirming, then says where they are", async () => {
    const { waiting: zone } = await allLinks(world);
    const publication = await world.linkTo(LOST_CAT.email, "/confirm/");
    await world.post(zone);
    const pages = async () => [await world.text(publication), await world.text(zone)].join();

    world.jump(HOUR - 1);
    const within = await pages();
    world.jump(1);
    const later = await pages();

    expect(within).toMatch(/href="\/manage\/[\w-]{43}"/);
    expect(within).toMatch(/href="\/unsubscribe\/[\w-]{43}"/);
    expect(later).not.toMatch(/\/(?:manage|unsubscribe)\/[\w-]{43}/);
    expect(later).toContain("Your private page has a plan for the first days.");
    expect(later).toContain("is in the email “Your alert is live”");
    expect(later).toContain('href="/manage"');
    expect(later).toContain("Every email about this area ends with a link to change or stop them.");
    expect(later).toContain("You’re set up");
  });

  test("says of an alert that has ended since that it has", async () => {
    const { manage } = await allLinks(world);
    const link = await world.linkTo(LOST_CAT.email, "/confirm/");

    await world.post(`${manage}/resolve`);
    expect(await world.text(link)).toMatch(/<h1>Your alert was published<.*Home again/s);
    await world.post(`${manage}/remove`);
    const removed = await world.text(link);

    expect(removed).toContain("<h1>Your alert has been removed</h1>");
    expect(removed).not.toContain("live");
  });

  test("names the town a zone lies around", async () => {
    const { waiting, unsubscribe } = await allLinks(world);

    for (const link of [waiting, unsubscribe])
      expect(await world.text(link)).toContain("5\u00a0km around Lyon 1er</dd>");
  });

  test("publishes what its editor says; emptied lines are cleared", async () => {
    const link = await confirmLink(world, { breed: "siamese", description: "shy", type: "found" });

    await world.post(link, {
      name: "",
      breed: "",
      color: "blue",
      description: "",
      size: "large",
      sex: "male",
      age: "young",
      eventDate: "2026-04-02",
      custody: "vet",
    });

    const [alert] = (await world.json("/api/v1/alerts")).alerts;
    expect(alert).toMatchObject({
      pet_name: null,
      breed: "unknown",
      color: "blue",
      description: null,
      size: "large",
      sex: "male",
      age: "young",
      event_date: "2026-04-02",
      custody: "vet",
    });
  });

  test("drops the answer of an older form whether a cat goes outside", async () => {
    const link = await confirmLink(world);

    expect((await world.post(link, { goesOutside: "never" })).status).toBeLessThan(400);
    expect((await world.json("/api/v1/alerts")).alerts).toHaveLength(1);
    expect(world.storedBytes()).not.toContain("goesOutside");
  });

  test("offers a corrected form again when it cannot be, and publishes nothing", async () => {
    const link = await confirmLink(world);

    const answer = await world.post(link, { name: "Minou", eventDate: "2031-01-01" });
    const page = await answer.text();

    expect(answer.status).toBe(400);
    expect(page).toContain("Lost on: this is in the future");
    expect(page).toMatch(/id="field-name"[^>]*value="Minou"/);
    expect((await world.json("/api/v1/alerts")).alerts).toEqual([]);
    expect((await world.post(link, { name: "Minou" })).status).toBe(200);
  });

  test("says after two days that the link has expired", async () => {
    const link = await confirmLink(world);
    await world.pass(2 * DAY);

    expect(await world.text(link)).toContain("This link has expired");
    expect(await (await world.post(link)).text()).toContain("This link has expired");
  });

  test("sends a message, and starts a zone with the way to end it", async () => {
    const { confirmed, waiting } = await allLinks(world);

    const zone = await (await world.post(waiting)).text();

    expect(await world.text(confirmed)).toContain("Your message is on its way");
    expect(zone).toContain("You’re set up");
    expect(zone).toMatch(/href="\/unsubscribe\/[\w-]{43}"/);
  });

  test("keeps a message waiting when its alert is closed meanwhile, and says why", async () => {
    const alert = await world.publish();
    await world.post(alert.contact_url, { email: FINDER, message: "She is here." });
    const link = await world.linkTo(FINDER, "/confirm/");
    await world.post(`${await world.linkTo(LOST_CAT.email, "/manage/")}/resolve`);

    const answer = await world.post(link);

    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain("This animal is home again");
  });

  test("answers its own form with a redirect, so that Back never sends it again", async () => {
    const link = await confirmLink(world);
    expect(await world.text(link)).toContain('name="page" value="1"');

    const answer = await world.post(link, {
      page: "1",
      edited: "1",
      description: "Ring 0612345678",
    });
    const location = answer.headers.get("Location") ?? "";

    expect([answer.status, location]).toEqual([303, `${new URL(link).pathname}?without`]);
    expect(await world.text(location)).toContain("Your alert is live");
    expect(await world.text(location)).toContain("We removed contact details");
    expect(await world.text(link)).not.toContain("We removed contact details");
  });

  test("takes no for an answer, and the no can be taken back", async () => {
    const link = await confirmLink(world);
    const emails = async () => (await world.emails(LOST_CAT.email)).length;

    expect(await world.text(`${link}/not-me`)).toContain("stop these emails");
    expect((await world.press(`${link}/not-me`)).status).toBe(200);
    await world.post(link);
    expect(await world.text(link)).toContain("Nothing will happen");
    expect((await world.json("/api/v1/alerts")).alerts).toEqual([]);

    await world.tool("publish_alert", { ...LOST_CAT, name: "Other" });
    expect(await emails()).toBe(1);

    expect(await (await world.press(`${link}/allow`)).text()).toContain(
      "You’ll get our emails again",
    );
    await world.tool("publish_alert", { ...LOST_CAT, name: "Third" });
    expect(await emails()).toBe(2);
  });

  test("does not take back what was confirmed before", async () => {
    const link = await confirmLink(world);
    await world.post(link);

    const page = await (await world.press(`${link}/not-me`)).text();

    expect(page).toContain("Anything already confirmed stays as it is.");
    expect((await world.json("/api/v1/alerts")).alerts).toHaveLength(1);
  });
});
