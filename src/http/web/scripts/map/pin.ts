import {
  Circle,
  DivIcon,
  latLng,
  type LeafletMouseEvent,
  type Map as LeafletMap,
  Marker,
} from "leaflet/dist/leaflet-src.esm.js";
import { type Point, snap } from "../../../../values/point.ts";
import { fieldNamed, type PositionFields, positionFields } from "../dom/fields.ts";
import { lngNear, neighbour, readPosition, type Step, wrapLng } from "../dom/position.ts";
import { message } from "../dom/elements.ts";
import {
  boundsAround,
  boundsAroundAll,
  CIRCLE_METRES,
  createBaseMap,
  ZOOM_MIN,
  ZOOM_NEAR,
  ZOOM_TOWN,
} from "./base-map.ts";
import { addLegend, markAt, type MarkType } from "./clusters.ts";

/** Marks further from the first one do not widen the first view. */
const VIEW_METRES_MAX = 20_000;

/**
 * Sets a pin, whose position is held by two fields of the form.
 *
 *   <div data-map="pick" data-lat-field="#field-lat" data-lng-field="#field-lng"
 *        data-centre-lat="45.76" data-centre-lng="4.84" data-view="42.3 -4.8 51.1 8.2"
 *        data-known="lost 45.76 4.84, found 45.77 4.83" data-lost-label="Lost here" data-found-label="Seen" …>
 *   <div data-map="zone" data-radius-field="#field-radiusKm" …the same…>
 *
 * A click sets the pin and dragging moves it. While the map has the focus, the arrow keys move it too, Enter sets it in
 * the middle, and + and - zoom. Only the centre of its cell on the public grid is ever written, and a circle of 1 km
 * shows what will be public; "zone" draws a circle with the radius in km of the named field instead.
 *
 * While the fields are empty, the map opens around the marks (optional) that lie near the first one: they show what is
 * already known, and a click on one sets the pin like any other. Without marks it opens at the centre
 * (optional), at a place that was suggested (fields.ts), or with the view (optional; south, west, north, east).
 * Scripts move the pin by writing the fields and firing `input`.
 */
export function preparePinMap(container: HTMLElement): (() => void) | null {
  const fields = positionFields(container);
  if (fields === null) return null;
  fields.snapTyped();
  // A town may be typed before the map comes near the screen.
  let suggested: Point | null = null;
  let look = (point: Point) => {
    suggested = point;
  };
  fields.onSuggestion((point) => look(point));
  return () => {
    const map = drawPinMap(container, fields, radiusOf(container));
    look = (point) => {
      if (fields.read() === null) map.setView(point, ZOOM_TOWN);
    };
    if (suggested !== null) look(suggested);
  };
}

/** Radius in metres of the circle around the pin; null while the field has no valid one. */
type Radius = {
  readonly read: () => number | null;
  readonly onChange: (listener: () => void) => void;
};

function radiusOf(container: HTMLElement): Radius {
  const field = container.dataset.map === "zone" ? fieldNamed(container, "radiusField") : null;
  if (field === null) return { read: () => CIRCLE_METRES, onChange: () => {} };
  return {
    read: () => {
      const km = Number(field.value);
      return km > 0 ? km * 1000 : null;
    },
    onChange: (listener) => field.addEventListener("input", listener),
  };
}

function drawPinMap(container: HTMLElement, fields: PositionFields, radius: Radius): LeafletMap {
  const map = createBaseMap(container, { keyboard: false });
  const pin = createPin(map, radius);
  /** True while this map writes the fields. */
  let isOwnMove = false;

  const show = () => {
    const point = fields.read();
    pin.show(point);
    if (point === null) return;
    if (!isOwnMove) fitTo(map, point, radius.read());
    else if (!map.getBounds().contains(point)) map.panTo(point);
  };
  const place = (point: Point) => {
    isOwnMove = true;
    fields.write(point);
    isOwnMove = false;
  };

  const marks = marksOf(container);
  for (const { point, type } of marks)
    for (const path of markAt(point, type, { interactive: false })) path.addTo(map);
  if (marks.length > 0) addLegend(map, container);
  setInitialView(map, container, marks);
  show();
  fields.onChange(show);
  radius.onChange(show);
  pin.onMoved(place);
  map.on("click", ({ latlng }: LeafletMouseEvent) => place(cellAt(latlng)));
  handleKeys(container, map, (step) => {
    const point = fields.read();
    place(point === null || step === null ? cellAt(map.getCenter()) : neighbour(point, step));
  });
  return map;
}

