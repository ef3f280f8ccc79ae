import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { AlertDraft } from "../../../src/core/alerts/alert.ts";
import { synonyms } from "../../../src/core/alerts/synonyms.ts";
import { tokenize } from "../../../src/text/tokenize.ts";
import { makeBulk, makeDraft } from "../../support/make.ts";
import { DAY } from "../../support/time.ts";
import { createWorld, type World } from "../../support/world.ts";
import type { Species } from "../../../src/values/animal.ts";

const PAIRS_MIN = 200;

/** Names in the vocabularies that stand for one thing only, with the things they stand for. */
function namesByConcept() {
  const { entries, conceptOf } = synonyms();
  return entries
    .map((entry) => {
      const names = entry.names
        .map((name) => name.trim())
        .filter((name) => {
          const concept = conceptOf(tokenize(name));
          const own = conceptOf(tokenize(entry.names[0]!));
          return name.length > 2 && concept !== null && concept === own;
        });
      return { ...entry, names };
    })
    .filter(({ names }) => names.length > 1);
}

async function add(world: World, drafts: readonly Partial<AlertDraft>[]): Promise<void> {
  const bulk = drafts.map((about) =>
    makeBulk({ draft: makeDraft(about), ownerEmail: null, expiresAt: world.now() + 30 * DAY }),
  );
  await world.app.service.alerts.add(bulk);
}

describe("words that mean the same", () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
    const all = namesByConcept().flatMap(({ names, breedOf, species }) =>
      names.slice(0, 12).map((name): Partial<AlertDraft> => {
        const animal = species ?? breedOf ?? "cat";
        if (breedOf !== null) return { species: animal, breed: name, color: "unknown", name: null };
        return { species: animal, breed: "unknown", color: name, name: null };
      }),
    );
    await add(world, [
      ...all,
      { species: "dog", breed: "Greyhound", color: "fawn", name: "Grisette" },
      { species: "dog", breed: "Rottweiler", color: "unknown", name: "Tango" },
    ]);
  }, 60_000);
  afterAll(async () => {
    expect(world.logged).toEqual([]);
    await world.end();
  });

  async function found(query: string): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor: string | null = null; ;) {
      const page = await world.app.service.alerts.search({
        query,
        limit: 100,
        ...(cursor === null ? {} : { cursor }),
      });
      ids.push(...page.alerts.map(({ alert }) => alert.id));
      if (page.nextCursor === null) return ids;
      cursor = new Date(page.nextCursor).toISOString();
    }
  }

  test("find the same alerts: every colour, pattern, species and breed of the vocabularies", async () => {
    let pairs = 0;
    for (const { names } of namesByConcept()) {
      const [first, ...others] = names;
      const expected = await found(first!);
      expect(expected.length, first).toBeGreaterThan(1);
      for (const name of others.slice(0, 8)) {
        expect(await found(name), `${first} and ${name}`).toEqual(expected);
        pairs++;
      }
    }
    expect(pairs).toBeGreaterThanOrEqual(PAIRS_MIN);
  });

  test.each([
    { words: ["grey", "gray", "gris", "grau"] },
    { words: ["Alsatian", "German Shepherd", "berger allemand", "Pastor alemán", "schaeferhund"] },
    { words: ["cat", "chat", "Katze", "gato"] },
    { words: ["Shepherd, German", "German Shepherd"] },
  ])("$words find the same alerts", async ({ words }) => {
    const expected = await found(words[0]!);
    expect(expected).not.toEqual([]);
    for (const word of words) expect(await found(word), word).toEqual(expected);
  });

  test("are whole words: grey is no greyhound, and rouge no Rottweiler", async () => {
    const breeds = async (query: string) =>
      (await world.app.service.alerts.search({ query, limit: 100 })).alerts.map(
        ({ alert }) => alert.breed,
      );

    expect(await breeds("grey")).not.toContain("Greyhound");
    expect(await breeds("rouge")).not.toContain("Rottweiler");
    expect(await breeds("greyh")).toContain("Greyhound");
  });
});

