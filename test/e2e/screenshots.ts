import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { LANGUAGES, UNREVIEWED_LANGUAGES } from "../../src/messages/languages.ts";
import { openChromium } from "./chromium.ts";
import { PAGES } from "./pages.ts";
import { createSampleData } from "./sample-data.ts";
import { openSite } from "./site.ts";
import { openTab } from "./tab.ts";

const USAGE = `Usage: bun run screenshots FOLDER [--only WORDS] [--language CODE]

Takes pictures of every page in every state that looks different (test/e2e/pages.ts): at 390 and 1280 points, light and
dark, whole pages as JPEG. They are named for the state, the scheme and the width.

  --only      states whose names begin with these words, such as "alert" [all]
  --language  en, fr, es, de or, not reviewed, ar [en]`;

const KNOWN: readonly string[] = [...LANGUAGES, ...UNREVIEWED_LANGUAGES];
const WIDTHS = [390, 1280];
const SCHEMES = ["light", "dark"] as const;
const HEIGHT = 844;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", default: "" },
    language: { type: "string", default: "en" },
  },
});
const [folder] = positionals;
if (folder === undefined || !KNOWN.includes(values.language)) {
  console.error(USAGE);
  process.exit(1);
}
await mkdir(folder, { recursive: true });
const settings = { UNREVIEWED_LANGUAGES: UNREVIEWED_LANGUAGES.join(",") };
const [chromium, site, empty] = await Promise.all([
  openChromium(),
  openSite(settings),
  openSite(settings),
]);
const data = await createSampleData(site.world, empty.origin);
const context = await chromium.newContext({
  locale: values.language,
  reducedMotion: "reduce",
  serviceWorkers: "block",
});
const tab = await openTab(context, site, empty);
let taken = 0;
for (const state of PAGES.filter(({ name }) => name.startsWith(values.only))) {
  await tab.page.setViewportSize({ width: WIDTHS[0]!, height: HEIGHT });
  await tab.page.emulateMedia({ colorScheme: "light" });
  // Once for all pictures: some states can be reached only once.
  await tab.open(state, data);
  await tab.page.evaluate(
    "document.querySelectorAll('img[loading=lazy]').forEach((image) => (image.loading = 'eager'))",
  );
  for (const scheme of SCHEMES)
    for (const width of WIDTHS) {
      await tab.page.emulateMedia({ colorScheme: scheme });
      await tab.page.setViewportSize({ width, height: HEIGHT });
      // Maps are drawn once they come near the screen.
      await tab.page.evaluate("scrollTo(0, document.body.scrollHeight)");
      await tab.page.waitForLoadState("networkidle");
      await tab.page.evaluate("scrollTo(0, 0)");
      const name = `${state.name} ${scheme} ${width}`.replace(/[^a-z0-9]+/gi, "-");
      const path = join(folder, `${name}.jpg`);
      await tab.page.screenshot({ path, type: "jpeg", quality: 80, fullPage: true });
      taken += 1;
    }
}
await chromium.close();
await site.end();
await empty.end();
console.log(`${taken} pictures in ${resolve(folder)}`);
