import { afterAll, beforeAll, expect, test } from "bun:test";
import { parse } from "csv-parse/sync";
import { exportTable } from "../../src/commands/export.ts";
import { openShell } from "../commands/shell.ts";
import { createWorld, type World } from "../support/world.ts";

// What programs can read of an alert, written out by hand. A field that is added to an alert stays private until it is
// added here, too.

const SUMMARY = words(
  `id slug short_code alert_type status pet_type pet_name breed color size city country_code latitude longitude url
   event_date published_at district`,
);
const ALL = [
  ...SUMMARY,
  ...words(
    `photos contact_url qr_url description sex age custody updated_at expires_at landmark event_time organisation collar`,
  ),
];
const IN_LIST_TO_SAVE = words(
  `short_code alert_type pet_type pet_name breed color size sex age city district country_code latitude longitude
   event_date published_at url`,
);

function words(text: string): string[] {
  return text.split(/\s+/);
}

/** Names of the members of an object, in alphabetical order. */
const membersOf = (object: object | undefined) => Object.keys(object ?? {}).toSorted();
const exactly = (...names: readonly string[]) => names.toSorted();

let world: World;
let lost: any;
beforeAll(async () => {
  world = await createWorld();
  const about = {
    name: "Mimi",
    breed: "Siamese",
    size: "small",
    sex: "female",
    age: "adult",
    description: "Very shy.",
    collar: "red",
    landmark: "the old mill",
    event_time: "09:00",
    microchip: "250269604567890",
  };
  lost = await world.publish(about);
  await world.publish({ ...about, type: "found", custody: "vet", email: "finder@example.org" });
});
afterAll(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

test("REST answers all public fields of an alert and no others", async () => {
  const near = await world.json("/api/v1/alerts?lat=45.77&lng=4.83");
  const { alert, matches } = await world.json(`/api/v1/alerts/${lost.id}/matches`);

  for (const one of [lost, alert, matches[0].alert, (await world.json("/api/v1/alerts")).alerts[0]])
    expect(membersOf(one)).toEqual(exactly(...ALL));
  expect(membersOf(near.alerts[0])).toEqual(exactly(...ALL, "distance_km"));
});

test("tools answer all of them where details are asked for, and a summary elsewhere", async () => {
  const search = async (args: object): Promise<any> => world.tool("search_alerts", { ...args });
  const match = async (detail: string): Promise<any> =>
    world.tool("find_matches", { alert: lost.id, detail });
  const [full, concise] = [await match("full"), await match("concise")];
  const got: any = await world.tool("get_alert", { alert: lost.id });
  const client = await world.mcpClient();
  const { contents } = await client.readResource({ uri: `alert://${lost.slug}` });
  await client.close();

  for (const one of [
    got.alert,
    full.alert,
    full.matches[0].alert,
    JSON.parse((contents[0] as { text: string }).text),
  ])
    expect(membersOf(one)).toEqual(exactly(...ALL));
  const [listed] = (await search({ detail: "full" })).alerts;
  expect(membersOf(listed)).toEqual(exactly(...ALL, "photo"));
  for (const one of [concise.alert, concise.matches[0].alert, (await search({})).alerts[0]])
    expect(membersOf(one)).toEqual(exactly(...SUMMARY, "photo"));
  const { closest } = await search({ query: "Mimi purple" });
  expect(membersOf(closest[0])).toEqual(exactly(...SUMMARY, "photo", "missing_words"));
});

test("GeoJSON has them as properties beside the point", async () => {
  const { features } = await world.json("/api/v1/alerts.geojson");

  expect(membersOf(features[0])).toEqual(exactly("type", "id", "geometry", "properties"));
  expect(membersOf(features[0].properties)).toEqual(
    exactly(...ALL.filter((name) => name !== "latitude" && name !== "longitude")),
  );
});

test("an entry of the feed has the kind, name, town, looks, day and description", async () => {
  const [, entry = ""] = (await world.text("/feed.atom?type=lost")).split("<entry>");

  expect(entry.replace("</entry>\n</feed>\n", "").trim().split("\n")).toEqual([
    `<id>urn:uuid:${lost.id}</id>`,
    "<title>Lost cat: Mimi (Lyon 1er, FR)</title>",
    `<published>${lost.published_at}</published>`,
    `<updated>${lost.updated_at}</updated>`,
    `<link rel="alternate" type="text/html" href="${lost.url}"/>`,
    '<category term="lost"/>',
    '<category term="cat"/>',
    expect.stringMatching(/^<summary type="text">[^<>]*; lost on 2026-05-01\.$/),
    "Very shy.</summary>",
  ]);
});

test("a saved list has a few of them as columns, and an export all", async () => {
  const shell = openShell();
  const exported = async (format: string) => {
    const settings = { DATA_DIR: world.dataDir };
    const { written } = await shell.run(exportTable, ["-", "--format", format], { settings });
    return written.toString();
  };
  try {
    const list = parse(await world.text("/alerts.csv"), { bom: true }) as string[][];
    expect(list[0]).toEqual(IN_LIST_TO_SAVE);
    const [columns = []] = parse(await exported("csv")) as string[][];
    expect(columns.toSorted()).toEqual(exactly(...ALL));
    for (const line of (await exported("jsonl")).trimEnd().split("\n"))
      expect(membersOf(JSON.parse(line))).toEqual(exactly(...ALL));
  } finally {
    shell.end();
  }
});

test("what search engines read in a page is of the same fields", async () => {
  const page = await world.text(lost.url);
  const read = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)![1]!);

  expect(membersOf(read)).toEqual(
    exactly(
      ...words("@context @type @id url name description datePublished dateModified expires about"),
      ...words("contentLocation inLanguage"),
    ),
  );
  expect(membersOf(read.about)).toEqual(exactly("@type", "identifier", "name", "description"));
  expect(membersOf(read.contentLocation)).toEqual(exactly("@type", "name", "address", "geo"));
});
