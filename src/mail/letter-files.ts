import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { LetterFiles } from "../core/ports.ts";

/** The letters that `fileTransport` wrote into a folder, which need not exist. */
export function createLetterFiles(folder: string): LetterFiles {
  return {
    async drop(mailbox, tokens) {
      for (const name of await lettersIn(folder)) {
        const file = join(folder, name);
        const letter = readable(await readFile(file, "latin1"));
        if (
          readerOf(letter) === mailbox.toLowerCase() ||
          tokens.some((one) => letter.includes(one))
        )
          await rm(file, { force: true });
      }
    },
  };
}

async function lettersIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith(".eml"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/** With every address in one piece: lines that were wrapped are joined (RFC 2045, 6.7; RFC 5322, 2.2.3). */
function readable(raw: string): string {
  return raw.replace(/=\r?\n/g, "").replace(/\r?\n[ \t]+/g, " ");
}

/** In lower case. */
function readerOf(letter: string): string | undefined {
  return /^To: (?:.*<)?([^<>\s]+@[^<>\s]+)>?\s*$/m.exec(letter)?.[1]?.toLowerCase();
}
