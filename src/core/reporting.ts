import { HOUR_MS } from "./duration.ts";
import { type Caller, callerHits, tooMany } from "./limit.ts";
import type { Ports } from "./ports.ts";
import type { Report, ReportInput } from "./report.ts";
import { cleanText } from "./text.ts";

/** Reports of one caller; more would bury those of others. */
const REPORT_RATE = { max: 5, windowMs: HOUR_MS };

/**
 * Keeps what somebody tells the moderators, with contact details: who reports may need to name them. The same report
 * is kept once while nobody has looked at it. Throws `too_many`.
 */
export async function keepReport(
  ports: Ports,
  about: Pick<Report, "alertId" | "conversationId">,
  { reason, text }: Pick<ReportInput, "reason" | "text">,
  caller: Caller,
): Promise<void> {
  const { sharedNetworks, vault } = ports;
  const cleaned = cleanText(text ?? "", { multiline: true });
  const report: Report = {
    id: ports.dice.id(),
    ...about,
    reason,
    text: cleaned === "" ? null : cleaned,
    createdAt: ports.clock(),
  };
  const hits = callerHits("report", REPORT_RATE, caller, sharedNetworks, vault);
  const retryAt = await ports.store.addReport(report, hits);
  if (retryAt !== null) throw tooMany(ports, "report", retryAt, report.createdAt);
}
