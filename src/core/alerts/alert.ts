import type { Language } from "../../messages/languages.ts";
import { FIELD_NAMES, type FieldName, FIELDS, fieldsWhere, type FieldValues } from "./fields.ts";
import { Fault } from "../fault.ts";
import { lifetimeMs, REOPEN_MS } from "./lifetime.ts";
import type { Links } from "../urls.ts";
import type { Point } from "../../values/point.ts";
import { folded } from "../../text/tokenize.ts";
import type { AlertType, Species } from "../../values/animal.ts";

/**
 * State of an alert. `hidden` (by a moderator, who may restore it) and `removed` ones are not public; the rest of a
 * removed alert only keeps its names reserved.
 */
export type AlertStatus = "active" | "resolved" | "expired" | "hidden" | "removed";
/** Statuses of alerts that everyone can see. */
export const PUBLIC_STATUSES = ["active", "resolved", "expired"] as const;

/** The animal, the event and its place: cleaned text without contact details. */
export type Description = FieldValues & {
  readonly type: AlertType;
  readonly species: Species;
  readonly city: string;
  /** Quarter or village of the city, or null. */
  readonly district: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string;
};

/** Names of an alert. All three stay reserved forever once issued. */
export type AlertNames = {
  /** UUID v7. */
  readonly id: string;
  readonly slug: string;
  /** Six characters of `SHORT_CODE_ALPHABET`. */
  readonly shortCode: string;
};

/** Complete alert before publication, as it waits inside a pending action. */
export type AlertDraft = AlertNames &
  Description & {
    readonly point: Point;
    readonly photos: readonly string[];
    /** Keyed hash of the microchip number, or null. */
    readonly chipHash: string | null;
  };

/** Record of a published alert. Times are milliseconds since 1970 UTC. */
export type Alert = AlertDraft & {
  readonly status: AlertStatus;
  /** Unique and strictly increasing within an instance; serves as key, sort order and cursor. */
  readonly publishedAt: number;
  readonly updatedAt: number;
  readonly expiresAt: number;
  /** Time at which it was resolved, expired or removed; null while active. */
  readonly endedAt: number | null;
  /** Null if imported without an owner, generated for a demo, or erased. */
  readonly ownerEmail: string | null;
  readonly language: Language;
  /** Origin of a bulk alert and its id there (`king-county:K17-1`, `demo:1`), or null. */
  readonly source: string | null;
  /** Slug and name of the organisation with the owner's address; null for a private person. */
  readonly organisation: string | null;
  readonly organisationName: string | null;
};

/** Alert to add: the store gives it its key, and its organisation by the address of its owner. */
export type NewAlert = Omit<Alert, "publishedAt" | "organisation" | "organisationName">;

/** View of an alert, published or not: no owner, and addresses instead of the names of photos. */
export type AlertView = AlertNames &
  Description & {
    readonly lat: number;
    readonly lng: number;
    /** URLs on this server; thumbnails in the same order. */
    readonly photos: readonly string[];
    readonly thumbnails: readonly string[];
    readonly url: string;
    readonly contactUrl: string;
    readonly qrUrl: string;
  };

/** Public view of a published alert. Adapters get this and nothing more. */
export type PublicAlert = AlertView & {
  readonly status: Exclude<AlertStatus, "hidden" | "removed">;
  /** Language in which it was published. */
  readonly language: Language;
  /** True if the alert accepts messages: the animal is not home, and the alert has an owner. */
  readonly reachable: boolean;
  /** Organisation that published it; null for a private person. */
  readonly organisation: OrganisationLink | null;
  readonly publishedAt: number;
  readonly updatedAt: number;
  readonly expiresAt: number;
};

/** Organisation as alerts name it. */
export type OrganisationLink = {
  readonly slug: string;
  readonly name: string;
  /** URL of its page on this server. */
  readonly url: string;
};

/** `lost-cat-mimi-lyon-k7f3q2`: type, species, name or known colour, city, short code; ASCII, lower case. */
export function slugOf(about: Description, code: string): string {
  const color = about.color === "unknown" ? "" : about.color;
  const words = [about.type, about.species, about.name ?? color, about.city]
    .map(asciiWords)
    .filter((word) => word !== "");
  return [...words, code.toLowerCase()].join("-");
}

/** Texts by which an alert is searched, without placeholders. */
export function searchableTexts(texts: readonly (string | null)[]): string[] {
  return texts.flatMap((text) =>
    text === null || text === "" || text === "unknown" ? [] : [text.replaceAll("[removed]", " ")],
  );
}

/** Words for the look of an animal, as far as it is known: "grey tabby, European Shorthair". */
export function appearanceOf(about: FieldValues): string {
  const looks = LOOKS.map((name) => about[name]);
  return looks.filter((look) => look !== null && look !== "unknown").join(", ");
}
const LOOKS = fieldsWhere(({ isLook }) => isLook);

const SLUG_WORD_MAX = 30;

function asciiWords(text: string): string {
  return folded(text.replaceAll("[removed]", " "))
    .normalize("NFKD")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, SLUG_WORD_MAX)
    .replace(/^-+|-+$/g, "");
}

/** Status changes an owner can make. */
export const OWNER_ACTIONS = ["resolve", "renew", "reopen", "remove"] as const;
export type OwnerAction = (typeof OWNER_ACTIONS)[number];

