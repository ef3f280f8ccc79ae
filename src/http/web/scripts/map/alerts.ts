import {
  Circle,
  CircleMarker,
  FeatureGroup,
  type Map as LeafletMap,
  type Path,
  Popup,
} from "leaflet/dist/leaflet-src.esm.js";
import type { Point } from "../../../../core/place.ts";
import { beside, readPosition } from "../position.ts";
import { sentence } from "../sentences.ts";
import { AREA_METRES, boundsAround } from "./area.ts";
import { addCorner, createGround, ZOOM_NEAR } from "./ground.ts";

/** More than a page ever lists. */
const ALERTS_MAX = 200;
const RADIUS_KM_MAX = 500;
const TYPES = ["lost", "found"] as const;

/** An alert of the list. */
type Listed = {
  readonly item: HTMLElement;
  readonly type: (typeof TYPES)[number];
  readonly point: Point;
  /** Address that it links to; null if it is not a link. */
  readonly link: HTMLAnchorElement | null;
};

type Searched = { readonly point: Point; readonly radiusKm: number };

/**
 * Shows the alerts of a list as circles of about 1 km.
 *
 *   <div data-map="alerts" data-list="#alerts-list" data-lost-label="Lost" data-found-label="Found" data-close="Close"
 *        data-centre-lat="45.76" data-centre-lng="4.84" data-radius-km="50" …>
 *   <ul id="alerts-list"><li data-lat="45.77" data-lng="4.83" data-type="lost|found"> … <a href="…">headline</a> …
 *
 * Centre and radius are those of the search, if it had any. A lost animal is a full dot in a full line, a found one a
 * ring in a dashed line; the two labels, where there are any, make the legend. An item's first link and its words make
 * its popup; alerts of one cell share one. Item and circle light each other up (class `map-lit`).
 *
 * The keyboard moves and zooms the map; it reaches the alerts by the list, whose links light up their circles, so that
 * nobody has to step through both.
 */
export function alertsDrawing(element: HTMLElement): (() => void) | null {
  const searched = readSearched(element);
  const alerts = readAlerts(element.dataset.list ?? "", searched);
  if (alerts.length === 0 && searched === null) return null;

  return () => {
    const map = createGround(element, { keyboard: true });
    element.setAttribute("role", "region");
    element.setAttribute("aria-label", sentence(element, "label"));
    showAll(map, alerts, searched);
    if (searched !== null) drawSearched(map, searched);
    for (const cell of cellsOf(alerts)) drawCell(map, cell, sentence(element, "close"));
    addLegend(map, element);
  };
}

function readSearched({ dataset }: HTMLElement): Searched | null {
  const point = readPosition(dataset.centreLat ?? "", dataset.centreLng ?? "");
  const radiusKm = Number(dataset.radiusKm);
  return point !== null && radiusKm > 0 && radiusKm <= RADIUS_KM_MAX ? { point, radiusKm } : null;
}

/** The alerts of a list, on one side of the date line: that of the search or else of the first. */
function readAlerts(list: string, searched: Searched | null): Listed[] {
  if (list === "") return [];
  const items = [...document.querySelectorAll<HTMLElement>(`${list} [data-lat][data-lng]`)];
  let side = searched?.point.lng;
  return items.slice(0, ALERTS_MAX).flatMap((item): Listed[] => {
    const read = readPosition(item.dataset.lat!, item.dataset.lng!);
    if (read === null) return [];
    const point = { lat: read.lat, lng: beside(read.lng, (side ??= read.lng)) };
    const type = item.dataset.type === "found" ? "found" : "lost";
    return [{ item, type, point, link: item.querySelector<HTMLAnchorElement>("a[href]") }];
  });
}

function showAll(map: LeafletMap, alerts: readonly Listed[], searched: Searched | null): void {
  const circles = alerts.map(({ point }) => boundsAround(point, AREA_METRES));
  if (searched !== null) circles.push(boundsAround(searched.point, searched.radiusKm * 1000));
  const all = circles.reduce((bounds, circle) => bounds.extend(circle));
  map.fitBounds(all, { maxZoom: ZOOM_NEAR, animate: false });
}

function drawSearched(map: LeafletMap, { point, radiusKm }: Searched): void {
  const options = { radius: radiusKm * 1000, className: "map-searched", interactive: false };
  new Circle(point, options).addTo(map);
}

/** The alerts by their cells: one drawn over another could not be pressed. */
function cellsOf(alerts: readonly Listed[]): readonly (readonly Listed[])[] {
  const cells: Record<string, Listed[]> = {};
  for (const alert of alerts) (cells[`${alert.point.lat},${alert.point.lng}`] ??= []).push(alert);
  return Object.values(cells);
}

function drawCell(map: LeafletMap, alerts: readonly Listed[], close: string): void {
  const { point } = alerts[0]!;
  const types = TYPES.filter((one) => alerts.some(({ type }) => type === one));
  // What comes later lies on top: in a cell of both kinds the dot of the one in the ring of the other.
  const paths = types.toReversed().flatMap((type) => [
    new Circle(point, { radius: AREA_METRES, className: `map-area map-${type}` }),
    // From afar the circle is smaller than a pixel; the dot is not.
    new CircleMarker(point, { radius: DOT_PX[type], className: `map-dot map-${type}` }),
  ]);
  const group = new FeatureGroup(paths).addTo(map);
  const links = alerts.flatMap(({ link }) => (link === null ? [] : [link]));
  if (links.length > 0) group.bindPopup(popupOf(links, close));
  lightUp(group, paths, alerts);
}

const DOT_PX = { lost: 8, found: 13 };

/** Links of our own with the words of those in the list. */
function popupOf(links: readonly HTMLAnchorElement[], close: string): Popup {
  const list = document.createElement("ul");
  list.className = "map-links";
  for (const { href, textContent } of links) {
    const link = document.createElement("a");
    link.href = href;
    link.textContent = textContent.trim();
    const entry = document.createElement("li");
    entry.append(link);
    list.append(entry);
  }
  const popup = new Popup().setContent(list);
  popup.on("add", () => {
    popup.getElement()?.querySelector('[role="button"]')?.setAttribute("aria-label", close);
  });
  return popup;
}

/** An item lights up its circle, a circle all its items. */
function lightUp(circle: FeatureGroup, paths: readonly Path[], alerts: readonly Listed[]): void {
  const items = alerts.map(({ item }) => item);
  const light = (elements: readonly (Element | undefined)[], isLit: boolean) => {
    for (const element of elements) element?.classList.toggle("map-lit", isLit);
  };
  const lightPaths = (isLit: boolean) => {
    if (isLit) circle.bringToFront();
    light(
      paths.map((path) => path.getElement()),
      isLit,
    );
  };
  circle.on("mouseover", () => light(items, true));
  circle.on("mouseout", () => light(items, false));
  for (const item of items) {
    for (const event of ["mouseenter", "focusin"]) {
      item.addEventListener(event, () => lightPaths(true));
    }
    for (const event of ["mouseleave", "focusout"]) {
      item.addEventListener(event, () => lightPaths(false));
    }
  }
}

function addLegend(map: LeafletMap, element: HTMLElement): void {
  const entries = TYPES.flatMap((type) => {
    const label = sentence(element, `${type}Label`);
    if (label === "") return [];
    const entry = document.createElement("li");
    entry.className = `map-${type}`;
    entry.textContent = label;
    return [entry];
  });
  if (entries.length === 0) return;
  const legend = document.createElement("ul");
  legend.className = "map-legend";
  legend.append(...entries);
  addCorner(map, "topright", legend);
}
