import { languageOfCountry } from "../../messages/languages.ts";
import { CAPS } from "../caps.ts";
import { emailTo } from "../email.ts";
import type { Ports } from "./ports.ts";
import type { TableNotice, TableProblem, TableState } from "./table.ts";
import { isAlarming, isSilent } from "./table-state.ts";

/** News about a table. `silent`: not read for a day; `rows`: more rows than before cannot be published. */
type TableNews = Exclude<TableProblem["kind"], "unreachable"> | "silent" | "rows" | "resolved";
/** To the operator: a table that is read again and again is not followed, or is again. Holds no words from the table. */
export type TableEmail = {
  readonly kind: "table";
  readonly table: string;
  readonly news: TableNews;
  /** Rows that cannot be published. */
  readonly rejected: number;
  /** False if only the operator's commands read it. */
  readonly isPulled: boolean;
};

/** Emails to the operator about a table that was read, or could not be. `country` is that of the instance. */
export function tableNotices(
  { random, operatorEmails }: Pick<Ports, "random" | "operatorEmails">,
  country: string | undefined,
  [before, after]: readonly [TableState, TableState],
  now: number,
): TableNotice[] {
  const { name, rejected, dueAt } = after;
  const language = country === undefined ? "en" : languageOfCountry(country);
  return newsOf(before, after, now).map((news) => {
    const isPulled = dueAt !== null;
    const content: TableEmail = { kind: "table", table: name, news, rejected, isPulled };
    return {
      emails: operatorEmails.map((to) => emailTo(random, { to, language }, content, now)),
      hits: [{ key: `table:${name}:${news}`, ...CAPS.tableEmails }],
    };
  });
}

function newsOf(before: TableState, after: TableState, now: number): TableNews[] {
  const { problem } = after;
  if (problem?.kind === "unreachable") return isSilent(after, now) ? ["silent"] : [];
  if (problem !== null) return [problem.kind];
  return [
    ...(before.failures > 0 && isAlarming(before, now) ? (["resolved"] as const) : []),
    ...(after.rejected > before.rejected ? (["rows"] as const) : []),
  ];
}
