import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram } from "./programs.ts";

const DOTS_PER_INCH = 150;
const MM_PER_INCH = 25.4;

/** The pages of a PDF as a printer puts them on paper: PNG, in order. Throws what the drawing program says of a broken file. */
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

/** Millimetres as pixels of a drawn page. */
export function pixels(mm: number): number {
  return Math.round((mm / MM_PER_INCH) * DOTS_PER_INCH);
}

/** What is written on a PDF's pages, whichever way it is turned. */
export function textOf(pdf: Uint8Array): Promise<string> {
  return run("pdftotext", ["-raw", "-", "-"], pdf);
}

async function run(
  name: "pdftoppm" | "pdftotext",
  args: readonly string[],
  input: Uint8Array,
): Promise<string> {
  const program = findProgram({
    setting: name.toUpperCase(),
    names: [name],
    debianPackage: "poppler-utils",
  });
  const drawing = Bun.spawn([program, ...args], { stdin: input, stdout: "pipe", stderr: "pipe" });
  const [code, out, said] = await Promise.all([
    drawing.exited,
    drawing.stdout.text(),
    drawing.stderr.text(),
  ]);
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${said}`);
  return out;
}
