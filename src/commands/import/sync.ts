import type { Config } from "../../settings/config.ts";
import type { TableSyncResult } from "../../core/tables/table-read.ts";
import { Fault } from "../../core/fault.ts";
import { openGazetteer } from "../../places/places.ts";
import { type CommandContext, confirm } from "../shell/command.ts";
import { withOperator } from "../shell/operator-client.ts";
import { formatNumber, plural } from "../../text/terminal-text.ts";
import type { ImportOptions } from "./options.ts";
import { type Mapping, requireDecided, undecided } from "../../tables/mapping.ts";
import { pageLines, photoLines, skippedRows } from "./report.ts";
import { lastResorts, rejections } from "../../tables/row-lines.ts";
import { readEntries, type Rejection } from "../../tables/rows.ts";
import { chooseMapping, inColumns, mappingNamed, openTable } from "./table-file.ts";
import { readTable, type ReadTable } from "../../tables/table-read.ts";

/** Summary for programs. */
type Summary =
  | { readonly ok: false; readonly error: string }
  | ({
      readonly ok: boolean;
      readonly mapping: string;
      readonly dry_run: boolean;
      /** Number of rows left out by the mapping, by reason. */
      readonly skipped: Readonly<Record<string, number>>;
      readonly rejected: readonly {
        readonly line: number;
        readonly id: string | null;
        readonly why: string;
      }[];
      /** True if rows were damaged, so that nothing counted as missing. */
      readonly damaged: boolean;
    } & Numbers);
type Numbers = {
  readonly published: number;
  readonly updated: number;
  readonly renewed: number;
  readonly reopened: number;
  readonly unchanged: number;
  readonly missing: number;
  readonly ended: number;
  readonly left_alone: number;
  readonly of_others: number;
  readonly redacted: number;
  readonly photos: ReturnType<typeof photosOf>;
  /** Number of alerts without a link to the animal's page, by reason. */
  readonly pages_left_out: Readonly<Record<string, number>>;
  readonly guard: TableSyncResult["guard"];
};

/**
 * Keeps the alerts of a table in step with it, through the running service or on the data folder. Returns 1 if nothing was
 * changed, or nothing could end.
 */
export async function syncTable(
  options: ImportOptions,
  config: Config,
  context: CommandContext,
): Promise<number> {
  const printJson = async (summary: Summary) => {
    if (options.json)
      await context.standardOutput.write(Buffer.from(`${JSON.stringify(summary)}\n`));
  };
  const toStderr = { ...context, print: context.printError, isTerminal: false, ask: null };
  try {
    const { code, summary } = await readAndSync(options, config, options.json ? toStderr : context);
    if (summary !== null) await printJson(summary);
    return code;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    await printJson({ ok: false, error: error.message });
    await noteProblem(error, options, config, context);
    throw error;
  }
}

/** Lets the service tell its operator that a table could not be read. */
async function noteProblem(
  { code }: Fault,
  { mapping, dryRun }: ImportOptions,
  config: Config,
  context: CommandContext,
): Promise<void> {
  if (code !== "bad_input" || dryRun || mapping === null) return;
  const named = await mappingNamed(mapping, context).catch(() => null);
  if (named === null) return;
  const text = "import --sync could not read the table, and says why.";
  const problem = { kind: "no_table", text } as const;
  // Without a database there is nobody to tell yet.
  await withOperator(config, (operator) => operator.noteTableProblem(named.mapping, problem)).catch(
    () => {},
  );
}

async function readAndSync(
  options: ImportOptions,
  config: Config,
  context: CommandContext,
): Promise<{ readonly code: number; readonly summary: Summary | null }> {
  const table = await openTable(options.file, context);
  const mapping = await chooseMapping(options.mapping, table.header, context);
  const { acceptMissing, dryRun } = options;
  if (!dryRun) requireDecided(mapping);
  const rows = await readEntries(table, mapping, options.language);
  const read = await readTable(rows, await openGazetteer(), { ...options, name: mapping.mapping });
  const input = { ...read.input, acceptMissing, dryRun };

  return withOperator(
    config,
    async (operator) => {
      if (!options.yes && !options.dryRun) {
        const plan = await operator.syncTable({ ...input, dryRun: true });
        context.print(
          [
            ...lastResorts(read.lastResorts),
            ...changes(plan, "would be"),
            ...warnings(plan, read),
          ].join("\n"),
        );
        if (plan.guard === null && !confirm(`Change this as ${options.email}?`, context)) {
          context.print("Nothing was changed.");
          return { code: 1, summary: null };
        }
      }
      const result = await operator.syncTable(input);
      const rejected = allRejections(read, result, mapping);
      const wasChanged = result.guard === null && !options.dryRun;
      const decide = undecided(mapping);
      context.print(
        [
          ...rejections(rejected),
          ...lastResorts(read.lastResorts),
          ...(result.guard === null ? changes(result, wasChanged ? "" : "would be") : []),
          ...photoLines(photosOf(result, read)),
          ...pageLines(pagesOf(result, read)),
          ...skippedRows(rows.skipped, rejected.length),
          ...warnings(result, read),
          ...(decide === null ? [] : [decide]),
        ].join("\n"),
      );
      const ok = result.guard === null && !read.isDamaged;
      return {
        code: ok ? 0 : 1,
        summary: summaryOf(result, { ok, rejected, rows, mapping, read, dryRun }),
      };
    },
    true,
  );
}

