import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { moderate, MODERATED, report, signIn } from "./support/moderators.ts";
import { jpeg } from "./support/picture.ts";
import { DAY, HOUR } from "./support/time.ts";
import { createWorld, FINDER, LOST_CAT, upload, type World } from "./support/world.ts";

// Photos that people send with sightings, which everyone sees, and with messages, which two people see.

const OWNER = LOST_CAT.email;
const PASSER = "passer@example.net";
const HERE = { lat: "45.7638", lng: "4.8412" };

let world: World;
beforeEach(async () => {
  world = await createWorld({ ...MODERATED, LIMIT_MESSAGE: "off" });
});
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

let made = 0;
/** A picture that no other is like. */
const picture = () => jpeg({ width: 32 + (made += 1), height: 32, gps: HERE_EXACTLY });
const HERE_EXACTLY = { lat: 45.763842, lng: 4.841296 };

type Fields = Readonly<Record<string, string | readonly string[]>>;

function send(path: string, fields: Fields, photos: readonly (Uint8Array | File)[]) {
  return world.fetch(path, { method: "POST", ...upload(fields, photos) });
}

/** Reports a sighting with photos, and confirms it. */
async function see(slug: string, photos: readonly Uint8Array[], fields: Fields = {}) {
  const given = { ...HERE, email: PASSER, ...fields };
  expect((await send(`/alerts/${slug}/sighting`, given, photos)).status).toBe(303);
  return world.confirm(PASSER);
}

/** Writes to the owner with photos, and confirms it; gives the links of both sides. */
async function write(alert: { contact_url: string }, photos: readonly Uint8Array[]) {
  const given = { name: "Jo", email: FINDER, message: "Is it her?" };
  expect((await send(alert.contact_url, given, photos)).status).toBe(303);
  await world.confirm(FINDER);
  const owner = await world.linkTo(OWNER, "/conversation/");
  await world.post(owner, { message: "Perhaps!" });
  return { owner, stranger: await world.linkTo(FINDER, "/conversation/") };
}

const status = async (path: string, headers = {}) => (await world.fetch(path, { headers })).status;
/** Names of the stored photos. */
const stored = async () => (await world.app.photos.names(null, 100)).map(({ name }) => name);
const photosIn = (page: string, path: string) => [
  ...new Set(
    [...page.matchAll(new RegExp(`${path}/([0-9a-f]{32})(?:-480)?\\.webp`, "g"))].map(
      ([, name = ""]) => name,
    ),
  ),
];

