import { describe, expect, test } from "bun:test";
import { DAY, HOUR, MINUTE } from "../support/time.ts";
import { createWorld, type World } from "../support/world.ts";

const VICTIM = "victim@example.org";
const ATTACKER = "attacker@evil.example";
const CHIP = "250269812345678";
/** A block of numbers with the dog's own in it. */
const GUESSES = Array.from({ length: 20 }, (_, nth) => String(250_269_812_345_665 + nth));
const LOST_DOG = {
  type: "lost",
  species: "dog",
  name: "Rex",
  color: "black",
  lat: 60.17,
  lng: 24.94,
  email: VICTIM,
  microchip: CHIP,
};
/** Says nothing of the dog, and lies far from it. */
const GUESS = { type: "found", species: "cat", color: "white", lat: 38.72, lng: -9.14 };
const matchEmails = async (world: World, to: string) =>
  (await world.emails(to)).filter(({ text }) => text?.includes("/pair/"));

describe("a block of guessed chip numbers in the form, before anything is confirmed", () => {
  async function attack() {
    const world = await createWorld({ LIMIT_PUBLISH: "off" });
    const dog = await world.publish(LOST_DOG);
    const answers: string[] = [];
    for (const microchip of GUESSES) {
      const { lat, lng, ...given } = GUESS;
      const fields = { ...given, lat: `${lat}`, lng: `${lng}`, email: ATTACKER, microchip };
      const asked = await world.post("/publish", fields);
      answers.push(await world.text(asked.headers.get("Location")!));
    }
    await world.pass(MINUTE);
    const toVictim = (await matchEmails(world, VICTIM)).length;
    await world.end();
    return { hits: answers.filter((page) => page.includes(dog.slug)).length, toVictim };
  }

  test("finds nobody's dog, and nobody hears of it", async () => {
    expect(await attack()).toEqual({ hits: 0, toVictim: 0 });
  });
});

describe("a confirmed alert with a guessed chip number", () => {
  /** All that the public can learn of a guess, by tool, API and page; the attacker's names and times taken out. */
  async function publicAnswers(microchip: string) {
    const world = await createWorld();
    const dog = await world.publish(LOST_DOG);
    const near = { ...LOST_DOG, type: "found", name: undefined, email: ATTACKER, microchip };
    const guess = await world.publish(near);
    const ofGuess = await world.tool("find_matches", { alert: guess.id });
    const ofDog = await world.json(`/api/v1/alerts/${dog.id}/matches`);
    const page = await world.text(new URL(dog.url).pathname);
    await world.end();
    const told = [ofGuess, ofDog].map(({ matches, compared }: any) => ({
      compared,
      matches: matches.map(({ score, reasons }: any) => [score, reasons]),
    }));
    return { told, percents: page.match(/\d+% likely/g), mentions: page.includes("microchip") };
  }

  test("is answered in public as any other number", async () => {
    const right = await publicAnswers(CHIP);
    const wrong = await publicAnswers(GUESSES[0]!);

    expect(right.told[0]?.matches).toHaveLength(1);
    expect(right).toEqual(wrong);
    expect(right.mentions).toBe(false);
  });

  test("cannot try another number: no edit changes it", async () => {
    const world = await createWorld();
    await world.publish(LOST_DOG);
    await world.publish({ ...GUESS, email: ATTACKER, microchip: GUESSES[0] });
    const manage = await world.linkTo(ATTACKER, "/manage/");

    const edited = await world.post(`${manage}/edit`, {
      color: "white",
      name: "Tom",
      microchip: CHIP,
    });
    await world.pass(DAY, HOUR);

    expect(edited.status).toBe(303);
    expect(await matchEmails(world, ATTACKER)).toEqual([]);
    expect(await world.text(manage)).not.toContain("microchip number");
    await world.end();
  });

  test("tries one number for each publication, of which a client has five an hour", async () => {
    const world = await createWorld();
    const dog = await world.publish(LOST_DOG);
    const accepted = [];
    for (const microchip of GUESSES) {
      const sent = world.tool("publish_alert", { ...GUESS, email: ATTACKER, microchip });
      accepted.push(
        await sent.then(
          () => true,
          () => false,
        ),
      );
    }

    expect(dog.slug).toContain("rex");
    // One was the dog's own.
    expect(accepted.filter(Boolean)).toHaveLength(4);
    await world.end();
  });
});
