import { z } from "zod";
import { type Alert, type AlertStatus } from "../alerts/alert.ts";
import { DAY_MS } from "../duration.ts";
import { alertRefField } from "../alerts/alert-ref.ts";

export const REPORT_REASONS = [
  "scam",
  "personal_data",
  "offensive",
  "no_animal",
  "not_true",
  "other",
] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];
/** Number of reports with one reason. */
export type ReasonCount = { readonly reason: ReportReason; readonly count: number };

/**
 * Kinds of moderation action. `block` blocks the mailbox of the alert's owner, `block_writer` that of the stranger in a
 * reported conversation; `restore` also unblocks the owner. `remove_sighting` removes one sighting of the alert. `dismiss`
 * only closes the reports and the odd edits.
 */
export const MODERATION_ACTS = [
  "hide",
  "restore",
  "remove",
  "block",
  "block_writer",
  "remove_sighting",
  "dismiss",
] as const;
export type ModerationAct = (typeof MODERATION_ACTS)[number];

/** Length in characters. */
export const REPORT_TEXT_MAX = 500;

export const reportInput = z.object({
  alert: alertRefField,
  reason: z.enum(REPORT_REASONS),
  text: z.string().trim().max(REPORT_TEXT_MAX).optional(),
});
export type ReportInput = z.infer<typeof reportInput>;

export const conversationReportInput = reportInput.omit({ alert: true });
export type ConversationReportInput = z.infer<typeof conversationReportInput>;

/** Report to the moderators. */
export type Report = {
  readonly id: string;
  readonly alertId: string;
  /** Set if a conversation was reported; moderators can then read it. */
  readonly conversationId: string | null;
  readonly reason: ReportReason;
  readonly text: string | null;
  readonly createdAt: number;
};

/** Action of a moderator, carried out and logged in one transaction. */
export type ModerationAction = {
  readonly id: string;
  readonly at: number;
  /** Moderator's mailbox, or `OPERATOR`; `NOBODY` once that mailbox was erased. */
  readonly who: string;
  readonly act: ModerationAct;
  readonly alertId: string;
  /** Mailbox to block, or to unblock for `restore`; null for other actions, and if the mailbox is no longer known. */
  readonly mailbox: BlockedMailbox | null;
  /** Sighting to remove. */
  readonly sightingId?: string;
};
export type BlockedMailbox = {
  /** Address as `normalizedMailbox` returns it. */
  readonly counted: string;
  /** Keyed hash of it, which is all the store keeps. */
  readonly addressHash: string;
};

/** Entry of the moderators' audit log. */
export type AuditLogEntry = Pick<ModerationAction, "at" | "who" | "act"> & {
  readonly shortCode: string | null;
};

/** Moderator's name in the log for actions from the machine's shell. */
export const OPERATOR = "operator";
/** Moderator's name in the log once the mailbox was erased. */
export const NOBODY = "–";

/** Retention of reports after a moderator has handled them. */
export const REPORT_KEEP_MS = 30 * DAY_MS;
/** Retention of the audit log and unhandled reports. */
export const AUDIT_LOG_KEEP_MS = 365 * DAY_MS;

/** True if an alert's current state allows an action. */
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
    case "remove_sighting":
    case "dismiss":
      return true;
  }
}

/**
 * Status of a hidden alert once it is restored: the one it was hidden from, or expired if its time is over. One that was
 * erased in the meantime has no owner and does not become active.
 */
export function restoredStatus(
  alert: {
    readonly hiddenFrom: AlertStatus | null;
    readonly expiresAt: number;
    readonly erasedAt: number | null;
  },
  now: number,
): AlertStatus {
  const before = alert.hiddenFrom ?? "active";
  const isOver = alert.expiresAt <= now || alert.erasedAt !== null;
  return before === "active" && isOver ? "expired" : before;
}
