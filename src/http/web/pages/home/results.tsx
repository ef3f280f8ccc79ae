/** @jsxImportSource hono/jsx */
import { ButtonLink, LinkItem } from "../../components/elements.tsx";
import type { PageMessages } from "../../../../messages/messages.ts";
import { pointIn } from "../../../../core/input.ts";
import {
  asSearched,
  RADIUS_KM_DEFAULT,
  type SearchInput,
  type SearchPage,
} from "../../../../core/alerts/search.ts";
import {
  EXCLUDED_COUNT_MAX,
  type Exclusion,
  type Explanation,
  type SearchFilter,
} from "../../../../core/alerts/query-words.ts";
import { distanceKm } from "../../../../values/point.ts";
import {
  type Located,
  type LocationInput,
  placeLabel,
  type TownChoice,
} from "../../../../places/places.ts";
import { timeZoneAt } from "../../../../core/time-zone.ts";
import type { WrittenTime } from "../../../../core/written-time.ts";
import { tokenize } from "../../../../text/tokenize.ts";
import type { Service } from "../../../../core/service/service.ts";
import { ZONE_RADIUS_KM_MAX } from "../../../../core/zones/zone.ts";
import { AlertRows, isListView, LIST_VIEW, ShortAddress } from "./alert-rows.tsx";
import { AlertCard } from "../../components/alert.tsx";
import { type FormValues, without } from "../../form/form.ts";
import { type PageContext, local, usePage, withParameters } from "../../layout/layout.tsx";
import { MapBox } from "../../components/map.tsx";
import { RADII_KM } from "./search-form.tsx";
import { townName } from "../../components/town-name.ts";

/** Number of larger radii offered when nothing was found. */
const WIDER_MAX = 2;

/** Result of a search. */
export type Result = {
  /** Place of the search; null for everywhere. */
  readonly located: Located | null;
  readonly radiusKm: number;
  /** Null if the place is unknown or must be asked about. */
  readonly found: SearchPage | null;
  /** True if the name of the town, with the position, means the place of the search. */
  readonly isTownExact: boolean;
  /** Start of the search by the clocks of the place, if one was given and the place is known. */
  readonly since: WrittenTime | null;
};
type Known = Extract<Located, { kind: "known" }>;

/**
 * Searches around a named place or a position, or everywhere without either. Throws `bad_input` for half a position.
 */
export async function searchAround(
  service: Service,
  named: Pick<LocationInput, "place" | "country" | "countryCode">,
  { lat, lng, radiusKm = RADIUS_KM_DEFAULT, ...input }: SearchInput,
): Promise<Result> {
  const located = service.places.locate({ ...named, point: pointIn({ lat, lng }) });
  if (located !== null && located.kind !== "known")
    return { located, radiusKm, found: null, isTownExact: false, since: null };
  const near = located === null ? {} : { ...located.point, radiusKm };
  const timeZone = located === null ? "UTC" : timeZoneAt(located.point);
  const { input: searched, since } = asSearched(input, timeZone, service.now());
  return {
    located,
    radiusKm,
    found: await service.alerts.search({ ...searched, ...near }, { withTotal: true }),
    isTownExact: located !== null && isTownExact(service, located),
    since,
  };
}

/** A name wins over a position far from the town: in the country, the nearest one may be another place. */
function isTownExact(service: Service, { town, point }: Known): boolean {
  const named = service.places.locate({ place: `${town.name}, ${town.countryCode}`, point });
  return named?.kind === "known" && distanceKm(named.point, point) === 0;
}

/** Alerts found, and links to continue. */
export function Results({ values, result }: { values: FormValues; result: Result }) {
  const ctx = usePage();
  const { t } = ctx;
  const { located, found, radiusKm } = result;
  const filters = without(values, "cursor");
  if (located?.kind === "ask" || located?.kind === "unknown" || found === null)
    return <Unclear filters={filters} located={located} />;
  const isSearch = Object.keys(filters).some((name) => name !== "view");
  const everywhere = isSearch ? t.home.fitting : t.home.newest;
  const shown: Shown = { values, filters, found, area: { located, radiusKm } };
  return (
    <section aria-labelledby="alerts">
      <h2 id="alerts" dir="auto">
        {located === null ? everywhere : headingAround(ctx, result)}
      </h2>
      {typeof located?.unread === "string" && (
        <p class="notice">
          {t.home.unread({ part: located.unread, town: placeLabel(located.town) })}
        </p>
      )}
      {located === null && found.total !== null && found.total.count > 0 && (
        <p class="quiet">
          {found.total.isMore ? t.home.totalMore(found.total) : t.home.total(found.total)}
        </p>
      )}
      {located !== null && located.others.length > 0 && (
        <details class="towns">
          <summary>{t.home.meant}</summary>
          <TownLinks filters={filters} towns={located.others} />
        </details>
      )}
      {found.explanation.corrections.map(({ word, readAs }) => (
        <p dir="auto">{t.home.readAs({ word, known: readAs })}</p>
      ))}
      {found.alerts.length === 0 ? (
        <Nothing {...shown} />
      ) : isListView(values) ? (
        <AlertRows found={found} filters={filters} />
      ) : (
        <Found {...shown} />
      )}
      <Onward {...shown} />
    </section>
  );
}

