import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY, HOUR } from "./support/time.ts";
import { createWorld, LOST_CAT, upload, type World } from "./support/world.ts";

const COLLAR = "red collar with bell";
const LANDMARK = "parc de la Tête d’Or";
/** The world starts on 1 May at 10:00 by the clocks of Lyon. */
const DETAILS = {
  event_date: "2026-05-01",
  event_time: "9:20",
  landmark: LANDMARK,
  collar: COLLAR,
};

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

async function errorOf(args: Record<string, unknown>): Promise<string> {
  return world.tool("publish_alert", { ...LOST_CAT, ...args }).then(
    () => "",
    (error: Error) => error.message,
  );
}

/** Text of a page without its markup. */
async function flat(address: string, language = "en"): Promise<string> {
  return (await world.text(address, { "Accept-Language": language })).replace(/<[^>]*>/g, "");
}

describe("a landmark, a time of day and a collar", () => {
  test("come by tool and are in the alert's JSON, by REST and by tool, after its other fields; no summary has the collar", async () => {
    const alert = await world.publish(DETAILS);
    const other = await world.publish({ email: "other@example.org" });
    const { alert: byTool } = await world.tool("get_alert", { alert: alert.id });
    const { alerts } = await world.json("/api/v1/alerts?lat=45.77&lng=4.83");
    const summaries: any = await world.tool("search_alerts", { lat: 45.77, lng: 4.83 });

    expect(Object.keys(alert).slice(-6)).toEqual([
      "expires_at",
      "landmark",
      "event_time",
      "district",
      "organisation",
      "collar",
    ]);
    expect(alert).toMatchObject({ landmark: LANDMARK, event_time: "09:20", collar: COLLAR });
    expect(byTool).toEqual(alert);
    expect(alerts[1]).toMatchObject({ landmark: LANDMARK, event_time: "09:20", distance_km: 0 });
    expect(other).toMatchObject({ landmark: null, event_time: null, collar: null });
    expect(summaries.alerts[1]).not.toHaveProperty("collar");
  });

  test("stand on the alert's page, its poster, cards, lists for other sites and in emails", async () => {
    const { url } = await world.publish(DETAILS);
    const path = new URL(url).pathname;

    expect(await flat(path)).toContain(`Lyon 1er, near ${LANDMARK} · today, about 09:20`);
    expect(await flat(path, "fr")).toContain(
      `Lyon 1er, secteur ${LANDMARK} · aujourd’hui, vers 9\u00a0h\u00a020`,
    );
    expect(await world.text(path)).toContain(`<li title="Collar">`);
    expect(await flat(path)).toContain(COLLAR);
    const poster = await flat(`${path}/poster`);
    expect(poster).toContain("Lost on 1 May 2026, about 09:20");
    expect(poster).toContain(`Lyon 1er, near ${LANDMARK}`);
    for (const text of [poster, await flat("/?lat=45.77&lng=4.83")])
      expect(text).toContain(`grey tabby, ${COLLAR}`);
    expect(await flat("/embed?lat=45.77&lng=4.83")).toContain(`Lyon 1er, near ${LANDMARK}`);
    const email = (await world.emails(LOST_CAT.email)).at(-1)?.text?.replace(/\s+/g, " ");
    expect(email).toContain(`Lyon 1er, near ${LANDMARK} · 1 May 2026, about 09:20`);
  });

  test("lose contact details, alone and begun in another field, but keep a street", async () => {
    const phone = { landmark: "Zoo, +33 6 12 34 56 78", collar: "tag says +33 6 12 34 56 78" };
    const hidden = await world.publish(phone);
    const street = await world.publish({ landmark: "Place Bellecour 3", email: "b@example.org" });
    const inTown = { city: "Lyon 06 12", landmark: "34 56 78", email: "c@example.org" };
    const inColor = { color: "call 06 12", collar: "34 56 78", email: "d@example.org" };

    expect(hidden).toMatchObject({ landmark: "Zoo, [removed]", collar: "tag says [removed]" });
    expect(await world.text(hidden.url, { "Accept-Language": "fr" })).toContain("Zoo, [retiré]");
    expect(street.landmark).toBe("Place Bellecour 3");
    expect(await world.publish(inTown)).toMatchObject({ city: "Lyon", landmark: null });
    expect(await world.publish(inColor)).toMatchObject({ color: "unknown", collar: null });
  });

  test("are refused when too long, no time or still to come", async () => {
    expect(await errorOf({ landmark: "x".repeat(81) })).toBe(
      "landmark must have at most 80 characters.",
    );
    expect(await errorOf({ collar: "x".repeat(61) })).toBe(
      "collar must have at most 60 characters.",
    );
    expect(await errorOf({ event_time: "noon" })).toBe(
      "event_time must be a time of day, such as 13:20.",
    );
    expect(await errorOf({ event_date: "2026-05-01", event_time: "15:00" })).toBe(
      "event_time must not be in the future. It is now 2026-05-01T08:00:00.000Z.",
    );
    expect(await errorOf({ event_date: "2026-04-30", event_time: "15:00" })).toBe("");
  });

  test("come by the form, and are corrected and taken back by the owner", async () => {
    const { type, species, color, email } = LOST_CAT;
    const about = { type, species, color, email, place: "", lat: "45.77", lng: "4.83" };
    const details = { landmark: LANDMARK, eventTime: "09:20", collar: COLLAR };
    await world.fetch("/publish", { method: "POST", ...upload({ ...about, ...details }) });
    await world.confirm(email);
    const edit = `${await world.linkTo(email, "/manage/")}/edit`;
    const now = async () => {
      const { landmark, event_time, collar } = (await world.json("/api/v1/alerts")).alerts[0];
      return [landmark, event_time, collar];
    };
    const post = (fields: Record<string, string>) =>
      world.fetch(edit, { method: "POST", ...upload({ edited: "1", ...fields }) });

    expect(await now()).toEqual([LANDMARK, "09:20", COLLAR]);
    for (const value of [LANDMARK, COLLAR])
      expect(await world.text(edit)).toContain(`value="${value}"`);
    await post({ landmark: "Gare de Vaise", eventTime: "08:00", collar: "none any more" });
    expect(await now()).toEqual(["Gare de Vaise", "08:00", "none any more"]);
    await post({ landmark: "", eventTime: "", collar: "" });
    expect(await now()).toEqual([null, null, null]);
  });
});

