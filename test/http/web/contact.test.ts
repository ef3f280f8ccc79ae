import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { nameShelter, publishFound } from "../../support/organisations.ts";
import { createWorld, FINDER, type World } from "../../support/world.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
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

  test("asks for what helps whoever reads it", async () => {
    const lost = await world.publish();
    const found = { type: "found", email: "f@example.org" };
    const finder = await world.publish({ ...found, custody: "finder" });
    const said = await world.publish({ ...found, custody: "shelter", color: "red" });
    await nameShelter(world);
    const shelter = await publishFound(world, { custody: "shelter" });

    expect(await world.text(lost.contact_url)).toMatch(
      /Write to the owner.*where did you see it\?/s,
    );
    for (const [alert, reader] of [
      [finder, "finder"],
      [said, "finder"],
      [shelter, "shelter"],
    ] as const) {
      const page = await world.text(alert.contact_url);
      expect(page).toContain(`<h1>Write to the ${reader}</h1>`);
      expect(page).toContain("How do you know it is yours?");
      expect(page).not.toContain("did you see it");
      expect(await world.text(alert.url)).toContain(`Write to the ${reader}</a>`);
    }
  });

  test("counts a line break as one character, as browsers do", async () => {
    const alert = await world.publish();
    const message = "a\r\n".repeat(1_000);

    expect((await world.post(alert.contact_url, { email: FINDER, message })).status).toBe(303);
  });
});
