import type { AlertType, Species } from "./alert.ts";
import type { Links } from "./links.ts";
import type { Limit, Network, Rates } from "./limit.ts";
import type { Point, Somewhere } from "./place.ts";
import type { Store } from "./store.ts";

/** What the core needs from outside. Times are milliseconds since 1970 UTC throughout. */

/** The time now. */
export type Clock = () => number;

/** Chance: random bytes and fresh identifiers. */
export interface Dice {
  bytes(count: number): Uint8Array;
  /** UUID v7. */
  id(): string;
}

/** What needs the instance's secret key. The key lies outside the database. */
export interface Vault {
  /** Keyed hash (HMAC-SHA-256, hex) of text for one purpose; the same text gives another hash for another purpose. */
  mark(
    purpose: "address" | "mailbox" | "caller" | "content" | "chip" | "tombstone",
    text: string,
  ): string;
  /** Encrypts text for keeping; the result differs every time. */
  seal(text: string): string;
  /** What was sealed, or null when the key is another one or the text was tampered with. */
  unseal(sealed: string): string | null;
  /** SHA-256 (hex) of a token: what the store keeps in its place. */
  tokenHash(token: string): string;
}

/** A populated place. */
export type Place = {
  readonly name: string;
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string;
  readonly point: Point;
  readonly population: number;
};

/** The embedded gazetteer. */
export interface Gazetteer {
  /**
   * The town a point belongs to: the nearest one, where a quarter answers with its city and a city reaches further
   * than a village. Never null: there is always one.
   */
  nearest(point: Point): Place;
  /** The nearest other city, of 100,000 people and more: what tells a town from its namesakes. */
  cityNear(place: Place): Place;
  /**
   * Places with this name, ignoring case and accents, most populous first, at most `limit`; `prefix` also takes
   * names that begin with it. `near` limits them to a circle. Large cities are also found by their names in other
   * languages, and are then given under the name they were found by.
   */
  find(
    name: string,
    options?: {
      readonly countryCode?: string;
      readonly prefix?: boolean;
      readonly near?: { readonly point: Point; readonly radiusKm: number };
      readonly limit?: number;
    },
  ): Place[];
  /**
   * What a snapped point may stand for: who knows no more than the town gives its centre. The most populous town or
   * quarter whose centre is in the point's cell; null where there is none, and where it is no larger than the cell.
   */
  somewhere(point: Point): Somewhere | null;
  /** Draws a place with a chance that grows with its population; `random` is in [0, 1). */
  draw(random: number): Place;
  readonly size: number;
}

/** What the index knows of an active alert: what a query reads and no more. */
export type IndexedAlert = {
  /** The alert's key. */
  readonly publishedAt: number;
  readonly point: Point;
  readonly species: Species;
  readonly type: AlertType;
  /** YYYY-MM-DD */
  readonly eventDate: string;
  /** What words are looked up in: name, breed, colour, city. No word runs from one into the next. */
  readonly texts: readonly string[];
};

/** One alert's latest state since a revision: in the index while active, out of it otherwise. */
export type IndexChange =
  | { readonly kind: "put"; readonly alert: IndexedAlert }
  | { readonly kind: "drop"; readonly publishedAt: number };

/** A page's worth of filters, already parsed and within limits. */
export type IndexQuery = {
  readonly near: { readonly point: Point; readonly radiusKm: number } | null;
  readonly species: Species | null;
  readonly type: AlertType | null;
  /** Published at or after. */
  readonly since: number | null;
  /** Words, each of which must begin a word of the alert's text; empty for none. Folded by `wordsOf`. */
  readonly words: readonly string[];
  /** Only alerts published strictly before. */
  readonly before: number | null;
  readonly limit: number;
};

/** Which alerts around a point are looked for. */
export type NearestQuery = {
  readonly point: Point;
  readonly radiusKm: number;
  readonly species: Species;
  readonly type: AlertType;
  /**
   * When what they tell of happened, in days since 1970; both ends count. At one distance those nearer to `own` come
   * first.
   */
  readonly days: { readonly first: number; readonly last: number; readonly own: number };
  readonly limit: number;
};
/** An alert near a point. */
export type Nearby = {
  /** The alert's key. */
  readonly publishedAt: number;
  readonly point: Point;
  readonly km: number;
  /** Of the event, in days since 1970. */
  readonly day: number;
};

