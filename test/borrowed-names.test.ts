import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { PAGE_MESSAGES } from "../src/messages/messages.ts";
import { nameShelter, publishFound, SHELTER } from "./support/organisations.ts";
import { createWorld, FINDER, type World } from "./support/world.ts";

// Somebody who passes for the site, a shelter or an authority.

let world: World;
beforeEach(async () => {
  world = await createWorld({
    LIMIT_PUBLISH: "off",
    LIMIT_MESSAGE: "off",
    OPERATOR_NAME: "Paws of Lyon",
  });
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

describe("an alert of anybody that says “at a shelter”", () => {
  const CLAIM = { type: "found", name: undefined, custody: "shelter", email: "f@example.org" };

  test.each(["en", "fr"] as const)("says on its page whose word that is (%s)", async (language) => {
    const said = await world.publish(CLAIM);
    await nameShelter(world);
    const own = await publishFound(world, { custody: "shelter" });
    const t = PAGE_MESSAGES[language];
    const pageOf = ({ slug }: { slug: string }) =>
      world.text(`/alerts/${slug}`, { "Accept-Language": language });

    expect(await pageOf(said)).toContain(`<bdi>${t.saidToBeAtShelter}</bdi>`);
    expect(await pageOf(said)).not.toContain(t.contact.title.shelter);
    expect(await pageOf(own)).toContain(`<bdi>${t.custody.shelter}</bdi>`);
    expect(await pageOf(own)).toContain(t.contact.title.shelter);
  });

  test("writes as the finder, in emails and on every page; a shelter writes as the shelter", async () => {
    const said = await world.publish(CLAIM);
    await nameShelter(world);
    const own = await publishFound(world, { custody: "shelter" });

    for (const [alert, owner, stranger, speaks] of [
      [said, "f@example.org", "one@example.net", "The finder"],
      [own, SHELTER, "two@example.net", "The shelter"],
    ] as const) {
      const other = speaks === "The finder" ? /shelter/i : /finder/i;
      await world.post(alert.contact_url, { email: stranger, message: "Is it Rex?" });
      const review = await world.text(await world.linkTo(stranger, "/confirm/"));
      expect(review).toContain(`It goes to ${speaks.toLowerCase()}:`);
      await world.confirm(stranger);
      await world.post(await world.linkTo(owner, "/conversation/"), { message: "80 euro, please" });
      const answer = (await world.emails(stranger)).at(-1)?.text;
      expect(answer).toContain(
        speaks === "The shelter"
          ? "The shelter that has this dog has written to you."
          : "The person who found this cat has written to you.",
      );
      expect(answer).not.toMatch(other);
      const page = await world.text(await world.linkTo(stranger, "/conversation/"));
      expect(page).toContain(speaks);
      expect(page.replaceAll("at a shelter, says", "")).not.toMatch(other);
    }
  });

  test("is named a finder to whoever asks a tool what to do", async () => {
    const lost = await world.publish({ breed: "unknown" });
    const said = await world.publish({ ...CLAIM, breed: "unknown", sex: "female" });

    const { alert, notes } = await world.tool("get_alert", { alert: said.slug });
    const { matches } = (await world.tool("find_matches", { alert: lost.slug })) as any;

    expect((alert as any).custody).toBe("shelter");
    expect(notes).toEqual([
      "At a shelter, says the person who published it: the alert is not that of an organisation.",
    ]);
    expect(matches[0].ask).toStartWith("Ask the finder about");
  });
});

/** Those of the names that the owner of an alert would read. */
async function shown(names: readonly string[], email?: string): Promise<string[]> {
  const { contact_url: address } = await world.publish();
  const kept: string[] = [];
  for (const [nth, name] of names.entries()) {
    const from = email ?? `sender-${nth}@example.net`;
    const answer = await world.post(address, { name, email: from, message: `It is here (${nth})` });
    expect([name, answer.status]).toEqual([name, 303]);
    const review = await world.text(await world.linkTo(from, "/confirm/"));
    if (!review.includes("No name given")) kept.push(name);
  }
  return kept;
}

describe("a sender’s name", () => {
  test("is left out where it holds that of the site, its operator or an organisation", async () => {
    await nameShelter(world);
    await nameShelter(world, { slug: "spa", name: "SPA", email: "spa@example.org", members: [] });
    await nameShelter(world, {
      slug: "lapa",
      name: "Приют Лапа",
      email: "lapa@example.org",
      members: [],
    });

    expect(
      await shown([
        "Pet Alert",
        "The PetAlert team",
        "P e t  A l e r t",
        "Pet\u200bAlert",
        "Рет Аlеrt",
        "Ηappy Paws",
        "ⲢetⲀlert",
        "P3t Al3rt",
        "🅟🅔🅣 🅐🅛🅔🅡🅣",
        "Pet AIert",
        "Paws of Lyon",
        "Happy Paws",
        "Happy-Paws, Anna",
        "SPA de Lyon",
        "приют лапа",
      ]),
    ).toEqual([]);
  });

  test("is left out where it holds a word of a moderator, an authority or a shelter", async () => {
    expect(
      await shown([
        "Support",
        "Customer Service",
        "Moderator",
        "Rnoderator",
        "Modératrice",
        "Admin!",
        "Police",
        "PoliceNationale",
        "Polіce",
        "Polizeirevier Mitte",
        "Bundespolizei",
        "Tierheim Köln",
        "Refuge de Gerland",
      ]),
    ).toEqual([]);
  });

  test("is shown where people are called so, also where an organisation is called like a person", async () => {
    await nameShelter(world, { name: "Anna" });
    await nameShelter(world, {
      slug: "felix",
      name: "Félix",
      email: "felix@example.org",
      members: [],
    });
    const honest = [
      "Anna",
      "Hanna",
      "Felix",
      "Refugio Hernández",
      "Peter Alertson",
      "Guardia",
      "Иван Петров",
      "Claire, née en 1990",
      "The one with the dog",
    ];

    expect(await shown(honest)).toEqual(honest);
  });

  test("that is left out costs neither the message nor the writer’s understanding of it", async () => {
    const alert = await world.publish();

    const answer = await world.tool("send_message", {
      alert: alert.slug,
      name: "Jean Police",
      email: FINDER,
      message: "She sits in our garden.",
    });
    const review = await world.text(await world.linkTo(FINDER, "/confirm/"));
    await world.confirm(FINDER);

    expect(answer["notes"]).toEqual([
      "The name is not shown: it contains a name that belongs to this site, a shelter or an authority.",
    ]);
    expect(review).toContain("Name: a name that belongs to this site, a shelter or an authority");
    const email = (await world.emails("owner@example.org")).at(-1)?.text;
    expect(email).toContain("She sits in our garden.");
    expect(email).not.toContain("Police");
  });

  test("is an organisation’s own where it writes from its own address", async () => {
    await nameShelter(world);
    await nameShelter(world, {
      slug: "koeln",
      name: "Tierheim Köln",
      email: "k@example.org",
      members: [],
    });

    expect(await shown(["Happy Paws"], SHELTER)).toEqual(["Happy Paws"]);
    expect(await shown(["Tierheim Köln"], "k@example.org")).toEqual(["Tierheim Köln"]);
    expect(await shown(["Tierheim Köln", "Police"], SHELTER)).toEqual([]);
  });
});
