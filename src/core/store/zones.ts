import type { Alert } from "../alerts/alert.ts";
import type { Email } from "../email.ts";
import type { Zone } from "../zones/zone.ts";
import type { PrivateLink } from "./links.ts";

/** Alerts that a mailbox has not been emailed about. */
export type MailboxNews = {
  /** Zones with news, oldest first. */
  readonly zones: readonly Zone[];
  /** Newest first, with the zones that cover each. */
  readonly alerts: readonly { readonly alert: Alert; readonly zoneIds: readonly string[] }[];
  /** Count of alerts, including those beyond the limit. */
  readonly total: number;
  readonly emailsInLastHour: number;
};

/** Email to a mailbox, the alerts it shows and the zones it is about. `coversAllNews`: it stands for all remaining news. */
export type ZoneEmail = {
  readonly email: Email;
  readonly alertIds: readonly string[];
  readonly zoneIds: readonly string[];
  readonly coversAllNews: boolean;
};

export interface ZoneStore {
  zone(id: string): Promise<Zone | null>;
  /** Active zones of exactly this mailbox, ignoring case; oldest first. */
  zonesOf(email: string, limit: number): Promise<Zone[]>;
  /** Deletes the zone and its link. */
  endZone(id: string, now: number): Promise<void>;
}

/** News for zones. A mailbox is identified by its address in lower case. */
export interface ZoneNewsStore {
  /** Active alerts that zones have not been notified of, oldest first. */
  unannouncedAlerts(limit: number): Promise<Alert[]>;
  /**
   * Queues an alert as news for these zones, each once; ended zones are skipped. The alert stays unannounced while `more`
   * of its zones follow.
   */
  announce(
    alertId: string,
    zoneIds: readonly string[],
    now: number,
    which?: { readonly more: boolean },
  ): Promise<void>;
  /**
   * Mailboxes with news that may be emailed now, oldest news first. Mailboxes that reached the hourly limit, or got a
   * digest within the last hour, are skipped. With a large backlog each call scans part of it, and the next continues.
   */
  mailboxesWithNews(now: number, limit: number): Promise<string[]>;
  /**
   * News of a mailbox with at most `limit` alerts, without alerts that have ended, are its own, or were emailed to it for
   * another zone.
   */
  mailboxNews(mailbox: string, now: number, limit: number): Promise<MailboxNews>;
  /**
   * Queues zone emails and marks their alerts as delivered; for an email with `coversAllNews`, all remaining news too. Does
   * nothing if an alert shown is no longer active, or a zone has ended.
   */
  addZoneEmails(
    mailbox: string,
    emails: readonly ZoneEmail[],
    links: readonly PrivateLink[],
    now: number,
  ): Promise<void>;
}