/** Rows that the mapping or the service refused, by their lines. */
function allRejections(
  { rejected, lines }: Pick<ReadTable, "rejected" | "lines">,
  { refused }: Pick<TableSyncResult, "refused">,
  mapping: Mapping,
): Rejection[] {
  const byService = refused.map(({ id, why, fields }) => ({
    line: lines.get(id) ?? 0,
    id,
    why: inColumns({ message: why, fields }, mapping),
    isDamaged: false,
  }));
  return [...rejected, ...byService].sort((a, b) => a.line - b.line);
}

/** The photos of a read, with the lines of those that failed. */
function photosOf({ photos }: TableSyncResult, { lines }: ReadTable) {
  const failed = photos.failed.map((one) => ({ ...one, line: lines.get(one.id) ?? 0 }));
  return { ...photos, failed };
}

/** Pages that no link leads to, with their lines. */
function pagesOf({ pagesLeftOut }: TableSyncResult, { lines }: ReadTable) {
  return pagesLeftOut.map(({ id, why }) => ({ line: lines.get(id) ?? 0, id, why }));
}

/** `3 published, 1 updated, 2 ended.` */
export function changes(result: TableSyncResult, verb: "" | "would be"): string[] {
  const { published, updated, renewed, reopened, ended, missing, unchanged } = result;
  const counts = { published, updated, renewed, reopened, ended };
  const said = Object.entries(counts).map(([what, count]) =>
    [formatNumber(count), verb, what].filter((part) => part !== "").join(" "),
  );
  return [
    `${said.join(", ")}; ${formatNumber(unchanged)} unchanged.`,
    ...(missing > 0
      ? [
          `${plural(missing, "animal is", "animals are")} missing from the table for the first time. If the next read lacks ${missing === 1 ? "it" : "them"}, too, ${missing === 1 ? "its alert ends" : "their alerts end"}.`,
        ]
      : []),
    ...(result.leftAlone > 0
      ? [`${formatNumber(result.leftAlone)} closed or removed by people, and left so.`]
      : []),
    ...(result.ofOthers > 0
      ? [
          `${plural(result.ofOthers, "alert")} of this mapping belong to another address, and were left.`,
        ]
      : []),
    ...(result.redacted > 0
      ? [`Contact details were removed from the text of ${formatNumber(result.redacted)}.`]
      : []),
  ];
}

function warnings({ guard }: TableSyncResult, { isDamaged }: ReadTable): string[] {
  return [
    ...(guard === null
      ? []
      : [
          `Nothing was changed: ${formatNumber(guard.missing)} of ${plural(guard.listed, "animal")} are missing from the table at once. Is it whole, and the mapping right? If they are really gone, add --accept-missing.`,
        ]),
    ...(isDamaged
      ? ["Rows were damaged, perhaps because the table was cut off: no animal counts as missing."]
      : []),
  ];
}

function summaryOf(
  result: TableSyncResult,
  more: {
    readonly ok: boolean;
    readonly rejected: readonly Rejection[];
    readonly rows: { readonly skipped: ReadonlyMap<string, number> };
    readonly mapping: Mapping;
    readonly read: ReadTable;
    readonly dryRun: boolean;
  },
): Summary {
  const { published, updated, renewed, reopened, unchanged, missing, ended, redacted } = result;
  return {
    ok: more.ok,
    mapping: more.mapping.mapping,
    dry_run: more.dryRun,
    published,
    updated,
    renewed,
    reopened,
    unchanged,
    missing,
    ended,
    left_alone: result.leftAlone,
    of_others: result.ofOthers,
    redacted,
    photos: photosOf(result, more.read),
    pages_left_out: countBy(result.pagesLeftOut),
    skipped: Object.fromEntries(more.rows.skipped),
    rejected: more.rejected.map(({ line, id, why }) => ({ line, id, why })),
    damaged: more.read.isDamaged,
    guard: result.guard,
  };
}

function countBy(leftOut: TableSyncResult["pagesLeftOut"]): Record<string, number> {
  const byReason = Map.groupBy(leftOut, ({ why }) => why);
  return Object.fromEntries([...byReason].map(([why, rows]) => [why, rows.length]));
}
