import { type Browser, chromium } from "playwright-core";
import { findProgram, isRoot } from "./programs.ts";

/** A real Chromium, found or installed, that reaches nothing but this machine. Close it when done. */
export function openChromium(): Promise<Browser> {
  const executablePath = findProgram({
    setting: "CHROMIUM",
    names: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
    debianPackage: "chromium",
  });
  return chromium.launch({
    executablePath,
    // Its sandbox does not start for root, which is who tests run as in containers.
    chromiumSandbox: !isRoot(),
    // What asks for another host shall fail at once, and alike on every machine.
    args: ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
  });
}
