import { languageOfCountry } from "../../messages/languages.ts";
import { CAPS } from "../caps.ts";
import { emailTo, type TableNews } from "../email.ts";
import type { Ports } from "../ports.ts";
import type { SourceNotice, SourceState } from "./source-store.ts";
import { isAlarming, isSilent } from "./health.ts";

/** Emails to the operator about a table that was read, or could not be. `country` is that of the instance. */
export function tableNotices(
  { dice, operatorEmails }: Pick<Ports, "dice" | "operatorEmails">,
  country: string | undefined,
  [before, after]: readonly [SourceState, SourceState],
  now: number,
): SourceNotice[] {
  const { name, rejected, dueAt } = after;
  const language = country === undefined ? "en" : languageOfCountry(country);
  return newsOf(before, after, now).map((news) => {
    const content = {
      kind: "table",
      table: name,
      news,
      rejected,
      isPulled: dueAt !== null,
    } as const;
    return {
      emails: operatorEmails.map((to) => emailTo(dice, { to, language }, content, now)),
      hits: [{ key: `table:${name}:${news}`, ...CAPS.tableEmails }],
    };
  });
}

function newsOf(before: SourceState, after: SourceState, now: number): TableNews[] {
  const { problem } = after;
  if (problem?.kind === "unreachable") return isSilent(after, now) ? ["silent"] : [];
  if (problem !== null) return [problem.kind];
  return [
    ...(before.failures > 0 && isAlarming(before, now) ? (["resolved"] as const) : []),
    ...(after.rejected > before.rejected ? (["rows"] as const) : []),
  ];
}
