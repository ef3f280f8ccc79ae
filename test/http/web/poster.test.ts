import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { makeBulk, makeDraft } from "../../support/make.ts";
import { DAY } from "../../support/time.ts";
import { createWorld, LOST_CAT, type World } from "../../support/world.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

/** The sheet itself: what gets printed. */
async function sheet(slug: string, query = ""): Promise<string> {
  const page = await world.text(`/alerts/${slug}/poster?${query}`);
  const [, printed] = /<section class="sheet[^>]*>(.*)<\/section>/s.exec(page) ?? [];
  if (printed === undefined) throw new Error("there is no sheet");
  return printed;
}

/** The words of a page, as they are read. */
function read(html: string): string {
  return html.replace(/<title>[^<]*<\/title>|<[^>]+>/g, " ").replace(/\s+/g, " ");
}

async function manage(move: string): Promise<void> {
  await world.post(`${await world.linkTo(LOST_CAT.email, "/manage/")}/${move}`);
}

describe("the poster", () => {
  test("says what, who, when and where, with the code and its address large", async () => {
    const { slug, short_code, color } = await world.publish({ breed: "Maine Coon" });

    const printed = await sheet(slug);

    const words = read(printed);
    for (const said of [
      "LOST CAT",
      "Mimi",
      `${color}, Maine Coon`,
      "Lost on 1 May 2026",
      "near Lyon 1er, France",
      `localhost:3000/a/${short_code}`,
    ])
      expect(words).toContain(said);
    expect(printed).toContain(`<img src="/api/qr/${short_code}?size=512"`);
    expect((await world.fetch(`/api/qr/${short_code}?size=512`)).status).toBe(200);
  });

  test("is printed on the paper of the country, or the one that was chosen", async () => {
    const lyon = await world.publish();
    const austin = await world.publish({ lat: 30.27, lng: -97.74, email: "b@example.org" });
    const paper = async (slug: string, query = "") =>
      /<section class="sheet (\w+)"/.exec(await world.text(`/alerts/${slug}/poster?${query}`))?.[1];

    expect(await paper(lyon.slug)).toBe("a4");
    expect(await paper(austin.slug)).toBe("letter");
    expect(await paper(lyon.slug, "paper=letter&sheet=far")).toBe("letter");
    expect(await paper(lyon.slug, "paper=%22%3E%3Cscript%3E&sheet=no")).toBe("a4");
  });

  test("shows hostile names as text, and never wider than the paper", async () => {
    const evil = `"><img src=x onerror=alert(1)></svg><script>`;
    const draft = makeDraft({
      id: Bun.randomUUIDv7(),
      name: "W".repeat(60),
      color: evil,
      city: evil,
    });
    await world.app.service.alerts.add([makeBulk({ draft, expiresAt: world.now() + DAY })]);

    for (const which of ["tear", "far"]) {
      const printed = await sheet(draft.slug, `sheet=${which}`);
      expect(printed).not.toMatch(/<img src="?x|<script/);
      for (const [svg] of printed.matchAll(
        /<svg class="(?:shout|far-|sheet-address).*?<\/svg>/gs,
      )) {
        const [, width] = /viewBox="0 0 ([\d.]+) /.exec(svg) ?? [];
        expect(svg).toContain(`textLength="${width}"`);
      }
    }
  });
});

describe("an alert that is not live", () => {
  test("has no poster: home again asks to take it down, on the page of the short link, too", async () => {
    const { slug, short_code } = await world.publish();
    await manage("resolve");

    const poster = await world.fetch(`/alerts/${slug}/poster`);
    const scanned = await world.fetch(`/a/${short_code}`);

    expect(poster.status).toBe(409);
    expect(await poster.text()).toContain("Please take its posters down.");
    const reached = await world.text(scanned.headers.get("Location") ?? "");
    expect(reached).toContain("Home again!");
    expect(reached).toContain("please take it down. Thank you!");
    expect(reached).not.toContain("Print a poster");
  });

  test("has no poster when it has run out, was removed or never was", async () => {
    const { slug } = await world.publish();
    await world.tick();
    await world.pass(91 * DAY, 13 * DAY);
    const expired = await world.fetch(`/alerts/${slug}/poster`);
    await manage("remove");

    expect(expired.status).toBe(409);
    expect(await expired.text()).toContain("This alert has expired.");
    expect((await world.fetch(`/alerts/${slug}/poster`)).status).toBe(410);
    expect((await world.fetch("/alerts/lost-cat-nobody-abc234/poster")).status).toBe(404);
  });
});