/** Result with its place, or without one. `filters` are the values without the cursor. */
type Shown = {
  readonly values: FormValues;
  readonly filters: FormValues;
  readonly found: SearchPage;
  readonly area: SearchArea;
};
/** Centre of a search, null for everywhere, and its radius. */
type SearchArea = { readonly located: Known | null; readonly radiusKm: number };

/** "37 alerts within 10 km of Lyon". */
function headingAround({ t, country }: PageContext, { located, radiusKm, found }: Result): string {
  const around = {
    km: radiusKm,
    town: located?.kind === "known" ? townName(t, located.town, country) : "",
  };
  const total = found?.total;
  if (total == null || total.count === 0) return t.home.around(around);
  const counted = { ...around, count: total.count };
  return total.isMore ? t.home.countAroundMore(counted) : t.home.countAround(counted);
}

function Found({ values, filters, found, area }: Shown) {
  const { t, tiles } = usePage();
  const isWhole = found.nextCursor === null && values["cursor"] === undefined;
  return (
    <div class={tiles === null ? undefined : "beside"}>
      {tiles !== null && (
        <a class="button quiet to-map" href="#map">
          {t.map.show}
        </a>
      )}
      <ul class="cards" id="alerts-list">
        {found.alerts.map(({ alert, distanceKm }) => (
          <li data-lat={alert.lat} data-lng={alert.lng} data-type={alert.type}>
            <AlertCard alert={alert} distanceKm={distanceKm} level={3} />
            <ShortAddress alert={alert} />
          </li>
        ))}
      </ul>
      {tiles !== null && <AlertMap filters={filters} area={area} isWhole={isWhole} />}
    </div>
  );
}

/** Map of all alerts of a search; `isWhole`: the page lists them all. */
function AlertMap(props: { filters: FormValues; area: SearchArea; isWhole: boolean }) {
  const { t, links } = usePage();
  const { located, radiusKm } = props.area;
  const refined = without(props.filters, ...AREA, "view");
  const filters = without(refined, "sort");
  const centre = located === null ? {} : centreOf(located, radiusKm);
  const from = located === null ? {} : { from_lat: centre["lat"]!, from_lng: centre["lng"]! };
  const searched = located !== null && {
    "data-centre-lat": located.point.lat,
    "data-centre-lng": located.point.lng,
    "data-radius-km": radiusKm,
  };
  const marks = !props.isWhole && {
    "data-marks": withParameters(links.at("/map/alerts.json"), { ...centre, ...filters }),
  };
  return (
    <div class="map-side" id="map">
      <MapBox
        mode="alerts"
        label={t.map.label}
        more={{
          "data-list": "#alerts-list",
          "data-lost-label": t.type.lost,
          "data-found-label": t.type.found,
          "data-close": t.home.close,
          "data-cell": withParameters(links.at("/map/cell"), { ...from, ...filters }),
          "data-loading": t.map.loading,
          "data-failed-here": t.map.failedHere,
          "data-newest": t.map.newest,
          "data-search-here": withParameters(local(links.home), refined),
          "data-search-area": t.map.searchArea,
          ...searched,
          ...marks,
        }}
      />
      <a class="to-list" href="#alerts">
        {t.map.list}
      </a>
    </div>
  );
}

/** Links to the same search without what excluded every alert. */
function Without({
  filters,
  exclusions,
}: { filters: FormValues } & Pick<Explanation, "exclusions">) {
  const { t, links } = usePage();
  if (exclusions.length === 0) return null;
  return (
    <ul class="links">
      {exclusions.map(({ by, count }) => (
        <li dir="auto">
          <a href={withParameters(local(links.home), withoutExcluding(filters, by))}>
            {by.kind === "words"
              ? t.home.withoutWords({ words: by.words })
              : t.home.without[by.kind === "filter" ? by.filter : by.of]}
          </a>{" "}
          ({count === EXCLUDED_COUNT_MAX ? `${count}+` : count})
        </li>
      ))}
    </ul>
  );
}

/** Parameters of where to search. */
export const AREA: readonly string[] = ["place", "country_code", "lat", "lng", "radius_km"];

const FILTER_FIELDS: Readonly<Record<SearchFilter, readonly string[]>> = {
  species: ["species"],
  type: ["type"],
  since: ["since"],
  near: AREA,
  color: ["color"],
  breedGroup: ["breed_group"],
  organisation: ["organisation"],
};

