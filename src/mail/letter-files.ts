import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { LetterFiles } from "../core/ports.ts";

/** The letters that `fileTransport` wrote into a folder, which need not exist. */
export function createLetterFiles(folder: string): LetterFiles {
  /** The files that are about a person. Whoever keeps the folder may tidy it meanwhile. */
  async function* about(mailbox: string, tokens: readonly string[]): AsyncGenerator<string> {
    for (const name of await orGone(lettersIn(folder), [])) {
      const file = join(folder, name);
      const letter = readable(await orGone(readFile(file, "latin1"), ""));
      if (readerOf(letter) === mailbox.toLowerCase() || tokens.some((one) => letter.includes(one)))
        yield file;
    }
  }

  return {
    async count(mailbox, tokens) {
      let count = 0;
      for await (const _file of about(mailbox, tokens)) count++;
      return count;
    },

    async drop(mailbox, tokens) {
      let dropped = 0;
      for await (const file of about(mailbox, tokens)) {
        await rm(file, { force: true });
        dropped++;
      }
      return dropped;
    },
  };
}

/** Those that a crash left half written too. */
async function lettersIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => /\.eml(?:\.part)?$/.test(name));
}

async function orGone<Read>(reading: Promise<Read>, gone: Read): Promise<Read> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return gone;
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
