import { Control, DomEvent, Map as LeafletMap, TileLayer } from "leaflet/dist/leaflet-src.esm.js";
import { sentence } from "../sentences.ts";

/** A closer look would ask the tile server for less than the 1 km that may be known of anybody. */
const ZOOM_MAX = 15;
/** The whole world. */
export const ZOOM_MIN = 1;
/** As near as a view goes by itself: an area of 1 km then is about a hundred pixels wide. */
export const ZOOM_NEAR = 12;
/** A country or two. */
export const ZOOM_FAR = 5;

/**
 * A map with its tiles and without a view yet, in the words of the element's data attributes; see map.ts.
 *
 * Nobody who scrolls is caught in it: one finger moves the page, two fingers the map; the wheel turns the page too
 * until the map has been pressed.
 */
export function createGround(
  element: HTMLElement,
  { keyboard }: { keyboard: boolean },
): LeafletMap {
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const isTouched = matchMedia("(pointer: coarse)").matches;
  const map = new LeafletMap(element, {
    keyboard,
    dragging: !isTouched,
    scrollWheelZoom: false,
    zoomControl: false,
    attributionControl: false,
    fadeAnimation: !isCalm,
    zoomAnimation: !isCalm,
    markerZoomAnimation: !isCalm,
    inertia: !isCalm,
    minZoom: ZOOM_MIN,
    maxZoom: ZOOM_MAX,
  });
  if (isCalm) jump(map);
  element.addEventListener("pointerdown", () => map.scrollWheelZoom.enable());
  element.addEventListener("pointerleave", () => map.scrollWheelZoom.disable());
  new ResizeObserver(() => map.invalidateSize({ animate: false })).observe(element);

  new Control.Zoom({
    zoomInTitle: sentence(element, "zoomIn") || "+",
    zoomOutTitle: sentence(element, "zoomOut") || "−",
  }).addTo(map);
  addCorner(map, "bottomright", attributionOf(element.dataset.attribution ?? ""));
  const tiles = new TileLayer(element.dataset.tiles!, {
    maxZoom: ZOOM_MAX,
    // The pages send no referrer, but tile servers turn away who does not name a site. Our name alone, never the path.
    referrerPolicy: "strict-origin",
  });
  tellOfNoTiles(tiles, element);
  tiles.addTo(map);
  if (isTouched) hintBelow(element, sentence(element, "touchHint"));
  return map;
}

/** Lays an element into a corner of a map; a press on it is none on the map. */
export function addCorner(
  map: LeafletMap,
  position: "topright" | "bottomright",
  element: HTMLElement,
): void {
  DomEvent.disableClickPropagation(element);
  const control = new Control({ position });
  control.onAdd = () => element;
  control.addTo(map);
}

/** Leaflet has no switch for the gliding of a view that is moved. */
function jump(map: LeafletMap): void {
  const panBy = map.panBy.bind(map);
  map.panBy = (offset, options) => panBy(offset, { ...options, animate: false });
}

/** Tile servers hand out a line of markup; of that only text and links to the web are taken. */
function attributionOf(markup: string): HTMLElement {
  const line = document.createElement("p");
  line.className = "map-attribution";
  const { body } = new DOMParser().parseFromString(markup, "text/html");
  for (const node of body.childNodes) {
    const isLink = node instanceof HTMLAnchorElement && /^https?:$/.test(node.protocol);
    line.append(isLink ? linkTo(node.href, node.text) : (node.textContent ?? ""));
  }
  return line;
}

function linkTo(href: string, text: string): HTMLAnchorElement {
  const link = document.createElement("a");
  link.href = href;
  link.textContent = text;
  return link;
}

/** Says under the map that no tile came, until one does. */
function tellOfNoTiles(tiles: TileLayer, element: HTMLElement): void {
  let hint: HTMLElement | null = null;
  let hasTiles = false;
  tiles.on("tileerror", () => {
    if (!hasTiles) hint ??= hintBelow(element, sentence(element, "noTiles"));
  });
  tiles.on("tileload", () => {
    hasTiles = true;
    hint?.remove();
  });
}

function hintBelow(element: HTMLElement, text: string): HTMLElement | null {
  if (text === "") return null;
  const hint = document.createElement("p");
  hint.className = "hint";
  hint.textContent = text;
  element.after(hint);
  return hint;
}
