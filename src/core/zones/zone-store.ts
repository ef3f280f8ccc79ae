import type { Alert } from "../alerts/alert.ts";
import type { Email } from "../email.ts";
import type { Zone, ZoneFrequency } from "./zone.ts";
import type { PrivateLink } from "../people/link-store.ts";

/** Alerts that a mailbox has not been emailed about. */
export type MailboxNews = {
  /** Zones with news, oldest first. */
  readonly zones: readonly Zone[];
  /** Newest first. */
  readonly alerts: readonly Alert[];
  /** Count of alerts, including those beyond the limit. */
  readonly total: number;
};

/** Alert as news for a zone, whose mailbox may be emailed about it from this time on. */
export type ZoneNews = { readonly zoneId: string; readonly dueAt: number };

/** Email to a mailbox, the alerts it shows and the zones it is about. */
export type ZoneEmail = {
  readonly email: Email;
  readonly alertIds: readonly string[];
  readonly zoneIds: readonly string[];
  /** True if it counts further alerts: it then covers all news that is due. */
  readonly countsMore: boolean;
};

/** News of a mailbox that was dealt with: its email, null if it needs none, and the links in the email that are new. */
export type SettledNews = {
  readonly mailbox: string;
  readonly email: ZoneEmail | null;
  readonly links: readonly PrivateLink[];
};

export interface ZoneStore {
  zone(id: string): Promise<Zone | null>;
  /** Active zones of exactly this spelling of a mailbox; oldest first. */
  zonesOf(email: string, limit: number): Promise<Zone[]>;
  /** Changes a zone that has not ended. News that waits stays due when it was. */
  setZoneFrequency(id: string, frequency: ZoneFrequency): Promise<void>;
  /** Deletes the zone and its link. */
  endZone(id: string, now: number): Promise<void>;
}

/** News for zones. A mailbox is identified by exactly its address. */
export interface ZoneNewsStore {
  /**
   * Alerts that zones have not been notified of, oldest first, as of revision `upTo`: of a later alert, a zone index that
   * has reached `upTo` may not know every zone. Several nodes divide them: for a minute, no other node gets the same ones.
   */
  unannouncedAlerts(limit: number, upTo: number): Promise<Alert[]>;
  /**
   * Queues an alert as news for zones, for each once; ended zones are skipped. The alert stays unannounced while `more` of
   * its zones follow.
   */
  announce(
    alertId: string,
    news: readonly ZoneNews[],
    now: number,
    which?: { readonly more: boolean },
  ): Promise<void>;
  /**
   * Mailboxes with news that is due and may be emailed now, the news due first before the others. Mailboxes that reached
   * the hourly limit, or got news within the last hour that the limit had held back, are skipped, and their news is due
   * later. Several nodes divide them, as they do alerts to announce.
   */
  mailboxesWithNews(now: number, limit: number): Promise<string[]>;
  /**
   * News of each of the mailboxes due at `upTo`, with at most `limit` alerts, without alerts that have ended, are its own, or
   * were emailed to it for another zone.
   */
  mailboxNews(mailboxes: readonly string[], upTo: number, limit: number): Promise<MailboxNews[]>;
  /**
   * Queues emails about the news due at `upTo` and marks their alerts as delivered. News that needs no email any more is
   * dropped. Nothing happens for a mailbox of whose email an alert is no longer active or a zone has ended.
   */
  addZoneEmails(
    settled: readonly SettledNews[],
    times: { readonly upTo: number; readonly now: number },
  ): Promise<void>;
}
