/** @jsxImportSource hono/jsx */
import { z } from "zod";
import { pageSearchInput, type SearchPage } from "../../../../core/alerts/search.ts";
import { QUOTAS } from "../../../../core/caps.ts";
import { latField, lngField, parse, pointIn } from "../../../../core/input.ts";
import { distanceKm, type Point, snap } from "../../../../values/point.ts";
import { AlertCard } from "../../components/alert.tsx";
import { type FormValues, readQuery, without, withoutEmpty } from "../../form/form.ts";
import { fromWire, parameterNames } from "../../../middleware/field-names.ts";
import { local, renderFragment, usePage, type Web, withParameters } from "../../layout/layout.tsx";
import { readSearch } from "./search-form.tsx";

/** Cell, and the centre of the search whose map it is, if it has one. */
const placesInput = z.object({
  lat: latField,
  lng: lngField,
  fromLat: latField.optional(),
  fromLng: lngField.optional(),
});
const PLACES = parameterNames(placesInput);
const FILTERS = parameterNames(
  pageSearchInput.omit({
    lat: true,
    lng: true,
    radiusKm: true,
    limit: true,
    sort: true,
    cursor: true,
  }),
);
/** Radius around the point of a cell that, except near the poles, holds no other. */
const CELL_KM = 0.1;
/** Radius of the search that lists all alerts of a cell. */
const LIST_KM = 1;

/** Content of a popup on the map: the newest alerts of one cell. */
export function mapCellRoutes({ get, service }: Web): void {
  get("/map/cell", async (c, ctx) => {
    const values = withoutEmpty(readQuery(c, [...PLACES, ...FILTERS]));
    const filters = without(values, ...PLACES);
    const places = parse(placesInput, fromWire(values));
    const cell = snap(places.lat, places.lng);
    const from = pointIn({ lat: places.fromLat, lng: places.fromLng }) ?? null;
    const input = { ...readSearch(filters), ...cell, radiusKm: CELL_KM };
    const found = await service.alerts.search(
      { ...input, limit: QUOTAS.alertsPerPopup },
      { withTotal: true },
    );
    return renderFragment(c, ctx, <Cell filters={filters} cell={cell} from={from} found={found} />);
  });
}

function Cell(props: { filters: FormValues; cell: Point; from: Point | null; found: SearchPage }) {
  const { t, links } = usePage();
  const { filters, cell, from, found } = props;
  const km = from === null ? null : Math.round(distanceKm(from, cell) * 10) / 10;
  const here = { ...filters, lat: `${cell.lat}`, lng: `${cell.lng}`, radius_km: `${LIST_KM}` };
  if (found.alerts.length === 0) return <p>{t.map.noneHere}</p>;
  return (
    <>
      <ul class="map-cards">
        {found.alerts.map(({ alert }) => (
          <li>
            <AlertCard alert={alert} distanceKm={km} level={3} />
          </li>
        ))}
      </ul>
      {found.nextCursor !== null && (
        <a href={withParameters(local(links.home), here)}>{t.map.allHere}</a>
      )}
    </>
  );
}
