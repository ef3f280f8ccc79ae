import { basename } from "node:path";
import { printableJson } from "../../text/terminal-text.ts";
import { folded } from "../../text/tokenize.ts";
import { type CommandContext, onlyArgument, readArguments } from "../shell/command.ts";
import { STANDARD_STREAM } from "../shell/output.ts";
import { profileColumns } from "../../tables/guess/column-profile.ts";
import { suggestMapping } from "../../tables/guess/suggested-mapping.ts";
import { openTable } from "./table-file.ts";

/** Writes a first mapping for a table to standard output, and what to look at to standard error. */
export async function suggest(
  args: readonly string[],
  usage: string,
  context: CommandContext,
): Promise<number> {
  const options = { suggest: { type: "boolean" }, place: { type: "string" } } as const;
  const { positionals, values } = readArguments(args, options, usage);
  const file = onlyArgument(positionals, "import --suggest takes one file.", usage);
  const table = await openTable(file, context);
  const columns = await profileColumns(table);
  const { mapping, notes } = suggestMapping(columns, {
    name: file === STANDARD_STREAM ? "our-shelter" : nameOf(file),
    place: values.place ?? null,
  });
  await context.standardOutput.write(Buffer.from(`${printableJson(mapping)}\n`));
  context.printError(
    ["Look at these before you import:", ...notes.map((one) => `- ${one}`)].join("\n"),
  );
  return 0;
}

/** `Lost and found 2026.csv` -> `lost-and-found-2026`. */
function nameOf(path: string): string {
  const plain = folded(basename(path).replace(/\..*$/, "")).replace(/[^a-z0-9]+/g, "-");
  return plain.slice(0, 40).replace(/^-+|-+$/g, "") || "our-shelter";
}
