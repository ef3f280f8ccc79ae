import { expect } from "bun:test";
import { PAGE_MESSAGES } from "../../src/messages/messages.ts";
import { LOST_CAT } from "../support/world.ts";
import { exifCoordinate, jpeg, photoColors } from "../support/picture.ts";
import { HOUR } from "../support/time.ts";
import { createJourneys } from "./browser-session.ts";
import { loads, nextStep } from "./page-actions.ts";
import { OWNER, send } from "./publish-form.ts";

// What Safari 15.6, Chrome 109 or Firefox 115 lack is taken from a new browser.

const { journey } = createJourneys();
const words = PAGE_MESSAGES.en;

const WITHOUT = `
  delete HTMLFormElement.prototype.requestSubmit;
  for (const name of ["toSorted", "toSpliced", "toReversed", "with"]) delete Array.prototype[name];
  for (const name of ["parse", "canParse"]) delete URL[name];
  for (const name of ["withResolvers", "try"]) delete Promise[name];
  delete Map.groupBy;
  delete Object.groupBy;
  delete AbortSignal.timeout;
  const decode = createImageBitmap;
  window.createImageBitmap = (file, options) =>
    options?.imageOrientation === "from-image" ? Promise.reject(new TypeError()) : decode(file, options);
`;

const GARDEN = { lat: 45.757814, lng: 4.832011 };

journey("an older browser makes photos upright and small before it sends them", async (session) => {
  const { page, world, site } = session;
  const photo = async (width: number, orientation: number) => ({
    name: `${width}.jpg`,
    mimeType: "image/jpeg",
    buffer: Buffer.from(await jpeg({ width, height: 2000, orientation, gps: GARDEN })),
  });
  await page.addInitScript(WITHOUT);
  await page.goto("/publish?type=lost");
  await page.getByLabel(words.species.cat, { exact: true }).check({ force: true });
  await page.getByLabel(words.publish.color).fill("grey tabby");
  await page
    .getByLabel(words.photoField.choose)
    .setInputFiles([await photo(1000, 1), await photo(2000, 1), await photo(1500, 6)]);
  const shown = page.locator(".photo-previews li");
  await shown.nth(2).waitFor();
  await shown.nth(2).getByRole("button", { name: words.photoField.makeFirst }).click();
  await shown.nth(1).getByRole("button", { name: words.photoField.remove }).click();
  expect(await page.locator("#photos-status").innerText()).toBe("");
  await nextStep(page);
  await page.getByLabel(words.publish.place.lost).fill("Lyon");
  await nextStep(page);
  await page.getByLabel(words.field.email).fill(OWNER);
  await send(page);
  await page.waitForURL("**/waiting/**");

  const form = site.sent.find(({ url, body }) => url.endsWith("/publish") && body.length > 9_000);
  for (const secret of [exifCoordinate(GARDEN.lat), exifCoordinate(GARDEN.lng)])
    expect(Buffer.from(form!.body).includes(secret)).toBe(false);
  await world.confirm(OWNER);
  const [{ slug }] = (await world.json("/api/v1/alerts")).alerts;
  const { photos } = await world.json(`/api/v1/alerts/${slug}`);
  const sizes: [number, number][] = [];
  for (const url of photos) {
    const { width, height } = await photoColors(await (await world.fetch(url)).bytes());
    sizes.push([width, height]);
  }
  expect(sizes).toEqual([
    [1600, 1200],
    [1600, 1600],
  ]);
});

journey(
  "an older browser searches by a tap on a chip, and shows the map of sightings to the owner",
  async ({ page, world }) => {
    const { slug } = await world.publish();
    await page.addInitScript(WITHOUT);
    await page.goto("/");
    await loads(page, () =>
      page.locator(".chips label").filter({ hasText: words.type.found }).click(),
    );
    expect(new URL(page.url()).searchParams.get("type")).toBe("found");

    for (const [nth, lat] of [45.78, 45.79, 45.78].entries())
      await world.tool("send_message", {
        alert: slug,
        message: "Seen by the river.",
        email: `witness${nth}@example.org`,
        seen_lat: lat,
        seen_lng: 4.84,
        seen_at: new Date(world.now() - nth * HOUR).toISOString(),
      });
    for (let nth = 0; nth < 3; nth += 1) await world.confirm(`witness${nth}@example.org`);
    await page.goto(await world.linkTo(LOST_CAT.email, "/manage/"));
    await page.locator("[data-map='trail']").scrollIntoViewIfNeeded();

    await page.locator(".map-line").waitFor({ state: "attached" });
    expect(await page.locator(".map-number").count()).toBe(2);
  },
);
