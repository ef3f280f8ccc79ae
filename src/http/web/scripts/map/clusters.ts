import {
  Circle,
  CircleMarker,
  type Map as LeafletMap,
  DivIcon,
  FeatureGroup,
  LayerGroup,
  Marker,
} from "leaflet/dist/leaflet-src.esm.js";
import type { Point } from "../../../../values/point.ts";
import { element, message } from "../dom/elements.ts";
import { addCorner, CIRCLE_METRES, ZOOM_MAX, ZOOM_MIN } from "./base-map.ts";
import { wrapLng, lngNear, readPosition } from "../dom/position.ts";

export const TYPES = ["lost", "found"] as const;
export type MarkType = (typeof TYPES)[number];

const DOT_PX = { lost: 8, found: 13 };

/** Mark of a cell: a filled dot in a solid circle for a lost animal, a ring in a dashed circle for a found one. */
export function markAt(
  point: Point,
  type: MarkType,
  { interactive }: { interactive: boolean },
): readonly [Circle, CircleMarker] {
  return [
    new Circle(point, {
      radius: CIRCLE_METRES,
      className: `map-area map-${type}`,
      interactive,
    }),
    // When zoomed out, the circle is smaller than a pixel; the dot is not.
    new CircleMarker(point, {
      radius: DOT_PX[type],
      className: `map-dot map-${type}`,
      interactive,
    }),
  ];
}

/** Meaning of the marks, by `data-lost-label` and `data-found-label`; nothing without them. */
export function addLegend(map: LeafletMap, container: HTMLElement): void {
  const items = TYPES.flatMap((type) => {
    const label = message(container, `${type}Label`);
    return label === "" ? [] : [element("li", { className: `map-${type}`, textContent: label })];
  });
  if (items.length === 0) return;
  addCorner(map, "topright", element("ul", { className: "map-legend" }, ...items));
}

/** Cell of the public grid, and its alerts. */
export type Cell = { readonly point: Point } & Readonly<Record<MarkType, number>>;

export function cellsOf(
  alerts: Iterable<{ readonly point: Point; readonly type: MarkType }>,
): Cell[] {
  const cells = new Map<string, { point: Point } & Record<MarkType, number>>();
  for (const { point, type } of alerts) {
    const key = `${point.lat},${point.lng}`;
    const cell = cells.get(key) ?? { point, lost: 0, found: 0 };
    cell[type]++;
    cells.set(key, cell);
  }
  return [...cells.values()];
}

/** True for points of one cell, also with rounding errors or on the other side of the date line. */
export function isSameCell(one: Point, other: Point): boolean {
  return (
    Math.abs(one.lat - other.lat) < EPSILON && Math.abs(wrapLng(one.lng - other.lng)) < EPSILON
  );
}
const EPSILON = 1e-6;

/** All alerts of a search; `isMore` if it has more than these. */
type Marks = { readonly cells: readonly Cell[]; readonly count: number; readonly isMore: boolean };

/** Loads the alerts of a search (format: `MarkRow` of the server); null if that fails. */
export async function fetchMarks(address: string): Promise<Marks | null> {
  try {
    const response = await fetch(address);
    return response.ok ? readMarks(await response.json()) : null;
  } catch {
    return null;
  }
}

type MarkRows = readonly (readonly [lat: number, lngs: readonly number[]])[];

function readMarks({ more, ...rows }: Record<MarkType, MarkRows> & { more: boolean }): Marks {
  const marks = TYPES.flatMap((type) =>
    rows[type].flatMap(([lat, lngs]) =>
      lngs.map((lng) => ({ point: { lat: lat / 100, lng: lng / 100 }, type })),
    ),
  );
  return { cells: cellsOf(marks), count: marks.length, isMore: more };
}

/** Item of a list with a position: `<li data-lat="45.77" data-lng="4.83" data-type="lost|found">`. */
export type ListedPlace = {
  readonly item: HTMLElement;
  readonly type: MarkType;
  readonly point: Point;
};

/**
 * Places of a list, given by its selector. Longitudes are near a reference, or else near the first
 * one, even across the date line.
 */
export function listedPlaces(list: string, reference?: number): ListedPlace[] {
  const items = [...document.querySelectorAll<HTMLElement>(`${list} [data-lat][data-lng]`)];
  let near = reference;
  return items.flatMap((item): ListedPlace[] => {
    const read = readPosition(item.dataset.lat!, item.dataset.lng!);
    if (read === null) return [];
    const point = { lat: read.lat, lng: lngNear(read.lng, (near ??= read.lng)) };
    return [{ item, point, type: item.dataset.type === "found" ? "found" : "lost" }];
  });
}

