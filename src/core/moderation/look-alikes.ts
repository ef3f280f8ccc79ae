import type { Alert } from "../alerts/alert.ts";
import { DAY_MS } from "../duration.ts";
import { normalizedMailbox } from "../people/mailbox-spelling.ts";
import { distanceKm } from "../../values/point.ts";
import type { Ports } from "./ports.ts";
import { comparedWords, isLikeText } from "../../text/like-text.ts";
import { folded } from "../../text/tokenize.ts";
import { newestAlerts } from "./alert-search.ts";

/** Ways in which an alert resembles another, the strongest first. */
export const RESEMBLANCES = ["publisher", "photo", "text", "looks"] as const;
export type Resemblance = (typeof RESEMBLANCES)[number];

/** Alerts that resemble one. */
export type LookAlikes = {
  /** Number of alerts for each way. */
  readonly counts: Readonly<Record<Resemblance, number>>;
  /** Those that resemble it in most ways, then the newest. */
  readonly shown: readonly { readonly alert: Alert; readonly ways: readonly Resemblance[] }[];
};

const SHOWN_MAX = 20;
/** Newest alerts that are compared. A scam that repeats does so within days. */
const COMPARED_MAX = 10_000;
/** Distance and time beyond which two animals without a name that look the same count as different. */
const NEAR_KM = 30;
const NEAR_MS = 14 * DAY_MS;

/** Look-alikes of some alerts by id, from one reading of the newest alerts of any status. */
export async function lookAlikesOf(
  ports: Pick<Ports, "store" | "yieldToEventLoop">,
  alerts: readonly Alert[],
): Promise<ReadonlyMap<string, LookAlikes>> {
  const subjects = alerts.map((alert) => ({
    features: featuresOf(alert),
    found: [] as { alert: Alert; ways: readonly Resemblance[] }[],
    counts: { publisher: 0, photo: 0, text: 0, looks: 0 },
  }));
  if (subjects.length === 0) return new Map();
  for await (const alert of newestAlerts(ports, null, COMPARED_MAX)) {
    const features = featuresOf(alert);
    for (const subject of subjects) {
      if (subject.features.alert.id === alert.id) continue;
      const ways = RESEMBLANCES.filter((way) => resembles(way, subject.features, features));
      if (ways.length === 0) continue;
      for (const way of ways) subject.counts[way] += 1;
      subject.found.push({ alert, ways });
      // Sorting is stable, and the alerts come newest first.
      subject.found.sort((a, b) => b.ways.length - a.ways.length);
      subject.found.length = Math.min(subject.found.length, SHOWN_MAX);
    }
  }
  return new Map(
    subjects.map(({ features, found, counts }) => [features.alert.id, { counts, shown: found }]),
  );
}

type Features = {
  readonly alert: Alert;
  readonly mailbox: string | null;
  readonly words: ReadonlySet<string>;
  /** Type, species, name and looks; null if nothing of them is known. */
  readonly looks: string | null;
};

function featuresOf(alert: Alert): Features {
  const { type, species, name, color, breed, ownerEmail, description } = alert;
  const looks = [color, breed].filter((look) => look !== "unknown");
  return {
    alert,
    mailbox: ownerEmail === null ? null : normalizedMailbox(ownerEmail),
    words: comparedWords(description),
    looks:
      looks.length === 0 || alert.status === "removed"
        ? null
        : folded([type, species, name ?? "", ...looks].join("|")),
  };
}

function resembles(way: Resemblance, one: Features, other: Features): boolean {
  switch (way) {
    case "publisher":
      return one.mailbox !== null && one.mailbox === other.mailbox;
    case "photo":
      return one.alert.photos.some((photo) => other.alert.photos.includes(photo));
    case "text":
      return isLikeText(one.words, other.words);
    case "looks":
      return (
        one.looks !== null &&
        one.looks === other.looks &&
        (one.alert.name !== null || isNear(one.alert, other.alert))
      );
  }
}

function isNear(one: Alert, other: Alert): boolean {
  const apartMs = Math.abs(Date.parse(one.eventDate) - Date.parse(other.eventDate));
  return apartMs <= NEAR_MS && distanceKm(one.point, other.point) <= NEAR_KM;
}
