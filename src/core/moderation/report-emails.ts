import { languageOfCountry } from "../../messages/languages.ts";
import { CAPS } from "../caps.ts";
import { emailTo } from "../email.ts";
import type { Ports } from "./ports.ts";
import type { ReasonCount } from "./report.ts";
import type { ReportNews } from "./moderation-store.ts";
import { nextTimeIn, timeZoneAt } from "../time-zone.ts";

/** To a moderator: how many reports there are. Contains no text written by the public. */
export type ReportsEmail = {
  readonly kind: "reports";
  /** New ones, by reason. */
  readonly reasons: readonly ReasonCount[];
  /** Count of alerts that these are about. */
  readonly alerts: number;
  /** Count of all reports that wait for a moderator. */
  readonly open: number;
};

/** Time of day of the daily email, by the clocks of the place that was reported first. */
const DAILY_CLOCK = "08:00";

/**
 * Sends every moderator an email about new reports. Anyone can report anything, so the emails are few: those of ten
 * minutes come in one, and after twelve in a day those of an hour. The emails count the reasons, so that one serious
 * report among a hundred others is seen.
 */
export async function sendReportEmails(
  ports: Ports,
  country: string | undefined,
  now: number,
): Promise<void> {
  const { store, random, adminEmails, reportEmails } = ports;
  if (adminEmails.length === 0 || reportEmails === "off") return;
  const news = await store.reportNews();
  if (news === null || (reportEmails === "daily" && now < dailyAt(news, now))) return;
  const { reasons, alerts, open, read } = news;
  const content: ReportsEmail = { kind: "reports", reasons, alerts, open };
  // Moderators have chosen no language.
  const language = country === undefined ? "en" : languageOfCountry(country);
  const emails = adminEmails.map((to) => emailTo(random, { to, language }, content, now));
  const soon = { key: "reports:soon", ...CAPS.reportEmails };
  const hits = [soon, { key: "reports:day", ...CAPS.reportEmailsPerDay }];
  const alternativeHits = [{ key: "reports:hour", ...CAPS.reportEmailsPerHour }];
  await store.addReportEmails(read, { emails, hits, alternativeHits }, now);
}

function dailyAt({ oldest: { createdAt, point } }: ReportNews, now: number): number {
  // A report dated ahead was made while the clock was wrong.
  return createdAt > now ? now : nextTimeIn(timeZoneAt(point), DAILY_CLOCK, createdAt);
}