test("a collar is found by q", async () => {
  const { id } = await world.publish({ collar: COLLAR });
  await world.publish({ email: "other@example.org" });
  const found = async (q: string) =>
    (await world.json(`/api/v1/alerts?q=${encodeURIComponent(q)}`)).alerts.map(
      (alert: { id: string }) => alert.id,
    );

  expect(await found("grey bell")).toEqual([id]);
  expect(await found("whistle")).toEqual([]);
});

test("the collars of both animals are on the pair page", async () => {
  await world.publish({ collar: COLLAR });
  const found = { type: "found", email: "finder@example.org", event_date: "2026-05-01" };
  await world.publish({ ...found, collar: "blue with a tag" });
  await world.pass(60_000);

  const pair = await flat(await world.linkTo(LOST_CAT.email, "/pair/"));
  expect(pair).toContain(COLLAR);
  expect(pair).toContain("blue with a tag");
});

describe("the day of a loss", () => {
  const FORM = { type: "lost", species: "cat", color: "grey", email: LOST_CAT.email };
  const AUCKLAND = { place: "", lat: "-36.85", lng: "174.76" };
  const NEW_YORK = { place: "", lat: "40.71", lng: "-74.01" };
  const dayOf = async (fields: Record<string, string>) => {
    const answer = await world.fetch("/publish", {
      method: "POST",
      ...upload({ ...FORM, ...fields }),
    });
    if (answer.status !== 303) return answer.text();
    await world.confirm(FORM.email);
    return (await world.json("/api/v1/alerts")).alerts[0].event_date;
  };

  test("is today or yesterday by the clocks of the place", async () => {
    world.jump(15 * HOUR);

    // 23:00 UTC: already the 2nd in Auckland, still the 1st in New York.
    expect(await dayOf({ ...AUCKLAND, day: "today" })).toBe("2026-05-02");
    world.jump(DAY);
    expect(await dayOf({ ...AUCKLAND, day: "yesterday" })).toBe("2026-05-02");
    world.jump(4 * HOUR);
    expect(await dayOf({ ...NEW_YORK, day: "today", eventDate: "2026-04-01" })).toBe("2026-05-02");
    expect(await dayOf({ ...NEW_YORK })).toBe("2026-05-02");
  });

  test("is the date given, which another day must have", async () => {
    const page = await dayOf({ ...NEW_YORK, day: "date", eventDate: "" });

    expect(page).toContain('href="#field-eventDate"');
    expect(page).toMatch(/value="date" checked/);
    expect(await dayOf({ ...NEW_YORK, day: "date", eventDate: "2026-04-20" })).toBe("2026-04-20");
    expect(await dayOf({ ...NEW_YORK, eventDate: "2026-04-21" })).toBe("2026-04-21");
  });

  test("is told as today until midnight at the place", async () => {
    world.jump(15 * HOUR);
    const { url } = await world.publish({ lat: 40.71, lng: -74.01, event_date: "2026-05-01" });

    world.jump(4 * HOUR);
    expect(await world.text(url)).toMatch(/<time datetime="2026-05-01"[^>]*>\s*today/);
    world.jump(2 * HOUR);
    expect(await world.text(url)).toMatch(/<time datetime="2026-05-01"[^>]*>\s*yesterday/);
  });
});
