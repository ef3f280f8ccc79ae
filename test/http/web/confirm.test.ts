import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { confirmLink, allLinks } from "../../support/private-links.ts";
import { HOUR } from "../../support/time.ts";
import { createWorld, LOST_CAT, type World } from "../../support/world.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld({ LIMIT_PUBLISH: "off" });
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

  test("does not take back what was confirmed before", async () => {
    const link = await confirmLink(world);
    await world.post(link);

    const page = await (await world.press(`${link}/not-me`)).text();

    expect(page).toContain("Anything already confirmed stays as it is.");
    expect((await world.json("/api/v1/alerts")).alerts).toHaveLength(1);
  });
});

describe("a program that presses the button", () => {
  const published = async () => (await world.json("/api/v1/alerts")).alerts;
  const press = (link: string, body: string | Uint8Array | null, type: string) =>
    world.fetch(link, { method: "POST", body, headers: { "Content-Type": type } });

  test("publishes what waits, whatever it sends that is no field of ours", async () => {
    for (const [nth, [type, body]] of (
      [
        ["application/json", null],
        ["application/json", "{"],
        ["application/json", "[1]"],
        ["text/plain", "yes"],
        ["application/x-www-form-urlencoded", "ok=1"],
        ["multipart/form-data", "xx"],
        ["application/octet-stream", "\0\xff"],
      ] as const
    ).entries()) {
      const link = await confirmLink(world, { name: `Cat${nth}` });
      for (const method of ["GET", "HEAD"]) await world.fetch(link, { method });
      expect(await published()).toHaveLength(nth);

      expect([type, body, (await press(link, body, type)).status]).toEqual([type, body, 200]);
      expect((await published())[0]).toMatchObject({ pet_name: `Cat${nth}`, color: "grey tabby" });
    }
  });

  test("corrects fields as JSON, too; one that is invalid is named, and publishes nothing", async () => {
    const link = await confirmLink(world);

    for (const [body, type] of [
      [JSON.stringify({ size: "huge" }), "application/json"],
      [JSON.stringify({ size: ["small"] }), "application/json"],
      ["size=huge", "application/x-www-form-urlencoded"],
    ] as const) {
      const refused = await press(link, body, type);
      expect([refused.status, await refused.text()]).toEqual([
        400,
        expect.stringContaining("Size"),
      ]);
    }
    expect(await published()).toEqual([]);
    const body = JSON.stringify({ color: "silver", size: "small", unheard: [1] });
    await press(link, body, "application/json");
    expect(await published()).toMatchObject([{ color: "silver", size: "small" }]);
  });
});