describe("a photo with a sighting", () => {
  test("is shown to its sender, and to everyone once it is confirmed, in the page and the owner's email", async () => {
    const { slug, short_code } = await world.publish();
    await send(`/alerts/${slug}/sighting`, { ...HERE, email: PASSER }, [await picture()]);
    const [name = ""] = await stored();
    const [asked] = await world.emails(PASSER);
    const confirm = await world.linkTo(PASSER, "/confirm/");

    const preview = await world.text(confirm);
    const own = await world.fetch(`${confirm}/photos/${name}-480.webp`);
    const foreign = await world.linkTo(OWNER, "/confirm/");
    const before = await Promise.all(
      [`/photos/${name}.webp`, `${foreign}/photos/${name}.webp`].map((path) => status(path)),
    );
    await world.confirm(PASSER);

    expect(photosIn(preview, "/photos")).toEqual([name]);
    expect([own.status, own.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
    expect(before).toEqual([404, 404]);
    expect(asked?.subject).toBe(`Please confirm your sighting (alert ${short_code})`);
    expect(asked?.html).not.toContain("<img");
    expect(JSON.stringify(asked)).not.toContain(name);
    expect(await world.text(`/alerts/${slug}`)).toMatch(
      new RegExp(
        `<ul class="sightings">.*<img src="/photos/${name}-480\\.webp" alt="Photo 1 of`,
        "s",
      ),
    );
    for (const file of [`${name}.webp`, `${name}-480.webp`])
      expect(await status(`/photos/${file}`)).toBe(200);
    const email = (await world.emails(OWNER)).at(-1);
    expect(email?.html).toContain(
      `<img src="http://localhost:3000/photos/${name}-480.webp" width="240" alt="Photo 1 of the sighting"`,
    );
    expect(email?.text).toContain(`http://localhost:3000/photos/${name}.webp`);
    const bytes = await (await world.fetch(`/photos/${name}.webp`)).bytes();
    expect(Buffer.from(bytes).toString("latin1")).not.toMatch(/Exif|GPS/);
  });

  test("cannot be seen while its alert is hidden, once the animal is home, or after it was removed", async () => {
    const alert = await world.publish();
    await see(alert.slug, [await picture()]);
    const [name = ""] = await stored();
    const manage = await world.linkTo(OWNER, "/manage/");
    const session = await signIn(world);

    const shown = [await status(`/photos/${name}.webp`)];
    await moderate(world, session, alert, "hide");
    shown.push(await status(`/photos/${name}.webp`));
    await moderate(world, session, alert, "restore");
    shown.push(await status(`/photos/${name}.webp`));
    await world.post(`${manage}/resolve`);
    shown.push(await status(`/photos/${name}.webp`));
    await world.post(`${manage}/reopen`);
    shown.push(await status(`/photos/${name}.webp`));
    await world.post(`${manage}/remove`);
    shown.push(await status(`/photos/${name}.webp`));

    expect(shown).toEqual([200, 404, 200, 404, 200, 404]);
    await world.tick();
    expect(await stored()).toEqual([]);
  });

  test("is removed by the owner with its sighting, and by nobody else's link", async () => {
    const alert = await world.publish();
    const other = await world.publish({ name: "Rex", email: "rex@example.org" });
    await see(alert.slug, [await picture()], { note: "look at this" });
    const manage = await world.linkTo(OWNER, "/manage/");
    const [, remove = ""] =
      /action="[^"]*(\/sightings\/[^"]+\/remove)"/.exec(await world.text(manage)) ?? [];

    await world.post(`${await world.linkTo("rex@example.org", "/manage/")}${remove}`);
    expect(await world.text(alert.url)).toContain("look at this");
    const done = await world.post(`${manage}${remove}`);

    expect([done.status, done.headers.get("Location")]).toEqual([
      303,
      `${new URL(manage).pathname}?done=sighting`,
    ]);
    expect(await world.text(`${manage}?done=sighting`)).toContain("The sighting has been removed.");
    expect(await world.text(alert.url)).not.toContain("look at this");
    expect(await status(other.url)).toBe(200);
    expect(await stored()).toEqual([]);
    expect((await world.post(`${manage}${remove}`)).status).toBe(303);
  });

  test("is seen and removed by moderators when the alert is reported, and the alert stays", async () => {
    const alert = await world.publish();
    await see(alert.slug, [await picture()], { note: "offensive" });
    const [name = ""] = await stored();
    await report(world, alert, { reason: "offensive", text: "the photo of the sighting" });
    const session = await signIn(world);

    const queue = await world.text("/admin", session);
    const [, remove = ""] = /action="([^"]*\/sightings\/[^"]+\/remove)"/.exec(queue) ?? [];
    const seen = [
      await status(`/admin/photos/${name}-480.webp`, session),
      await status(`/admin/photos/${name}-480.webp`),
    ];
    const withoutSession = await world.post(remove, {}, { "Sec-Fetch-Site": "same-origin" });
    expect(await world.text(alert.url)).toContain("offensive");
    const done = await world.post(remove, {}, session);

    expect(photosIn(queue, "/admin/photos")).toEqual([name]);
    expect(seen).toEqual([200, 403]);
    expect([withoutSession.status, done.status]).toEqual([403, 303]);
    expect(await world.text(alert.url)).not.toContain("offensive");
    await world.tick();
    expect(await stored()).toEqual([]);
    const after = await world.text("/admin", session);
    expect(after).toContain(`sighting removed, ${alert.short_code}`);
    // The report is not settled by it.
    expect(after).toContain("the photo of the sighting");
  });
});

describe("a photo with a message", () => {
  test("is shown on both sides' page of the conversation, under their links, and nowhere else", async () => {
    const alert = await world.publish();
    await send(alert.contact_url, { email: FINDER, message: "Is it her?" }, [
      await picture(),
      await picture(),
    ]);
    const names = (await stored()).toSorted();
    const [asked] = await world.emails(FINDER);
    const confirm = await world.linkTo(FINDER, "/confirm/");
    expect(photosIn(await world.text(confirm), "/photos").toSorted()).toEqual(names);
    await world.confirm(FINDER);
    const owner = await world.linkTo(OWNER, "/conversation/");
    await send(owner, { message: "It is! And this is Mimi." }, [await picture()]);
    const stranger = await world.linkTo(FINDER, "/conversation/");

    for (const link of [owner, stranger]) {
      const shown = photosIn(await world.text(link), `${new URL(link).pathname}/photos`);
      expect(shown.toSorted()).toEqual((await stored()).toSorted());
      for (const name of shown)
        for (const end of [".webp", "-480.webp"]) {
          const answer = await world.fetch(`${link}/photos/${name}${end}`);
          expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
          expect(answer.headers.get("Content-Type")).toBe("image/webp");
          expect(answer.headers.get("Access-Control-Allow-Origin")).toBeNull();
        }
    }
    const emails = [asked, (await world.emails(OWNER)).at(-1), (await world.emails(FINDER)).at(-1)];
    for (const email of emails)
      for (const name of await stored()) expect(JSON.stringify(email)).not.toContain(name);
    expect(emails[1]?.text).toContain("With 2 photos, which you can see on that page.");
    expect(emails[2]?.text).toContain("With 1 photo, which you can see on that page.");
    expect(asked?.html).not.toContain("<img");
    for (const name of await stored()) {
      expect(await status(`/photos/${name}.webp`)).toBe(404);
      expect(await world.text(alert.url)).not.toContain(name);
    }
  });

  test("is not under the link of another conversation about the same alert; moderators see it once it is reported", async () => {
    const alert = await world.publish();
    const { owner, stranger } = await write(alert, [await picture()]);
    const [name = ""] = await stored();
    await world.post(alert.contact_url, { email: PASSER, message: "And here?" });
    await world.confirm(PASSER);
    const other = await world.linkTo(OWNER, "/conversation/");

    expect(other).not.toBe(owner);
    expect(await status(`${owner}/photos/${name}.webp`)).toBe(200);
    expect(await status(`${other}/photos/${name}.webp`)).toBe(404);
    expect(await status(`/conversation/unknown/photos/${name}.webp`)).toBe(404);
    const manage = await world.linkTo(OWNER, "/manage/");
    expect(await status(`${manage}/photos/${name}.webp`)).toBe(404);
    expect(await world.text(manage)).toContain("With 1 photo");
    const session = await signIn(world);
    expect(await world.text("/admin", session)).not.toContain("/admin/photos/");
    await world.post(`${stranger}/report`, { reason: "offensive" });
    expect(photosIn(await world.text("/admin", session), "/admin/photos")).toEqual([name]);
  });

  test("is deleted with its conversation, when either side erases their data", async () => {
    const alert = await world.publish();
    await write(alert, [await picture()]);
    expect(await stored()).toHaveLength(1);

    await world.app.operator.erasePerson(FINDER);

    expect(await stored()).toEqual([]);
    await write(alert, [await picture()]);
    await world.app.operator.erasePerson(OWNER);
    expect(await stored()).toEqual([]);
  });

  test("is deleted thirty days after the alert ended", async () => {
    const alert = await world.publish();
    const { owner } = await write(alert, [await picture()]);
    await see(alert.slug, [await picture()]);
    const manage = await world.linkTo(OWNER, "/manage/");
    await world.post(`${manage}/resolve`);

    await world.pass(29 * DAY);
    expect(await stored()).toHaveLength(2);
    expect(await status(owner)).toBe(200);
    await world.pass(3 * DAY, 12 * HOUR);

    expect(await status(owner)).toBe(404);
    expect(await stored()).toEqual([]);
  });
});

/** Address of the form, and what makes it complete. */
async function opened(
  form: "sighting" | "contact" | "conversation",
): Promise<{ path: string; fields: Record<string, string> }> {
  const alert = await world.publish();
  switch (form) {
    case "sighting":
      return { path: `/alerts/${alert.slug}/sighting`, fields: { ...HERE, email: PASSER } };
    case "contact":
      return { path: alert.contact_url, fields: { message: "hello", email: PASSER } };
    case "conversation":
      return { path: (await write(alert, [])).owner, fields: { message: "hello" } };
  }
}

test.each(["sighting", "contact", "conversation"] as const)(
  "the photo field of the %s form takes three photos, keeps those of a form with a mistake, and refuses a fourth",
  async (form) => {
    const { path, fields } = await opened(form);
    const photos = await Promise.all([picture(), picture(), picture(), picture()]);

    const refused = await send(path, fields, photos);
    const page = await refused.text();
    const kept = [...page.matchAll(/name="photo" value="([^"]+)"/g)].map(([, ref = ""]) => ref);

    expect(refused.status).toBe(400);
    expect(page).toContain("no more than 3");
    expect(kept).toHaveLength(3);
    expect(page.match(/<img src="data:image\/webp/g)).toHaveLength(3);
    const sent = await send(path, { ...fields, photo: kept }, []);
    expect(sent.status).toBe(303);
    const more = await send(path, { ...fields, photo: [...kept, "x"], message: "two" }, []);
    expect(more.status).toBe(303);
  },
);

describe("the photo field of a form", () => {
  test("refuses what is no photo with a sentence, and keeps the text", async () => {
    const { path, fields } = await opened("sighting");
    const text = { note: "under the bridge", message: "under the bridge" };
    const files = [
      new File(["<svg xmlns='http://www.w3.org/2000/svg'/>"], "photo.jpg", {
        type: "image/jpeg",
      }),
      new File(["%PDF-1.7"], "photo.png"),
      new File([new Uint8Array(40)], "photo.heic", { type: "image/heic" }),
      new File([(await picture()).subarray(0, 60)], "half.jpg"),
    ];
    for (const file of files) {
      const answer = await send(path, { ...fields, ...text }, [file]);
      const page = await answer.text();
      expect([415, 400]).toContain(answer.status);
      expect(page).toContain('id="field-photos-wrong"');
      expect(page).toContain("under the bridge");
    }
    expect(await stored()).toEqual([]);
  });

  test("refuses a photo by its name, and a ticket of yesterday", async () => {
    const { path, fields } = await opened("sighting");
    const page = await (
      await send(path, { ...fields, lat: "", message: "", email: "" }, [await picture()])
    ).text();
    const [, ticket = ""] = /name="photo" value="([^"]+)"/.exec(page) ?? [];
    const [name = ""] = await stored();

    const forged = ticket.replace(/.$/, (end) => (end === "0" ? "1" : "0"));
    for (const photo of [name, forged, "../../secret.key", `"><script>alert(1)</script>`]) {
      const answer = await send(path, { ...fields, photo }, []);
      expect(answer.status).toBe(400);
      expect(await answer.text()).not.toContain("<script>alert");
    }
    world.jump(2 * DAY);
    expect((await send(path, { ...fields, photo: ticket }, [])).status).toBe(400);
  });
});
