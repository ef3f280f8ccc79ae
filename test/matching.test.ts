import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { CANDIDATES_MAX } from "../src/core/matches/candidates.ts";
import { matchesSchema } from "../src/http/api/alert-json.ts";
import { makeBulk, makeDraft } from "./support/make.ts";
import { DAY, HOUR, MINUTE } from "./support/time.ts";
import { createWorld, form, linkIn, type World } from "./support/world.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld({ LIMIT_PUBLISH: "off" });
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

const PARIS = { lat: 48.8, lng: 2.41 };
const OWNER = "owner@example.org";
const FINDER = "finder@example.net";
const LOST = {
  type: "lost",
  species: "cat",
  name: "Mimi",
  color: "tortoiseshell",
  breed: "Cornish Rex",
  size: "small",
  sex: "female",
  age: "adult",
  event_date: "2026-04-30",
  email: OWNER,
};
const FOUND = {
  ...LOST,
  type: "found",
  name: undefined,
  color: "tortie",
  event_date: "2026-05-01",
  email: FINDER,
  language: "fr",
};
const matchEmails = async (to: string) =>
  (await world.emails(to)).filter((email) => email.text?.includes("/pair/"));
const matches = (id: string, query = "") => world.json(`/api/v1/alerts/${id}/matches${query}`);

/** Publishes a lost and a found alert of one animal by two people. */
async function publishBoth(lost: object = {}, found: object = {}) {
  return {
    lost: await world.publish({ ...LOST, ...lost }),
    found: await world.publish({ ...FOUND, ...found }),
  };
}

