import type { Alert, AlertType, Species } from "./alerts/alert.ts";
import type { Fault } from "./fault.ts";
import type { BreedGroup } from "../matching/breed-group.ts";
import type { BaseColor } from "../matching/coat-parser.ts";
import type { Looks } from "../matching/looks.ts";
import type { Concept } from "./alerts/synonyms.ts";
import type { HelpPlace } from "./help.ts";
import type { Links } from "./urls.ts";
import type { Limit, Rates } from "./limits.ts";
import type { MagicLink } from "./people/magic-link.ts";
import type { Box, Point, TownArea } from "../values/point.ts";
import type { ReportEmails } from "./moderation/report-emails.ts";
import type { PullReport } from "./tables/pulls.ts";
import type { TableSources } from "./tables/source.ts";
import type { Store } from "./store.ts";
import type { LinkPurpose } from "./people/link-store.ts";
import type { Network } from "./ip-address.ts";
import type { Zone } from "./zones/zone.ts";

// Interfaces to everything outside the core. All times are milliseconds since 1970 UTC.

export type Clock = () => number;

export interface Dice {
  bytes(count: number): Uint8Array;
  /** UUID v7. */
  id(): string;
}

/** Use of sealed text: the token of a link that opens one kind of page, or other text. Each is sealed with a key of its own. */
export type SealPurpose =
  | LinkPurpose
  | Exclude<MagicLink, "links">
  | "confirm"
  /** Id of a request, in the address of its waiting page. */
  | "waiting"
  /** Requester of a link by email. */
  | "link-request"
  /** Address and keys of a browser at its push service. */
  | "device";

/** Cryptography with the instance's secret key, which is stored outside the database. */
export interface Secrets {
  /** Keyed hash (HMAC-SHA-256, hex). The same text has different hashes for different purposes. */
  keyedHash(
    purpose:
      | "address"
      | "mailbox"
      | "caller"
      | "content"
      | "idempotency"
      | "chip"
      | "photo"
      | "tombstone"
      | "bounce"
      | "device"
      | "vapid"
      | "reply"
      | "row",
    text: string,
  ): string;
  /** Encrypts text for storage; the result differs every time. */
  seal(purpose: SealPurpose, text: string): string;
  /** Decrypts sealed text; null if it was sealed with another key or for another purpose, or modified. */
  unseal(purpose: SealPurpose, sealed: string): string | null;
  /** SHA-256 (hex) of a token, stored in its place. */
  tokenHash(token: string): string;
}

export type Town = {
  readonly name: string;
  /** Town of a quarter, village or postcode. */
  readonly city?: string;
  /** Quarter or village in that town. */
  readonly district?: string;
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string;
  readonly point: Point;
  readonly population: number;
};

/** Area with one postcode. */
export type PostcodeArea = {
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string;
  /** Middle of its places, on the public grid. */
  readonly point: Point;
  /** Name of its town. */
  readonly town: string;
  /** Postcode, where the text has it with a zero lost. */
  readonly written?: string;
  /** Evidence of the country: its letters, a form that only its postcodes have, or digits alone. */
  readonly says: "country" | "form" | "digits";
};

/** Embedded gazetteer. */
export interface Gazetteer {
  /**
   * Town that a point belongs to: the nearest one, but a quarter yields its city, and a city reaches further than a
   * village.
   */
  nearest(point: Point): Town;
  /** Quarter, of the town that a point belongs to, in which it lies; null where none is known. */
  quarter(point: Point): Town | null;
  /** Town in whose built-up area a point lies, or null. */
  townAround(point: Point): Town | null;
  /** Nearest other city of at least 100,000 people, to tell a town from its namesakes. */
  cityNear(town: Town): Town;
  /**
   * Towns with this name, ignoring case and accents, most populous first, then villages and districts of unknown
   * population. `prefix` also finds longer names of towns that begin with it; `near` restricts the search to a circle,
   * `region` to the states, provinces or parts of a country with this name or abbreviation ("Texas", "TX"). Large cities
   * are also found by their names in other languages, and then carry the name they were found by.
   */
  find(
    name: string,
    options?: {
      readonly countryCode?: string;
      readonly region?: string;
      readonly prefix?: boolean;
      readonly near?: { readonly point: Point; readonly radiusKm: number };
      readonly limit?: number;
    },
  ): Town[];
  /** Areas with a postcode written like this, in any country that the postcode table has. */
  postcodes(text: string): PostcodeArea[];
  /**
   * Town that a snapped point may stand for, because people who know only the town give its centre: the most populous
   * town or quarter with its centre in the point's cell. Null if there is none, or it is no larger than the cell.
   */
  townCentredAt(point: Point): TownArea | null;
  /**
   * People per km² around a point: a mean weighted by a normal distribution with this standard deviation. Includes those
   * who live outside of any town.
   */
  peoplePerKm2(point: Point, spreadKm: number): number;
  /** Rectangle in which nearly all people of a country (ISO 3166-1 alpha-2) live; null for an unknown one. */
  inhabitedBox(countryCode: string): Box | null;
  /** Random town with a probability proportional to its population; `random` is in [0, 1). */
  draw(random: number): Town;
  readonly size: number;
}

