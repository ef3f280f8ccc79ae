import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { PAGE_MESSAGES } from "../../src/messages/messages.ts";
import {
  DISPLAY_P3,
  jpeg,
  pngChunk,
  profileSegment,
  rgbProfile,
  tiffWith,
} from "../support/picture.ts";
import { createJourneys } from "./browser-session.ts";
import { nextStep } from "./page-actions.ts";
import { OWNER, send } from "./publish-form.ts";
import type { World } from "../support/world.ts";

const { journey } = createJourneys();
const words = PAGE_MESSAGES.en;

/** The start of a photo as iPhones store them, which Chromium cannot decode. */
const HEIC = Buffer.concat([
  Buffer.from([0, 0, 0, 24]),
  Buffer.from("ftypheic\0\0\0\0mif1heic"),
  Buffer.alloc(2_000, 7),
]);

/** Red and green change places: a page that ignores the profile shows other colours than one that follows it. */
const SWAPPED = [...DISPLAY_P3.slice(3, 6), ...DISPLAY_P3.slice(0, 3), ...DISPLAY_P3.slice(6)];
const SIZE = { width: 640, height: 480 };

/** Photos of old and rare kinds, each with its position where its kind can say so. */
async function rarePhotos() {
  const whole = Buffer.from(await jpeg({ ...SIZE, gps: { lat: 45.7578, lng: 4.832 } }));
  const png = Buffer.from(await new Bun.Image(await jpeg(SIZE)).png().bytes());
  const turned = pngChunk("eXIf", tiffWith(6, false));
  const swapped = await jpeg({ ...SIZE, segments: [profileSegment(rgbProfile(SWAPPED))] });
  return [
    { name: "panorama.jpg", mimeType: "image/jpeg", buffer: whole.subarray(0, -2) },
    {
      name: "turned.png",
      mimeType: "image/png",
      buffer: Buffer.concat([png.subarray(0, 33), turned, png.subarray(33)]),
    },
    { name: "wide.jpg", mimeType: "image/jpeg", buffer: Buffer.from(swapped) },
    {
      name: "sideways.jpg",
      mimeType: "image/jpeg",
      buffer: Buffer.from(await jpeg({ ...SIZE, orientation: 8 })),
    },
  ];
}

type Looks = { readonly width: number; readonly height: number; readonly bright: string };

/** How the browser shows a picture: its size, and which of red, green and blue are bright in each quarter. */
function looksOf(page: Page, bytes: Uint8Array): Promise<Looks> {
  return page.evaluate(async (base64) => {
    const picture = new Image();
    picture.src = `data:;base64,${base64}`;
    await picture.decode();
    const { naturalWidth: width, naturalHeight: height } = picture;
    const context = Object.assign(document.createElement("canvas"), { width, height }).getContext(
      "2d",
    );
    context.drawImage(picture, 0, 0);
    const quarters = [0.25, 0.75].flatMap((y) => [0.25, 0.75].map((x) => [x * width, y * height]));
    const pixels = quarters.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data].slice(0, 3));
    const bright = pixels
      .map((pixel) => pixel.map((part) => (part > 127 ? 1 : 0)).join(""))
      .join(" ");
    return { width, height, bright };
  }, Buffer.from(bytes).toString("base64"));
}

/** How the photos of the only alert look. */
async function published(page: Page, world: World): Promise<Looks[]> {
  await world.confirm(OWNER);
  const [alert] = (await world.json("/api/v1/alerts")).alerts;
  const { photos } = await world.json(`/api/v1/alerts/${alert.slug}`);
  await page.goto("about:blank");
  const looks: Looks[] = [];
  for (const url of photos) looks.push(await looksOf(page, await (await world.fetch(url)).bytes()));
  return looks;
}

async function looksOfOriginals(page: Page): Promise<Looks[]> {
  await page.goto("about:blank");
  const looks: Looks[] = [];
  for (const { buffer } of await rarePhotos()) looks.push(await looksOf(page, buffer));
  return looks;
}

journey(
  "photos look as the browser shows the originals, and those that nobody can read are told of before the form is sent",
  async ({ page, world }) => {
    const originals = await looksOfOriginals(page);
    expect(originals.map(({ width }) => width)).toEqual([640, 480, 640, 480]);
    expect(originals[2]?.bright).toStartWith("010 1");

    await page.goto("/publish?type=lost");
    await page.getByLabel(words.species.cat, { exact: true }).check({ force: true });
    await page.getByLabel(words.publish.color).fill("grey tabby");
    const choose = page.getByLabel(words.photoField.choose);
    await choose.setInputFiles(await rarePhotos());
    await page.getByRole("img", { name: "Photo 4" }).waitFor();
    const said = page.locator("#photos-status");
    expect(await said.innerText()).toBe("");
    await choose.setInputFiles([
      // Some phones name no type for them.
      { name: "IMG_0001.HEIC", mimeType: "", buffer: HEIC },
      { name: "IMG_0002.heic", mimeType: "image/heic", buffer: HEIC },
      { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("not a photo") },
    ]);
    await said.filter({ hasText: "IMG_0001.HEIC" }).waitFor();
    const text = await said.innerText();
    for (const name of ["IMG_0001.HEIC", "IMG_0002.heic"])
      expect(text).toContain(words.photoField.heic.replace("{name}", name));
    expect(text).toContain(words.photoField.unreadable.replace("{name}", "notes.txt"));
    expect(await page.locator(".photo-previews li").count()).toBe(4);
    await nextStep(page);
    await page.getByLabel(words.publish.place.lost).fill("Lyon");
    await nextStep(page);
    await page.getByLabel(words.field.email).fill(OWNER);
    await send(page);
    await page.waitForURL("**/waiting/**");

    expect(await published(page, world)).toEqual(originals);
  },
);

journey("photos look as the originals, too, where no script has prepared them", async (session) => {
  const { page, world, site } = session;
  const originals = await looksOfOriginals(page);
  const body = new FormData();
  const fields = { type: "lost", species: "cat", color: "grey tabby", place: "Lyon", email: OWNER };
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  for (const { name, mimeType, buffer } of await rarePhotos())
    body.append("photos", new Blob([buffer], { type: mimeType }), name);
  const sent = await fetch(`${site.origin}/publish`, { method: "POST", body, redirect: "manual" });
  expect(sent.status).toBe(303);

  expect(await published(page, world)).toEqual(originals);
});

declare const document: { createElement(tag: "canvas"): any };
declare class Image {
  src: string;
  readonly naturalWidth: number;
  readonly naturalHeight: number;
  decode(): Promise<void>;
}
