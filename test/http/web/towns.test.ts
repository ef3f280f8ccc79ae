import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { PAGE_MESSAGES } from "../../../src/messages/messages.ts";
import { RADIUS_KM_DEFAULT } from "../../../src/core/alerts/search.ts";
import { TOWNS_MAX } from "../../../src/places/geocoder.ts";
import { createWorld, type World } from "../../support/world.ts";

const EVIL = `"><img src=x onerror=alert(1)><script>alert(1)</script>'`;

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

describe("the towns offered while one is typed", () => {
  const offered = async (q: string, language = "en") =>
    (
      await world.fetch(`/towns?q=${encodeURIComponent(q)}`, {
        headers: { "Accept-Language": language },
      })
    ).json();

  test("have a name, a label in the reader's language and a position on the public grid", async () => {
    expect(((await offered("lyo", "de")) as unknown[])[0]).toEqual({
      name: "Lyon",
      label: "Lyon, Frankreich",
      lat: 45.75,
      lng: 4.85,
    });
  });

  test("are few, none before two letters, and may be kept for a day in each language", async () => {
    const { headers } = await world.fetch("/towns?q=san");

    expect(await offered("san")).toHaveLength(TOWNS_MAX);
    expect(await offered("l")).toEqual([]);
    expect(await offered("")).toEqual([]);
    expect(await offered(EVIL.repeat(50))).toEqual([]);
    expect(headers.get("Cache-Control")).toBe("public, max-age=86400");
    expect(headers.get("Vary")).toBe("Accept-Language, Cookie");
    expect(headers.get("Content-Type")).toContain("application/json");
  });

  test("are the one that a form would mean, when asked for by the whole text", async () => {
    const meant = async (place: string, language = "en") =>
      (
        await world.fetch(`/towns?${new URLSearchParams({ place })}`, {
          headers: { "Accept-Language": language },
        })
      ).json();

    expect(await meant("69004", "fr")).toMatchObject([{ label: "69004 Lyon, France" }]);
    expect(await meant("Clifton, Bristol")).toMatchObject([{ name: "Clifton", lat: 51.46 }]);
    expect(await meant("Brest", "fr")).toMatchObject([{ label: "Brest, France" }]);
    expect(await meant("Valencia", "es")).toMatchObject([
      { label: "Valencia, Venezuela", isAsked: true },
      { label: "Valencia, España", isAsked: true },
    ]);
    expect(await meant("Xyzzyburgh")).toEqual([]);
    expect(await meant("")).toEqual([]);
  });

  test("are found again by their labels", async () => {
    for (const [language, q] of [
      ["fr", "lond"],
      ["es", "ginebra"],
      ["de", "mailand"],
    ] as const) {
      const [town] = (await offered(q, language)) as { label: string; lat: number }[];
      const page = await world.text(`/?place=${encodeURIComponent(town!.label)}`, {
        "Accept-Language": language,
      });

      expect(page).toContain(
        PAGE_MESSAGES[language].home.around({ km: RADIUS_KM_DEFAULT, town: town!.label }),
      );
    }
  });
});
