import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { ANIMAL_PAGE_MAX, checkedPage } from "../src/core/organisations/animal-page.ts";
import { HAPPY_PAWS, nameShelter, SHELTER } from "./support/organisations.ts";
import { DAY, HOUR, MINUTE } from "./support/time.ts";
import { createWorld, type World } from "./support/world.ts";

let world: World;

/** Brings the alerts in step with a table of one dog; without it, with an empty one. */
function sync(page: string | undefined, { email = SHELTER, isThere = true } = {}) {
  const input = { type: "found", species: "dog", color: "black", lat: 45.76, lng: 4.84 };
  const row = { id: "A1", input: { ...input, eventDate: "2026-04-30" } };
  return world.app.operator.syncTable({
    mapping: "kennel",
    email,
    language: "en",
    rows: isThere ? [page === undefined ? row : { ...row, page }] : [],
    kept: [],
    isWhole: true,
    acceptMissing: true,
    dryRun: false,
  });
}
const alert = async () =>
  (await world.app.store.importedAlerts("import:kennel:", null, 10))[0]!.alert;
const page = async () => world.text(`/alerts/${(await alert()).slug}`);
/** Address that the alert's page links to as that of the animal; null without such a link. */
async function linked(): Promise<string | null> {
  const link = /<a href="([^"]*)" rel="noopener nofollow ugc">This animal at Happy Paws<\/a>/;
  return link.exec(await page())?.[1] ?? null;
}

const PAGE = "https://paws.example.org/visit/A1";

describe("an animal's page at its shelter", () => {
  beforeEach(async () => {
    world = await createWorld();
  });
  afterEach(async () => {
    expect(world.logged).toEqual([]);
    await world.end();
  });

  test("is linked from the alert's page alone", async () => {
    await nameShelter(world);
    const { published, pagesLeftOut } = await sync(`${PAGE}?a=1&b=2`);

    expect([published, pagesLeftOut]).toEqual([1, []]);
    expect(await linked()).toBe(`${PAGE}?a=1&amp;b=2`);
    const { slug, id } = await alert();
    const others = await Promise.all([
      ...[
        `/api/v1/alerts/${slug}`,
        "/api/v1/alerts",
        "/api/v1/alerts.geojson",
        "/feed.atom",
        "/embed?organisation=happy-paws",
        `/alerts/${slug}/poster`,
        "/organisations/happy-paws",
      ].map((path) => world.text(path)),
      world.tool("get_alert", { alert: id }).then((answer) => JSON.stringify(answer)),
    ]);
    for (const text of others) expect(text).not.toContain("visit/A1");
  });

  test("is left out with a reason, and the alert is published", async () => {
    await nameShelter(world);
    const { published, pagesLeftOut } = await sync("https://evil.example/visit/1");

    expect(published).toBe(1);
    const why = "not below the organisation's, https://paws.example.org/visit";
    expect(pagesLeftOut).toEqual([{ id: "A1", why: expect.stringContaining(why) }]);
    expect(await linked()).toBeNull();
    expect(await world.app.store.animalPage((await alert()).id)).toBeNull();
  });

  test("cannot break out of its attribute", async () => {
    await nameShelter(world);
    await sync(`${PAGE}"onmouseover="alert(1)<script>`);

    expect(await linked()).toBe(`${PAGE}%22onmouseover=%22alert(1)%3Cscript%3E`);
  });

  test("is left out for the table of somebody who is no organisation, and one without a site", async () => {
    const private_ = await sync(PAGE);
    expect(private_.pagesLeftOut[0]?.why).toContain("not the address of an organisation");
    expect(await page()).not.toContain(PAGE);

    await nameShelter(world, { page: "" });
    const without = await sync(PAGE);
    expect(without.pagesLeftOut[0]?.why).toContain("organisation edit happy-paws --page");
    expect(await page()).not.toContain(PAGE);
  });

  test("comes, changes and goes with the table, and nobody is told", async () => {
    await nameShelter(world);
    const neighbour = "neighbour@example.org";
    await world.tool("subscribe_zone", { lat: 45.76, lng: 4.84, email: neighbour });
    await world.confirm(neighbour);
    await sync(undefined);
    const before = await alert();
    await world.pass(2 * MINUTE, MINUTE);
    const emails = (await world.emails(neighbour)).length;
    const seen: (string | null)[] = [];
    const results = [];
    for (const address of [PAGE, PAGE, `${PAGE}/new`, undefined]) {
      results.push(await sync(address));
      seen.push(await linked());
    }
    await world.pass(2 * DAY, 12 * HOUR);

    expect(seen).toEqual([PAGE, PAGE, `${PAGE}/new`, null]);
    expect(results.map(({ updated }) => updated)).toEqual([1, 0, 1, 1]);
    expect((await alert()).updatedAt).toBe(before.updatedAt);
    expect(emails).toBeGreaterThan(1);
    expect(await world.emails(neighbour)).toHaveLength(emails);
  });

  test("is not linked once the organisation has another site or none, or is removed", async () => {
    await nameShelter(world);
    await sync(PAGE);
    const edit = (about: { page: string }) =>
      world.app.operator.saveOrganisation({ slug: HAPPY_PAWS.slug, ...about, isNew: false });

    await edit({ page: "https://cats.example.org" });
    expect(await linked()).toBeNull();
    await edit({ page: "" });
    expect(await linked()).toBeNull();
    await edit({ page: HAPPY_PAWS.page! });
    expect(await linked()).toBe(PAGE);
    await world.app.operator.removeOrganisation(HAPPY_PAWS.slug);
    expect(await page()).not.toContain(PAGE);
  });

  test("is not linked once the animal is no longer there, and is forgotten with its owner", async () => {
    await nameShelter(world);
    await sync(PAGE);
    for (let reads = 0; reads < 2; reads++) await sync(PAGE, { isThere: false });
    expect(await page()).not.toContain(PAGE);

    await world.pass(31 * DAY);
    expect(await world.app.store.animalPage((await alert()).id)).toBeNull();
  });
});

