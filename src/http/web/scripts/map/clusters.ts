import {
  DivIcon,
  FeatureGroup,
  LayerGroup,
  type Map as LeafletMap,
  Marker,
} from "leaflet/dist/leaflet-src.esm.js";
import Supercluster from "supercluster";
import type { Point } from "../../../../values/point.ts";
import { element } from "../dom/elements.ts";
import { lngNear, wrapLng } from "../dom/position.ts";
import { ZOOM_MAX, ZOOM_MIN } from "./base-map.ts";
import type { Cell } from "./cells.ts";
import { markAt, type MarkType, TYPES } from "./mark.ts";

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