/** Public cell of a point on the map, whose longitude may be beyond 180 degrees. */
function cellAt({ lat, lng }: Point): Point {
  return snap(Math.max(-90, Math.min(90, lat)), wrapLng(lng));
}

type PlacedMark = { readonly point: Point; readonly type: MarkType };

/** Marks of `data-known`, with longitudes near that of the first one, even across the date line. */
function marksOf({ dataset }: HTMLElement): PlacedMark[] {
  let reference: number | undefined;
  return (dataset["known"] ?? "").split(",").flatMap((text): PlacedMark[] => {
    const [type, lat = "", lng = ""] = text.trim().split(" ");
    const read = readPosition(lat, lng);
    if (read === null || (type !== "lost" && type !== "found")) return [];
    return [{ type, point: { lat: read.lat, lng: lngNear(read.lng, (reference ??= read.lng)) } }];
  });
}

/** Initial view of the map: around the marks, the given centre, the given view, or the whole world. */
function setInitialView(
  map: LeafletMap,
  { dataset }: HTMLElement,
  marks: readonly PlacedMark[],
): void {
  const [first] = marks;
  if (first !== undefined) {
    const near = marks.filter(
      ({ point }) => latLng(point).distanceTo(first.point) <= VIEW_METRES_MAX,
    );
    map.fitBounds(boundsAroundAll(near.map(({ point }) => point)), {
      maxZoom: ZOOM_NEAR,
      animate: false,
    });
    return;
  }
  const centre = readPosition(dataset.centreLat ?? "", dataset.centreLng ?? "");
  if (centre !== null) return void map.setView(centre, ZOOM_TOWN);
  const [south, west, north, east] = (dataset["view"] ?? "").split(" ");
  const corners = [readPosition(south ?? "", west ?? ""), readPosition(north ?? "", east ?? "")];
  const [low, high] = corners;
  if (low && high) map.fitBounds([low, high].map(({ lat, lng }) => [lat, lng] as [number, number]));
  else map.setView([25, 10], ZOOM_MIN);
}

/** Shows a pin that was set outside of the map. */
function fitTo(map: LeafletMap, point: Point, metres: number | null): void {
  map.fitBounds(boundsAround(point, metres ?? CIRCLE_METRES), {
    maxZoom: ZOOM_NEAR,
    animate: false,
  });
}

/** Pin and the circle around it. */
function createPin(map: LeafletMap, radius: Radius) {
  const icon = new DivIcon({ className: "map-pin", html: false, iconSize: [44, 44] });
  const marker = new Marker([0, 0], { icon, draggable: true, keyboard: false, autoPan: true });
  const circle = new Circle([0, 0], { className: "map-area map-picked", interactive: false });

  const drawCircle = (point: Point) => {
    const metres = radius.read();
    if (metres === null) circle.remove();
    else circle.setRadius(metres).setLatLng(point).addTo(map);
  };
  // While the pin is dragged, the circle jumps from cell to cell, which shows what will be public.
  marker.on("drag", () => drawCircle(cellAt(marker.getLatLng())));

  return {
    show(point: Point | null) {
      if (point === null) {
        marker.remove();
        circle.remove();
        return;
      }
      marker.setLatLng(point).addTo(map);
      drawCircle(point);
    },
    onMoved(listener: (point: Point) => void) {
      marker.on("dragend", () => listener(cellAt(marker.getLatLng())));
    },
  };
}

/**
 * Calls `onStep` with the step of an arrow key, and with null for Enter; + and - zoom. Screen readers pass keys on to the
 * role "application".
 */
function handleKeys(
  container: HTMLElement,
  map: LeafletMap,
  onStep: (step: Step | null) => void,
): void {
  container.tabIndex = 0;
  container.setAttribute("role", "application");
  container.setAttribute("aria-label", message(container, "label"));
  container.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (target !== container || event.ctrlKey || event.altKey || event.metaKey) return;
    if (key in STEPS) onStep(STEPS[key]!);
    else if (key === "Enter") onStep(null);
    else if (key === "+" || key === "=") map.zoomIn();
    else if (key === "-") map.zoomOut();
    else return;
    event.preventDefault();
  });
}

const STEPS: Readonly<Record<string, Step>> = {
  ArrowUp: { east: 0, north: 1 },
  ArrowDown: { east: 0, north: -1 },
  ArrowRight: { east: 1, north: 0 },
  ArrowLeft: { east: -1, north: 0 },
};
