import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Language } from "../../../src/messages/languages.ts";
import { ERROR_MESSAGES } from "../../../src/messages/messages.ts";
import { exifCoordinate, jpeg, photoColors } from "../../support/picture.ts";
import { createWorld, linkIn, LOST_CAT, upload, type World } from "../../support/world.ts";

const OWNER = LOST_CAT.email;

/** What a form must hold; the rest is optional. */
const FORM = {
  type: "lost",
  species: "cat",
  color: "grey tabby",
  place: "Lyon, France",
  lat: "",
  lng: "",
  email: OWNER,
};
const SMALL = { width: 64, height: 48 };

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

async function text(path: string, language: Language = "en"): Promise<string> {
  return (await world.fetch(path, { headers: { "Accept-Language": language } })).text();
}

type Fields = Readonly<Record<string, string | readonly string[]>>;

function post(fields: Fields, photos: readonly (Uint8Array | File)[] = []): Promise<Response> {
  return world.fetch("/publish", { method: "POST", ...upload({ ...FORM, ...fields }, photos) });
}

async function postTo(path: string, fields: Fields = {}, photos: readonly Uint8Array[] = []) {
  return (await world.fetch(path, { method: "POST", ...upload(fields, photos) })).text();
}

async function confirmLink(to = OWNER): Promise<string> {
  return linkIn((await world.emails(to)).at(-1), "/confirm/");
}

const live = async () => (await world.json("/api/v1/alerts")).alerts;

/** Names of the pictures that a form holds, in order. */
function keptIn(page: string): string[] {
  return [...page.matchAll(/name="photo" value="([^"]+)"/g)].map(([, name = ""]) => name);
}

describe("the page for publishing", () => {
  test("takes a town's name and a photo, and nothing is public before the mail", async () => {
    const answer = await post({ eventDate: "2026-04-30" }, [await jpeg(SMALL)]);
    const waiting = await text(answer.headers.get("Location") ?? "");

    expect(answer.status).toBe(303);
    expect(answer.headers.get("Location")).toStartWith("/waiting/");
    expect(waiting).toContain("o…@e…");
    expect(waiting).toContain("Your alert is not public yet.");
    expect(await live()).toEqual([]);
    await world.confirm(OWNER);

    const [alert] = await live();
    expect(alert).toMatchObject({
      pet_type: "cat",
      color: "grey tabby",
      city: "Lyon",
      latitude: 45.75,
      longitude: 4.85,
      event_date: "2026-04-30",
    });
    const photo = await world.fetch(alert.photos[0]);
    expect(photo.headers.get("Content-Type")).toBe("image/webp");
    // A removed one is gone from every cache a day later.
    expect(photo.headers.get("Cache-Control")).toBe("public, max-age=86400, immutable");
    expect(await photoColors(await photo.bytes())).toMatchObject(SMALL);
  });

  test("says all that is missing at once, and keeps what was typed and the photos", async () => {
    const answer = await post(
      { species: "", color: " ", place: "Xyzzyburgh", email: "me", name: "Mimi" },
      [await jpeg(SMALL)],
    );
    const page = await answer.text();

    expect(answer.status).toBe(400);
    expect(page).toContain("<title>Please check: I lost my pet");
    for (const field of ["species", "color", "place", "email"])
      expect(page).toContain(`href="#field-${field}"`);
    expect(page).toMatch(/id="field-place"[^>]*aria-invalid="true"[^>]*value="Xyzzyburgh"/);
    expect(page).toMatch(/id="field-name"[^>]*value="Mimi"/);
    expect(keptIn(page)).toHaveLength(1);
    expect(page).toContain('<img src="data:image/webp;base64,');

    const again = await post({ photo: keptIn(page), name: "Mimi" });
    await world.confirm(OWNER);

    expect(again.status).toBe(303);
    expect((await live())[0].photos).toHaveLength(1);
  });

  test("shows alerts that look alike at once, on a page that can be opened again", async () => {
    await world.publish({ type: "found", email: "finder@example.org", color: "grey tabby" });

    const asked = await post({ name: "Mimi" }, [await jpeg(SMALL)]);
    const waiting = await text(asked.headers.get("Location")!);

    expect(asked.status).toBe(303);
    expect(waiting).toContain("Could it be one of these?");
    expect(waiting).toMatch(/href="\/alerts\/found-cat-[^"]*\/contact">\s*Yes, it could be/);
    expect(await text(asked.headers.get("Location")!)).toBe(waiting);
    await world.confirm(OWNER);
    expect((await live())[0]).toMatchObject({ pet_name: "Mimi", photos: [expect.any(String)] });
    expect(await text(asked.headers.get("Location")!)).not.toContain("Could it be");
  });
});

