import { afterEach, beforeEach, expect, test } from "bun:test";
import { createWorld, LOST_CAT, upload, type World } from "./support/world.ts";

const COLLAR = "red collar with bell";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

/** Text of a page without its markup. */
async function page(address: string, language = "en"): Promise<string> {
  return (await world.text(address, { "Accept-Language": language })).replace(/<[^>]*>/g, " ");
}

test("a collar comes by tool and is in the JSON of REST and of get_alert, not in summaries", async () => {
  const alert = await world.publish({ collar: COLLAR });
  const other = await world.publish({ email: "other@example.org" });
  const { alert: byTool } = await world.tool("get_alert", { alert: alert.id });
  const { alerts }: any = await world.tool("search_alerts", { lat: 45.77, lng: 4.83 });

  expect(alert.collar).toBe(COLLAR);
  expect(byTool).toEqual(alert);
  expect(other.collar).toBeNull();
  expect(alerts[0]).not.toHaveProperty("collar");
});

test("a collar is on the alert's page with its label, on cards, the poster and the pair page", async () => {
  const lost = await world.publish({ collar: COLLAR });
  const path = new URL(lost.url).pathname;
  await world.publish({
    type: "found",
    email: "finder@example.org",
    collar: "blue with a tag",
    event_date: "2026-05-01",
  });
  await world.pass(60_000);

  for (const [language, label] of [
    ["en", "Collar"],
    ["fr", "Collier"],
    ["es", "Collar"],
    ["de", "Halsband"],
  ] as const)
    expect(await world.text(path, { "Accept-Language": language })).toContain(
      `<li title="${label}">`,
    );
  expect(await page(path)).toContain(COLLAR);
  expect(await page("/?lat=45.77&lng=4.83")).toContain(`grey tabby, ${COLLAR}`);
  expect(await page(`${path}/poster`)).toContain(`grey tabby, ${COLLAR}`);
  const pair = await page(await world.linkTo(LOST_CAT.email, "/pair/"));
  expect(pair).toContain(COLLAR);
  expect(pair).toContain("blue with a tag");
});

test("a collar loses contact details, alone and together with other fields", async () => {
  const hidden = await world.publish({ collar: "tag says +33 6 12 34 56 78" });
  const split = await world.publish({
    color: "call 06 12",
    collar: "34 56 78",
    email: "b@example.org",
  });

  expect(hidden.collar).toBe("tag says [removed]");
  expect(split).toMatchObject({ color: "unknown", collar: null });
});

test("a collar of more than 60 characters is refused", async () => {
  const error = await world
    .tool("publish_alert", { ...LOST_CAT, collar: "x".repeat(61) })
    .then(String, ({ message }: Error) => message);

  expect(error).toBe("collar must have at most 60 characters.");
});

test("a collar is found by q", async () => {
  const { id } = await world.publish({ collar: COLLAR });
  await world.publish({ email: "other@example.org" });
  const found = async (q: string) =>
    (await world.json(`/api/v1/alerts?q=${encodeURIComponent(q)}`)).alerts.map(
      (alert: { id: string }) => alert.id,
    );

  expect(await found("bell")).toEqual([id]);
  expect(await found("grey bell")).toEqual([id]);
  expect(await found("whistle")).toEqual([]);
});

test("a collar comes by the form, and is corrected and taken back by the owner", async () => {
  const form = { type: "lost", species: "cat", color: "grey", email: LOST_CAT.email };
  const at = { place: "", lat: "45.77", lng: "4.83" };
  expect(await world.text("/publish")).toContain('name="collar"');
  await world.fetch("/publish", { method: "POST", ...upload({ ...form, ...at, collar: COLLAR }) });
  await world.confirm(LOST_CAT.email);
  const now = async () => (await world.json("/api/v1/alerts")).alerts[0].collar;
  const edit = `${await world.linkTo(LOST_CAT.email, "/manage/")}/edit`;
  const post = (collar: string) =>
    world.fetch(edit, { method: "POST", ...upload({ edited: "1", collar }) });

  expect(await now()).toBe(COLLAR);
  expect(await world.text(edit)).toContain(`value="${COLLAR}"`);
  await post("none any more");
  expect(await now()).toBe("none any more");
  await post("");
  expect(await now()).toBeNull();
});
