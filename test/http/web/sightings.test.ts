import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { makeBulk, makeDraft } from "../../support/make.ts";
import { createWorld, linkIn, LOST_CAT, type World } from "../../support/world.ts";
import { DAY, HOUR } from "../../support/time.ts";

let world: World;
beforeEach(async () => {
  world = await createWorld({ LIMIT_MESSAGE: "off" });
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

const PASSER = "passer@example.net";
/** In a cell beside the lost cat's. */
const HERE = { lat: "45.7638", lng: "4.8412" };

function tell(slug: string, fields: Record<string, string> = {}): Promise<Response> {
  return world.post(`/alerts/${slug}/sighting`, { ...HERE, email: PASSER, ...fields });
}

/** Tells and confirms; gives the page that follows. */
async function see(slug: string, fields: Record<string, string> = {}): Promise<Response> {
  expect((await tell(slug, fields)).status).toBe(303);
  return world.confirm(fields["email"] ?? PASSER);
}

/** The emails an owner got about sightings. */
async function ownersEmails() {
  const emails = await world.emails(LOST_CAT.email);
  return emails.filter(({ subject }) => subject?.startsWith("Seen:"));
}

async function manage(move: string): Promise<void> {
  await world.post(`${await world.linkTo(LOST_CAT.email, "/manage/")}/${move}`);
}

describe("telling that an animal was seen", () => {
  test("shows it on the alert's page and tells the owner, once it is confirmed and not before", async () => {
    const { slug } = await world.publish();
    const asked = await tell(slug, { note: "Under the red bench." });

    expect(asked.status).toBe(303);
    expect(asked.headers.get("Location")).toStartWith("/waiting/");
    expect(await world.text(asked.headers.get("Location")!)).toContain(
      "Your sighting has not been posted",
    );
    expect(await world.text(`/alerts/${slug}`)).not.toContain("Under the red bench.");
    expect(await ownersEmails()).toEqual([]);

    await world.confirm(PASSER);

    const shown = await world.text(`/alerts/${slug}`);
    expect(shown).toContain("Under the red bench.");
    expect(shown).toContain("near Lyon, France, about 1\u00a0km from the place in the alert");
    const [email, ...others] = await ownersEmails();
    expect(others).toEqual([]);
    expect(email?.text).toContain("> Under the red bench.");
    expect(email?.text).toContain(`/alerts/${slug}`);
  });

  test("shows before the button exactly what will be shown after it", async () => {
    const { slug } = await world.publish();
    await tell(slug, { note: "Call me: 06 12 34 56 78. Ran north.", hoursAgo: "3" });
    const [email] = await world.emails(PASSER);

    const preview = await world.text(linkIn(email, "/confirm/"));
    await world.confirm(PASSER);

    const seen = /<time datetime="[^"]+T[^"]+"[^>]*>.*?Ran north\.<\/p>/s;
    const [before] = seen.exec(preview) ?? ["nothing before"];
    const [after] = seen.exec(await world.text(`/alerts/${slug}`)) ?? ["nothing after"];
    expect(before).toBe(after);
    expect(before).toContain("Call me: [removed]. Ran north.");
    expect(before).toContain(new Date(world.now() - 3 * HOUR).toISOString());
    expect(preview).toContain("Note: a phone number");
  });

  test("keeps the cell and not the point: two points of one cell leave the same", async () => {
    const { slug } = await world.publish();
    await see(slug, { lat: "45.78499", lng: "4.84499" });
    await see(slug, { lat: "45.77501", lng: "4.83501", email: "other@example.net" });

    const shown = await world.text(`/alerts/${slug}`);

    const cells = [...shown.matchAll(/<li data-lat="([^"]+)" data-lng="([^"]+)"/g)];
    expect(cells.map(([, lat, lng]) => [lat, lng])).toEqual([
      ["45.78", "4.84"],
      ["45.78", "4.84"],
    ]);
    expect(shown).not.toMatch(/45\.78499|4\.84499|45\.77501|4\.83501/);
  });
});

describe("the time of a sighting as people say it", () => {
  // It is 08:00 in UTC, and 10:00 by the clocks of Lyon.
  const times: [said: Record<string, string>, at: string][] = [
    [{ hoursAgo: "6" }, "2026-05-01T02:00:00.000Z"],
    [{ hoursAgo: "last_night" }, "2026-04-30"],
    [{ hoursAgo: "24" }, "2026-04-30"],
    [{ seenDay: "2026-04-30", seenHour: "18" }, "2026-04-30T16:00:00.000Z"],
    [{ seenDay: "2026-04-30" }, "2026-04-30"],
    [{ seenHour: "9" }, "2026-05-01T07:00:00.000Z"],
    [{ seenHour: "11" }, "2026-04-30T09:00:00.000Z"],
    // The day and hour count, whatever the choice above them says.
    [{ hoursAgo: "2", seenDay: "2026-04-29", seenHour: "0" }, "2026-04-28T22:00:00.000Z"],
  ];
  test("is understood by the clocks of the place where it was seen", async () => {
    const { slug } = await world.publish({ event_date: "2026-04-28" });

    for (const [nth, [said, at]] of times.entries()) {
      await see(slug, { ...said, email: `p${nth}@example.net` });
      expect([said, await world.text(`/alerts/${slug}`)]).toEqual([
        said,
        expect.stringContaining(`<time datetime="${at}"`),
      ]);
    }
    const tokyo = { lat: "35.68", lng: "139.77" };
    await see(slug, { ...tokyo, seenDay: "2026-05-01", seenHour: "15" });
    expect(await world.text(`/alerts/${slug}`)).toContain("2026-05-01T06:00:00.000Z");
  });

  const impossible: [said: Record<string, string>, field: string, sentence: string][] = [
    [{ seenDay: "2026-05-02" }, "seenDay", "is in the future"],
    [{ seenDay: "2026-05-01", seenHour: "11" }, "seenHour", "is in the future"],
    [{ seenDay: "2026-05-02", seenHour: "10" }, "seenDay", "is in the future"],
    [{ seenDay: "2026-04-26", seenHour: "10" }, "seenDay", "28 April 2026"],
    [{ seenDay: "2026-03-15" }, "seenDay", "1 April 2026"],
  ];
  test("is refused where it cannot be, with a sentence beside it", async () => {
    const { slug } = await world.publish({ event_date: "2026-04-28" });

    for (const [said, field, sentence] of impossible) {
      const answer = await tell(slug, said);
      const shown = await answer.text();

      expect([said, answer.status]).toEqual([said, 400]);
      expect(shown).toContain(`href="#field-${field}"`);
      expect(new RegExp(`id="field-${field}-wrong">([^<]*)`).exec(shown)?.[1]).toContain(sentence);
      expect(shown).toContain("<details open");
    }
  });
});

describe("sightings have an end", () => {
  test("an animal that came home is not looked for: neither shown, nor asked, nor confirmed", async () => {
    const { slug } = await world.publish();
    await see(slug, { note: "before" });
    await tell(slug, { note: "too late", email: "other@example.net" });
    await manage("resolve");

    const shown = await world.text(`/alerts/${slug}`);
    const pressed = await world.confirm("other@example.net");

    expect(shown).not.toContain("before");
    expect(shown).not.toContain("I saw this cat");
    expect(await world.text(`/alerts/${slug}/sighting`)).not.toContain("<textarea");
    expect((await tell(slug)).status).toBe(409);
    expect(pressed.status).toBe(409);
    expect(await ownersEmails()).toHaveLength(1);
  });
});

describe("who can be seen", () => {
  test("a found animal that was not caught; not one that is in somebody's care", async () => {
    const found = { type: "found", name: undefined };
    const seen = await world.publish({ ...found, custody: "seen_only" });
    const held = await world.publish({ ...found, custody: "finder", color: "white" });

    expect(await world.text(`/alerts/${seen.slug}`)).toContain("I saw this cat");
    expect((await see(seen.slug)).status).toBe(200);
    expect(await world.text(`/alerts/${held.slug}`)).not.toContain("I saw this cat");
    expect(await world.text(`/alerts/${held.slug}/sighting`)).toContain(
      "Someone is already taking care",
    );
    expect((await tell(held.slug)).status).toBe(409);
  });

  test("an alert without an owner: its page shows it, and nobody is told", async () => {
    const draft = makeDraft({ id: Bun.randomUUIDv7() });
    const bulk = makeBulk({ draft, ownerEmail: null, expiresAt: world.now() + 30 * DAY });
    await world.app.service.alerts.add([bulk]);

    expect((await see(bulk.draft.slug, { note: "near the pond" })).status).toBe(200);
    expect(await world.text(`/alerts/${bulk.draft.slug}`)).toContain("near the pond");
    expect(world.sentMail.map(({ envelope }) => envelope.to)).toEqual([PASSER]);
  });
});
