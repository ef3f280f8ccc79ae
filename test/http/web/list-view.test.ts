import { afterEach, beforeEach, expect, test } from "bun:test";
import { parse } from "csv-parse/sync";
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

/** Rows of the file that a list leads to. */
async function fileOf(list: string): Promise<Record<string, string>[]> {
  const file = await world.fetch(linkNamed(list, text.download));
  expect(file.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  return parse(await file.text(), { bom: true, columns: true });
}

test("a search leads to its list, which holds more, pages on, and leads back", async () => {
  await addMany(world, 130, (nth) => ({ name: `Cat ${nth}`, point: LYON }));
  const search = await world.text("/?place=Lyon&species=cat&radius_km=10");

  const address = linkNamed(search, text.open);
  const list = await world.text(address);
  const rest = await world.text(linkNamed(list, PAGE_MESSAGES.en.home.older));

  expect(address).toBe("/?place=Lyon&species=cat&radius_km=10&view=list");
  expect(list.split("</article>")).toHaveLength(ALERTS_PER_PAGE_MAX + 1);
  expect(rest.split("</article>")).toHaveLength(31);
  expect(await fileOf(list)).toHaveLength(130);
  expect(list).not.toContain("data-map=");
  expect(list).toContain('<meta name="robots" content="noindex"/>');
  expect(linkNamed(list, text.cards)).toBe("/?place=Lyon&species=cat&radius_km=10");
  expect(linkNamed(search, PAGE_MESSAGES.en.home.older)).not.toContain("view");
});

test("its file holds what the REST API shows, in its words, and nothing else", async () => {
  const alert = await world.publish({ name: "Mimi", ...LYON, description: "By the river" });

  const list = await world.text("/?view=list");

  const [row] = await fileOf(list);
  expect(Object.keys(row!).length).toBeGreaterThan(10);
  for (const [name, value] of Object.entries(row!))
    expect([name, value]).toEqual([name, String(alert[name] ?? "")]);
  expect(list).toContain(`localhost:3000/a/${alert.short_code}</p>`);
  expect(JSON.stringify(row)).not.toContain("owner@example.org");
});

test("hostile words stay words in its rows, and run no formula in its file", async () => {
  await world.publish({ name: EVIL, color: "=SUM(1)", ...LYON });

  const list = await world.text("/?view=list");

  expect(list).not.toContain("<script>alert");
  expect((await fileOf(list))[0]).toMatchObject({ pet_name: EVIL, color: "'=SUM(1)" });
});

test("a list around a place that could be one of several leads to the page that asks which", async () => {
  await world.publish({});
  const answer = await world.fetch("/alerts.csv?place=Springfield", { redirect: "manual" });

  expect(answer.status).toBe(303);
  expect(answer.headers.get("Location")).toContain("place=Springfield");
});

test("a list that is empty has nothing to print, and an unknown view is the usual one", async () => {
  expect(await world.text("/?view=list")).not.toContain("/alerts.csv");
  await world.publish({});
  expect(await world.text("/?view=x")).toContain("data-map=");
});
