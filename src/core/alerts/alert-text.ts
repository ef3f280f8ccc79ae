import type { Locale } from "../../messages/locale.ts";
import { REMOVED } from "../../redaction/redact.ts";
import { kindName } from "./animal-kind.ts";
import type { AlertType, Species } from "../../values/animal.ts";

/** "lost cat", as written within a sentence; an animal of the species "other" by its breed, "found tortoise". */
export function animalHeadline(
  { headline, kindHeadline, kinds }: Pick<Locale, "headline" | "kindHeadline" | "kinds">,
  alert: { readonly type: AlertType; readonly species: Species; readonly breed?: string },
): string {
  const kind = kindName(alert, kinds);
  return kind === null ? headline[alert.type][alert.species] : kindHeadline[alert.type](kind);
}

/** Day of an event with its time, if that is known: "21 November 2026, about 13:20". */
export function eventDay(
  { day, aboutTime }: Pick<Locale, "day" | "aboutTime">,
  { eventDate, eventTime }: { readonly eventDate: string; readonly eventTime?: string | null },
): string {
  const text = day(eventDate);
  return eventTime == null ? text : `${text}, ${aboutTime(eventTime)}`;
}

/** Text that somebody wrote, with what stands for removed details in the reader's language. */
export function writtenText({ removedMark }: Pick<Locale, "removedMark">, text: string): string {
  return text.replaceAll(REMOVED, removedMark);
}
