import { z } from "zod";
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

/** What moderators can do. `dismiss` only closes the reports. */
export const MODERATION_ACTS = ["hide", "restore", "remove", "block", "dismiss"] as const;
export type ModerationAct = (typeof MODERATION_ACTS)[number];

export const REPORT_TEXT_MAX = 500;

/** Telling the moderators about an alert. */
export const reportInput = z.object({
  alert: alertRefField,
  reason: z.enum(REPORT_REASONS),
  text: z.string().trim().max(REPORT_TEXT_MAX).optional(),
});
export type ReportInput = z.infer<typeof reportInput>;
