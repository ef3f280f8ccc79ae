import { readBounceReport } from "../../src/mail/bounce-report.ts";

// Counts how the messages in a folder are read: `bun test/bench/bounces.ts FOLDER [YEAR]`, with those since a year alone.
// A public set is github.com/sisimai/set-of-emails, folder maildir/bsd.

const [folder = ".", since = "0"] = process.argv.slice(2);
const counts = new Map<string, number>();
for await (const name of new Bun.Glob("*.eml").scan(folder)) {
  const raw = await Bun.file(`${folder}/${name}`).bytes();
  const text = new TextDecoder().decode(raw);
  const [header = ""] = text.split(/\r?\n\r?\n/, 1);
  const date = /^Date:(.*)$/im.exec(header)?.[1]?.replace(/\(.*\)/, "") ?? "";
  // Some have no date that can be parsed.
  const year = new Date(date).getFullYear() || Number(/\b(?:19|20)\d\d\b/.exec(text)?.[0] ?? 0);
  if (year < Number(since)) continue;
  const kind = (await readBounceReport(raw))?.kind ?? "not recognised";
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
}
console.table(Object.fromEntries(counts));
