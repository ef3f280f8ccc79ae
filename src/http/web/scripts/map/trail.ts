import { DivIcon, type Map as LeafletMap, Marker, Polyline } from "leaflet/dist/leaflet-src.esm.js";
import type { Point } from "../../../../values/point.ts";
import { element, message } from "../dom/elements.ts";
import { boundsAroundAll, createBaseMap, ZOOM_NEAR } from "./base-map.ts";
import { listedPlaces, addLegend, markAt, type MarkType } from "./clusters.ts";

type Stop = { readonly point: Point; readonly type: MarkType; readonly number: number };

/**
 * Shows the places of a list; those with a number are joined by a line in its order.
 *
 *   <div data-map="trail" data-list="#trail" data-lost-label="Lost here" data-found-label="Seen" …>
 *   <ol id="trail"><li data-lat="45.77" data-lng="4.83" data-type="lost|found" data-number="1">
 *
 * The line leaves out places without `data-number`. It begins at 0, which is not written on the map. The list says the
 * same in text, so only the map itself takes the focus.
 */
export function prepareTrailMap(container: HTMLElement): (() => void) | null {
  const stops = readStops(container.dataset.list!);
  if (stops.length === 0) return null;
  return () => {
    const map = createBaseMap(container, { keyboard: true });
    container.setAttribute("role", "region");
    container.setAttribute("aria-label", message(container, "label"));
    map.fitBounds(boundsAroundAll(stops.map(({ point }) => point)), {
      maxZoom: ZOOM_NEAR,
      animate: false,
    });
    const points = inOrder(stops.filter(({ number }) => Number.isFinite(number))).map(
      ({ point }) => point,
    );
    if (points.length > 1)
      new Polyline(points, { className: "map-line", interactive: false }).addTo(map);
    for (const inCell of stopsByCell(stops)) drawCell(map, inCell);
    addLegend(map, container);
  };
}

function readStops(list: string): Stop[] {
  return listedPlaces(list).map(({ item, ...place }) => ({
    ...place,
    number: Number(item.dataset["number"] ?? NaN),
  }));
}

/** Places by cell: of two in the same one only the upper number could be read. */
function stopsByCell(stops: readonly Stop[]): readonly (readonly Stop[])[] {
  const cells = new Map<string, readonly Stop[]>();
  for (const stop of stops) {
    const cell = `${stop.point.lat},${stop.point.lng}`;
    cells.set(cell, [...(cells.get(cell) ?? []), stop]);
  }
  return [...cells.values()];
}

function inOrder(stops: readonly Stop[]): readonly Stop[] {
  return [...stops].sort((a, b) => a.number - b.number);
}

function drawCell(map: LeafletMap, stops: readonly Stop[]): void {
  const { point } = stops[0]!;
  for (const type of new Set(stops.map((stop) => stop.type)))
    for (const path of markAt(point, type, { interactive: false })) path.addTo(map);
  const numbered = inOrder(stops.filter(({ number }) => number > 0));
  const [first] = numbered;
  if (first === undefined) return;
  const numbers = numbered.map(({ number }) => number).join(", ");
  const html = element("span", { textContent: numbers });
  html.setAttribute("aria-hidden", "true");
  const className = `map-number map-${first.type}`;
  const icon = new DivIcon({ className, html, iconSize: [0, 0] });
  new Marker(point, { icon, interactive: false, keyboard: false }).addTo(map);
}
