import type { Language } from "../../src/messages/languages.ts";
import type { Email } from "../../src/core/email.ts";
import { DAY_MS } from "../../src/core/duration.ts";
import { createLinks } from "../../src/core/urls.ts";
import { composeEmail, type EmailContent } from "../../src/mail/emails/compose.ts";
import type { EmailAlert } from "../../src/core/alerts/email-alert.ts";

export const BASE = "https://pets.example.org";
export const NOW = Date.UTC(2026, 10, 21, 7, 30);
export const links = createLinks(BASE);
export const site = {
  name: "Pet Alert",
  operator: null,
  links,
  unseal: (_purpose: string, sealed: string) => `token-of-${sealed}`,
};

export const MIMI: EmailAlert = {
  slug: "lost-cat-mimi-lyon-k7f3q2",
  shortCode: "K7F3Q2",
  type: "lost",
  species: "cat",
  name: "Mimi",
  breed: "unknown",
  color: "black",
  city: "Lyon",
  district: null,
  countryCode: "FR",
  landmark: null,
  eventDate: "2026-11-19",
  eventTime: null,
  timeZone: "UTC",
};

/** Emails of every kind; what the public wrote is taken from `alert` and `words`. */
export function contents(alert: EmailAlert, words: string): EmailContent[] {
  const confirm = {
    kind: "confirm",
    sealedToken: "c",
    expiresAt: NOW + 2 * DAY_MS,
    timeZone: "UTC",
  } as const;
  const zone = { kind: "zone", sealedUnsubscribe: "u" } as const;
  const own = { sealedToken: "m", sealedUnsubscribe: "u" } as const;
  const message = {
    kind: "message",
    alert,
    isFromShelter: false,
    text: words,
    photos: 0,
    conversationId: "conversation",
    sealedToken: "t",
    organisation: null,
  } as const;
  const sighting = {
    city: words,
    district: words,
    distanceKm: 3,
    seenAt: NOW - DAY_MS,
    seenOn: null,
    note: words,
    photos: [],
  };
  return [
    { ...confirm, action: "publish", shortCode: alert.shortCode },
    { ...confirm, action: "message", shortCode: alert.shortCode },
    { ...confirm, action: "zone", shortCode: null },
    { kind: "live", alert, sealedToken: "m", expiresAt: NOW + 90 * DAY_MS, hasPlan: true },
    { ...message, from: "stranger", name: words },
    { ...message, from: "owner", name: null },
    { kind: "reply-refusal", alert, why: "unverified", sealedToken: "t" },
    { kind: "reply-refusal", alert, why: "unsuitable", sealedToken: "t" },
    { ...zone, label: words, alerts: [alert], more: 0 },
    { ...zone, label: null, alerts: [alert, alert], more: 3 },
    { kind: "reminder", alert, ...own, expiresAt: NOW + 7 * DAY_MS },
    { kind: "plan", alert, ...own, day: 3, steps: ["search_house", "report_chip"] },
    {
      kind: "plan-digest",
      plans: [1, 3].map((day) => ({
        alertId: `alert-${day}`,
        alert,
        day,
        steps: ["search_house", "report_chip"],
        sealedToken: `m${day}`,
      })),
      sealedUnsubscribe: "u",
    },
    {
      kind: "match",
      alert,
      other: { ...alert, type: alert.type === "lost" ? "found" : "lost" },
      score: 93,
      summary: words,
      ask: words,
      reasons: [words],
      sealedToken: "p",
      sealedUnsubscribe: "u",
    },
    { kind: "admin", sealedToken: "a", expiresAt: NOW + 30 * 60_000 },
    { ...confirm, action: "sighting", shortCode: alert.shortCode },
    { kind: "sighting", alert, ...sighting },
    { kind: "erase", canStop: true, sealedToken: "e", expiresAt: NOW + 2 * DAY_MS },
    {
      kind: "match-digest",
      pairs: [
        {
          alert,
          other: { ...alert, type: alert.type === "lost" ? "found" : "lost" },
          score: 93,
          summary: words,
          sealedToken: "p",
        },
      ],
      more: 2,
      sealedUnsubscribe: "u",
    },
    {
      kind: "digest",
      alert,
      conversations: [{ name: words, text: words, photos: 0, messages: 2, sealedToken: "t" }],
      moreConversations: 3,
      sightings: [sighting],
      moreSightings: 1,
      sealedManage: "m",
      organisation: "happy-paws",
    },
    {
      ...zone,
      label: null,
      zones: [
        { label: words, town: words, radiusKm: 5, sealedUnsubscribe: "z" },
        { label: null, town: words, radiusKm: 10, sealedUnsubscribe: "y" },
      ],
      moreZones: 2,
      alerts: [alert],
      more: 0,
    },
  ];
}

export function emailOf(content: EmailContent, language: Language = "en"): Email {
  const rest = { id: "e1", to: "reader@example.org", createdAt: NOW, giveUpAt: NOW + 3 * DAY_MS };
  return { ...rest, language, content };
}

export const compose = (content: EmailContent, language?: Language) =>
  composeEmail(emailOf(content, language), site);
