import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { allLinks } from "../../support/private-links.ts";
import { createWorld, FINDER, type World } from "../../support/world.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
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

  test("is listed on the owner's page with what the other person wrote last", async () => {
    const { conversation, manage } = await allLinks(world);

    await world.post(conversation, { message: "Thank you! Where exactly?" });

    const page = await world.text(manage);
    expect(page).toContain("She is here.");
    expect(page).not.toContain("Where exactly?");
  });

  test("says that the animal is home, and what [removed] stands for where it stands", async () => {
    const { conversation, manage } = await allLinks(world);
    const home = "This animal is home again.";
    const explained = "[removed] replaces a phone number";
    const before = await world.text(conversation);

    await world.post(conversation, { message: "Call 06 12 34 56 78" });
    await world.post(`${manage}/resolve`);
    const after = await world.text(conversation);

    for (const said of [home, explained]) expect(before).not.toContain(said);
    expect(after).toMatch(/This animal is home again\..*class="messages"/s);
    expect(after.split(explained)).toHaveLength(2);
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
