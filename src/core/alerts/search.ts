import { z } from "zod";
import { LANGUAGE_NAMES } from "../../messages/languages.ts";
import type { Fault, PlainFieldReason } from "../fault.ts";
import { type PublicAlert } from "./alert.ts";
import {
  badInput,
  latField,
  lenientTimeField,
  lenientTimestamp,
  lngField,
  organisationSlug,
  pointIn,
  withReason,
} from "../input.ts";
import { ALL_BREED_GROUPS, BASE_COLORS } from "../../matching/matching.ts";
import type { Point } from "../../values/point.ts";
import { tokenize } from "../../text/tokenize.ts";
import { writtenTime } from "../written-time.ts";
import { type Explanation, meaningOf, readQueryWords } from "./query-words.ts";
import { isDistanceCursor, readDistanceCursor } from "./search-cursor.ts";
import { ALERT_TYPES, SPECIES } from "../../values/animal.ts";
import type { AlertDistance, DistanceQuery, IndexQuery } from "../../search/search.ts";

export const RADIUS_KM_DEFAULT = 50;
export const RADIUS_KM_MAX = 500;
export const LIMIT_DEFAULT = 20;
export const ALERTS_PER_PAGE_MAX = 100;
export const QUERY_MAX = 200;
/** Alerts are counted as far as this; beyond it a total is "more than". */
export const TOTAL_MAX = 1_000;
const CURSOR_MAX = 35;

/** Orders of a search. */
const SORTS = ["newest", "nearest"] as const;

export const searchInput = z.object({
  lat: latField.describe("Latitude of the centre; with lng").optional(),
  lng: lngField.describe("Longitude of the centre; with lat").optional(),
  radiusKm: z
    .number()
    .positive()
    .max(RADIUS_KM_MAX)
    .describe(`Around the centre, ${RADIUS_KM_DEFAULT} when absent`)
    .optional(),
  species: z.enum(SPECIES).describe("Only this species").optional(),
  type: z.enum(ALERT_TYPES).describe("Only this type").optional(),
  organisation: organisationSlug
    .describe("Only of this shelter: end of organisation.url")
    .optional(),
  since: lenientTimeField.describe("Published since this date or timestamp (ISO 8601)").optional(),
  query: z
    .string()
    .max(QUERY_MAX, { abort: true })
    .refine((text) => tokenize(text, 1).length > 0, withReason("wordless"))
    .describe(
      `Words, or their beginnings, of name, breed, colour, collar, quarter or city; all must fit. Colours, breeds and species in ${LANGUAGE_NAMES}`,
    )
    .optional(),
  limit: z
    .number()
    .int()
    .min(1)
    .max(ALERTS_PER_PAGE_MAX)
    .describe(`Alerts per page, ${LIMIT_DEFAULT} when absent`)
    .optional(),
  sort: z.enum(SORTS).describe("Order, newest when absent; nearest needs a centre").optional(),
  cursor: z
    .string()
    .max(CURSOR_MAX)
    .describe("next_cursor of the previous page, same sort and centre; with newest a timestamp")
    .optional(),
});
/** Search on the pages, with two filters that REST and tools lack: their parameters do not change. */
export const pageSearchInput = searchInput.extend({
  color: z.enum(BASE_COLORS).describe("Only animals of this base colour").optional(),
  breedGroup: z
    .enum(ALL_BREED_GROUPS)
    .describe("Only animals of this group of breeds that look alike")
    .optional(),
});
export type SearchInput = z.infer<typeof pageSearchInput>;

/** Page of live alerts in the order of the search. */
export type SearchPage<Form = PublicAlert> = {
  readonly alerts: readonly FoundAlert<Form>[];
  readonly explanation: Explanation;
  /** Cursor to continue from, null on the last page: for newest the time of the last alert, else opaque. */
  readonly nextCursor: string | null;
  /** Null if it was not asked for. */
  readonly total: Total | null;
};

/** Number of matching alerts, on all pages; with `isMore` there are more than `count`, which is `TOTAL_MAX`. */
export type Total = { readonly count: number; readonly isMore: boolean };

/** Search result. `distanceKm` is the distance from the centre of the search with one decimal; null without a centre. */
export type FoundAlert<Form> = { readonly alert: Form; readonly distanceKm: number | null };

/** Alert close to a search, and the words of the search that it lacks. */
export type CloseAlertView<Form = PublicAlert> = FoundAlert<Form> & {
  readonly missingWords: readonly string[];
};

/**
 * Search that a person wrote, as it is searched: words that mean nothing or name a type are left out, and `since`, which
 * may be "yesterday", is read by the clocks of a time zone.
 */
export function asSearched<Input extends Pick<SearchInput, "query" | "since" | "type">>(
  { since, ...input }: Input,
  timeZone: string,
  now: number,
) {
  const time = since === undefined ? null : writtenTime(since, timeZone, now);
  return {
    input: {
      ...input,
      ...meaningOf(input),
      since: time === null ? undefined : new Date(time.from).toISOString(),
    },
    since: time,
  };
}

/** Queries to the index. Their limit is one more than the page size, to find out if another page follows. */
export type IndexedSearch =
  | { readonly sort: "newest"; readonly query: IndexQuery }
  | { readonly sort: "nearest"; readonly query: DistanceQuery };

/** Query to the index for an input. Throws `bad_input` for fields that contradict each other. */
export function indexedSearch(input: SearchInput): IndexedSearch {
  const point = pointIn(input);
  const field = input.radiusKm !== undefined ? "radiusKm" : "sort";
  if (point === undefined && (input.radiusKm !== undefined || input.sort === "nearest")) {
    throw badInput([{ field, reason: { kind: "no_centre" } }]);
  }
  const near =
    point === undefined ? undefined : { point, radiusKm: input.radiusKm ?? RADIUS_KM_DEFAULT };
  const filter = {
    species: input.species,
    type: input.type,
    since: input.since === undefined ? undefined : (lenientTimestamp(input.since) ?? undefined),
    ...readQueryWords(input.query ?? ""),
    color: input.color,
    breedGroup: input.breedGroup,
    organisation: input.organisation,
    limit: (input.limit ?? LIMIT_DEFAULT) + 1,
  };
  const { cursor } = input;
  if (input.sort === "nearest" && near !== undefined) {
    const after = cursor === undefined ? null : positionAfter(cursor, near.point);
    return { sort: "nearest", query: { ...filter, near, after } };
  }
  const before = cursor === undefined ? undefined : timeBefore(cursor);
  return { sort: "newest", query: { ...filter, near, before } };
}

function timeBefore(cursor: string): number {
  const time = lenientTimestamp(cursor);
  if (time !== null) return time;
  throw badCursor(isDistanceCursor(cursor) ? "cursor_of_nearest" : "time");
}

function positionAfter(cursor: string, centre: Point): AlertDistance {
  const position = readDistanceCursor(cursor, centre);
  if (position !== null) return position;
  throw badCursor(lenientTimestamp(cursor) === null ? "cursor" : "cursor_of_newest");
}

function badCursor(kind: PlainFieldReason): Fault {
  return badInput([{ field: "cursor", reason: { kind } }]);
}