/** Fields of an active alert that the index stores. `publishedAt` is the key. */
export type IndexedAlert = Pick<
  Alert,
  "publishedAt" | "point" | "species" | "type" | "eventDate"
> & {
  /** Searchable texts: name, breed, colour, quarter, city. Terms do not span texts. */
  readonly texts: readonly string[];
  /** Read for the filters by colour and breed group; unknown if absent. */
  readonly color?: string;
  readonly breed?: string;
  /** Slug of its organisation; none if absent. */
  readonly organisation?: string | null;
};

/** Latest state of an alert: stored in the index while active, removed otherwise. */
export type IndexChange =
  | { readonly kind: "put"; readonly alert: IndexedAlert }
  | { readonly kind: "drop"; readonly publishedAt: number };

/** Search query, parsed and within limits. */
export type IndexQuery = {
  readonly near: { readonly point: Point; readonly radiusKm: number } | null;
  readonly species: Species | null;
  readonly type: AlertType | null;
  /** Published at or after. */
  readonly since: number | null;
  /** Terms from `tokenize`, each of which must be a prefix of a term of the alert. */
  readonly words: readonly string[];
  /** Each of them must match; none if absent. */
  readonly concepts?: readonly Concept[];
  /** Only animals of this base colour; of any if absent. */
  readonly color?: BaseColor | null;
  /** Only animals of this breed group, and so of its species; of any if absent. */
  readonly breedGroup?: BreedGroup | null;
  /** Only alerts of the organisation with this slug; of anybody if absent. */
  readonly organisation?: string | null;
  /** Only alerts published strictly before. */
  readonly before: number | null;
  readonly limit: number;
};

/** Search query for the nearest alerts. `after` is the last alert of the page before. */
export type DistanceQuery = Omit<IndexQuery, "near" | "before"> & {
  readonly near: NonNullable<IndexQuery["near"]>;
  readonly after: AlertDistance | null;
};
/** Alert as a mark on a map, without anything that names it. */
export type AlertMark = Pick<Alert, "point" | "species" | "type">;

/** Key of an alert and its distance. */
export type AlertDistance = { readonly publishedAt: number; readonly km: number };

/** Query for the alerts nearest to a point. */
export type NearestQuery = {
  readonly point: Point;
  readonly radiusKm: number;
  readonly species: Species;
  readonly type: AlertType;
  /**
   * Range of the event day, inclusive, in days since 1970. Alerts at the same distance are sorted by closeness to `own`.
   */
  readonly days: { readonly first: number; readonly last: number; readonly own: number };
  readonly limit: number;
};
export type Nearby = {
  /** Key of the alert. */
  readonly publishedAt: number;
  readonly point: Point;
  readonly km: number;
  /** Event day, in days since 1970. */
  readonly day: number;
  readonly looks: Looks;
};

/** In-memory index of all active alerts. A projection of the store that can be rebuilt at any time. */
export interface AlertIndex {
  /** `more`: further changes follow at once, so maintenance may be deferred. */
  apply(changes: readonly IndexChange[], options?: { readonly more: boolean }): void;
  /** Keys of the newest matching alerts, newest first. */
  search(query: IndexQuery): number[];
  /** Matching alerts by distance from the centre; at equal distance the newest first. */
  searchByDistance(query: DistanceQuery): readonly AlertDistance[];
  /** Number of matching alerts, of all pages, as far as `max`. */
  count(query: Omit<IndexQuery, "before" | "limit">, max: number): number;
  /** Marks of the newest matching alerts, newest first, at most `max`. */
  marks(query: Omit<IndexQuery, "before" | "limit">, max: number): AlertMark[];
  has(publishedAt: number): boolean;
  /** Mark of an alert; null if there is none with this key. */
  mark(publishedAt: number): AlertMark | null;
  /** Those of the terms that an alert has, or lately had. */
  knownTerms(terms: readonly string[]): string[];
  /** Matching alerts, nearest first. */
  nearest(query: NearestQuery): Nearby[];
  readonly size: number;
}

/** Fields of an active zone that the index stores. */
export type IndexedZone = Pick<
  Zone,
  "id" | "point" | "radiusKm" | "species" | "type" | "frequency"
>;
export type ZoneChange =
  | { readonly kind: "put"; readonly zone: IndexedZone }
  | { readonly kind: "drop"; readonly id: string };

/** In-memory index of all active zones. */
export interface ZoneIndex {
  apply(changes: readonly ZoneChange[]): void;
  /**
   * Zones that cover the point and whose filters accept such an alert, in insertion order. The iteration is lazy:
   * a zone changed during it may appear twice, and one that ends during it may still appear.
   */
  covering(point: Point, species: Species, type: AlertType): Iterable<IndexedZone>;
  ids(): IteratorObject<string>;
  readonly size: number;
}

