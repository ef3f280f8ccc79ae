import { z } from "zod";
import type { Alert } from "./alert.ts";
import { DAY_MS } from "./duration.ts";
import { alertRefField } from "./input.ts";

/** Why someone thinks that moderators should look. */
export const REPORT_REASONS = [
  "scam",
  "personal_data",
  "offensive",
  "no_animal",
  "not_true",
  "other",
] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

/**
 * What moderators can do. `block` ends what the alert's owner does here, `block_writer` what the stranger of a reported
 * conversation does; `restore` lets the owner go on. `dismiss` only closes the reports.
 */
export const MODERATION_ACTS = [
  "hide",
  "restore",
  "remove",
  "block",
  "block_writer",
  "dismiss",
] as const;
export type ModerationAct = (typeof MODERATION_ACTS)[number];

/** Characters. */
export const REPORT_TEXT_MAX = 500;

/** Telling the moderators about an alert. */
export const reportInput = z.object({
  alert: alertRefField,
  reason: z.enum(REPORT_REASONS),
  text: z.string().trim().max(REPORT_TEXT_MAX).optional(),
});
export type ReportInput = z.infer<typeof reportInput>;

/** Telling the moderators about a conversation, from its page. */
export const conversationReportInput = reportInput.omit({ alert: true });
export type ConversationReportInput = z.infer<typeof conversationReportInput>;

/** What somebody told the moderators. */
export type Report = {
  readonly id: string;
  readonly alertId: string;
  /** Set when a conversation was reported: moderators read it then. */
  readonly conversationId: string | null;
  readonly reason: ReportReason;
  readonly text: string | null;
  readonly createdAt: number;
};

/** One step of a moderator, to be carried out and written down in one go. */
export type Deed = {
  readonly id: string;
  readonly at: number;
  /** The moderator's mailbox, or `OPERATOR`; `NOBODY` once that mailbox was erased. */
  readonly who: string;
  readonly act: ModerationAct;
  readonly alertId: string;
  /** Whose mailbox is blocked, or unblocked by `restore`; null for other acts, and where it is not known any more. */
  readonly mailbox: BlockedMailbox | null;
};
/** Whom a block holds off. */
export type BlockedMailbox = {
  /** As `mailboxAsCounted` gives it. */
  readonly counted: string;
  /** Its keyed hash: all that is kept of it. */
  readonly addressMark: string;
};

/** A line of the moderators' log. */
export type DeedLine = Pick<Deed, "at" | "who" | "act"> & { readonly shortCode: string | null };

/** Who stands in the log where somebody moderated from the machine's own shell. */
export const OPERATOR = "operator";
/** Who stands in the log where a moderator's mailbox was erased. */
export const NOBODY = "–";

/** Reports are kept this long after a moderator looked at them. */
export const REPORT_KEEP_MS = 30 * DAY_MS;
/** The log is kept this long, and reports that nobody looked at. */
export const DEED_KEEP_MS = 365 * DAY_MS;

/** Whether an act is open to an alert as it stands. */
export function canModerate(
  alert: Pick<Alert, "status" | "ownerEmail">,
  act: ModerationAct,
): boolean {
  switch (act) {
    case "hide":
      return alert.status !== "hidden" && alert.status !== "removed";
    case "restore":
      return alert.status === "hidden";
    case "remove":
      return alert.status !== "removed";
    case "block":
      return alert.ownerEmail !== null;
    case "block_writer":
    case "dismiss":
      return true;
  }
}
