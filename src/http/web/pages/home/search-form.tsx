/** @jsxImportSource hono/jsx */
import type { Child } from "hono/jsx";
import {
  QUERY_MAX,
  RADIUS_KM_DEFAULT,
  pageSearchInput,
  type SearchInput,
  searchInput,
} from "../../../../core/alerts/search.ts";
import { parse } from "../../../../core/input.ts";
import { writtenTimeField } from "../../../../core/written-time.ts";
import { BASE_COLORS, BREED_GROUPS, colorsOf } from "../../../../matching/matching.ts";
import { Select, type FormState, TextField, FormContents, optionsOf } from "../../form/field.tsx";
import { type FormValues, without } from "../../form/form.ts";
import { fromWire, parameterNames } from "../../../middleware/field-names.ts";
import { usePage, local } from "../../layout/layout.tsx";
import { Animal } from "../../assets/icon.tsx";
import { POSITION_FIELDS, TownField, RadiusField } from "../../form/location-field.tsx";
import { ALERT_TYPES, type Species, SPECIES } from "../../../../values/animal.ts";

/** Query parameters of a search. */
export const SEARCH_PARAMETERS = [
  "place",
  "country_code",
  "view",
  ...parameterNames(pageSearchInput.omit({ limit: true })),
];

/** Fields of the search; a day may be a word where a browser has no date picker. */
const formInput = pageSearchInput.extend({ since: writtenTimeField.optional() });

/** Search by the values of the form, without the name of a place. Throws `bad_input`. */
export function readSearch(values: FormValues): SearchInput {
  return parse(formInput, { ...fromWire(values), query: values["q"] });
}

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
    breed_group: text.breedGroup,
  };
  return (
    <search id="search">
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
          <button type="submit">{text.button}</button>
          {draft.values["organisation"] !== undefined && (
            <input type="hidden" name="organisation" value={draft.values["organisation"]} />
          )}
          <Chips values={draft.values} />
          <details open={OTHERS.some((name) => (draft.values[name] ?? "") !== "")}>
            <summary>{text.moreFilters}</summary>
            <div class="filters">
              <TextField name="q" type="search" max={QUERY_MAX} />
              <ColorField values={draft.values} />
              <BreedGroupField values={draft.values} />
              <TextField name="since" type="date" max={DATE_LENGTH} />
              <Select
                name="sort"
                options={[
                  ["", text.sorts.newest],
                  ["nearest", text.sorts.nearest],
                ]}
              />
            </div>
          </details>
        </form>
      </FormContents>
    </search>
  );
}

/** Fields behind "More filters". */
const OTHERS = ["q", "since", "sort", "color", "breed_group"];

/** Base colours that the chosen species can have. */
function ColorField({ values }: { values: FormValues }) {
  const { t } = usePage();
  const fitting = colorsOf(speciesIn(values));
  const colors = BASE_COLORS.filter(
    (color) => fitting.includes(color) || color === values["color"],
  );
  return (
    <Select name="color" options={[["", t.home.anyColor], ...optionsOf(colors, t.home.colors)]} />
  );
}

/** Groups of breeds that look alike: of the chosen species, or of each. */
function BreedGroupField({ values }: { values: FormValues }) {
  const { t } = usePage();
  const any = ["", t.home.anyBreed] as const;
  const { compare } = new Intl.Collator(t.language);
  const groupsOf = (species: Species) =>
    optionsOf(BREED_GROUPS[species], t.home.breedGroups).toSorted(([, a], [, b]) => compare(a, b));
  const species = speciesIn(values);
  if (species !== null) return <Select name="breed_group" options={[any, ...groupsOf(species)]} />;
  const groups = SPECIES.map((one) => ({ label: t.species[one], options: groupsOf(one) }));
  return <Select name="breed_group" options={[any]} groups={groups} />;
}

function speciesIn({ species }: FormValues): Species | null {
  return SPECIES.find((one) => one === species) ?? null;
}

/** Values without a breed group of another species than the chosen one. */
export function withoutOtherBreeds(values: FormValues): FormValues {
  const species = speciesIn(values);
  const isOther =
    species !== null && !BREED_GROUPS[species].some((one) => one === values["breed_group"]);
  return isOther ? without(values, "breed_group") : values;
}

/** Type and species as choices that one taps; the form sends them with the rest. */
function Chips({ values }: { values: FormValues }) {
  const { t } = usePage();
  const chip = (name: string, value: string, label: Child) => (
    <label class="chip">
      <input type="radio" name={name} value={value} checked={(values[name] ?? "") === value} />
      <span>{label}</span>
    </label>
  );
  return (
    <fieldset class="chips" data-chips>
      <legend class="heard">{t.home.kinds}</legend>
      <span>
        {chip("type", "", t.field.anyType)}
        {ALERT_TYPES.map((type) => chip("type", type, t.type[type]))}
      </span>
      <span>
        {chip("species", "", t.field.anySpecies)}
        {SPECIES.map((species) =>
          chip(
            "species",
            species,
            <>
              <Animal species={species} />
              {t.species[species]}
            </>,
          ),
        )}
      </span>
    </fieldset>
  );
}
