import { pointIn } from "../../core/input.ts";
import { RADIUS_KM_DEFAULT, type SearchInput, type SearchPage } from "../../core/search.ts";
import type { Service } from "../../core/service.ts";
import type { Located, Town } from "../../core/towns.ts";
import { ZONE_RADIUS_KM_MAX } from "../../core/zone.ts";
import { AlertLine } from "./alert-line.tsx";
import type { Given } from "./form.ts";
import { type Frame, local } from "./frame.tsx";
import { MapBox } from "./map.tsx";
import { RADII_KM } from "./search-form.tsx";
import { townLabel } from "./towns.tsx";

/** Wider circles offered where nothing was found. */
const WIDER_MAX = 2;

/** What was searched and what came of it. */
export type Result = {
  /** Where; null for everywhere. */
  readonly located: Located | null;
  readonly radiusKm: number;
  /** Null where nobody knows the place. */
  readonly found: SearchPage | null;
};
type Known = Extract<Located, { kind: "known" }>;

/**
 * Searches around a place, named or given as a position, or everywhere where there is neither. Throws `bad_input` for
 * half a position.
 */
export async function searchAround(
  service: Service,
  place: string | undefined,
  { lat, lng, radiusKm = RADIUS_KM_DEFAULT, ...input }: SearchInput,
): Promise<Result> {
  const located = service.locate({ place, point: pointIn({ lat, lng }) });
  if (located?.kind === "unknown") return { located, radiusKm, found: null };
  const near = located === null ? {} : { ...located.point, radiusKm };
  return { located, radiusKm, found: await service.search({ ...input, ...near }) };
}

/** What a search found, and where it can go on from there. */
export function Results({
  frame,
  given,
  result,
}: {
  readonly frame: Frame;
  readonly given: Given;
  readonly result: Result;
}) {
  const { words } = frame;
  const { located, found, radiusKm } = result;
  const { cursor: _, ...filters } = given;
  const isSearch = Object.keys(filters).length > 0;
  if (located?.kind === "unknown" || found === null)
    return (
      <Unknown
        frame={frame}
        filters={filters}
        towns={located?.kind === "unknown" ? located.alike : []}
      />
    );
  const heading =
    located !== null
      ? words.home.around(radiusKm, townLabel(words, located.town))
      : isSearch
        ? words.home.fitting
        : words.home.newest;
  return (
    <section aria-labelledby="alerts">
      <h2 id="alerts" dir="auto">
        {heading}
      </h2>
      {located !== null && (
        <Towns frame={frame} filters={filters} towns={located.others} heading={words.home.meant} />
      )}
      {found.alerts.length === 0 ? (
        <Nothing frame={frame} filters={filters} located={located} radiusKm={radiusKm} />
      ) : (
        <Found frame={frame} found={found} located={located} radiusKm={radiusKm} />
      )}
      <Onward
        frame={frame}
        filters={filters}
        result={result}
        isSearch={Object.keys(given).length > 0}
      />
    </section>
  );
}

function Found({
  frame,
  found,
  located,
  radiusKm,
}: {
  readonly frame: Frame;
  readonly found: SearchPage;
  readonly located: Known | null;
  readonly radiusKm: number;
}) {
  const { words, tiles } = frame;
  const searched =
    located === null
      ? {}
      : {
          "data-centre-lat": located.point.lat,
          "data-centre-lng": located.point.lng,
          "data-radius-km": radiusKm,
        };
  return (
    <div class={tiles === null ? undefined : "beside"}>
      <ul class="cards" id="alerts-list">
        {found.alerts.map(({ alert, distanceKm }) => (
          <li data-lat={alert.lat} data-lng={alert.lng} data-type={alert.type}>
            <AlertLine frame={frame} alert={alert} distanceKm={distanceKm} level={3} />
          </li>
        ))}
      </ul>
      <MapBox
        frame={frame}
        mode="alerts"
        label={words.map.label}
        more={{
          "data-list": "#alerts-list",
          "data-lost-label": words.type.lost,
          "data-found-label": words.type.found,
          "data-close": words.home.close,
          ...searched,
        }}
      />
    </div>
  );
}

