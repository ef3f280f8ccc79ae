/** @jsxImportSource hono/jsx */
import { ALERT_TYPES, SPECIES } from "../../../../core/alerts/alert.ts";
import { QUERY_MAX, RADIUS_KM_DEFAULT, searchInput } from "../../../../core/alerts/search.ts";
import { Select, type FormState, TextField, optionsOf, FormContents } from "../../form/field.tsx";
import { local, usePage } from "../../layout.tsx";
import { POSITION_FIELDS, TownField, RadiusField } from "../../form/location-field.tsx";

/** Query parameters of a search, in the order of its fields. */
export const SEARCH_PARAMETERS = [
  "place",
  "lat",
  "lng",
  "radius_km",
  "q",
  "type",
  "species",
  "since",
  "sort",
  "cursor",
];
/** Offered radii. */
export const RADII_KM = [5, 10, 25, 50, 100, 250];
const DATE_LENGTH = 10;

/** Search form of the home page, sent by GET. */
export function SearchForm({ draft }: { draft: FormState }) {
  const { t, links } = usePage();
  const text = t.home;
  const labels = {
    ...t.field,
    place: text.place,
    radius_km: text.radius,
    q: text.query,
    since: text.since,
    sort: text.sort,
  };
  return (
    <search>
      <FormContents draft={draft} labels={labels}>
        <form
          class="search"
          method="get"
          action={`${local(links.home)}#alerts`}
          aria-label={text.search}
        >
          <div class="search-place">
            <TownField />
            <button
              class="quiet"
              type="button"
              hidden
              data-near-me
              {...POSITION_FIELDS}
              data-town-field="#field-place"
              data-asking={t.map.asking}
              data-denied={t.map.denied}
              data-failed={t.map.failed}
              data-status="#near-me-status"
            >
              {text.nearMe}
            </button>
            <p class="hint" role="status" id="near-me-status"></p>
          </div>
          <RadiusField
            name="radius_km"
            usual={RADII_KM}
            otherwise={RADIUS_KM_DEFAULT}
            fits={searchInput.shape.radiusKm}
          />
          <TextField name="q" type="search" max={QUERY_MAX} />
          <Select
            name="type"
            options={[["", t.field.anyType], ...optionsOf(ALERT_TYPES, t.type)]}
          />
          <Select
            name="species"
            options={[["", t.field.anySpecies], ...optionsOf(SPECIES, t.species)]}
          />
          <TextField name="since" type="date" max={DATE_LENGTH} />
          <Select
            name="sort"
            options={[
              ["", text.sorts.newest],
              ["nearest", text.sorts.nearest],
            ]}
          />
          <button type="submit">{text.button}</button>
        </form>
      </FormContents>
    </search>
  );
}
