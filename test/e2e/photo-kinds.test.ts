import { expect } from "bun:test";
import { MESSAGES } from "../../src/http/web/messages/messages.ts";
import { jpeg } from "../support/picture.ts";
import { createJourneys } from "./browser-session.ts";
import { headingOf, nextStep } from "./page-actions.ts";
import { OWNER, send } from "./publish-form.ts";

const { journey } = createJourneys();
const words = MESSAGES.en;

/** The start of a photo as iPhones store them, which Chromium cannot decode. */
const HEIC = Buffer.concat([
  Buffer.from([0, 0, 0, 24]),
  Buffer.from("ftypheic\0\0\0\0mif1heic"),
  Buffer.alloc(2_000, 7),
]);

journey(
  "photos that nobody can read are told of before the form is sent, and the others go",
  async ({ page, world }) => {
    const good = Buffer.from(await jpeg({ width: 300, height: 200 }));
    await page.goto("/publish?type=lost");
    await page.getByLabel(words.species.cat, { exact: true }).check({ force: true });
    await page.getByLabel(words.publish.color).fill("grey tabby");
    await page.getByLabel(words.photoField.choose).setInputFiles([
      // Some phones name no type for them.
      { name: "IMG_0001.HEIC", mimeType: "", buffer: HEIC },
      { name: "IMG_0002.heic", mimeType: "image/heic", buffer: HEIC },
      { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("not a photo") },
      { name: "good.jpg", mimeType: "image/jpeg", buffer: good },
    ]);
    await page.getByRole("img", { name: "Photo 1" }).waitFor();
    const said = page.locator("#photos-status");
    await said.filter({ hasText: "IMG_0001.HEIC" }).waitFor();

    const text = await said.innerText();
    for (const name of ["IMG_0001.HEIC", "IMG_0002.heic"])
      expect(text).toContain(words.photoField.heic.replace("{name}", name));
    expect(text).toContain(words.photoField.unreadable.replace("{name}", "notes.txt"));
    expect(await page.locator(".photo-previews li").count()).toBe(1);
    await nextStep(page);
    await page.getByLabel(words.publish.place.lost).fill("Lyon");
    await nextStep(page);
    await page.getByLabel(words.field.email).fill(OWNER);
    await send(page);
    await page.waitForURL("**/waiting/**");

    expect(await headingOf(page)).toBe(words.waiting.title);
    await world.confirm(OWNER);
    expect((await world.json("/api/v1/alerts")).alerts[0].photos).toHaveLength(1);
  },
);
