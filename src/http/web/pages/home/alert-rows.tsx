/** @jsxImportSource hono/jsx */
import type { PublicAlert } from "../../../../core/alerts/alert.ts";
import type { SearchPage } from "../../../../core/alerts/search.ts";
import { type CsvCell, csvLine } from "../../../../text/csv.ts";
import { AlertCard } from "../../components/alert.tsx";
import type { FormValues } from "../../form/form.ts";
import { usePage, withParameters } from "../../layout/layout.tsx";

/** Parameter of a list to print or to save. */
export const LIST_VIEW = { view: "list" } as const;

export function isListView({ view }: FormValues): boolean {
  return view === LIST_VIEW.view;
}

/** Columns of the saved list, as the REST API names them: nothing that is not public there. */
const COLUMNS: Readonly<Record<string, (alert: PublicAlert) => CsvCell>> = {
  short_code: ({ shortCode }) => shortCode,
  alert_type: ({ type }) => type,
  pet_type: ({ species }) => species,
  pet_name: ({ name }) => name,
  breed: ({ breed }) => breed,
  color: ({ color }) => color,
  size: ({ size }) => size,
  sex: ({ sex }) => sex,
  age: ({ age }) => age,
  city: ({ city }) => city,
  district: ({ district }) => district,
  country_code: ({ countryCode }) => countryCode,
  latitude: ({ lat }) => lat,
  longitude: ({ lng }) => lng,
  event_date: ({ eventDate }) => eventDate,
  published_at: ({ publishedAt }) => new Date(publishedAt).toISOString(),
  url: ({ url }) => url,
};

/** Spreadsheets take a file without it for one in an old encoding. */
const BYTE_ORDER_MARK = "\ufeff";

/** Alerts as CSV, under the names of the columns. */
export function csvOf(alerts: Iterable<PublicAlert>): string {
  const lines = [...alerts].map((alert) => csvLine(Object.values(COLUMNS).map((of) => of(alert))));
  return BYTE_ORDER_MARK + csvLine(Object.keys(COLUMNS)) + lines.join("");
}

/** Alerts in compact rows, with ways to print them and to save them as CSV. */
export function AlertRows({ found, filters }: { found: SearchPage; filters: FormValues }) {
  const { t, links } = usePage();
  const text = t.home.list;
  return (
    <>
      <p class="list-tools">
        <button type="button" data-print hidden>
          {text.print}
        </button>
        <a class="button quiet" href={withParameters(links.at("/alerts.csv"), filters)} download>
          {text.download}
        </a>
      </p>
      <ul class="cards rows" id="alerts-list">
        {found.alerts.map(({ alert, distanceKm }) => (
          <li>
            <AlertCard alert={alert} distanceKm={distanceKm} level={3} isPrinted />
            <ShortAddress alert={alert} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Address for paper, short enough to type. */
export function ShortAddress({ alert }: { alert: PublicAlert }) {
  const { links } = usePage();
  return <p class="short">{links.short(alert.shortCode).replace(/^https?:\/\//, "")}</p>;
}