describe("a search by words", () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
    await add(world, CORPUS);
  });
  afterAll(async () => {
    expect(world.logged).toEqual([]);
    await world.end();
  });

  const names = async (query: string, more: object = {}) =>
    (await world.app.service.alerts.search({ query, ...more })).alerts
      .map(({ alert }) => alert.name)
      .sort();

  test("for a species finds its alerts and those that carry the word, such as a dog named Cat", async () => {
    const expected = CORPUS.filter(({ species, name }) => species === "cat" || name === "Cat");

    expect(await names("chat", { limit: 100 })).toEqual(expected.map(({ name }) => name!).sort());
    expect(await names("cat", { species: "dog" })).toEqual(["Cat"]);
    expect(await names("schwarze Katze")).toEqual(["Minuit", "Salem"]);
  });

  test("tells breeds that share a word apart", async () => {
    expect(await names("border collie")).toEqual(["Fly"]);
    expect(await names("border terrier")).toEqual(["Scruff"]);
    expect(await names("DSH", { species: "cat" })).toEqual(["Salem", "Tom"]);
  });

  test.each(["and", "und"])(
    "does not look for %p between other words, known, misspelt or unknown",
    async (conjunction) => {
      const expected = await names("black cat");
      expect(expected).not.toEqual([]);

      expect(await names(`black ${conjunction} cat`)).toEqual(expected);
      expect(await names(`balck ${conjunction} cat`)).toEqual(expected);
      expect(await names(`black ${conjunction} salem`)).toEqual(["Salem"]);
      const { explanation } = await world.app.service.alerts.search({
        query: `salem ${conjunction} zzzzz`,
      });
      expect(explanation.exclusions).toEqual([{ by: { kind: "words", words: "zzzzz" }, count: 1 }]);
    },
  );

  test("looks for every word between others that is no conjunction, and for one at either end", async () => {
    expect(await names("black zzzzz cat")).toEqual([]);
    expect(await names("black und")).toEqual(["Kaiser"]);
    expect(await names("und black")).toEqual(["Kaiser"]);
  });

  test("reads a misspelt word as a known one if nothing else fits, and says so", async () => {
    const search = (query: string) => world.app.service.alerts.search({ query });

    for (const [word, readAs] of [
      ["minuti", "minuit"],
      ["alsacian", "alsatian"],
      ["slaem", "salem"],
    ] as const) {
      const { alerts, explanation } = await search(word);
      expect(explanation.corrections).toEqual([{ word, readAs }]);
      expect(alerts).toHaveLength(1);
    }
    expect((await search("berger alemand")).alerts.map(({ alert }) => alert.name)).toEqual([
      "Kaiser",
    ]);
    expect((await search("salem")).explanation.corrections).toEqual([]);
    expect((await search("qqqqqqqq")).alerts).toEqual([]);
  });

  test("reads a misspelt word on every page in the same way", async () => {
    const all = (await world.app.service.alerts.search({ query: "balck" })).alerts;
    expect(all).toHaveLength((await names("noir")).length);

    const first = await world.json("/api/v1/alerts?q=balck&limit=2");
    const cursor = encodeURIComponent(first.next_cursor);
    const second = await world.json(`/api/v1/alerts?q=balck&limit=100&cursor=${cursor}`);

    const ids = [...first.alerts, ...second.alerts].map(({ id }: { id: string }) => id);
    expect(ids).toEqual(all.map(({ alert }) => alert.id));
    const end = encodeURIComponent(second.alerts.at(-1).published_at);
    const past = await world.fetch(`/api/v1/alerts?q=noir&cursor=${end}`);
    expect(await past.json()).toEqual({ alerts: [], next_cursor: null });
    expect(past.headers.get("Search-Notes")).toBeNull();
  });

  test("that finds nothing names the word or filter that excluded everything, and what is left without it", async () => {
    const why = async (input: object) =>
      (await world.app.service.alerts.search(input)).explanation.exclusions;

    expect(await why({ query: "salem zzzzz" })).toEqual([
      { by: { kind: "words", words: "zzzzz" }, count: 1 },
    ]);
    expect(await why({ query: "salem", species: "dog" })).toEqual([
      { by: { kind: "words", words: "salem" }, count: 8 },
      { by: { kind: "filter", filter: "species" }, count: 1 },
    ]);
    expect(await why({ query: "salem", lat: -40, lng: 170, radiusKm: 5 })).toEqual([
      { by: { kind: "filter", filter: "near" }, count: 1 },
    ]);
    expect(await why({ query: "salem", species: "bird", type: "found" })).toEqual([
      { by: { kind: "all", of: "filters" }, count: 1 },
    ]);
    expect(await why({ query: "salem" })).toEqual([]);
  });

  test("explains an empty answer beside the fixed one in REST, in a note of the tool, and in four languages on the page", async () => {
    const response = await world.fetch("/api/v1/alerts?q=salem%20zzzzz");
    expect(await response.json()).toEqual({ alerts: [], next_cursor: null });
    expect(decodeURIComponent(response.headers.get("Search-Notes")!)).toBe(
      'Nothing found. Without "zzzzz": 1 alert.',
    );
    expect((await world.fetch("/api/v1/alerts?q=salem")).headers.get("Search-Notes")).toBeNull();
    expect(await world.tool("search_alerts", { query: "slaem" })).toMatchObject({
      notes: ['No alert contains "slaem"; searched for "salem" instead.'],
    });
    for (const [language, text] of [
      ["en", "Search without “zzzzz”"],
      ["fr", "Chercher sans «\u202fzzzzz\u202f»"],
      ["es", "Buscar sin «zzzzz»"],
      ["de", "Ohne „zzzzz“ suchen"],
    ] as const) {
      const page = await world.text("/?q=salem+zzzzz", { "Accept-Language": language });
      expect(page).toContain(text);
      expect(page).toContain('href="/?q=salem"');
    }
    expect(await world.text("/?q=slaem", { "Accept-Language": "en" })).toContain("with “salem”");
  });

  test("survives hostile words: 10,000 letters, mixed scripts, ten words with all their alternatives", async () => {
    const long = "a".repeat(10_000);
    expect((await world.fetch(`/api/v1/alerts?q=${long}`)).status).toBe(400);
    expect(await names("a".repeat(200))).toEqual([]);
    expect(await names("Кот 金毛 chat قط Ωmega 😀")).toEqual([]);
    const most = synonyms()
      .entries.flatMap(({ names: [name] }) => name ?? [])
      .map((name) => ({
        name,
        size: synonyms().conceptOf(tokenize(name))?.alternatives.length ?? 0,
      }))
      .sort((a, b) => b.size - a.size)
      .slice(0, 10);
    expect(
      await names(
        most
          .map(({ name }) => name)
          .join(" ")
          .slice(0, 200),
      ),
    ).toEqual([]);
  });
});