describe("find_matches", () => {
  test("ranks found alerts for a lost one and lost for a found one with the same score, by tool, API and page", async () => {
    const { lost, found } = await publishBoth();
    const unlike = { ...FOUND, color: "white", breed: "Persian", sex: "male" };
    await world.publish({ ...unlike, email: "other@example.org" });
    // Nothing speaks for this one: it counts as compared.
    const far = { size: "large", lat: 45.9, lng: 5, email: "far@example.org" };
    const leftOut = await world.publish({ ...unlike, ...far });

    const answer = await world.tool("find_matches", { alert: lost.short_code, detail: "full" });
    const { now: _now, ...ofLost } = answer;
    const ofFound = await matches(found.id);

    matchesSchema.strict().parse(ofLost);
    expect(ofLost).toEqual(await matches(lost.id));
    const [best, ...others] = (ofLost as any).matches;
    expect(best.alert.id).toBe(found.id);
    expect([best.high_confidence, best.score >= 40]).toEqual([true, true]);
    expect(ofFound.matches[0]).toMatchObject({ alert: { id: lost.id }, score: best.score });
    for (const other of others) expect(other.score).toBeLessThan(best.score);
    expect(others.map(({ alert }: any) => alert.id)).not.toContain(leftOut.id);
    expect(answer["compared"]).toBe(3);
    const page = await (await world.fetch(lost.url)).text();
    expect(page).toContain(found.slug);
    expect(page).toContain(`${best.score}%`);
  });

  test("says in a sentence why it may be the same animal, and what to ask the other side", async () => {
    const { lost, found } = await publishBoth({}, { size: "unknown" });
    const [ofLost] = (await matches(lost.id)).matches;
    const [ofFound] = (await matches(found.id, "?language=de")).matches;
    const page = await world.text(new URL(lost.url).pathname);

    expect(ofLost.reasons.at(-1)).toMatch(/^not compared: .*size/);
    expect(ofFound.reasons.at(-1)).toMatch(/^nicht verglichen/);
    expect(JSON.stringify(ofLost.reasons)).not.toMatch(/\d\.\d{2}/);
    expect(ofLost.summary).toMatch(
      /^This may be the same animal: less than 1 km apart, same type by breed or appearance, both tortoiseshell, found 1 day later, .*\.$/,
    );
    expect(ofLost.ask).toBe("Ask the finder about the size: the alert does not say.");
    expect(ofFound.summary).toMatch(
      /^Es könnte dasselbe Tier sein: weniger als 1 km entfernt, .*gleiche Farbe \(schildpatt\), .*\.$/,
    );
    expect(ofFound.ask).toBe("Nur die andere Meldung nennt die Größe: Prüfen Sie, ob das passt.");
    const inOrder = [ofLost.summary, ofLost.reasons[0], ofLost.ask].map((text) =>
      page.indexOf(text),
    );
    expect(inOrder).not.toContain(-1);
    expect(inOrder).toEqual(inOrder.toSorted((one, other) => one - other));
  });

  test("suggests no question about an alert that nobody answers for", async () => {
    const lost = await world.publish(LOST);
    const draft = makeDraft({
      type: "found",
      species: "cat",
      color: "tortie",
      id: Bun.randomUUIDv7(),
    });
    const expiresAt = world.app.clock() + 30 * DAY;
    await world.app.service.alerts.add([
      makeBulk({ draft, expiresAt, ownerEmail: null, announce: false }),
    ]);

    const [match] = (await matches(lost.id)).matches;

    expect([match.alert.id, match.ask]).toEqual([draft.id, null]);
    expect(match.reasons.at(-1)).toContain("not compared");
  });

  test("says so if no alert is near enough to compare, whatever its chip", async () => {
    const chip = { microchip: "250269812345678" };
    const lost = await world.publish({ ...LOST, ...chip });
    await world.publish({ ...FOUND, ...chip, lat: 48.85, lng: 2.35 });
    await world.publish({ ...FOUND, ...chip, species: "dog", email: "b@example.org" });
    await world.publish({ ...FOUND, event_date: "2026-03-01", email: "c@example.org" });

    expect(await matches(lost.id)).toMatchObject({ matches: [], compared: 0 });
  });

  test("names the problem when an alert is unknown, removed, or requested incorrectly", async () => {
    const { lost, found } = await publishBoth();
    const status = async (path: string) => (await world.fetch(`/api/v1/alerts/${path}`)).status;
    expect(await status("no-such-slug/matches")).toBe(404);
    expect(await status("%00/matches")).toBe(404);
    for (const limit of ["0", "51", "x", "", "1.5", "1&limit=2"])
      expect(await status(`${lost.id}/matches?limit=${limit}`)).toBe(400);
    expect(await status(`${lost.id}/matches?limit=50&language=en`)).toBe(200);
    expect(world.tool("find_matches", { alert: "ABC234" })).rejects.toThrow("search_alerts");
    expect(world.tool("find_matches", { alert: lost.id, limit: 51 })).rejects.toThrow(
      "limit must be at most 50",
    );

    const manage = linkIn(
      (await world.emails(OWNER)).find((email) => email.text?.includes("/manage/")),
      "/manage/",
    );
    await world.fetch(`${manage}/resolve`, { method: "POST", ...form({}) });
    expect(await matches(lost.id)).toMatchObject({
      alert: { status: "resolved" },
      matches: [],
      compared: 0,
    });
    expect(await matches(found.id)).toMatchObject({ matches: [] });
    await world.fetch(`${manage}/remove`, { method: "POST", ...form({}) });
    expect(await status(`${lost.id}/matches`)).toBe(410);
  });

  test("reveals nothing about chips: equal, different and missing numbers give the same answer", async () => {
    const answers = [];
    for (const [own, other] of [
      ["250269812345678", "250 2698 1234 5678"],
      ["250269812345678", "250269812345679"],
      [undefined, undefined],
    ]) {
      const { lost, found } = await publishBoth({ microchip: own }, { microchip: other });
      const both = [await matches(lost.id), await matches(found.id)];
      answers.push(
        both.map(({ matches: [match], compared }: any) => [match.score, match.reasons, compared]),
      );
      await world.end();
      world = await createWorld({ LIMIT_PUBLISH: "off" });
    }

    expect(answers[0]).toEqual(answers[2]);
    expect(answers[1]).toEqual(answers[2]);
    expect(JSON.stringify(answers)).not.toContain("chip");
  });
});

describe("the share of lost animals whose find is posted", () => {
  const TWIN = { species: "cat", color: "tortoiseshell", size: "small", sex: "female" } as const;

  test("is learned from the alerts within the hour: the same pair scores higher where many others are pairs", async () => {
    const { service, clock } = world.app;
    const pair = await publishBoth({ name: undefined, ...PARIS }, { ...PARIS, color: "black" });
    const scoreNow = async () =>
      (await matches(pair.lost.id)).matches.find(({ alert }: any) => alert.id === pair.found.id)
        ?.score ?? 0;
    const farFromIt = Array.from({ length: 30 }, (_, nth) => ({ lat: 43 + nth / 50, lng: 1.5 }));
    await service.alerts.add(
      farFromIt.flatMap((point) =>
        (["lost", "found"] as const).map((type) =>
          makeBulk({
            draft: makeDraft({ ...TWIN, type, point, id: Bun.randomUUIDv7() }),
            expiresAt: clock() + 30 * DAY,
            announce: false,
          }),
        ),
      ),
    );
    const before = await scoreNow();
    await world.pass(HOUR);

    expect(await scoreNow()).toBeGreaterThan(before);
  });
});