/** Values of the search form without the excluding ones. */
function withoutExcluding(filters: FormValues, by: Exclusion["by"]): FormValues {
  const { q = "", ...others } = filters;
  if (by.kind === "words") {
    const dropped = by.words.split(" ");
    const kept = tokenize(q).filter((word) => !dropped.includes(word));
    return kept.length === 0 ? others : { ...others, q: kept.join(" ") };
  }
  if (by.kind === "all") return by.of === "words" ? others : { q };
  return without(filters, ...FILTER_FIELDS[by.filter]);
}

function Nothing({ filters, found, area }: Shown) {
  const { located, radiusKm } = area;
  const { t, links, tiles, country } = usePage();
  const { exclusions } = found.explanation;
  const wider = RADII_KM.filter((km) => km > radiusKm).slice(0, WIDER_MAX);
  const anywhere = Object.keys(filters).length > 0 ? t.home.noneFit : t.home.none;
  return (
    <>
      <div class="empty">
        <p dir="auto">
          {located === null
            ? anywhere
            : t.home.noneNear({ km: radiusKm, town: townName(t, located.town, country) })}
        </p>
        {located !== null && (
          <ul class="links">
            {wider.map((km) => (
              <LinkItem
                to={withParameters(links.home, { ...filters, radius_km: String(km) })}
                label={t.home.wider({ km })}
              />
            ))}
          </ul>
        )}
        <Without filters={filters} exclusions={exclusions} />
      </div>
      {located !== null && tiles !== null && <AlertMap filters={filters} area={area} isWhole />}
    </>
  );
}

/** Links to continue a search. */
function Onward({ values, filters, found, area: { located, radiusKm } }: Shown) {
  const ctx = usePage();
  const { t, links } = ctx;
  const cursor = found.nextCursor;
  const elsewhere = without(filters, ...AREA, "sort", "view");
  const asCards = without(filters, "view");
  const isList = isListView(filters);
  return (
    <p class="paging">
      {cursor !== null && (
        <ButtonLink
          to={withParameters(links.home, { ...filters, cursor })}
          label={filters["sort"] === "nearest" ? t.home.farther : t.home.older}
          rel="next"
        />
      )}
      <ButtonLink
        to={withParameters(links.subscribe, watched(ctx, filters, located, radiusKm))}
        label={located === null ? t.home.watchAny : t.home.watch}
      />
      {found.alerts.length > 0 && (
        <ButtonLink
          to={withParameters(links.home, isList ? asCards : { ...asCards, ...LIST_VIEW })}
          label={isList ? t.home.list.cards : t.home.list.open}
        />
      )}
      {located !== null && Object.keys(elsewhere).length > 0 && (
        <ButtonLink to={withParameters(links.home, elsewhere)} label={t.home.everywhere} />
      )}
      {Object.keys(values).length > 0 && <ButtonLink to={links.home} label={t.home.showAll} />}
    </p>
  );
}

/** Parameters to subscribe to this search, limited to the largest zone. */
function watched(
  { t }: PageContext,
  filters: FormValues,
  known: Known | null,
  radiusKm: number,
): FormValues {
  const kinds = Object.entries(filters).filter(([name]) => name === "type" || name === "species");
  if (known === null) return Object.fromEntries(kinds);
  const place = townName(t, known.town);
  const centre = centreOf(known, Math.min(radiusKm, ZONE_RADIUS_KM_MAX));
  return { place, ...centre, ...Object.fromEntries(kinds) };
}

/** Question which place is meant. */
function Unclear({ filters, located }: { filters: FormValues; located: Located | null }) {
  const { t, links } = usePage();
  const isKnown = located?.kind === "ask";
  const towns = isKnown ? located.choices : located?.kind === "unknown" ? located.alike : [];
  const place = filters["place"] ?? "";
  return (
    <section aria-labelledby="alerts">
      <h2 id="alerts" dir="auto">
        {isKnown ? t.home.which({ place }) : t.home.unknown({ place })}
      </h2>
      {!isKnown && <p>{t.home.unknownHint}</p>}
      <TownLinks filters={filters} towns={towns} />
      <p class="paging">
        <ButtonLink to={links.home} label={t.home.showAll} />
      </p>
    </section>
  );
}

/** Links to the same search in each of several places. */
function TownLinks({ filters, towns }: { filters: FormValues; towns: readonly TownChoice[] }) {
  const { t, links } = usePage();
  if (towns.length === 0) return null;
  return (
    <ul class="links">
      {towns.map((town) => {
        const there = withParameters(local(links.home), placedAt(t, town, filters));
        return <LinkItem to={there} label={townName(t, town)} />;
      })}
    </ul>
  );
}

/** Parameters of the same search in a place. */
export function placedAt(t: PageMessages, town: TownChoice, filters: FormValues): FormValues {
  const { lat, lng } = town.point;
  const place = townName(t, town);
  return { ...without(filters, "country_code"), place, lat: String(lat), lng: String(lng) };
}

/** Centre and radius as query parameters. */
export function centreOf({ point }: Known, radiusKm: number): FormValues {
  return { lat: String(point.lat), lng: String(point.lng), radius_km: String(radiusKm) };
}
