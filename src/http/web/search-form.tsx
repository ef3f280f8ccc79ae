import { ALERT_TYPES, SPECIES } from "../../core/alert.ts";
import { QUERY_MAX, RADIUS_KM_DEFAULT, searchInput } from "../../core/search.ts";
import { TOWN_TEXT_MAX } from "../../core/towns.ts";
import { Choice, type Draft, Line, TroubleBox } from "./field.tsx";
import { type Frame, local } from "./frame.tsx";
import { RadiusField } from "./radius-field.tsx";

/** What a search says; also the order of its fields. */
export const SEARCH_PARAMETERS = [
  "place",
  "lat",
  "lng",
  "radius_km",
  "q",
  "type",
  "species",
  "since",
  "cursor",
];
/** Radii that are offered. */
export const RADII_KM = [5, 10, 25, 50, 100, 250];
const DATE_LENGTH = 10;

/** The search of the home page: a plain form whose address is the search. */
export function SearchForm({ frame, draft }: { readonly frame: Frame; readonly draft: Draft }) {
  const { words, links } = frame;
  const say = words.home;
  const labels = {
    place: say.place,
    radius_km: say.radius,
    q: say.query,
    type: say.type,
    species: say.species,
    since: say.since,
  };
  const types = ALERT_TYPES.map((type) => [type, words.type[type]] as const);
  const species = SPECIES.map((one) => [one, words.species[one]] as const);
  const position = { "data-lat-field": "#field-lat", "data-lng-field": "#field-lng" } as const;
  return (
    <search>
      <TroubleBox frame={frame} trouble={draft.trouble} labels={labels} />
      <form
        class="search"
        method="get"
        action={`${local(links.home)}#alerts`}
        aria-label={say.search}
      >
        <div class="search-place">
          <Line
            draft={draft}
            name="place"
            label={say.place}
            max={TOWN_TEXT_MAX}
            more={{
              list: "towns",
              "data-towns": "/towns",
              "data-clears-position": "",
              ...position,
            }}
          />
          <datalist id="towns"></datalist>
          <input id="field-lat" type="hidden" name="lat" value={draft.given["lat"] ?? ""} />
          <input id="field-lng" type="hidden" name="lng" value={draft.given["lng"] ?? ""} />
          <button
            class="quiet"
            type="button"
            hidden
            data-near-me
            {...position}
            data-town-field="#field-place"
            data-asking={words.map.asking}
            data-denied={words.map.denied}
            data-failed={words.map.failed}
            data-status="#near-me-status"
          >
            {say.nearMe}
          </button>
          <p class="hint" role="status" id="near-me-status"></p>
        </div>
        <RadiusField
          frame={frame}
          draft={draft}
          name="radius_km"
          label={say.radius}
          usual={RADII_KM}
          otherwise={RADIUS_KM_DEFAULT}
          fits={searchInput.shape.radiusKm}
        />
        <Line draft={draft} name="q" type="search" label={say.query} max={QUERY_MAX} />
        <Choice
          draft={draft}
          name="type"
          label={say.type}
          options={[["", say.anyType], ...types]}
        />
        <Choice
          draft={draft}
          name="species"
          label={say.species}
          options={[["", say.anySpecies], ...species]}
        />
        <Line draft={draft} name="since" type="date" label={say.since} max={DATE_LENGTH} />
        <button type="submit">{say.button}</button>
      </form>
    </search>
  );
}