describe("an alert with only a town", () => {
  const centreOf = async (place: string) => {
    const located = await world.app.service.places.locate({ place });
    if (located?.kind !== "known") throw new Error(`${place} is no town`);
    return located.point;
  };
  /** A cat described by all but its breed, which would tell too much. */
  const PLAIN = { breed: undefined, name: undefined };
  const publishCats = (lost: object, found: object) =>
    publishBoth({ ...PLAIN, ...lost }, { ...PLAIN, ...found });
  const matchOf = async ({ lost, found }: { lost: any; found: any }) =>
    (await matches(lost.id)).matches.find(({ alert }: any) => alert.id === found.id);
  /** In one suburb of Paris, not at the centre of a quarter. */
  const NORTH = { lat: 48.8, lng: 2.41 };
  const SOUTH = { lat: 48.79, lng: 2.41 };

  test("may be anywhere in the town: it is a less likely match than pins a km apart, and shown as the town", async () => {
    const paris = await centreOf("Paris");
    const byName = await matchOf(await publishCats(paris, paris));
    await world.end();
    world = await createWorld({ LIMIT_PUBLISH: "off" });
    const byPins = await matchOf(await publishCats(NORTH, SOUTH));

    expect(byPins.reasons).toContain("about 1 km apart");
    expect(byName.reasons).toContain("both in Paris");
    expect(byName.reasons.join()).not.toContain("km");
    expect(byName.score).toBeLessThan(byPins.score);
  });
});

describe("the alerts that a score depends on", () => {
  const BLACK_CAT = { species: "cat", color: "black", breed: "domestic shorthair" } as const;

  /** Alerts besides the pair, without emails. */
  async function addBlackCats(count: number): Promise<string[]> {
    const { service, clock } = world.app;
    const cats = Array.from({ length: count }, () =>
      makeBulk({
        draft: makeDraft({ ...BLACK_CAT, type: "found", id: Bun.randomUUIDv7(), sex: "male" }),
        expiresAt: clock() + 30 * DAY,
        announce: false,
      }),
    );
    await service.alerts.add(cats);
    return cats.map(({ draft }) => draft.id);
  }

  const publishPair = () =>
    publishBoth({ ...BLACK_CAT, name: undefined }, { ...BLACK_CAT, sex: "unknown" });
  const scoreOf = async ({ lost, found }: { lost: any; found: any }) =>
    (await matches(lost.id)).matches.find(({ alert }: any) => alert.id === found.id).score;

  test("can be hundreds nearby, which all count as compared though only the likeliest are read", async () => {
    await addBlackCats(CANDIDATES_MAX + 50);
    const { lost, found } = await publishBoth();

    const answer = await matches(lost.id);

    expect(answer.matches[0].alert.id).toBe(found.id);
    expect(answer.compared).toBe(CANDIDATES_MAX + 51);
  });

  test("are the active ones: an alert that was edited or removed counts no more, as after a restart", async () => {
    const pair = await publishPair();
    const alone = await scoreOf(pair);

    const cats = await addBlackCats(40);
    const amongMany = await scoreOf(pair);
    for (const id of cats.slice(0, 20)) await world.app.store.removeAlert(id, world.now());
    for (const id of cats.slice(20)) {
      const seen = (await world.app.store.alert({ by: "id", id }))!;
      const elsewhere = { color: "white", point: { lat: 48.85, lng: 2.35 } };
      await world.app.store.editAlert(seen, { ...seen, ...elsewhere }, world.now());
    }
    await world.app.service.syncIndexes();

    expect(amongMany).toBeLessThan(alone);
    expect(await scoreOf(pair)).toBe(alone);
    await world.restart();
    expect(await scoreOf(pair)).toBe(alone);
  });
});

