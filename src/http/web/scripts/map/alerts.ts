import { Circle, FeatureGroup, type Map as LeafletMap } from "leaflet/dist/leaflet-src.esm.js";
import type { Point } from "../../../../values/point.ts";
import { hintAfter, message } from "../dom/elements.ts";
import { readPosition } from "../dom/position.ts";
import { boundsAround, boundsAroundAll, createBaseMap, ZOOM_NEAR } from "./base-map.ts";
import {
  type Cell,
  cellsOf,
  fetchMarks,
  isSameCell,
  createClusterLayer,
  type ListedPlace,
  listedPlaces,
  addLegend,
  markAt,
} from "./clusters.ts";
import { createPopups } from "./popup.ts";
import { offerSearchHere, SEARCH_HERE_HASH } from "./search-here.ts";

type SearchArea = { readonly point: Point; readonly radiusKm: number };

/**
 * Shows the alerts of a search, those close together as one count that a press takes apart.
 *
 *   <div data-map="alerts" data-list="#alerts-list" data-lost-label="Lost" data-found-label="Found" data-close="Close"
 *        data-centre-lat="45.76" data-centre-lng="4.84" data-radius-km="50"
 *        data-marks="/map/alerts.json?…" data-newest="The map shows the newest {count}."
 *        data-cell="/map/cell?…" data-loading="…" data-failed-here="…"
 *        data-search-here="/?…" data-search-area="Search this area" …>
 *   <ul id="alerts-list"><li data-lat="45.77" data-lng="4.83" data-type="lost|found"> … <a href="…">headline</a> …
 *
 * Centre and radius are those of the search, if it had any. `data-marks` has all alerts of the search; without it, or
 * until it is loaded, or if it cannot be, the map shows those of the list. A lost animal is a filled dot in a solid
 * circle of about 1 km, a found one a ring in a dashed circle; counts show the same dot and ring, and the legend both
 * labels, if given. The popup of a cell loads its alerts from `data-cell`. Pointing at an item shows its circle, and the other way round
 * (class `map-lit`). `data-search-here`: see search-here.ts.
 *
 * The keyboard moves and zooms the map. It reaches the alerts through the list, whose items show their circles, so that
 * nobody has to tab through both: counts and dots are for pointers only.
 */
export function prepareAlertMap(container: HTMLElement): (() => void) | null {
  const area = readSearchArea(container);
  const listed = listedPlaces(container.dataset.list!, area?.point.lng);
  if (listed.length === 0 && area === null) return null;

  return () => {
    const map = createBaseMap(container, { keyboard: true });
    container.setAttribute("role", "region");
    container.setAttribute("aria-label", message(container, "label"));
    const cells = cellsOf(listed);
    fitAll(map, cells, area);
    if (area !== null) drawSearchArea(map, area);
    const popups = createPopups(map, container);
    const layer = createClusterLayer(map, {
      onPress: popups.open,
      onPoint: (cell, isOn) => highlightItems(listed, cell, isOn),
    });
    layer.show(cells);
    for (const alert of listed) showCircleOf(map, alert);
    addLegend(map, container);
    const searchHere = offerSearchHere(map, container);
    void showAll(map, container, layer, area).finally(searchHere);
  };
}

/** Shows all alerts of the search instead of those of the list. */
async function showAll(
  map: LeafletMap,
  container: HTMLElement,
  layer: ReturnType<typeof createClusterLayer>,
  area: SearchArea | null,
): Promise<void> {
  const { marks: address } = container.dataset;
  const answer = address === undefined ? null : await fetchMarks(address);
  if (answer === null) return;
  const { cells, count, isMore } = answer;
  if (area === null && cells.length > 0) fitAll(map, cells, null);
  layer.show(cells);
  const lang = document.documentElement.lang;
  if (isMore)
    hintAfter(container, message(container, "newest", { count: count.toLocaleString(lang) }));
}

function readSearchArea({ dataset }: HTMLElement): SearchArea | null {
  const point = readPosition(dataset.centreLat ?? "", dataset.centreLng ?? "");
  const radiusKm = Number(dataset.radiusKm);
  return point !== null && radiusKm > 0 ? { point, radiusKm } : null;
}

function fitAll(map: LeafletMap, cells: readonly Cell[], area: SearchArea | null): void {
  // Someone who searched what the map showed sees it again: the circle reaches into the corners of that view.
  const isSearchedHere = area !== null && location.hash === SEARCH_HERE_HASH;
  const metres = (area?.radiusKm ?? 0) * 1000 * (isSearchedHere ? Math.SQRT1_2 : 1);
  const bounds =
    area === null
      ? boundsAroundAll(cells.map(({ point }) => point))
      : boundsAround(area.point, metres);
  map.fitBounds(bounds, { maxZoom: isSearchedHere ? map.getMaxZoom() : ZOOM_NEAR, animate: false });
}

function drawSearchArea(map: LeafletMap, { point, radiusKm }: SearchArea): void {
  const options = { radius: radiusKm * 1000, className: "map-searched", interactive: false };
  new Circle(point, options).addTo(map);
}

/** Highlights the items of a cell under the pointer. */
function highlightItems(listed: readonly ListedPlace[], cell: Cell, isOn: boolean): void {
  for (const { item, point } of listed)
    if (isSameCell(point, cell.point)) item.classList.toggle("map-lit", isOn);
}

/** Draws the circle of an item while the item is under the pointer or has the focus. */
function showCircleOf(map: LeafletMap, { item, point, type }: ListedPlace): void {
  const paths = markAt(point, type, { interactive: false });
  for (const path of paths) path.options.className += " map-lit";
  const circle = new FeatureGroup([...paths]);
  for (const event of ["mouseenter", "focusin"])
    item.addEventListener(event, () => void circle.addTo(map).bringToFront());
  for (const event of ["mouseleave", "focusout"])
    item.addEventListener(event, () => void circle.remove());
}
