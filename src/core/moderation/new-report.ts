import type { Ports } from "./ports.ts";
import type { ConversationReportInput, Report, ReportInput } from "./report.ts";
import { type Caller, callerHits, tooMany } from "../limits.ts";
import { requirePublicAlert } from "../alerts/alert.ts";
import type { Ports as ConversationPorts } from "../conversations/ports.ts";
import { openedConversation } from "../conversations/reply.ts";
import { cleanText } from "../text.ts";
import { CAPS } from "../caps.ts";
import { findAlert } from "../alerts/alert-by-name.ts";

/** Reports an alert to the moderators. Throws `not_found`, `gone` and `too_many`. */
export async function reportAlert(ports: Ports, input: ReportInput, caller: Caller): Promise<void> {
  const alert = await findAlert(ports.store, input.alert);
  const { id } = requirePublicAlert(alert, ports.links);
  await addReport(ports, { alertId: id, conversationId: null }, input, caller);
}

/** Reports a conversation to the moderators, who can read it from then on. Throws `not_found` and `too_many`. */
export async function reportConversation(
  ports: Ports & ConversationPorts,
  token: string,
  input: ConversationReportInput,
  caller: Caller,
): Promise<void> {
  const { conversation, alert } = await openedConversation(ports, token);
  await addReport(ports, { alertId: alert.id, conversationId: conversation.id }, input, caller);
}

/**
 * Stores a report. Contact details stay in its text, because a reporter may need to name them. A repeated report is
 * stored once while the first is open. Throws `too_many`.
 */
async function addReport(
  ports: Ports,
  about: Pick<Report, "alertId" | "conversationId">,
  { reason, text }: Pick<ReportInput, "reason" | "text">,
  caller: Caller,
): Promise<void> {
  const cleaned = cleanText(text ?? "", { multiline: true });
  const report: Report = {
    id: ports.random.id(),
    ...about,
    reason,
    text: cleaned === "" ? null : cleaned,
    createdAt: ports.clock(),
  };
  const hits = callerHits(ports, "report", CAPS.reportsPerClient, caller);
  const retryAt = await ports.store.addReport(report, hits);
  if (retryAt !== null) throw tooMany(ports, "report", retryAt, report.createdAt);
}