describe("photos in a form", () => {
  /** A picture's head that declares more pixels than anybody has memory for. */
  const bomb = () => {
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    png.writeUInt32BE(30_000, 16);
    png.writeUInt32BE(30_000, 20);
    png.writeUInt32BE(Bun.hash.crc32(png.subarray(12, 29)), 29);
    return png;
  };

  test.each([
    ["a text", () => Buffer.from("hello"), 415, "a photo we can read"],
    ["0 bytes", () => new File([], "empty.jpg"), 400, "is an empty file"],
    [
      "half a picture",
      async () => (await jpeg(SMALL)).subarray(0, 200),
      400,
      "damaged or incomplete",
    ],
    ["a picture of 900 million pixels", bomb, 413, "more than 25 million pixels"],
  ])("%s: one sentence, and the others stay", async (_, make, status, sentence) => {
    const good = await jpeg(SMALL);

    const answer = await post({ name: "Mimi" }, [await make(), good]);
    const page = await answer.text();

    expect(answer.status).toBe(status);
    expect(page).toMatch(new RegExp(`class="wrong"[^>]*>[^<]*${sentence}`));
    expect(keptIn(page)).toHaveLength(1);
    expect(page).toMatch(/id="field-name"[^>]*value="Mimi"/);
    expect(await world.emails(OWNER)).toEqual([]);
  });

  test("on a full or nearly full disk are refused in a sentence, and the text stays", async () => {
    for (const [free, status, sentence] of [
      [0, 503, ERROR_MESSAGES.en.because.photos_not_kept],
      [400 * 1024 * 1024, 413, ERROR_MESSAGES.en.because.photos_no_room],
    ] as const) {
      const small = await createWorld({}, { freeBytes: async () => free });
      const photo = await jpeg(SMALL);
      const send = (photos: readonly Uint8Array[]) =>
        small.fetch("/publish", { method: "POST", ...upload({ ...FORM, name: "Mimi" }, photos) });

      const answer = await send([photo]);
      const page = await answer.text();

      expect(answer.status).toBe(status);
      expect(page).toContain(sentence);
      expect(page).toMatch(/id="field-name"[^>]*value="Mimi"/);
      expect((await send([])).status).toBe(303);
      await small.end();
    }
  });

  test("show what is seen and nothing else that was in their files", async () => {
    const gps = { lat: 45.774_1, lng: 4.832_1 };
    const trailer = "PK canary-trailer <script>alert(1)</script>";

    await post({}, [await jpeg({ ...SMALL, gps, orientation: 6, trailer })]);
    await world.confirm(OWNER);

    const [alert] = await live();
    const photo = await (await world.fetch(alert.photos[0])).bytes();
    expect(await photoColors(photo)).toMatchObject({ width: 48, height: 64 });
    const folder = join(world.dataDir, "photos");
    const disk = readdirSync(folder).map((file) => readFileSync(join(folder, file)));
    expect(disk).toHaveLength(2);
    for (const file of disk)
      for (const trace of ["Exif", "canary-trailer", exifCoordinate(gps.lat)])
        expect(file.includes(trace)).toBe(false);
  });

  test("can be put in another order and left out, in the form and behind the email", async () => {
    const photos = await Promise.all([48, 40, 32].map((height) => jpeg({ width: 64, height })));
    const [a, b, c] = keptIn(await (await post({ color: "" }, photos)).text()) as [
      string,
      string,
      string,
    ];
    await post({ photo: [a, b, c], first: c });
    const link = await confirmLink();

    const review = await text(link);
    expect(keptIn(review)).toEqual([c, a, b].map((ticket) => ticket.slice(0, 32)));
    // A bare press changes nothing; what is not ticked in the editor is left out.
    const page = await postTo(link, { edited: "1", photo: [a, b], first: b });

    expect(page).toContain("Your alert is live");
    expect((await live())[0].photos).toEqual(
      [b, a].map((ticket) => expect.stringContaining(`/photos/${ticket.slice(0, 32)}.webp`)),
    );
    await world.pass(2 * 60_000);
    expect(existsSync(join(world.dataDir, "photos", `${c.slice(0, 32)}.webp`))).toBe(false);
  });

  test("named by a stranger's form must be kept here", async () => {
    const page = await (await post({ photo: "0".repeat(32) })).text();
    const path = await (await post({ photo: "../secret.key" })).text();

    for (const refused of [page, path]) {
      expect(refused).toContain("Photos: one photo is no longer available; please choose it again");
      expect(keptIn(refused)).toEqual([]);
    }
  });
});

describe("the page behind the email", () => {
  test("moves the pin and takes more photos, and what will be public is what was shown", async () => {
    await post({ name: "Mimi" }, [await jpeg(SMALL)]);
    const link = await confirmLink();
    const review = await text(link);

    expect(review).toContain("Lost cat: Mimi");
    const [kept = ""] = keptIn(review);
    const shown = /<img src="(\/confirm\/[^"]+\.webp)"/.exec(review)?.[1] ?? "";
    const photo = await world.fetch(shown);
    expect([photo.status, photo.headers.get("Cache-Control")]).toEqual([200, "no-store"]);

    const fields = { edited: "1", photo: kept, place: "Lyon", lat: "48.85661", lng: "2.35222" };
    await postTo(link, fields, [await jpeg({ width: 32, height: 32 })]);

    const [alert] = await live();
    expect(alert).toMatchObject({
      city: "Paris",
      latitude: 48.86,
      longitude: 2.35,
      pet_name: "Mimi",
    });
    expect(alert.photos).toHaveLength(2);
    // The email's own way to the photos has served.
    expect((await world.fetch(shown)).status).toBe(404);
  });
});