import Supercluster from "supercluster";

/** Cells closer together than this are one count. */
const CLUSTER_PX = 76;
/** Drawn beyond the view, as a fraction of it, so that small moves show nothing new. */
const PADDING = 0.2;

/** Circles of 1 km are drawn around this many cells at most: more of them would hide the map, and each other. */
const CIRCLES_MAX = 12;

type Counts = Readonly<Record<MarkType, number>>;
type Listeners = {
  /** A cell was pressed. */
  readonly onPress: (cell: Cell) => void;
  /** The pointer entered or left a cell. */
  readonly onPoint: (cell: Cell, isOn: boolean) => void;
};

/** Layer of cells, of which those close together are drawn as one count. A press on a count zooms in on its cells. */
export function createClusterLayer(map: LeafletMap, listeners: Listeners) {
  const drawn = new LayerGroup().addTo(map);
  let clusters: Supercluster<Counts, Record<MarkType, number>> | null = null;

  function draw(): void {
    drawn.clearLayers();
    if (clusters === null) return;
    const view = map.getBounds().pad(PADDING);
    const middle = map.getCenter().lng;
    const isWholeWorld = view.getEast() - view.getWest() >= 360;
    const west = isWholeWorld ? -180 : wrapLng(view.getWest());
    const east = isWholeWorld ? 180 : wrapLng(view.getEast());
    const south = Math.max(-90, view.getSouth());
    const north = Math.min(90, view.getNorth());
    const found = clusters.getClusters([west, south, east, north], map.getZoom());
    const hasCircles =
      found.filter(({ properties }) => !("cluster" in properties)).length <= CIRCLES_MAX;
    for (const { geometry, properties } of found) {
      const [lng = 0, lat = 0] = geometry.coordinates;
      const point = { lat, lng: lngNear(lng, middle) };
      if ("cluster" in properties) drawCluster(point, properties, properties.cluster_id);
      else drawCell({ point, ...properties }, hasCircles);
    }
  }

  function drawCluster(point: Point, counts: Counts, id: number): void {
    const zoomIn = () => map.setView(point, clusters?.getClusterExpansionZoom(id));
    countMarker(point, counts).on("click", zoomIn).addTo(drawn);
  }

  function drawCell(cell: Cell, hasCircle: boolean): void {
    const { point } = cell;
    const isOne = cell.lost + cell.found === 1;
    const paths = TYPES.filter((type) => cell[type] > 0).flatMap((type) => {
      const [circle, dot] = markAt(point, type, { interactive: true });
      return [...(hasCircle ? [circle] : []), ...(isOne ? [dot] : [])];
    });
    const group = new FeatureGroup(isOne ? paths : [...paths, countMarker(point, cell)]);
    group.on("click", () => listeners.onPress(cell));
    group.on("mouseover", () => listeners.onPoint(cell, true));
    group.on("mouseout", () => listeners.onPoint(cell, false));
    group.addTo(drawn);
  }

  map.on("moveend", draw);
  return {
    show(cells: readonly Cell[]): void {
      clusters = new Supercluster<Counts, Record<MarkType, number>>({
        radius: CLUSTER_PX,
        // Leaflet's tiles are 256 pixels wide.
        extent: 256,
        minZoom: ZOOM_MIN,
        maxZoom: ZOOM_MAX - 1,
        map: ({ lost, found }) => ({ lost, found }),
        reduce(sum, { lost, found }) {
          sum.lost += lost;
          sum.found += found;
        },
      });
      clusters.load(
        cells.map(({ point: { lat, lng }, lost, found }) => ({
          type: "Feature",
          geometry: { type: "Point", coordinates: [wrapLng(lng), lat] },
          properties: { lost, found },
        })),
      );
      draw();
    },
  };
}

/** Numbers of lost and found animals, with the dot and the ring of the legend. For pointers only. */
function countMarker(point: Point, counts: Counts): Marker {
  const format = new Intl.NumberFormat(document.documentElement.lang, { notation: "compact" });
  const parts = TYPES.filter((type) => counts[type] > 0).map((type) =>
    element("span", { className: `map-${type}`, textContent: format.format(counts[type]) }),
  );
  const html = element("span", { className: "map-count" }, ...parts);
  html.setAttribute("aria-hidden", "true");
  const icon = new DivIcon({ html, className: "map-counts", iconSize: [0, 0] });
  return new Marker(point, { icon, keyboard: false });
}