// Anybody can have a site of their own beside it.
const SHARED = "https://sites.google.com/view/shelter";

test.each([
  ["https://paws.example.org", PAGE, PAGE],
  ["http://paws.example.org/visit", PAGE, PAGE],
  ["https://paws.example.org/visit/", "https://paws.example.org/visit", undefined],
  ["https://www.paws.example.org/visit", PAGE, PAGE],
  ["https://example.org", PAGE, PAGE],
  ["https://PAWS.example.org:8443", "https://paws.example.org:8443/1", undefined],
  [SHARED, "https://SITES.Google.com:443/view/shelter/1", `${SHARED}/1`],
  [SHARED, "https://sites.google.com/view/other/../shelter/1?a=../", `${SHARED}/1?a=../`],
  [SHARED, SHARED, undefined],
])("an animal's page at the site %p may be %p", (site, address, shown = address) => {
  expect(checkedPage(address, { page: site })).toEqual({ url: shown });
});

test.each([
  ["http://paws.example.org/1", "begins with https://"],
  ["javascript:alert(1)", "begins with https://"],
  ["/animals/1", "begins with https://"],
  ["https://paws.example.org/animals/1", "not below the organisation's"],
  ["https://paws.example.org.evil.example/visit/1", "not below the organisation's"],
  ["https://evilpaws.example.org/visit/1", "not below the organisation's"],
  ["https://example.org/visit/1", "not below the organisation's"],
  ["https://paws.example.org:8443/visit/1", "not below the organisation's"],
  ["https://paws.example.org@evil.example/visit/1", "not below the organisation's"],
  ["https://bob@paws.example.org/visit/1", "has an @"],
  ["https://paws.example.org/visit/?finder=bob%40example.org", "has an @"],
  [`${PAGE}?${"x".repeat(ANIMAL_PAGE_MAX - PAGE.length)}`, "more than 500 characters"],
  [`${PAGE}?${"é".repeat(200)}`, "more than 500 characters"],
])("an animal's page is refused where it is %p", (address, why) => {
  expect(checkedPage(address, { page: "https://paws.example.org/visit" })).toEqual({
    why: expect.stringContaining(why),
  });
});

test.each([
  ["https://evilpaws.example.org/1", "https://paws.example.org"],
  ["https://sites.google.com/view/other/1", SHARED],
  ["https://sites.google.com/view/shelter-of-others/1", SHARED],
  ["https://sites.google.com/", SHARED],
  ["https://sites.google.com:8443/view/shelter/1", SHARED],
  ["https://sites.google.com./view/shelter/1", SHARED],
  ["https://other.sites.google.com/view/shelter/1", SHARED],
  ["https://google.com/view/shelter/1", SHARED],
  ["https://shelter:1@sites.google.com/view/shelter/1", SHARED],
  ["https://sites.google.com/view/shelter/../other/1", SHARED],
  ["https://sites.google.com/view/shelter\\..\\other/1", SHARED],
  ["https://sites.google.com/view/shelter/%2e%2E/other/1", SHARED],
  ["https://sites.google.com/view/shelter/..%2Fother/1", SHARED],
  ["https://sites.google.com/view/shelter/%2e%2e%5cother/1", SHARED],
  ["https://sites.google.com/view/shelter/%252e%252e%252fother/1", SHARED],
  ["https://sites.google.com/view/shelter/..;/other/1", SHARED],
  ["https://sites.google.com/VIEW/SHELTER/1", SHARED],
  ["https://shared.example/site?id=8", "https://shared.example/site?id=7"],
  ["https://shared.example/#/other", "https://shared.example/#/shelter"],
])("a page of somebody else is refused: %p at the site %p", (address, site) => {
  expect(checkedPage(address, { page: site })).toHaveProperty("why");
});
