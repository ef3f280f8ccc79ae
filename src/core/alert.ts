import { DAY_MS } from "./duration.ts";
import { Fault } from "./fault.ts";
import type { Links } from "./links.ts";
import type { Point } from "./place.ts";
import { folded } from "./words.ts";

export const ALERT_TYPES = ["lost", "found"] as const;
export const SPECIES = ["dog", "cat", "bird", "other"] as const;
export const SIZES = ["small", "medium", "large", "xlarge", "unknown"] as const;
export const SEXES = ["male", "female", "unknown"] as const;
export const AGES = ["baby", "young", "adult", "senior", "unknown"] as const;
/** Where a found animal is now. */
export const CUSTODIES = ["finder", "shelter", "vet", "seen_only", "unknown"] as const;
/** Languages of letters and pages; ISO 639-1. */
export const LANGUAGES = ["en", "fr", "es", "de"] as const;

export type AlertType = (typeof ALERT_TYPES)[number];
export type Species = (typeof SPECIES)[number];
export type Size = (typeof SIZES)[number];
export type Sex = (typeof SEXES)[number];
export type Age = (typeof AGES)[number];
export type Custody = (typeof CUSTODIES)[number];
export type Language = (typeof LANGUAGES)[number];

/**
 * Where an alert stands. `hidden` (by a moderator, who may restore it) and `removed` are shown to nobody; what is left
 * of a removed one only keeps its names taken.
 */
export type AlertStatus = "active" | "resolved" | "expired" | "hidden" | "removed";

/** What an alert says of the animal and the event: cleaned text, no contact details. */
export type Description = {
  readonly type: AlertType;
  readonly species: Species;
  readonly name: string | null;
  readonly breed: string;
  readonly color: string;
  readonly size: Size;
  readonly sex: Sex;
  readonly age: Age;
  readonly description: string | null;
  /** The day it was lost or found, YYYY-MM-DD. */
  readonly eventDate: string;
  /** Found alerts only, else null. */
  readonly custody: Custody | null;
  readonly city: string;
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string;
};

/** The names an alert is known by. All three are taken for ever once given out. */
export type AlertNames = {
  /** UUID v7. */
  readonly id: string;
  readonly slug: string;
  /** Six characters of `SHORT_CODE_ALPHABET`. */
  readonly shortCode: string;
};

/** A whole alert that has not gone live: what waits inside a pending publication. */
export type AlertDraft = AlertNames &
  Description & {
    readonly point: Point;
    readonly photos: readonly string[];
    /** Keyed hash of the microchip number, or null. */
    readonly chipHash: string | null;
  };

/** The record of an alert that went live once. Times are milliseconds since 1970 UTC. */
export type Alert = AlertDraft & {
  readonly status: AlertStatus;
  /** Unique in an instance and strictly increasing: key, order and cursor in one. */
  readonly publishedAt: number;
  readonly updatedAt: number;
  readonly expiresAt: number;
  /** When it was resolved or expired or removed; null while active. */
  readonly endedAt: number | null;
  /** Null when it was imported without one, made up, or erased. */
  readonly ownerEmail: string | null;
  readonly language: Language;
  /** Where a bulk alert came from and its number there (`king-county:K17-1`, `demo:1`), or null. */
  readonly source: string | null;
};

/** What the public may know of an alert. Doors get this and nothing more. */
export type PublicAlert = AlertNames &
  Description & {
    readonly status: Exclude<AlertStatus, "hidden" | "removed">;
    /** Whether a message would reach anybody: not about animals that are home, nor alerts without an owner. */
    readonly reachable: boolean;
    readonly lat: number;
    readonly lng: number;
    /** Addresses on this server; the small ones in the same order. */
    readonly photos: readonly string[];
    readonly thumbnails: readonly string[];
    readonly url: string;
    readonly contactUrl: string;
    readonly qrUrl: string;
    readonly publishedAt: number;
    readonly updatedAt: number;
    readonly expiresAt: number;
  };

/** No 0 O 1 I L: people read these codes from posters. */
const SHORT_CODE_ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
const SHORT_CODE_LENGTH = 6;

/** How long an alert stays active before its owner is asked to renew it, in milliseconds. */
export function lifeMs(type: AlertType, species: Species): number {
  if (type === "found") return 30 * DAY_MS;
  switch (species) {
    case "dog":
      return 45 * DAY_MS;
    case "cat":
      return 90 * DAY_MS;
    case "bird":
    case "other":
      return 60 * DAY_MS;
  }
}

/** How long after resolving an owner may reopen an alert. */
const REOPEN_MS = 30 * DAY_MS;
/** How long after the end the owner's address and the conversations are kept. */
export const KEEP_PERSONAL_DATA_MS = 30 * DAY_MS;
/** An owner is offered renewal this long before the end. */
export const REMINDERS_MS = [7 * DAY_MS, 1 * DAY_MS] as const;

/** A short code from random bytes, each byte drawn without bias. Errors: none while `bytes` keeps giving. */
export function shortCode(bytes: (count: number) => Uint8Array): string {
  const fair = 256 - (256 % SHORT_CODE_ALPHABET.length);
  let code = "";
  while (code.length < SHORT_CODE_LENGTH) {
    for (const byte of bytes(SHORT_CODE_LENGTH)) {
      if (byte < fair && code.length < SHORT_CODE_LENGTH) {
        code += SHORT_CODE_ALPHABET[byte % SHORT_CODE_ALPHABET.length];
      }
    }
  }
  return code;
}

