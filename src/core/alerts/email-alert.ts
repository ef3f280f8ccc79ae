import { timeZoneAt } from "../time-zone.ts";
import type { AlertDraft } from "./alert.ts";

/** Public facts about an alert in an email. */
export type EmailAlert = Pick<
  AlertDraft,
  | "slug"
  | "shortCode"
  | "type"
  | "species"
  | "name"
  | "breed"
  | "color"
  | "city"
  | "district"
  | "countryCode"
  | "landmark"
  | "eventDate"
  | "eventTime"
> & {
  /** IANA time zone of its place. */
  readonly timeZone: string;
};

/** Public facts about an alert for an email. */
export function emailAlert(alert: AlertDraft): EmailAlert {
  const { slug, shortCode, type, species, name, breed, color, point } = alert;
  const { city, district, countryCode, eventDate, eventTime, landmark } = alert;
  const timeZone = timeZoneAt(point);
  const when = { eventDate, eventTime, timeZone };
  const where = { city, district, countryCode, landmark };
  return { slug, shortCode, type, species, name, breed, color, ...where, ...when };
}
