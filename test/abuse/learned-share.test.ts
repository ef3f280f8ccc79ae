import { describe, expect, test } from "bun:test";
import { HIGH_CONFIDENCE } from "../../src/matching/score.ts";
import { makeBulk, makeDraft } from "../support/make.ts";
import { DAY, HOUR } from "../support/time.ts";
import { createWorld } from "../support/world.ts";

// How a service is used is learned from everybody's alerts, and is part of everybody's scores.

const PET = {
  species: "cat",
  color: "tortoiseshell",
  size: "small",
  sex: "female",
  age: "adult",
} as const;
/** Where few people live, so that most finds there are posted. */
const COUNTRY = { lat: 44.5, lng: 3.4 };
const FINDS = 120;
const MADE_UP = 200;
const COLORS = { lost: ["orange", "cream", "calico"], found: ["black", "grey tabby", "brown"] };

/** Alerts spread over some 40 km of the country, none of them the animal that is looked for. */
function others(type: "lost" | "found", count: number, ownerEmail: string | null, now: number) {
  return Array.from({ length: count }, (_, nth) =>
    makeBulk({
      draft: makeDraft({
        type,
        name: null,
        color: COLORS[type][nth % 3]!,
        size: "large",
        sex: type === "lost" ? "female" : "male",
        age: type === "lost" ? "baby" : "senior",
        point: {
          lat: COUNTRY.lat + 0.03 * ((nth % 12) - 6),
          lng: COUNTRY.lng + 0.04 * ((Math.floor(nth / 12) % 12) - 6),
        },
        eventDate: "2026-04-29",
        custody: type === "found" ? "finder" : null,
      }),
      ownerEmail: ownerEmail && ownerEmail.replace("@", `+${nth}@`),
      expiresAt: now + 60 * DAY,
    }),
  );
}

/** Score of a true pair, after one owner's losses without finds were learned from. */
async function attack(losses: number): Promise<number> {
  const world = await createWorld({ LIMIT_PUBLISH: "off" });
  const { add: addAlerts } = world.app.service.alerts;
  await addAlerts(others("found", FINDS, null, world.now()));
  await addAlerts(others("lost", losses, "attacker@evil.example", world.now()));
  const about = { ...PET, ...COUNTRY, name: undefined };
  const lost = await world.publish({ ...about, type: "lost", event_date: "2026-04-24" });
  await world.publish({
    ...about,
    type: "found",
    lat: COUNTRY.lat + 0.02,
    email: "finder@example.net",
  });
  await world.pass(HOUR);
  const { matches } = await world.json(`/api/v1/alerts/${lost.id}/matches`);
  await world.end();
  return matches[0].score;
}

describe("two hundred made-up losses of one owner", () => {
  test("lower the score of somebody else's pair by ten points at most", async () => {
    const [few, many] = [await attack(3), await attack(MADE_UP)];

    expect(few).toBeGreaterThanOrEqual(HIGH_CONFIDENCE);
    expect(many).toBeGreaterThanOrEqual(Math.max(few - 10, HIGH_CONFIDENCE));
  });
});

/** Score of a true pair among two hundred lookalike finds of one mailbox. */
async function flood(place: { lat: number; lng: number }): Promise<number> {
  const world = await createWorld({ LIMIT_PUBLISH: "off" });
  const about = { ...PET, ...place, name: undefined };
  const lost = await world.publish({ ...about, type: "lost", event_date: "2026-04-29" });
  const found = { ...about, type: "found", email: "finder@example.net" };
  const { id } = await world.publish({ ...found, event_date: "2026-04-30" });
  const draft = {
    ...PET,
    type: "found",
    name: null,
    point: place,
    eventDate: "2026-04-30",
  } as const;
  await world.app.service.alerts.add(
    Array.from({ length: MADE_UP }, (_, nth) =>
      makeBulk({
        draft: makeDraft({ ...draft, id: Bun.randomUUIDv7() }),
        ownerEmail: `attacker+${nth}@evil.example`,
        expiresAt: world.now() + 60 * DAY,
      }),
    ),
  );
  await world.pass(HOUR);
  const { matches } = await world.json(`/api/v1/alerts/${lost.id}/matches?limit=50`);
  const scores = matches.map(({ score }: any) => score);
  const own = matches.find(({ alert }: any) => alert.id === id);
  await world.end();
  return own?.score ?? Math.min(...scores);
}

describe("two hundred lookalikes of one mailbox around a true pair", () => {
  const CITY = { lat: 45.76, lng: 4.84 };

  test.each([
    ["in open country", COUNTRY],
    ["in a city", CITY],
  ])("do not push it below 40 %s", async (_where, place) => {
    expect(await flood(place)).toBeGreaterThanOrEqual(HIGH_CONFIDENCE);
  });
});