export type PhotoSize = "full" | "thumb";

/** Photo to be stored. It is read when its turn has come, and may be read again. */
export type PhotoFile = { bytes(): Promise<Uint8Array> };

/** File of a form. Its bytes cannot be read once the form is closed; reading them throws what kept it from being stored. */
export type UploadedFile = PhotoFile & {
  /** Name by its sender. */
  readonly name: string;
  readonly size: number;
};

export type FormEntry = readonly [field: string, value: string | UploadedFile];

/** Reads a multipart form to its end. Throws what `chunks` throws. */
export type ReadForm = (
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  contentType: string,
) => Promise<{
  /** Entries in order, or what is wrong with the form. */
  readonly entries: readonly FormEntry[] | Fault;
  /** Deletes the files. */
  close(): Promise<void>;
}>;

/** Photo files, named by a hash of their content. */
export interface Photos {
  /**
   * Re-encodes and stores a photo. Returns its name. Photos are decoded one at a time, those of each network in turn.
   * Throws `bad_input`, `bad_type`, `too_large` (also if the disk has no room for photos), and `unavailable` if it is full
   * or too many wait.
   */
  keep(photo: PhotoFile, network: string): Promise<string>;
  /** WebP bytes of a photo; null for an unknown or malformed name. */
  read(name: string, size: PhotoSize): Promise<Uint8Array | null>;
  has(name: string): Promise<boolean>;
  /** Deletes both sizes. Idempotent. */
  drop(name: string): Promise<void>;
  /** Page of stored names in ascending order, after the last name of the previous page; to find unused photos. */
  names(
    after: string | null,
    limit: number,
  ): Promise<{ readonly name: string; readonly keptAt: number }[]>;
}

/** Emails written to files, on a server without SMTP. */
export interface EmailFiles {
  /** Count of emails to a mailbox, or with one of these private links. */
  count(mailbox: string, tokens: readonly string[]): Promise<number>;
  /** Deletes these emails and returns their count. */
  drop(mailbox: string, tokens: readonly string[]): Promise<number>;
}

/** All dependencies of the use cases, and the settings they read. */
export type Ports = {
  readonly store: Store;
  readonly alertIndex: AlertIndex;
  readonly zoneIndex: ZoneIndex;
  readonly gazetteer: Gazetteer;
  readonly photos: Photos;
  readonly emailFiles: EmailFiles;
  /** Fetches a photo from a URL given by a stranger. Throws `Fault`. */
  readonly fetchPhoto: (address: string) => Promise<Uint8Array>;
  readonly tableSources: TableSources;
  readonly secrets: Secrets;
  readonly dice: Dice;
  readonly clock: Clock;
  /** Yields to pending requests; for long work that is not urgent. */
  readonly yieldToEventLoop: () => Promise<void>;
  readonly links: Links;
  readonly rates: Rates;
  /** Called when the database turns out to lack changes that were read from it before; with their number. */
  readonly onChangesLost: (count: number) => void;
  /** Called for every request refused by a limit. */
  readonly onRateLimited: (limit: Limit) => void;
  /** Called after every pull that the service made by itself. */
  readonly onTableRead: (report: PullReport) => void;
  /** Networks whose addresses are shared by many users, such as those of hosted assistants. */
  readonly sharedNetworks: readonly Network[];
  /** Mailboxes of the moderators; empty if there are none. */
  readonly adminEmails: readonly string[];
  readonly reportEmails: ReportEmails;
  /** Names of the site and of its operator, null if nobody is named. */
  readonly siteName: string;
  readonly operatorName: string | null;
  /** Mailboxes of the operator; those of the moderators if the operator publishes none. */
  readonly operatorEmails: readonly string[];
  /** People to call, by the operator's list. */
  readonly help: readonly HelpPlace[];
  /** Push services that may tell devices, besides those of the browsers: hosts. */
  readonly pushServices: readonly string[];
};

/** Size that Facebook, WhatsApp and the others show whole: 1.91 to 1. */
export const PREVIEW_PX = { width: 1200, height: 630 } as const;

/** Picture of an alert for link previews. */
export type Preview = {
  /** Changes with everything that the picture shows. */
  readonly key: string;
  readonly state: "lost" | "found" | "home";
  /** "LOST", in the language of the alert. */
  readonly band: string;
  readonly title: string;
  readonly lines: readonly string[];
  readonly species: Species;
  readonly color: string;
  /** The first photo as WebP; null if the alert has none. */
  readonly photo: Uint8Array | null;
};

/** Draws a preview as JPEG; `client` is who asks. Throws `unavailable` when too many wait. */
export type DrawPreview = (preview: Preview, client: string) => Promise<Uint8Array<ArrayBuffer>>;