function Nothing({
  frame,
  filters,
  located,
  radiusKm,
}: {
  readonly frame: Frame;
  readonly filters: Given;
  readonly located: Known | null;
  readonly radiusKm: number;
}) {
  const { words, links } = frame;
  if (located === null) {
    const isSearch = Object.keys(filters).length > 0;
    return <p class="empty">{isSearch ? words.home.noneFit : words.home.none}</p>;
  }
  const wider = RADII_KM.filter((km) => km > radiusKm).slice(0, WIDER_MAX);
  return (
    <div class="empty">
      <p dir="auto">{words.home.noneNear(radiusKm, townLabel(words, located.town))}</p>
      <ul class="links">
        {wider.map((km) => (
          <li>
            <a href={addressOf(local(links.home), { ...filters, radius_km: String(km) })}>
              {words.home.wider(km)}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Where a search goes on from here. */
function Onward({
  frame,
  filters,
  result: { located, radiusKm, found },
  isSearch,
}: {
  readonly frame: Frame;
  readonly filters: Given;
  readonly result: Result;
  readonly isSearch: boolean;
}) {
  const { words, links } = frame;
  const cursor = found?.nextCursor ?? null;
  const known = located?.kind === "known" ? located : null;
  const { place: _, lat: __, lng: ___, radius_km: ____, ...elsewhere } = filters;
  return (
    <p class="paging">
      {cursor !== null && (
        <a class="button quiet" rel="next" href={olderThan(links, filters, cursor)}>
          {words.home.older}
        </a>
      )}
      <a
        class="button quiet"
        href={addressOf(local(links.subscribe), watched(frame, filters, known, radiusKm))}
      >
        {known === null ? words.home.watchAny : words.home.watch}
      </a>
      {known !== null && Object.keys(elsewhere).length > 0 && (
        <a class="button quiet" href={addressOf(local(links.home), elsewhere)}>
          {words.home.everywhere}
        </a>
      )}
      {isSearch && (
        <a class="button quiet" href={local(links.home)}>
          {words.home.showAll}
        </a>
      )}
    </p>
  );
}

function olderThan(links: Frame["links"], filters: Given, cursor: number): string {
  return addressOf(local(links.home), { ...filters, cursor: new Date(cursor).toISOString() });
}

/** The search as a zone to be told about: no wider than one can be. */
function watched({ words }: Frame, filters: Given, known: Known | null, radiusKm: number): Given {
  const kinds = Object.entries(filters).filter(([name]) => name === "type" || name === "species");
  if (known === null) return Object.fromEntries(kinds);
  const place = townLabel(words, known.town);
  const centre = centreOf(known, Math.min(radiusKm, ZONE_RADIUS_KM_MAX));
  return { place, ...centre, ...Object.fromEntries(kinds) };
}

function Unknown({
  frame,
  filters,
  towns,
}: {
  readonly frame: Frame;
  readonly filters: Given;
  readonly towns: readonly Town[];
}) {
  const { words, links } = frame;
  return (
    <section aria-labelledby="alerts">
      <h2 id="alerts" dir="auto">
        {words.home.unknown(filters["place"] ?? "")}
      </h2>
      <p>{words.home.unknownHint}</p>
      <Towns frame={frame} filters={filters} towns={towns} heading={words.home.meant} />
      <p class="paging">
        <a class="button quiet" href={local(links.home)}>
          {words.home.showAll}
        </a>
      </p>
    </section>
  );
}

/** The same search in other towns. */
function Towns({
  frame,
  filters,
  towns,
  heading,
}: {
  readonly frame: Frame;
  readonly filters: Given;
  readonly towns: readonly Town[];
  readonly heading: string;
}) {
  const { words, links } = frame;
  if (towns.length === 0) return null;
  return (
    <details class="towns" open={filters["lat"] === undefined && towns.length <= TOWNS_OPEN_MAX}>
      <summary>{heading}</summary>
      <ul class="links">
        {towns.map((town) => {
          const { lat, lng } = town.point;
          const place = townLabel(words, town);
          const there = { ...filters, place, lat: String(lat), lng: String(lng) };
          return (
            <li>
              <a href={addressOf(local(links.home), there)}>{place}</a>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
/** More towns than this are folded away. */
const TOWNS_OPEN_MAX = 3;

/** Centre and radius as an address names them. */
export function centreOf({ point }: Known, radiusKm: number): Given {
  return { lat: String(point.lat), lng: String(point.lng), radius_km: String(radiusKm) };
}

/** An address with parameters. */
export function addressOf(link: string, parameters: Given): string {
  const query = new URLSearchParams(parameters).toString();
  return query === "" ? link : `${link}?${query}`;
}
