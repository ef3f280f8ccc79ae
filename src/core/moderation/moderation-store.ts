import type { Alert } from "../alerts/alert.ts";
import type { Hit } from "../limits.ts";
import type { Email } from "../email.ts";
import type {
  AuditLogEntry,
  ModerationAction,
  ReasonCount,
  Report,
  ReportReason,
} from "./report.ts";
import type { Point } from "../../values/point.ts";

/** Open reports that the moderators have not been emailed about. */
export type ReportNews = {
  /** In the order of `REPORT_REASONS`. */
  readonly reasons: readonly ReasonCount[];
  /** Count of alerts that they are about. */
  readonly alerts: number;
  /** Count of all open reports. */
  readonly open: number;
  readonly oldest: { readonly createdAt: number; readonly point: Point };
  /** Range that was read, for `addReportEmails`. */
  readonly read: { readonly upTo: number; readonly count: number };
};

/** Emails about reports, one for each moderator. They are sent if `hits` have room, or `alternativeHits`. */
type ReportEmailBatch = {
  readonly emails: readonly Email[];
  readonly hits: readonly Hit[];
  readonly alternativeHits: readonly Hit[];
};

export interface ModerationStore {
  /**
   * Stores a report; a repeated one only once while the first is open. Only a new report counts against the limits.
   * Returns the time when the fullest limit has room again if the report was refused for it, otherwise null. Does
   * nothing if the subject no longer exists.
   */
  addReport(report: Report, hits: readonly Hit[]): Promise<number | null>;
  /** Null if there are none. */
  reportNews(): Promise<ReportNews | null>;
  /**
   * Queues emails about the reports that were read and marks these as known to the moderators. Does nothing if the limits
   * are full, or a report was added or handled meanwhile.
   */
  addReportEmails(read: ReportNews["read"], batch: ReportEmailBatch, now: number): Promise<void>;
  /** Newest first; all, or those of one reason or about one alert. */
  openReports(
    limit: number,
    which?: { readonly reason?: ReportReason; readonly alertId?: string },
  ): Promise<Report[]>;
  /** Numbers of open reports, in the order of `REPORT_REASONS`. */
  openReportCounts(): Promise<readonly ReasonCount[]>;
  /** Open and closed reports about these alerts, newest first. */
  reportsAbout(alertIds: readonly string[], limit: number): Promise<Report[]>;
  /** Newest first. */
  hiddenAlerts(limit: number): Promise<Alert[]>;
  /** Count of publicly visible alerts of a mailbox as `normalizedMailbox` returns it. */
  countShown(mailbox: string): Promise<number>;
  /** Newest first. */
  auditLog(limit: number): Promise<AuditLogEntry[]>;
  /**
   * Carries a moderation action out, logs it and closes the reports it settles. Returns false if the alert's state does
   * not allow it, or it was done before.
   *
   * A hidden alert leaves the indexes, and unsent emails that show it to others, or are about its plan or its end, are
   * withdrawn. A restored alert becomes active again, or expired if its time is over or its owner was erased. A blocked
   * mailbox gets no more confirmation emails, its pending actions end, its alerts are hidden and its conversations closed.
   */
  moderate(action: ModerationAction): Promise<boolean>;
}