describe("a likely pair", () => {
  test("sends one email to each side, in the reader's language, with the other's page and the reasons", async () => {
    const { lost, found } = await publishBoth();
    await world.pass(MINUTE);
    const [toOwner, ...moreToOwner] = await matchEmails(OWNER);
    const [toFinder, ...moreToFinder] = await matchEmails(FINDER);

    expect([moreToOwner, moreToFinder]).toEqual([[], []]);
    expect(toOwner?.text).toContain(found.url);
    expect(toOwner?.text).toContain("found 1 day later");
    const inOneLine = (text = "") => text.replace(/\s+/g, " ");
    expect(inOneLine(toOwner?.text)).toContain("This may be the same animal: less than 1 km apart");
    expect(inOneLine(toFinder?.text)).toMatch(/même animal\s: à moins de 1 km/);
    expect(toFinder?.text).toContain(lost.url);
    expect(toFinder?.subject).toContain("Correspondance possible");
    for (const email of [toOwner, toFinder])
      expect(email?.headers.find(({ key }) => key === "list-unsubscribe-post")?.value).toBe(
        "List-Unsubscribe=One-Click",
      );
    expect(JSON.stringify(toOwner)).not.toContain("finder@");
    expect(JSON.stringify(toFinder)).not.toContain("owner@");

    await world.pass(DAY, 6 * HOUR);
    expect(
      [await matchEmails(OWNER), await matchEmails(FINDER)].map((emails) => emails.length),
    ).toEqual([1, 1]);
  });

  test("ends for both when one says it is not the same animal; opening the link ends nothing", async () => {
    const { lost, found } = await publishBoth();
    await world.pass(MINUTE);
    const link = linkIn((await matchEmails(FINDER))[0], "/pair/");

    const page = await world.text(`${link}?lang=fr`);
    expect(page).toContain(lost.slug);
    expect(page).toContain("C’est peut-être le même animal\u202f: à moins de 1 km");
    await world.fetch(link, { method: "HEAD" });
    expect((await matches(lost.id)).matches.map((match: any) => match.alert.id)).toContain(
      found.id,
    );

    for (let press = 0; press < 2; press++) {
      const answer = await world.fetch(link, { method: "POST", ...form({}) });
      expect(answer.status).toBe(303);
      const after = await world.text(answer.headers.get("Location")!, { "Accept-Language": "fr" });
      expect(after).not.toContain("peut-être le même animal");
    }
    expect((await matches(lost.id)).matches).toEqual([]);
    expect((await matches(found.id)).matches).toEqual([]);
  });

  test("is compared again after a renewal, but not announced twice", async () => {
    const { found } = await publishBoth();
    await world.pass(MINUTE);
    const manage = linkIn(
      (await world.emails(OWNER)).find((email) => email.text?.includes("/manage/")),
      "/manage/",
    );
    await world.fetch(`${manage}/renew`, { method: "POST", ...form({}) });
    const second = await world.publish({ ...FOUND, email: "third@example.net" });
    await world.pass(HOUR, 10 * MINUTE);

    const emails = await matchEmails(OWNER);
    expect(emails.filter((email) => email.text?.includes(found.slug))).toHaveLength(1);
    expect(emails.filter((email) => email.text?.includes(second.slug))).toHaveLength(1);
  });

  test("by an equal chip is shown to both owners wherever they are: by email, and on their pages", async () => {
    const chip = "250 2698 1234 5678";
    await publishBoth(
      { microchip: chip },
      {
        microchip: "250269812345678",
        lat: 60,
        lng: 20,
        color: "white",
        species: "dog",
        language: "en",
      },
    );
    await world.pass(MINUTE);

    for (const [to, other] of [
      [OWNER, "dog"],
      [FINDER, "Mimi"],
    ] as const) {
      const [email] = await matchEmails(to);
      expect(email?.text).toContain("same microchip");
      const pair = await world.text(linkIn(email, "/pair/"));
      const manage = await world.text(await world.linkTo(to, "/manage/"));
      expect(pair).toContain("Both alerts have the same microchip number");
      expect(manage).toContain("Another alert has the same microchip number");
      expect(manage).toContain(other);
      for (const page of [pair, manage, email?.html]) expect(page).not.toContain("12345678");
    }

    await world.post(linkIn((await matchEmails(OWNER))[0], "/pair/"));
    const manage = await world.text(await world.linkTo(OWNER, "/manage/"));
    expect(manage).not.toContain("same microchip");
  });

  test("cannot have different chips", async () => {
    await publishBoth({ microchip: "250269812345678" }, { microchip: "250269812345679" });
    await world.pass(MINUTE);

    expect([await matchEmails(OWNER), await matchEmails(FINDER)]).toEqual([[], []]);
  });

  test("sends no email to an owner who opted out, and none about alerts that are only slightly alike", async () => {
    await publishBoth({}, { color: "white", breed: "Persian", sex: "male", size: "large" });
    await world.pass(MINUTE);
    expect([await matchEmails(OWNER), await matchEmails(FINDER)]).toEqual([[], []]);

    await world.publish(FOUND);
    await world.pass(MINUTE);
    const stop = linkIn((await matchEmails(OWNER))[0], "/unsubscribe/");
    await world.fetch(stop, { method: "POST", ...form({ "List-Unsubscribe": "One-Click" }) });
    await world.publish({ ...FOUND, email: "third@example.net" });
    await world.pass(MINUTE);
    expect(await matchEmails(OWNER)).toHaveLength(1);
    expect(await matchEmails("third@example.net")).toHaveLength(1);
  });
});
