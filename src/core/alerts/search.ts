import { z } from "zod";
import { ALERT_TYPES, type PublicAlert, SPECIES } from "./alert.ts";
import {
  badInput,
  withReason,
  latField,
  lngField,
  pointIn,
  timeField,
  timestamp,
} from "../input.ts";
import type { IndexQuery } from "../ports.ts";
import { tokenize } from "../tokenize.ts";
import { type Explanation, readQueryWords } from "./query-words.ts";

export const RADIUS_KM_DEFAULT = 50;
export const RADIUS_KM_MAX = 500;
export const LIMIT_DEFAULT = 20;
export const ALERTS_PER_PAGE_MAX = 100;
export const QUERY_MAX = 200;

export const searchInput = z.object({
  lat: latField.describe("Latitude of the centre in degrees (WGS 84); comes with lng").optional(),
  lng: lngField.describe("Longitude of the centre in degrees (WGS 84); comes with lat").optional(),
  radiusKm: z
    .number()
    .positive()
    .max(RADIUS_KM_MAX)
    .describe(`Radius around the centre in km, ${RADIUS_KM_DEFAULT} when absent`)
    .optional(),
  species: z.enum(SPECIES).describe("Only this species").optional(),
  type: z.enum(ALERT_TYPES).describe("Only lost, or only found, animals").optional(),
  since: timeField
    .describe("Only alerts published at or after this date or timestamp (ISO 8601)")
    .optional(),
  query: z
    .string()
    .max(QUERY_MAX, { abort: true })
    .refine((text) => tokenize(text, 1).length > 0, withReason("wordless"))
    .describe(
      "Words, each of which must begin a word of name, breed, colour or city. Colours, breeds and species are found in English, French, Spanish and German whichever of them is written",
    )
    .optional(),
  limit: z
    .number()
    .int()
    .min(1)
    .max(ALERTS_PER_PAGE_MAX)
    .describe(`How many alerts, ${LIMIT_DEFAULT} when absent`)
    .optional(),
  cursor: timeField
    .describe("The next_cursor of the page before: strictly older alerts follow")
    .optional(),
});
export type SearchInput = z.infer<typeof searchInput>;

/** Page of live alerts, newest first. `nextCursor` is the `publishedAt` to continue from, null on the last page. */
export type SearchPage = {
  readonly alerts: readonly FoundAlert[];
  readonly nextCursor: number | null;
  readonly explanation: Explanation;
};

/** Search result. `distanceKm` is the distance from the centre of the search with one decimal; null without a centre. */
export type FoundAlert = { readonly alert: PublicAlert; readonly distanceKm: number | null };

/** Query to the index. Its limit is one more than the page size, to find out if another page follows. */
export function indexQuery(input: SearchInput): IndexQuery {
  const point = pointIn(input);
  if (point === undefined && input.radiusKm !== undefined) {
    throw badInput([{ field: "radiusKm", reason: { kind: "no_centre" } }]);
  }
  const near =
    point === undefined ? null : { point, radiusKm: input.radiusKm ?? RADIUS_KM_DEFAULT };
  return {
    near,
    species: input.species ?? null,
    type: input.type ?? null,
    since: input.since === undefined ? null : timestamp(input.since),
    ...readQueryWords(input.query ?? ""),
    before: input.cursor === undefined ? null : timestamp(input.cursor),
    limit: (input.limit ?? LIMIT_DEFAULT) + 1,
  };
}
