import type { TableEmail } from "../../core/tables/notices.ts";
import { type Draft, type EmailContext, text } from "./draft.ts";

/** Table that is not followed, or is again, for the operator. Holds no words from the table. */
export function tableDraft(content: TableEmail, context: EmailContext): Draft {
  const { messages, links, site } = context;
  const { table, news, rejected, isPulled } = content;
  const words = messages.table;
  const about = { table, site: site.name };
  const title = news === "resolved" ? words.title.resolved(about) : words.title.problem(about);
  const command = isPulled
    ? `pet-alert sources pull ${table} --dry-run`
    : "pet-alert import --sync";
  const isProblem = news !== "resolved" && news !== "rows";
  return {
    subject: title,
    title,
    parts: [
      text(words.news[news]({ ...about, count: rejected })),
      isProblem ? text(words.kept) : null,
      news === "resolved" ? null : text(words.look({ command })),
      text(words.why({ site: site.name })),
    ],
    link: links.home,
  };
}
