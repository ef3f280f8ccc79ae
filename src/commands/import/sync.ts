import type { Operator } from "../../core/service/service.ts";
import type { TableSyncResult } from "../../core/tables/table-read.ts";
import { openGazetteer } from "../../places/places.ts";
import type { Config } from "../../settings/config.ts";
import { undecided } from "../../tables/mapping.ts";
import { lastResorts, rejections } from "../../tables/row-lines.ts";
import { createSyncInput } from "../../tables/sync-input.ts";
import { formatNumber, plural } from "../../text/terminal-text.ts";
import { type CommandContext, confirm } from "../shell/command.ts";
import { withOperator } from "../shell/operator-client.ts";
import { lineFinder, refusedRows } from "./new-rows.ts";
import type { ImportOptions } from "./options.ts";
import { changes, pageLines, restLines } from "./report.ts";
import { readTableFile } from "./table-file.ts";

/** Keeps alerts in step with a table in a file. Returns the exit code, and a summary for programs. */
export async function syncFile(
  options: ImportOptions,
  config: Config,
  context: CommandContext,
): Promise<{ readonly code: number; readonly summary?: object }> {
  const { email, yes, dryRun, acceptMissing, since } = options;
  const { mapping, rows } = await readTableFile(options, context);
  const read = await createSyncInput(rows, await openGazetteer(), {
    ...options,
    name: mapping.mapping,
  });
  const { isWhole } = read.input;
  const withLine = lineFinder(rows.entries);
  const print = (lines: readonly string[]) => context.print(lines.join("\n"));

  async function sync(operator: Operator, isDry: boolean) {
    const result = await operator.syncTable({ ...read.input, acceptMissing, dryRun: isDry });
    const refused = refusedRows(result, withLine, mapping);
    const photos = { ...result.photos, failed: result.photos.failed.map(withLine) };
    const rejected = [...read.rejected, ...refused].toSorted((a, b) => a.line - b.line);
    const pages = result.pagesLeftOut.map(withLine);
    return {
      result,
      photos,
      rejected,
      damage: damage(result, isWhole),
      warnings: [...rejections(rejected), ...lastResorts(read.lastResorts), ...pageLines(pages)],
    };
  }

  async function send(operator: Operator) {
    const isPlanned = !dryRun && !yes;
    if (isPlanned) {
      const { result, warnings, damage } = await sync(operator, true);
      print([...warnings, ...changes(result, "would be"), ...damage]);
      const asks = result.guard === null && !context.stopped.aborted;
      if (asks && !confirm(`Change this as ${email}?`, context)) return unchanged();
    }
    if (context.stopped.aborted) return unchanged();
    const { result, warnings, photos, rejected, damage } = await sync(operator, dryRun);
    const rest = { photos, rejected, older: read.older, known: null };
    const lines = [
      ...(isPlanned ? [] : warnings),
      ...(result.guard === null ? changes(result, dryRun ? "would be" : "") : []),
      ...restLines(rest, rows.skipped, since),
      ...damage,
    ];
    print(lines.concat(undecided(mapping) ?? []));
    const ok = result.guard === null && isWhole;
    const { leftAlone, ofOthers, pagesLeftOut, refused: _refused, guard, ...counts } = result;
    const byReason = Map.groupBy(pagesLeftOut, ({ why }) => why);
    const summary = {
      ok,
      mapping: mapping.mapping,
      dry_run: dryRun,
      ...counts,
      left_alone: leftAlone,
      of_others: ofOthers,
      photos,
      /** Number of alerts without a link to the animal's page, by reason. */
      pages_left_out: Object.fromEntries([...byReason].map(([why, rows]) => [why, rows.length])),
      /** Number of rows left out by the mapping, by reason. */
      skipped: Object.fromEntries(rows.skipped),
      rejected: rejected.map(({ line, id, why }) => ({ line, id, why })),
      /** True if rows were damaged, so that nothing counted as missing. */
      damaged: !isWhole,
      guard,
    };
    return { code: ok ? 0 : 1, summary };
  }

  function unchanged() {
    print(["Nothing was changed."]);
    return { code: 1 };
  }

  return withOperator(config, send, true);
}

/** Warnings when the table was not applied, or when no animal counted as missing. */
function damage({ guard }: TableSyncResult, isWhole: boolean): string[] {
  return [
    ...(guard === null
      ? []
      : [
          `Nothing was changed: ${formatNumber(guard.missing)} of ${plural(guard.listed, "animal")} are missing from the table at once. Is it whole, and the mapping right? If they are really gone, add --accept-missing.`,
        ]),
    ...(isWhole
      ? []
      : ["Rows were damaged, perhaps because the table was cut off: no animal counts as missing."]),
  ];
}
