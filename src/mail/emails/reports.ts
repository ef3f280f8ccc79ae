import type { ReportsEmail } from "../../core/moderation/report-emails.ts";
import { button, type Draft, type EmailContext, list, text } from "./draft.ts";

/** New reports, for a moderator: only counts, because strangers write reports and alerts. */
export function reportsDraft(content: ReportsEmail, context: EmailContext): Draft {
  const { messages, links, site } = context;
  const { reasons, alerts, open } = content;
  const { reports } = messages;
  const total = reasons.reduce((sum, { count }) => sum + count, 0);
  const title = reports.title({ count: total });
  return {
    subject: title,
    title,
    parts: [
      text(reports.opening({ site: site.name, count: alerts })),
      list(reasons.map(({ reason, count }) => `${reports.reasons[reason]}: ${count}`)),
      open > total ? text(reports.open({ count: open })) : null,
      button(reports.button, links.admin),
      text(reports.signIn),
      text(reports.why),
    ],
    link: links.admin,
  };
}