/** `lost-cat-mimi-lyon-k7f3q2`: type, species, name or known colour, city, short code; ASCII, lower case. */
export function slugOf(about: Description, code: string): string {
  const color = about.color === "unknown" ? "" : about.color;
  const words = [about.type, about.species, about.name ?? color, about.city]
    .map(asciiWords)
    .filter((word) => word !== "");
  return [...words, code.toLowerCase()].join("-");
}

/** What words are looked up in: name, breed, colour and city, without what stands for nothing. */
export function searchedTexts(
  about: Pick<Description, "name" | "breed" | "color" | "city">,
): string[] {
  return [about.name ?? "", about.breed, about.color, about.city]
    .filter((text) => text !== "" && text !== "unknown")
    .map((text) => text.replaceAll("[removed]", " "));
}

const SLUG_WORD_MAX = 30;

function asciiWords(text: string): string {
  return folded(text.replaceAll("[removed]", " "))
    .normalize("NFKD")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, SLUG_WORD_MAX)
    .replace(/^-+|-+$/g, "");
}

/** How callers may name an alert. */
export type AlertRef =
  | { readonly by: "id"; readonly id: string }
  | { readonly by: "slug"; readonly slug: string }
  | { readonly by: "code"; readonly code: string };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const CODE = new RegExp(`^[${SHORT_CODE_ALPHABET}]{${SHORT_CODE_LENGTH}}$`);
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)+$/;
const REF_MAX = 300;

/**
 * Reads a UUID, a slug, a short code (any case) or the address of an alert's page.
 * Null when it can be none of them.
 */
export function alertRef(text: string): AlertRef | null {
  const trimmed = text.trim();
  if (trimmed.length > REF_MAX) return null;
  const last = /\/(?:alerts|a)\/([^/?#]+)/.exec(trimmed)?.[1] ?? trimmed;
  const lower = last.toLowerCase();
  if (UUID.test(lower)) return { by: "id", id: lower };
  const code = last.toUpperCase();
  if (CODE.test(code)) return { by: "code", code };
  return SLUG.test(lower) ? { by: "slug", slug: lower } : null;
}

/** What an owner can do with a live or ended alert. */
export type OwnerMove = "resolve" | "reopen" | "renew" | "remove";

/** The columns a move changes. */
export type AlertChange = {
  readonly status: AlertStatus;
  readonly expiresAt: number;
  readonly endedAt: number | null;
};

/** Whether an owner's move is open to an alert now. */
export function canMove(alert: Alert, move: OwnerMove, now: number): boolean {
  switch (move) {
    case "resolve":
      return alert.status === "active" || alert.status === "expired";
    case "reopen":
      return (
        alert.status === "resolved" && alert.endedAt !== null && now - alert.endedAt <= REOPEN_MS
      );
    case "renew":
      return alert.status === "active" || alert.status === "expired";
    case "remove":
      return alert.status !== "removed";
  }
}

/** What a move makes of an alert. Throws `conflict` when the alert's state does not allow it. */
export function moved(alert: Alert, move: OwnerMove, now: number): AlertChange {
  if (!canMove(alert, move, now)) {
    throw new Fault("conflict", { reason: "move_closed", status: alert.status });
  }
  const renewedUntil = now + lifeMs(alert.type, alert.species);
  switch (move) {
    case "resolve":
      return { status: "resolved", expiresAt: alert.expiresAt, endedAt: now };
    case "reopen":
      return {
        status: "active",
        expiresAt: Math.max(alert.expiresAt, renewedUntil),
        endedAt: null,
      };
    case "renew":
      return { status: "active", expiresAt: renewedUntil, endedAt: null };
    case "remove":
      return { status: "removed", expiresAt: alert.expiresAt, endedAt: now };
  }
}

/**
 * The public face of an alert, field by field: a new field of the record stays hidden until it is named here.
 * Null for a hidden or removed alert.
 */
export function publicFace(alert: Alert, links: Links): PublicAlert | null {
  if (alert.status === "hidden" || alert.status === "removed") return null;
  return {
    ...draftFace(alert, links),
    status: alert.status,
    reachable: alert.ownerEmail !== null && alert.status !== "resolved",
    publishedAt: alert.publishedAt,
    updatedAt: alert.updatedAt,
    expiresAt: alert.expiresAt,
  };
}

/** A draft as it will look once it is live, without the times it does not have yet. */
export function draftFace(draft: AlertDraft, links: Links) {
  return {
    id: draft.id,
    slug: draft.slug,
    shortCode: draft.shortCode,
    type: draft.type,
    species: draft.species,
    name: draft.name,
    breed: draft.breed,
    color: draft.color,
    size: draft.size,
    sex: draft.sex,
    age: draft.age,
    description: draft.description,
    eventDate: draft.eventDate,
    custody: draft.custody,
    city: draft.city,
    countryCode: draft.countryCode,
    lat: draft.point.lat,
    lng: draft.point.lng,
    photos: draft.photos.map(links.photo),
    thumbnails: draft.photos.map(links.thumbnail),
    url: links.alert(draft.slug),
    contactUrl: links.contact(draft.slug),
    qrUrl: links.qr(draft.shortCode),
  };
}

/** The public face of an alert that was looked up, or the fault that says why there is none. */
export function faceOf(alert: Alert | null, links: Links): PublicAlert {
  if (alert === null) throw new Fault("not_found", { reason: "alert_unknown" });
  const face = publicFace(alert, links);
  if (face === null) throw new Fault("gone", { reason: "alert_removed" });
  return face;
}
