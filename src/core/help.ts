import { z } from "zod";
import { PHONE_NUMBER } from "./input.ts";
import { distanceKm, type Point } from "../values/point.ts";

/** Kinds of people to call about a lost or found animal. */
export const HELP_KINDS = ["shelter", "vet", "authority", "rescue"] as const;
type HelpKind = (typeof HELP_KINDS)[number];

const NAME_MAX = 120;
const URL_MAX = 300;

/** Row of the operator's list. Its numbers are published as they are: the operator vouches for them. */
export const helpPlaceInput = z
  .object({
    name: z
      .string()
      .trim()
      .min(1)
      .max(NAME_MAX)
      .regex(/^\P{C}*$/u),
    kind: z.enum(HELP_KINDS),
    lat: z.number().min(-90).max(90),
    lng: z.number().min(-180).max(180),
    phone: z.string().regex(PHONE_NUMBER).nullable(),
    url: z
      .url({ protocol: /^https?$/ })
      .max(URL_MAX)
      .nullable(),
  })
  .refine(({ phone, url }) => phone !== null || url !== null, { path: ["phone"] });

/** People to call: a shelter, a vet, an authority, an animal rescue. */
export type HelpPlace = {
  readonly name: string;
  readonly kind: HelpKind;
  readonly point: Point;
  readonly phone: string | null;
  /** Web page. */
  readonly url: string | null;
};

/** Nearest places of each kind that there are any of, nearest first. */
export type HelpNearby = readonly {
  readonly kind: HelpKind;
  readonly places: readonly (HelpPlace & { readonly km: number })[];
}[];

/** Places shown of each kind. */
const PLACES_MAX = 5;
/** Places farther away than this are not shown. */
const HELP_KM_MAX = 100;

/** Nearest five places of each kind within 100 km. */
export function helpNear(places: readonly HelpPlace[], point: Point): HelpNearby {
  const near = places
    .map((place) => ({ ...place, km: distanceKm(point, place.point) }))
    .filter(({ km }) => km <= HELP_KM_MAX)
    .toSorted((a, b) => a.km - b.km);
  return HELP_KINDS.flatMap((kind) => {
    const ofKind = near.filter((place) => place.kind === kind).slice(0, PLACES_MAX);
    return ofKind.length === 0 ? [] : [{ kind, places: ofKind }];
  });
}

/** Name and web page of the nearest place of each kind, for those who get no numbers. */
export function helpNames(help: HelpNearby): string[] {
  return help.flatMap(({ places }) =>
    places.slice(0, 1).map(({ name, url }) => (url === null ? name : `${name}, ${url}`)),
  );
}
