import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY, HOUR, MINUTE } from "./support/time.ts";
import { createWorld, LOST_CAT, type World } from "./support/world.ts";

// Somebody who publishes a public lost alert once more, as a find, to be believed by its owner.

let world: World;
beforeEach(async () => {
  world = await createWorld({ LIMIT_PUBLISH: "off" });
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

const OWNER = LOST_CAT.email;
const THIEF = "thief@evil.example";
const LOST = {
  ...LOST_CAT,
  breed: "Cornish Rex",
  size: "small",
  sex: "female",
  age: "adult",
  description: "Shy, answers to nothing. A notch in the left ear, a white tip on the tail.",
  event_date: "2026-04-30",
} as const;
const COPY = { ...LOST, type: "found", email: THIEF };
const WARNING = "All of this could be read in your alert. Ask for something that is not in it.";
/** What a person could take for a proof. */
const FIGURE = /\d+\s?%|\d+ of 100/;

const flat = (text = "") => text.replaceAll(/\s+/g, " ");

/** Text of the newest email about a match to a mailbox. */
async function matchEmail(to: string): Promise<string> {
  const email = (await world.emails(to)).findLast(({ text }) => text?.includes("/pair/"));
  return flat(email?.text);
}

describe("a copy of a public lost alert, published as found", () => {
  test.each([
    ["word for word", COPY],
    [
      "by its name alone",
      { ...COPY, breed: undefined, description: "I have her.", sex: undefined },
    ],
  ])("%s: the owner is told, without a figure, to ask for what is not public", async (_, copy) => {
    await world.publish(LOST);
    await world.pass(HOUR);
    await world.publish(copy);
    await world.pass(MINUTE);

    const email = await matchEmail(OWNER);
    expect(email).toContain(WARNING);
    expect(email).not.toMatch(FIGURE);
    const pair = await world.text(await world.linkTo(OWNER, "/pair/"));
    expect(pair).toContain("ask for something that is not in it");
    expect(pair).not.toMatch(FIGURE);
    expect(await matchEmail(THIEF)).not.toMatch(FIGURE);
  });

  test("is marked in tools and without a figure on pages, with no more for the name", async () => {
    const lost = await world.publish(LOST);
    const copy = await world.publish(COPY);

    const [match] = ((await world.tool("find_matches", { alert: lost.slug })) as any).matches;

    expect(match.copied).toBe(true);
    expect(match.ask).toStartWith(
      "All of this could be read in the alert for the lost animal: ask for something that is not in it.",
    );
    expect(match.summary).not.toContain("name");
    for (const { slug } of [lost, copy]) {
      const page = await world.text(`/alerts/${slug}`);
      expect(page).toContain("could be read in the alert for the lost animal");
      expect(page).not.toMatch(/\d+% chance/);
    }
  });

  test("is one, too, where an older find was edited into it", async () => {
    const far = { lat: 40.42, lng: -3.7 };
    await world.publish({ type: "found", name: undefined, color: "white", email: THIEF, ...far });
    const manage = (await world.linkTo(THIEF, "/manage/")).split("/").at(-1)!;
    await world.pass(HOUR);
    const lost = await world.publish(LOST);
    await world.pass(HOUR);
    const { type: _type, species: _species, email: _email, event_date, ...copied } = COPY;
    await world.app.service.owners.edit(manage, { ...copied, eventDate: event_date });
    await world.pass(HOUR, 10 * MINUTE);

    expect(await matchEmail(OWNER)).toContain(WARNING);
    expect(await matchEmail(OWNER)).not.toMatch(FIGURE);
    const [match] = ((await world.tool("find_matches", { alert: lost.slug })) as any).matches;
    expect(match.copied).toBe(true);
    expect(match.summary).not.toContain("name");
  });

  test("has no figure in the email that gathers a day’s matches either", async () => {
    await world.publish(LOST);
    for (let nth = 0; nth < 12; nth++)
      await world.publish({ ...COPY, email: `thief-${nth}@evil-${nth}.example` });
    await world.pass(DAY, 6 * HOUR);

    const digests = (await world.emails(OWNER)).filter(({ subject }) =>
      /more possible match/.test(subject ?? ""),
    );
    expect(digests.length).toBeGreaterThan(0);
    for (const text of digests.map((email) => flat(email.text))) {
      expect(text).toContain("It could be the animal in your alert");
      expect(text).toContain(WARNING);
      expect(text).not.toMatch(FIGURE);
    }
  });
});

describe("an honest find", () => {
  const FIND = {
    ...LOST,
    type: "found",
    name: undefined,
    color: "grey, striped",
    breed: undefined,
    description: "Came to our door this morning, hungry.",
    email: "finder@example.net",
  };

  test("published after the loss in its finder’s words has a figure", async () => {
    const lost = await world.publish(LOST);
    await world.publish(FIND);
    await world.pass(MINUTE);

    expect(await matchEmail(OWNER)).toMatch(FIGURE);
    expect(await matchEmail(OWNER)).not.toContain(WARNING);
    const [match] = ((await world.tool("find_matches", { alert: lost.slug })) as any).matches;
    expect([match.copied, match.high_confidence]).toEqual([undefined, true]);
  });

  test("published before the loss keeps its figure, and its name counts", async () => {
    await world.publish({ ...FIND, name: "Mimi" });
    const lost = await world.publish(LOST);
    await world.pass(MINUTE);

    expect(await matchEmail(OWNER)).toMatch(FIGURE);
    const [match] = ((await world.tool("find_matches", { alert: lost.slug })) as any).matches;
    expect(match.copied).toBeUndefined();
    expect(match.summary).toContain("same name");
  });
});
