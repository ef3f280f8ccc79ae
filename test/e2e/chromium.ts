import { type Browser, type BrowserContext, chromium } from "playwright-core";
import {
  findProgram,
  isRoot,
  missingProgram,
  PROGRAMS,
  type SystemProgram,
  testsUnlessMissing,
} from "../support/system-programs.ts";

/** Chromium without a window: half the work of the whole browser, but no notifications and no Background Sync. */
export const CHROMIUM = PROGRAMS.headlessChromium;
export const WHOLE_CHROMIUM = PROGRAMS.chromium;

/** `describe`, `test` and hooks of tests that need a browser. */
export const browserTests = testsUnlessMissing(missingProgram(CHROMIUM));
export const wholeBrowserTests = testsUnlessMissing(missingProgram(WHOLE_CHROMIUM));

/** Longest start of a browser and of what it visits, on a busy machine. */
export const START_MS_MAX = 300_000;
/** Longest step of a test in a browser, on a busy machine. */
export const STEP_MS_MAX = 60_000;

const opened = new Map<SystemProgram, Browser>();

/** Browser that can only reach this machine, one for all test files of a process. Call `closePages` when done. */
export async function openChromium(program: SystemProgram = CHROMIUM): Promise<Browser> {
  const browser = opened.get(program);
  if (browser?.isConnected()) return browser;
  const launched = await chromium.launch(launchOptions(program));
  opened.set(program, launched);
  return launched;
}

/** Closes whatever was opened in a browser, which stays open. */
export async function closePages(browser: Browser | undefined): Promise<void> {
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
}

/** The same with a profile in a folder, which outlives it; a phone's screen. */
export async function openProfile(
  folder: string,
  program: SystemProgram = CHROMIUM,
): Promise<BrowserContext> {
  const screen = { viewport: { width: 390, height: 844 }, locale: "en" };
  const options = { ...launchOptions(program), ...screen };
  const context = await chromium.launchPersistentContext(folder, options);
  context.setDefaultTimeout(STEP_MS_MAX);
  return context;
}

function launchOptions(program: SystemProgram) {
  return {
    executablePath: findProgram(program),
    timeout: STEP_MS_MAX,
    // Its sandbox does not start for root, and tests in containers run as root.
    chromiumSandbox: !isRoot(),
    // Requests to other hosts fail at once, and in the same way on every machine.
    args: ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
    // That of the tests, which is UTC wherever they run.
    env: { ...process.env, TZ: Intl.DateTimeFormat().resolvedOptions().timeZone },
  };
}