/** Where every active alert is. A projection of the store: it can always be thrown away and drawn anew. */
export interface AlertIndex {
  /** `more`: others follow at once, so that what need not be done for each part of them can wait. */
  apply(changes: readonly IndexChange[], which?: { readonly more: boolean }): void;
  /** The keys of the newest alerts that fit, newest first, at most `limit`. */
  search(query: IndexQuery): number[];
  has(publishedAt: number): boolean;
  /** The nearest alerts that fit, nearest first, at most `limit`. */
  nearest(query: NearestQuery): Nearby[];
  readonly size: number;
}

/** What the zone index knows of a confirmed zone. */
export type IndexedZone = {
  readonly id: string;
  readonly point: Point;
  readonly radiusKm: number;
  readonly species: Species | null;
  readonly type: AlertType | null;
};
export type ZoneChange =
  | { readonly kind: "put"; readonly zone: IndexedZone }
  | { readonly kind: "drop"; readonly id: string };

/** Which zones cover a point. */
export interface ZoneIndex {
  apply(changes: readonly ZoneChange[]): void;
  /**
   * Ids of the zones that cover the point and whose filters take such an alert, in the order in which they came here.
   * They are found as they are taken: a zone that changes meanwhile may come twice, as it was and as it is, and one
   * that ends meanwhile may still come.
   */
  covering(point: Point, species: Species, type: AlertType): Iterable<string>;
  readonly size: number;
}

export type PhotoSize = "full" | "thumb";

/** Pictures of animals, kept as files under names made from their content. */
export interface Photos {
  /**
   * Re-encodes a picture and keeps it; gives its name. Throws `bad_input`, `bad_type`, `too_large` in words,
   * `unavailable` when the disk is full or too many pictures wait.
   */
  keep(bytes: Uint8Array): Promise<string>;
  /** The WebP bytes under a name; null when there is none. A name that is no name of ours gives null too (never a path). */
  read(name: string, size: PhotoSize): Promise<Uint8Array | null>;
  /** Whether it is kept. */
  has(name: string): Promise<boolean>;
  /** Deletes both sizes; deleting what is not there is as good. */
  drop(name: string): Promise<void>;
  /** Names kept, for finding strays; `after` is the last name of the page before, sorted by name. */
  names(
    after: string | null,
    limit: number,
  ): Promise<{ readonly name: string; readonly keptAt: number }[]>;
}

/** Letters that were written to files, where no mail server takes them. */
export interface LetterFiles {
  /** How many there are to a mailbox, whatever its case, or lead to one of these private links. */
  count(mailbox: string, tokens: readonly string[]): Promise<number>;
  /** Deletes these, and gives how many there were. */
  drop(mailbox: string, tokens: readonly string[]): Promise<number>;
}

/** All of it, and the settings the verbs go by. */
export type Ports = {
  readonly store: Store;
  readonly alertIndex: AlertIndex;
  readonly zoneIndex: ZoneIndex;
  readonly gazetteer: Gazetteer;
  readonly photos: Photos;
  readonly letterFiles: LetterFiles;
  /** Fetches a picture from an address given by a stranger. Throws `Fault` in one sentence. */
  readonly fetchPhoto: (address: string) => Promise<Uint8Array>;
  readonly vault: Vault;
  readonly dice: Dice;
  readonly clock: Clock;
  /** Lets requests that came meanwhile have their turn: for work that is long and not urgent. */
  readonly turn: () => Promise<void>;
  readonly links: Links;
  readonly rates: Rates;
  /** Told of every caller whom a limit holds back. */
  readonly heldBack: (limit: Limit) => void;
  /** Networks whose addresses many strangers share. */
  readonly sharedNetworks: readonly Network[];
  /** Mailboxes that may moderate; empty: nobody does. */
  readonly adminEmails: readonly string[];
};