/** Columns changed by a status change. */
export type AlertChange = Pick<Alert, "status" | "expiresAt" | "endedAt">;

/** True if an alert's state allows a status change. */
export function isActionAllowed(alert: Alert, action: OwnerAction, now: number): boolean {
  switch (action) {
    case "resolve":
    case "renew":
      return alert.status === "active" || alert.status === "expired";
    case "reopen":
      return (
        alert.status === "resolved" && alert.endedAt !== null && now - alert.endedAt <= REOPEN_MS
      );
    case "remove":
      return alert.status !== "removed";
  }
}

/** Columns of an alert after a status change. Throws `conflict` if its state does not allow the change. */
export function changeAfter(alert: Alert, action: OwnerAction, now: number): AlertChange {
  if (!isActionAllowed(alert, action, now)) {
    throw new Fault("conflict", { reason: "move_closed", status: alert.status });
  }
  const { expiresAt } = alert;
  const renewedUntil = now + lifetimeMs(alert.type, alert.species);
  switch (action) {
    case "resolve":
      return { status: "resolved", expiresAt, endedAt: now };
    case "reopen":
      return { status: "active", expiresAt: Math.max(expiresAt, renewedUntil), endedAt: null };
    case "renew":
      return { status: "active", expiresAt: renewedUntil, endedAt: null };
    case "remove":
      return { status: "removed", expiresAt, endedAt: now };
  }
}

/**
 * Public view of an alert; null for a hidden or removed one. Parts of the record are listed one by one, so that a new one
 * stays private until it is added here.
 */
export function toPublicAlert(alert: Alert, links: Links): PublicAlert | null {
  if (alert.status === "hidden" || alert.status === "removed") return null;
  return {
    ...toDraftView(alert, links),
    status: alert.status,
    language: alert.language,
    reachable: isReachable(alert),
    organisation: organisationOf(alert, links),
    publishedAt: alert.publishedAt,
    updatedAt: alert.updatedAt,
    expiresAt: alert.expiresAt,
  };
}

function organisationOf(
  { organisation: slug, organisationName: name }: Alert,
  links: Links,
): OrganisationLink | null {
  return slug === null || name === null ? null : { slug, name, url: links.organisation(slug) };
}

/** True if an alert accepts messages: the animal is not home, and the alert has an owner. */
export function isReachable({ ownerEmail, status }: Pick<Alert, "ownerEmail" | "status">): boolean {
  return ownerEmail !== null && status !== "resolved";
}

export type Reader = "owner" | "finder" | "shelter";
/** Recipient of messages about an alert. Anybody can say that an animal is at a shelter: only an organisation is one. */
export function readerOf(
  alert: (Pick<Description, "type" | "custody"> & OfOrganisation) | null,
): Reader {
  if (alert?.type !== "found") return "owner";
  return isAtOrganisation(alert) ? "shelter" : "finder";
}

/** True for an animal at the shelter that published its alert. */
export function isAtOrganisation({
  custody,
  organisation,
}: Pick<Description, "custody"> & OfOrganisation): boolean {
  return custody === "shelter" && organisation !== null;
}

/** Organisation of an alert, in the record or in its public view. */
type OfOrganisation = { readonly organisation: string | OrganisationLink | null };

/** View of a draft, as that of the future alert. */
export function toDraftView(draft: AlertDraft, links: Links): AlertView {
  return {
    id: draft.id,
    slug: draft.slug,
    shortCode: draft.shortCode,
    type: draft.type,
    species: draft.species,
    ...fieldValuesOf(draft),
    district: draft.district,
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

/** Values of the fields. A loop without calls: this is half of the work for a page of a search. */
function fieldValuesOf(draft: AlertDraft): FieldValues {
  const values: Partial<Record<FieldName, string | null>> = {};
  // A draft that waited during an update lacks new fields.
  for (const name of FIELD_NAMES)
    values[name] = draft[name] === undefined ? FIELDS[name].unknown : draft[name];
  return values as FieldValues;
}

/** Throws `not_found` for null. */
export function requireAlert(alert: Alert | null): Alert {
  if (alert === null) throw new Fault("not_found", { reason: "alert_unknown" });
  return alert;
}

/** Public view of an alert. Throws `not_found` for null and `gone` for a hidden or removed alert. */
export function requirePublicAlert(alert: Alert | null, links: Links): PublicAlert {
  const view = toPublicAlert(requireAlert(alert), links);
  if (view === null) throw new Fault("gone", { reason: "alert_removed" });
  return view;
}

/** Throws `gone` for a hidden or removed alert, and `conflict` for one whose animal is home. */
export function requireNotHome({ status }: Pick<Alert, "status">): void {
  switch (status) {
    case "hidden":
    case "removed":
      throw new Fault("gone", { reason: "alert_removed" });
    case "resolved":
      throw new Fault("conflict", { reason: "animal_home" });
    case "active":
    case "expired":
  }
}

/** Prefix of the `source` of imported alerts. Only the import command gives an alert a source. */
export const IMPORT_SOURCE = "import:";

/** True for an alert that was imported from a table. */
export function isImported({ source }: Pick<Alert, "source">): boolean {
  return source?.startsWith(IMPORT_SOURCE) ?? false;
}
