import { describe, expect, test } from "bun:test";
import { CAPS, QUOTAS } from "../../src/core/caps.ts";
import { jpeg } from "../support/picture.ts";
import { createWorld, FINDER, LOST_CAT, upload, type World } from "../support/world.ts";

const HERE = { lat: "45.7638", lng: "4.8412" };
const FLOODER = "203.0.113.9";
const PASSER = "192.0.2.20";

let made = 0;
/** A picture that no other is like. */
const picture = () => jpeg({ width: 32 + (made += 1), height: 32 });

function send(
  world: World,
  path: string,
  fields: Readonly<Record<string, string>>,
  photos: readonly Uint8Array[],
  from: string,
): Promise<Response> {
  return world.fetch(path, { method: "POST", ...upload(fields, photos) }, from);
}

/** One caller sends as many photos with sightings and messages as it can; a passer-by sends one after it. */
async function flood() {
  const world = await createWorld({ LIMIT_MESSAGE: "off" });
  try {
    const alert = await world.publish();
    const forms = CAPS.photosPerClient.max / QUOTAS.attachedPhotos;
    const flooder: number[] = [];
    for (let at = 0; at < forms + 1; at++) {
      const photos = [await picture(), await picture(), await picture()];
      const email = `spam${at}@example.net`;
      const [path, fields] =
        at % 2 === 0
          ? [`/alerts/${alert.slug}/sighting`, { ...HERE, email }]
          : [alert.contact_url as string, { message: "Look!", email }];
      flooder.push((await send(world, path, fields, photos, FLOODER)).status);
    }
    const path = `/alerts/${alert.slug}/sighting`;
    const fields = { ...HERE, email: FINDER };
    const passer = await send(world, path, fields, [await picture()], PASSER);
    const withoutPhoto = await send(world, path, { ...fields, note: "still" }, [], FLOODER);
    return { flooder, passer: passer.status, withoutPhoto: withoutPhoto.status };
  } finally {
    await world.end();
  }
}

describe("one caller that sends photos with every sighting and message", () => {
  test("has its own budget of them, and keeps no passer-by from sending theirs", async () => {
    const { flooder, passer, withoutPhoto } = await flood();

    expect(flooder.slice(0, -1)).toEqual(flooder.slice(0, -1).map(() => 303));
    expect(flooder.at(-1)).toBe(429);
    expect(passer).toBe(303);
    // What was seen still arrives.
    expect(withoutPhoto).toBe(303);
  });
});

/** A stranger who learned the name of a photo in somebody's conversation tries every form and address with it. */
async function steal() {
  const world = await createWorld({ LIMIT_MESSAGE: "off", LIMIT_PUBLISH: "off" });
  try {
    const alert = await world.publish();
    await send(
      world,
      alert.contact_url,
      { message: "Is it her?", email: FINDER },
      [await picture()],
      PASSER,
    );
    await world.confirm(FINDER);
    const owner = await world.linkTo(LOST_CAT.email, "/conversation/");
    const [, name = ""] = /photos\/([0-9a-f]{32})/.exec(await world.text(owner)) ?? [];
    const email = "thief@example.net";
    const kept = { photo: name, email };
    const answers = [
      await send(world, `/alerts/${alert.slug}/sighting`, { ...HERE, ...kept }, [], FLOODER),
      await send(world, alert.contact_url, { message: "hello", ...kept }, [], FLOODER),
      await world.fetch(`/photos/${name}.webp`, {}, FLOODER),
    ];
    const shown = (await Promise.all(answers.map((answer) => answer.text()))).some((text) =>
      text.includes("data:image/webp"),
    );
    return { statuses: answers.map(({ status }) => status), shown };
  } finally {
    await world.end();
  }
}

test("a photo of a conversation cannot be had, nor sent on, by its name", async () => {
  expect(await steal()).toEqual({ statuses: [400, 400, 404], shown: false });
});

/** Strangers have filled the disk with photos, as far as they could; somebody else comes. */
async function fillDisk() {
  const world = await createWorld({}, { freeBytes: async () => 400 * 1024 * 1024 });
  try {
    const alert = await world.publish();
    const fields = { message: "I have her.", email: FINDER };
    const path = alert.contact_url as string;
    const withPhoto = await send(world, path, fields, [await picture()], PASSER);
    const withoutPhoto = await send(world, path, fields, [], PASSER);
    return {
      withPhoto: withPhoto.status,
      says: await withPhoto.text(),
      withoutPhoto: withoutPhoto.status,
    };
  } finally {
    await world.end();
  }
}

describe("a disk that strangers fill with photos", () => {
  test("keeps room for messages that have none", async () => {
    const { withPhoto, says, withoutPhoto } = await fillDisk();

    // A 503 would have browsers send the same again.
    expect(withPhoto).toBe(413);
    expect(says).toContain("We have no room for photos right now.");
    expect(says).toContain("I have her.");
    expect(withoutPhoto).toBe(303);
  });
});
