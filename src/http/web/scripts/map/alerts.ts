import {
  Circle,
  FeatureGroup,
  type Map as LeafletMap,
  type Path,
  Popup,
} from "leaflet/dist/leaflet-src.esm.js";
import type { Point } from "../../../../core/place.ts";
import { element } from "../elements.ts";
import { message } from "../messages.ts";
import { lngNear, readPosition } from "../position.ts";
import { boundsAround, CIRCLE_METRES, createBaseMap, ZOOM_NEAR } from "./base-map.ts";
import { addLegend, markAt, type MarkType, TYPES } from "./mark.ts";

/** More alerts than any page lists. */
const ALERTS_MAX = 200;
const RADIUS_KM_MAX = 500;

/** Alert of the list. */
type ListedAlert = {
  readonly item: HTMLElement;
  readonly type: MarkType;
  readonly point: Point;
  /** First link of the item. */
  readonly link: HTMLAnchorElement | null;
};

type SearchArea = { readonly point: Point; readonly radiusKm: number };

/**
 * Shows the alerts of a list as circles of about 1 km.
 *
 *   <div data-map="alerts" data-list="#alerts-list" data-lost-label="Lost" data-found-label="Found" data-close="Close"
 *        data-centre-lat="45.76" data-centre-lng="4.84" data-radius-km="50" …>
 *   <ul id="alerts-list"><li data-lat="45.77" data-lng="4.83" data-type="lost|found"> … <a href="…">headline</a> …
 *
 * Centre and radius are those of the search, if it had any. A lost animal is a filled dot in a solid circle, a found one
 * a ring in a dashed circle; the legend shows both labels, if given. The popup of an alert holds the first link of its
 * item; alerts in the same cell share a popup. Items and circles highlight each other (class `map-lit`).
 *
 * The keyboard moves and zooms the map. It reaches the alerts through the list, whose links highlight their circles, so
 * that nobody has to tab through both.
 */
export function prepareAlertMap(container: HTMLElement): (() => void) | null {
  const area = readSearchArea(container);
  const alerts = readAlerts(container.dataset.list ?? "", area);
  if (alerts.length === 0 && area === null) return null;

  return () => {
    const map = createBaseMap(container, { keyboard: true });
    container.setAttribute("role", "region");
    container.setAttribute("aria-label", message(container, "label"));
    fitAll(map, alerts, area);
    if (area !== null) drawSearchArea(map, area);
    for (const cell of groupByCell(alerts)) drawCell(map, cell, message(container, "close"));
    addLegend(map, container);
  };
}

function readSearchArea({ dataset }: HTMLElement): SearchArea | null {
  const point = readPosition(dataset.centreLat ?? "", dataset.centreLng ?? "");
  const radiusKm = Number(dataset.radiusKm);
  return point !== null && radiusKm > 0 && radiusKm <= RADIUS_KM_MAX ? { point, radiusKm } : null;
}

/** Alerts of a list, with longitudes near that of the search or else of the first alert, even across the date line. */
function readAlerts(list: string, area: SearchArea | null): ListedAlert[] {
  if (list === "") return [];
  const items = [...document.querySelectorAll<HTMLElement>(`${list} [data-lat][data-lng]`)];
  let reference = area?.point.lng;
  return items.slice(0, ALERTS_MAX).flatMap((item): ListedAlert[] => {
    const read = readPosition(item.dataset.lat!, item.dataset.lng!);
    if (read === null) return [];
    const point = { lat: read.lat, lng: lngNear(read.lng, (reference ??= read.lng)) };
    const type = item.dataset.type === "found" ? "found" : "lost";
    return [{ item, type, point, link: item.querySelector<HTMLAnchorElement>("a[href]") }];
  });
}

function fitAll(map: LeafletMap, alerts: readonly ListedAlert[], area: SearchArea | null): void {
  const circles = alerts.map(({ point }) => boundsAround(point, CIRCLE_METRES));
  if (area !== null) circles.push(boundsAround(area.point, area.radiusKm * 1000));
  const all = circles.reduce((bounds, circle) => bounds.extend(circle));
  map.fitBounds(all, { maxZoom: ZOOM_NEAR, animate: false });
}

function drawSearchArea(map: LeafletMap, { point, radiusKm }: SearchArea): void {
  const options = { radius: radiusKm * 1000, className: "map-searched", interactive: false };
  new Circle(point, options).addTo(map);
}

/** Alerts by cell: of two in the same place only the upper one could be clicked. */
function groupByCell(alerts: readonly ListedAlert[]): readonly (readonly ListedAlert[])[] {
  const cells: Record<string, ListedAlert[]> = {};
  for (const alert of alerts) (cells[`${alert.point.lat},${alert.point.lng}`] ??= []).push(alert);
  return Object.values(cells);
}

function drawCell(map: LeafletMap, alerts: readonly ListedAlert[], close: string): void {
  const { point } = alerts[0]!;
  const types = TYPES.filter((one) => alerts.some(({ type }) => type === one));
  // Later paths are drawn on top: in a cell of both types the dot is inside the ring.
  const paths = types.toReversed().flatMap((type) => markAt(point, type, { interactive: true }));
  const group = new FeatureGroup(paths).addTo(map);
  const links = alerts.flatMap(({ link }) => (link === null ? [] : [link]));
  if (links.length > 0) group.bindPopup(popupOf(links, close));
  linkHighlights(group, paths, alerts);
}

/** Popup with copies of links. */
function popupOf(links: readonly HTMLAnchorElement[], close: string): Popup {
  const items = links.map(({ href, textContent }) =>
    element("li", {}, element("a", { href, textContent: textContent.trim() })),
  );
  const list = element("ul", { className: "map-links" }, ...items);
  const popup = new Popup().setContent(list);
  popup.on("add", () => {
    popup.getElement()?.querySelector('[role="button"]')?.setAttribute("aria-label", close);
  });
  return popup;
}

/** Highlights the circle of an item under the pointer or focus, and all items of a circle under the pointer. */
function linkHighlights(
  circle: FeatureGroup,
  paths: readonly Path[],
  alerts: readonly ListedAlert[],
): void {
  const items = alerts.map(({ item }) => item);
  const highlight = (targets: readonly (Element | undefined)[], isOn: boolean) => {
    for (const target of targets) target?.classList.toggle("map-lit", isOn);
  };
  const highlightPaths = (isOn: boolean) => {
    if (isOn) circle.bringToFront();
    highlight(
      paths.map((path) => path.getElement()),
      isOn,
    );
  };
  circle.on("mouseover", () => highlight(items, true));
  circle.on("mouseout", () => highlight(items, false));
  for (const item of items) {
    for (const event of ["mouseenter", "focusin"]) {
      item.addEventListener(event, () => highlightPaths(true));
    }
    for (const event of ["mouseleave", "focusout"]) {
      item.addEventListener(event, () => highlightPaths(false));
    }
  }
}
