import {
  Control,
  DomEvent,
  type LatLngBounds,
  latLng,
  Map as LeafletMap,
  TileLayer,
} from "leaflet/dist/leaflet-src.esm.js";
import type { Point } from "../../../../values/point.ts";
import { element, hintAfter, message } from "../dom/elements.ts";
import { lngNear } from "../dom/position.ts";

/** Closer tiles would tell the tile server more than the 1 km that may be public. */
export const ZOOM_MAX = 15;
/** The whole world. */
export const ZOOM_MIN = 1;
/** Closest zoom that a view chooses by itself: a circle of 1 km is about a hundred pixels wide. */
export const ZOOM_NEAR = 12;
/** A town and what is around it. */
export const ZOOM_TOWN = 11;
/** Radius of the circle that stands for a position: as imprecise as what is public. */
export const CIRCLE_METRES = 1000;

/**
 * Map with its tiles but without a view; its texts come from the data attributes of the container (see map.ts).
 *
 * Scrolling past the map never moves it: on touch screens one finger scrolls the page and two move the map, and the
 * wheel zooms only after a press on the map.
 */
export function createBaseMap(
  container: HTMLElement,
  {
    keyboard,
    zoomMax = ZOOM_MAX,
    tileZoomMax = zoomMax,
  }: {
    keyboard: boolean;
    /** Closest view. */
    zoomMax?: number;
    /** Closest tiles that are requested; closer views enlarge them. */
    tileZoomMax?: number;
  },
): LeafletMap {
  const isAnimated = !matchMedia("(prefers-reduced-motion: reduce)").matches;
  const isTouchScreen = matchMedia("(pointer: coarse)").matches;
  const map = new LeafletMap(container, {
    keyboard,
    dragging: !isTouchScreen,
    scrollWheelZoom: false,
    zoomControl: false,
    attributionControl: false,
    fadeAnimation: isAnimated,
    zoomAnimation: isAnimated,
    markerZoomAnimation: isAnimated,
    inertia: isAnimated,
    minZoom: ZOOM_MIN,
    maxZoom: zoomMax,
  });
  if (!isAnimated) disablePanAnimation(map);
  container.addEventListener("pointerdown", () => map.scrollWheelZoom.enable());
  container.addEventListener("pointerleave", () => map.scrollWheelZoom.disable());
  new ResizeObserver(() => map.invalidateSize({ animate: false })).observe(container);

  new Control.Zoom({
    zoomInTitle: message(container, "zoomIn"),
    zoomOutTitle: message(container, "zoomOut"),
  }).addTo(map);
  addCorner(map, "bottomright", attributionOf(container.dataset.attribution ?? ""));
  const tiles = new TileLayer(container.dataset.tiles!, {
    maxZoom: zoomMax,
    maxNativeZoom: tileZoomMax,
    // The pages send no referrer, but tile servers refuse requests without one. They get the origin, never the path.
    referrerPolicy: "strict-origin",
  });
  warnWithoutTiles(tiles, container);
  tiles.addTo(map);
  if (isTouchScreen) hintAfter(container, message(container, "touchHint"));
  return map;
}

/** Adds content to a corner of a map; clicks on it do not reach the map. */
export function addCorner(
  map: LeafletMap,
  position: "topright" | "bottomright",
  content: HTMLElement,
): void {
  DomEvent.disableClickPropagation(content);
  const control = new Control({ position });
  control.onAdd = () => content;
  control.addTo(map);
}

/** View that holds a circle. */
export function boundsAround(point: Point, radiusMetres: number): LatLngBounds {
  return latLng(point).toBounds(2 * radiusMetres);
}

/** View that holds the circles of points, of which there is at least one, even across the date line. */
export function boundsAroundAll(points: readonly Point[]): LatLngBounds {
  const reference = points[0]?.lng ?? 0;
  return points
    .map(({ lat, lng }) => boundsAround({ lat, lng: lngNear(lng, reference) }, CIRCLE_METRES))
    .reduce((all, one) => all.extend(one));
}

/** Leaflet has no option for this animation. */
function disablePanAnimation(map: LeafletMap): void {
  const panBy = map.panBy.bind(map);
  map.panBy = (offset, options) => panBy(offset, { ...options, animate: false });
}

/** Attribution of the tiles: a line of markup, of which only text and web links are kept. */
function attributionOf(markup: string): HTMLElement {
  const line = element("p", { className: "map-attribution" });
  const { body } = new DOMParser().parseFromString(markup, "text/html");
  for (const node of body.childNodes) {
    const isLink = node instanceof HTMLAnchorElement && /^https?:$/.test(node.protocol);
    line.append(
      isLink ? element("a", { href: node.href, textContent: node.text }) : (node.textContent ?? ""),
    );
  }
  return line;
}

/** Says below the map that no tile could be loaded, until one can. */
function warnWithoutTiles(tiles: TileLayer, container: HTMLElement): void {
  let hint: HTMLElement | null = null;
  let hasTiles = false;
  tiles.on("tileerror", () => {
    if (!hasTiles) hint ??= hintAfter(container, message(container, "noTiles"));
  });
  tiles.on("tileload", () => {
    hasTiles = true;
    hint?.remove();
  });
}
