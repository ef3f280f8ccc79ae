import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  findProgram,
  missingProgram,
  PROGRAMS,
  testsUnlessMissing,
} from "../support/system-programs.ts";
import { CHROMIUM } from "./chromium.ts";

/** `describe`, `test` and hooks of tests that print pages as PDF and read them. */
export const printTests = testsUnlessMissing(
  missingProgram(CHROMIUM),
  missingProgram(PROGRAMS.pdftoppm),
  missingProgram(PROGRAMS.pdftotext),
);

const DOTS_PER_INCH = 150;
const MM_PER_INCH = 25.4;

/** Pages of a PDF as PNG images, in order. Throws for a broken file, with the output of the program. */
export async function drawPages(pdf: Uint8Array): Promise<Uint8Array[]> {
  const folder = await mkdtemp(join(tmpdir(), "pet-alert-pdf-"));
  try {
    await run("pdftoppm", ["-png", "-r", `${DOTS_PER_INCH}`, "-", join(folder, "page")], pdf);
    // The numbers in the names all have as many digits as the last one.
    const files = (await readdir(folder)).toSorted();
    return await Promise.all(files.map((file) => Bun.file(join(folder, file)).bytes()));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Millimetres as pixels of a rendered page. */
export function pixels(mm: number): number {
  return Math.round((mm / MM_PER_INCH) * DOTS_PER_INCH);
}

/** Text of a PDF, in any orientation. */
export function textOf(pdf: Uint8Array): Promise<string> {
  return run("pdftotext", ["-raw", "-", "-"], pdf);
}

async function run(
  name: "pdftoppm" | "pdftotext",
  args: readonly string[],
  input: Uint8Array,
): Promise<string> {
  const program = findProgram(PROGRAMS[name]);
  const child = Bun.spawn([program, ...args], { stdin: input, stdout: "pipe", stderr: "pipe" });
  const [code, out, errors] = await Promise.all([
    child.exited,
    child.stdout.text(),
    child.stderr.text(),
  ]);
  if (code !== 0) throw new Error(`${name} exited with ${code}: ${errors}`);
  return out;
}
