import { readFile } from "node:fs/promises";
import { Fault } from "../../core/fault.ts";
import { escapeControls } from "../../text/terminal-text.ts";
import { codeOf } from "../../ops/fs.ts";
import type { CommandContext } from "../shell/command.ts";
import { cannotRead, refusePrivateTmp } from "../shell/files.ts";
import {
  includedMapping,
  type Mapping,
  mappingWithColumns,
  missingColumns,
  noMapping,
  parseMapping,
} from "../../tables/mapping.ts";

const HEADER_SHOWN = 500;

/**
 * Mapping by name or file; without a name, the included mapping whose columns the table has. Throws `bad_input` with a
 * sentence if there is none or it is not valid.
 */
export async function chooseMapping(
  name: string | null,
  header: readonly string[],
  context: CommandContext,
): Promise<Mapping> {
  const shown = escapeControls(header.join(", ").slice(0, HEADER_SHOWN));
  if (name === null) {
    const match = mappingWithColumns(header);
    if (match !== null) return match;
    throw new Fault(
      "bad_input",
      `No included mapping has the columns of this table (${shown}). Write a mapping file and pass it with --mapping: import --suggest FILE makes a first one; see docs/import.md.`,
    );
  }
  const mapping = await mappingNamed(name, context);
  const missing = missingColumns(mapping, header);
  if (missing !== null) throw new Fault("bad_input", `${missing} Its columns are: ${shown}.`);
  return mapping;
}

/** Included mapping with this name, or the one in this file. Throws `bad_input` with a sentence. */
export async function mappingNamed(name: string, context: CommandContext): Promise<Mapping> {
  const included = includedMapping(name);
  if (included !== null) return included;
  refusePrivateTmp(name, context);
  const text = await readFile(name, "utf8").catch((error: unknown) => {
    throw codeOf(error) === "ENOENT"
      ? new Fault("bad_input", noMapping(name))
      : cannotRead(name, error);
  });
  return parseMapping(text, name);
}
