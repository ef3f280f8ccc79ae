import { demo } from "../../src/commands/demo.ts";
import { systemClock } from "../../src/start.ts";
import { scratchFolder, serve } from "../support/process.ts";
import { openChromium } from "./chromium.ts";

// `bun run screenshot`: the README's picture, the home page of a service full of made-up alerts.

const PICTURE = new URL("../../.github/home.webp", import.meta.url).pathname;
const SIZE = { width: 1160, height: 1240 };

const folder = scratchFolder();
const around = {
  env: { DATA_DIR: folder.path },
  stopped: new AbortController().signal,
  print: () => {},
  printError: () => {},
  standardInput: async function* () {},
  program: null,
  standardOutput: { write: async () => {}, flush: () => {}, isTerminal: false },
  ask: null,
  isTerminal: false,
  now: systemClock,
};
await demo.run(["London", "--count", "300"], around);
const served = await serve(folder.path, { TILE_URL: "off" });
const chromium = await openChromium();
const page = await chromium.newPage({ viewport: SIZE, locale: "en-GB", colorScheme: "light" });
await page.goto(served.baseUrl);
const picture = await page.screenshot();
await chromium.close();
await served.stop();
folder.forget();
const bytes = await new Bun.Image(picture).webp({ quality: 85 }).bytes();
await Bun.write(PICTURE, bytes);
console.log(`${PICTURE}: ${bytes.length} bytes`);
