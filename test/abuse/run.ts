import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { writeGeneratedPart } from "../support/generated-part.ts";

// `bun run test:abuse [--write]`: strangers who fill the caps of the program in somebody else's name. With --write the
// sentences that held are listed in docs/reliability.md.

const DOCUMENT = "docs/reliability.md";
const COMMAND = "bun run test:abuse --write";
/** Marks the tests that run with a defence switched off. */
const DEFENCE_OFF = /\bwithout\b/i;

const { values: options } = parseArgs({ options: { write: { type: "boolean", default: false } } });
const folder = mkdtempSync(join(tmpdir(), "pet-alert-abuse-"));
const results = join(folder, "results.xml");
const tests = Bun.spawn(
  [
    process.execPath,
    "test",
    "--timeout",
    "600000",
    "--reporter=junit",
    `--reporter-outfile=${results}`,
    "test/abuse",
  ],
  {
    cwd: join(import.meta.dir, "../.."),
    env: { ...process.env, NIGHTLY: "1" },
    stdio: ["ignore", "inherit", "inherit"],
  },
);
const code = await tests.exited;
if (options.write && code === 0)
  await writeGeneratedPart(DOCUMENT, COMMAND, table(await Bun.file(results).text()));
rmSync(folder, { recursive: true, force: true });
process.exitCode = code;

/** Sentences that held, by file; those of runs with a defence switched off counted apart. */
function table(xml: string): string {
  const byFile = new Map<string, string[]>();
  for (const [, attributes = ""] of xml.matchAll(/<testcase ([^>]*)>/g)) {
    const [name = "", group = "", file = ""] = ["name", "classname", "file"].map((key) =>
      attribute(attributes, key),
    );
    const sentence = [...group.split(" > "), name]
      .filter((part) => part !== "" && part !== file)
      .join(": ");
    byFile.set(file, [...(byFile.get(file) ?? []), sentence]);
  }
  const rows = [...byFile].toSorted().map(([file, sentences]) => {
    const bites = sentences.filter((sentence) => DEFENCE_OFF.test(sentence));
    const held = sentences.filter((sentence) => !DEFENCE_OFF.test(sentence));
    return `| [${basename(file, ".test.ts").replaceAll("-", " ")}](../${file}) | ${held.join("<br>")} | ${bites.join("<br>")} |`;
  });
  return [
    "| Attacks | What holds | Shown to bite, with a defence off |",
    "| --- | --- | --- |",
    ...rows,
  ].join("\n");
}

function attribute(attributes: string, key: string): string {
  const text = new RegExp(`(?:^| )${key}="([^"]*)"`).exec(attributes)?.[1] ?? "";
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .replaceAll("|", "\\|");
}
