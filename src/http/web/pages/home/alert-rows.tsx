/** @jsxImportSource hono/jsx */
import type { PublicAlert } from "../../../../core/alerts/alert.ts";
import type { SearchPage } from "../../../../core/alerts/search.ts";
import { isoDate } from "../../../../core/input.ts";
import { AlertCard } from "../../components/alert.tsx";
import type { FormValues } from "../../form/form.ts";
import { usePage } from "../../layout/layout.tsx";

/** Parameter of a list to print or to save. */
export const LIST_VIEW = { view: "list" } as const;

export function isListView({ view }: FormValues): boolean {
  return view === LIST_VIEW.view;
}

/** Columns of the saved list, as the REST API names them: nothing that is not public there. */
const COLUMNS: Readonly<Record<string, (alert: PublicAlert) => string | number | null>> = {
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

/** Alerts in compact rows, with buttons to print them and to save them as CSV. */
export function AlertRows({ found }: { found: SearchPage }) {
  const { t, now } = usePage();
  const text = t.home.list;
  return (
    <>
      <p class="list-tools">
        <button type="button" data-print hidden>
          {text.print}
        </button>
        <button
          class="quiet"
          type="button"
          hidden
          data-csv="#alerts-list"
          data-file={`alerts-${isoDate(now)}.csv`}
          data-saving={text.saving}
          data-saved={text.saved}
          data-saved-part={text.savedPart}
          data-failed={text.failed}
          data-status="#csv-status"
        >
          {text.download}
        </button>
        <span class="quiet" role="status" id="csv-status"></span>
      </p>
      <ul class="cards rows" id="alerts-list" data-columns={Object.keys(COLUMNS).join()}>
        {found.alerts.map(({ alert, distanceKm }) => (
          <li data-row={JSON.stringify(Object.values(COLUMNS).map((of) => of(alert) ?? ""))}>
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
