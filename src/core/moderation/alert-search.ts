import { tokenize } from "../../text/tokenize.ts";
import { findAlert } from "../alerts/alert-by-name.ts";
import type { Alert } from "../alerts/alert.ts";
import { fieldsWhere, isFreeText } from "../alerts/fields.ts";
import { lenientTimeField, lenientTimestamp } from "../input.ts";
import type { Ports } from "./ports.ts";
import { z } from "zod";

/** Length of a page address. */
const QUERY_MAX = 300;

export const alertSearchInput = z.object({
  /** Name of an alert (short code, slug, id, page address), or words of it; without it, all alerts. */
  query: z.string().trim().max(QUERY_MAX).optional(),
  /** Alerts published before this timestamp. */
  before: lenientTimeField.optional(),
});
export type AlertSearchInput = z.infer<typeof alertSearchInput>;

/** Page of alerts of any status, newest first. */
export type FoundAlerts<Form> = {
  readonly alerts: readonly Form[];
  /** Timestamp from which to go on; null at the end. */
  readonly next: string | null;
};

const PAGE = 20;
/** Alerts read for one page. A search that finds few is continued on the next. */
const ALERTS_READ_MAX = 20_000;
/** Distinct words of an alert that a search compares. */
const WORDS_MAX = 400;

/**
 * Searches alerts of any status, hidden and removed ones too. Every word must begin a word of the name, breed, colour,
 * city, description or address of the alert; of a removed one only its address is left.
 */
export async function searchAnyAlert(
  ports: Ports,
  { query = "", before }: AlertSearchInput,
): Promise<FoundAlerts<Alert>> {
  const start = before === undefined ? null : lenientTimestamp(before);
  const words = tokenize(query);
  const named = query === "" || start !== null ? null : await findAlert(ports.store, query);
  const found = named === null ? [] : [named];
  if (words.length === 0 && query !== "") return { alerts: found, next: null };
  let read = 0;
  let last: Alert | null = null;
  for await (const alert of newestAlerts(ports, start, ALERTS_READ_MAX)) {
    if (found.length === PAGE) return { alerts: found, next: timeOf(last) };
    read += 1;
    last = alert;
    if (alert.id !== named?.id && matches(alert, words)) found.push(alert);
  }
  return { alerts: found, next: read === ALERTS_READ_MAX ? timeOf(last) : null };
}

function timeOf(alert: Alert | null): string | null {
  return alert === null ? null : new Date(alert.publishedAt).toISOString();
}

const TEXTS = fieldsWhere((field) => isFreeText(field) && !field.isOfEvent);

function matches(alert: Alert, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { city, district, slug } = alert;
  const texts = TEXTS.map((name) => alert[name]);
  const own = tokenize([...texts, city, district, slug].join(" "), WORDS_MAX);
  return words.every((word) => own.some((one) => one.startsWith(word)));
}

/** Alerts per batch. Each blocks the event loop for about 10 ms. */
const BATCH = 250;

/**
 * Alerts of any status, newest first, before a key (`publishedAt`) or from the newest, at most `max` of them. For what the
 * indexes cannot answer: they hold active alerts only.
 */
export async function* newestAlerts(
  { store, yieldToEventLoop }: Pick<Ports, "store" | "yieldToEventLoop">,
  before: number | null,
  max: number,
): AsyncGenerator<Alert> {
  let last = before;
  for (let left = max; left > 0;) {
    const limit = Math.min(BATCH, left);
    const batch = await store.alertsBefore(last, limit);
    yield* batch;
    last = batch.at(-1)?.publishedAt ?? null;
    if (batch.length < limit) return;
    left -= limit;
    await yieldToEventLoop();
  }
}
