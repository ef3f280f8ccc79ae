import { type Browser, type BrowserContext, chromium } from "playwright-core";
import {
  findProgram,
  isRoot,
  missingProgram,
  PROGRAMS,
  testsUnlessMissing,
} from "../support/system-programs.ts";

export const CHROMIUM = PROGRAMS.chromium;

/** `describe`, `test` and hooks of tests that need a browser. */
export const browserTests = testsUnlessMissing(missingProgram(CHROMIUM));

/** Longest start of a browser and of what it visits, on a busy machine. */
export const START_MS_MAX = 300_000;
/** Longest step of a test in a browser, on a busy machine. */
export const STEP_MS_MAX = 60_000;

let opened: Browser | undefined;

/** Chromium that can only reach this machine, one for all test files of a process. Call `closePages` when done. */
export async function openChromium(): Promise<Browser> {
  if (!opened?.isConnected()) opened = await chromium.launch(launchOptions());
  return opened;
}

/** Closes whatever was opened in a browser, which stays open. */
export async function closePages(browser: Browser | undefined): Promise<void> {
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
}

/** The same with a profile in a folder, which outlives it; a phone's screen. */
export async function openProfile(folder: string): Promise<BrowserContext> {
  const screen = { viewport: { width: 390, height: 844 }, locale: "en" };
  const options = { ...launchOptions(), ...screen };
  const context = await chromium.launchPersistentContext(folder, options);
  context.setDefaultTimeout(STEP_MS_MAX);
  return context;
}

function launchOptions() {
  return {
    executablePath: findProgram(CHROMIUM),
    timeout: STEP_MS_MAX,
    // Its sandbox does not start for root, and tests in containers run as root.
    chromiumSandbox: !isRoot(),
    // Requests to other hosts fail at once, and in the same way on every machine.
    args: ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
    // That of the tests, which is UTC wherever they run.
    env: { ...process.env, TZ: Intl.DateTimeFormat().resolvedOptions().timeZone },
  };
}
