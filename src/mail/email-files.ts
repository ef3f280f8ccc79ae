import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../ops/fs.ts";
import type { EmailFiles } from "../core/erasure/erasure-store.ts";

/** Emails that `fileTransport` wrote to a folder, which may not exist. */
export function createEmailFiles(folder: string): EmailFiles {
  /** Files about a person. Files may disappear while they are read. */
  async function* about(mailbox: string, tokens: readonly string[]): AsyncGenerator<string> {
    for (const name of await orIfMissing(emailFilesIn(folder), [])) {
      const file = join(folder, name);
      const email = readable(await orIfMissing(readFile(file, "latin1"), ""));
      if (readerOf(email) === mailbox || tokens.some((one) => email.includes(one))) yield file;
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

/** Names of email files, including those left incomplete by a crash. */
async function emailFilesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => /\.eml(?:\.part)?$/.test(name));
}

async function orIfMissing<Read>(reading: Promise<Read>, missing: Read): Promise<Read> {
  try {
    return await reading;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return missing;
    throw error;
  }
}

/** Unwraps lines, so that addresses are in one piece (RFC 2045, 6.7; RFC 5322, 2.2.3). */
function readable(raw: string): string {
  return raw.replace(/=\r?\n/g, "").replace(/\r?\n[ \t]+/g, " ");
}

/** Address of the recipient. */
function readerOf(email: string): string | undefined {
  return /^To: (?:.*<)?([^<>\s]+@[^<>\s]+)>?\s*$/m.exec(email)?.[1];
}
