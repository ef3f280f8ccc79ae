import { afterEach, beforeEach, expect, test } from "bun:test";
import { PAGE_MESSAGES } from "../../../src/messages/messages.ts";
import { ALERTS_PER_PAGE_MAX } from "../../../src/core/alerts/search.ts";
import { addMany, LYON } from "../../support/many-alerts.ts";
import { createWorld, type World } from "../../support/world.ts";

const text = PAGE_MESSAGES.en.home.list;
const EVIL = `"><script>alert(1)</script>`;

let world: World;
beforeEach(async () => {
  world = await createWorld({ LIMIT_PUBLISH: "off" });
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

function linkNamed(page: string, name: string): string {
  const link = [...page.matchAll(/<a [^>]*href="([^"]+)"[^>]*>([^<]*)<\/a>/g)].find(
    ([, , said]) => said === name,
  );
  return link![1]!.replaceAll("&amp;", "&");
}

/** Rows for a file, as a page holds them. */
function rowsIn(page: string): unknown[][] {
  const rows = [...page.matchAll(/data-row="([^"]*)"/g)];
  return rows.map(([, row]) =>
    JSON.parse(
      row!
        .replaceAll("&quot;", '"')
        .replaceAll("&#39;", "'")
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">")
        .replaceAll("&amp;", "&"),
    ),
  );
}

test("a search leads to its list, which holds more, pages on, and leads back", async () => {
  await addMany(world, 130, (nth) => ({ name: `Cat ${nth}`, point: LYON }));
  const search = await world.text("/?place=Lyon&species=cat&radius_km=10");

  const address = linkNamed(search, text.open);
  const list = await world.text(address);
  const rest = await world.text(linkNamed(list, PAGE_MESSAGES.en.home.older));

  expect(address).toBe("/?place=Lyon&species=cat&radius_km=10&view=list");
  expect(rowsIn(list)).toHaveLength(ALERTS_PER_PAGE_MAX);
  expect(rowsIn(rest)).toHaveLength(30);
  expect(list).not.toContain("data-map=");
  expect(list).toContain('<meta name="robots" content="noindex"/>');
  expect(linkNamed(list, text.cards)).toBe("/?place=Lyon&species=cat&radius_km=10");
  expect(linkNamed(search, PAGE_MESSAGES.en.home.older)).not.toContain("view");
});

test("its rows hold what the REST API shows, in its words, and nothing else", async () => {
  const alert = await world.publish({ name: "Mimi", ...LYON, description: "By the river" });

  const list = await world.text("/?view=list");

  const columns = /data-columns="([^"]+)"/.exec(list)![1]!.split(",");
  const [row] = rowsIn(list);
  expect(Object.fromEntries(columns.map((name, at) => [name, row![at]]))).toEqual(
    Object.fromEntries(columns.map((name) => [name, alert[name] ?? ""])),
  );
  expect(list).toContain(`localhost:3000/a/${alert.short_code}</p>`);
  expect(list).not.toContain("owner@example.org");
});

test("hostile words stay words in its rows", async () => {
  await world.publish({ name: EVIL, ...LYON });

  const list = await world.text("/?view=list");

  expect(list).not.toContain("<script>alert");
  expect(rowsIn(list)[0]).toContain(EVIL);
});

test("a list that is empty has nothing to print, and an unknown view is the usual one", async () => {
  expect(await world.text("/?view=list")).not.toContain("data-csv");
  await world.publish({});
  expect(await world.text("/?view=x")).toContain("data-map=");
});