const CORPUS: readonly (Partial<AlertDraft> & { readonly species: Species })[] = [
  { species: "cat", name: "Salem", breed: "Domestic Shorthair", color: "black" },
  { species: "cat", name: "Minuit", breed: "Européen", color: "noir" },
  { species: "cat", name: "Mora", breed: "unknown", color: "gris" },
  { species: "cat", name: "Tom", breed: "DSH", color: "grey and white" },
  { species: "cat", name: "Rosi", breed: "Hauskatze", color: "grauweiß" },
  { species: "cat", name: "Nieve", breed: "unknown", color: "blanca" },
  { species: "dog", name: "Cat", breed: "Beagle", color: "tricolour" },
  { species: "dog", name: "Blacky", breed: "Poodle", color: "white" },
  { species: "dog", name: "Kaiser", breed: "Schäferhund", color: "schwarz und braun" },
  { species: "dog", name: "Fly", breed: "Border", color: "black and white" },
  { species: "dog", name: "Scruff", breed: "Border Terrier", color: "brown" },
  { species: "dog", name: "Dash", breed: "Greyhound", color: "brindle" },
  { species: "dog", name: "Rolf", breed: "Rottweiler", color: "negro" },
  { species: "dog", name: "Sandy", breed: "Irish Setter", color: "red" },
  { species: "bird", name: "Kiwi", breed: "Budgie", color: "verde" },
];
