import {
  Circle,
  DivIcon,
  type LeafletMouseEvent,
  type Map as LeafletMap,
  Marker,
} from "leaflet/dist/leaflet-src.esm.js";
import { type Point, snap } from "../../../../core/place.ts";
import { fieldNamed, type PositionFields, positionFields } from "../fields.ts";
import { neighbour, readPosition, type Step, wrap } from "../position.ts";
import { sentence, statusOf } from "../sentences.ts";
import { AREA_METRES, boundsAround } from "./area.ts";
import { createGround, ZOOM_FAR, ZOOM_MIN, ZOOM_NEAR } from "./ground.ts";

const RADIUS_KM_MAX = 500;

/**
 * Puts a pin, whose position lives in two fields of the form.
 *
 *   <div data-map="pick" data-lat-field="#field-lat" data-lng-field="#field-lng"
 *        data-centre-lat="45.76" data-centre-lng="4.84" data-placed="The pin is at {lat}, {lng}." data-status="#…" …>
 *   <div data-map="zone" data-radius-field="#field-radiusKm" …the same…>
 *
 * A press puts the pin, dragging moves it, and so do, while the map has the focus, the arrow keys; Enter puts it into
 * the middle, + and - zoom. Only the centre of its cell on the public grid is ever written, and a circle shows the 1 km
 * that will be public. "zone" draws a circle of the radius in km that the named field holds instead. The centre (may
 * be missing) is where the map opens while the fields are empty. `data-placed` (may be missing) is said in the status
 * after every move. Whoever writes the fields and fires `input` moves the pin.
 */
export function pinDrawing(element: HTMLElement): (() => void) | null {
  const fields = positionFields(element);
  if (fields === null) return null;
  fields.snapTyped();
  return () => drawPin(element, fields, radiusOf(element));
}

/** The circle around the pin: its radius in metres, null while there is none, and a call back when it changes. */
type Radius = {
  readonly read: () => number | null;
  readonly onChange: (changed: () => void) => void;
};

function radiusOf(element: HTMLElement): Radius {
  const field = element.dataset.map === "zone" ? fieldNamed(element, "radiusField") : null;
  if (field === null) return { read: () => AREA_METRES, onChange: () => {} };
  return {
    read: () => {
      const km = Number(field.value.replace(",", "."));
      return km > 0 && km <= RADIUS_KM_MAX ? km * 1000 : null;
    },
    onChange: (changed) => field.addEventListener("input", changed),
  };
}

function drawPin(element: HTMLElement, fields: PositionFields, radius: Radius): void {
  const map = createGround(element, { keyboard: false });
  const pin = createPin(map, radius);
  const say = "placed" in element.dataset ? statusOf(element) : null;
  let isMovedHere = false;

  const show = () => {
    const point = fields.read();
    pin.show(point);
    if (point === null) return;
    if (!isMovedHere) look(map, point, radius.read());
    else if (!map.getBounds().contains(point)) map.panTo(point);
  };
  const place = (point: Point) => {
    isMovedHere = true;
    fields.write(point);
    isMovedHere = false;
    say?.(sentence(element, "placed", point));
  };

  openView(map, element);
  show();
  fields.onChange(show);
  radius.onChange(show);
  pin.onMoved(place);
  map.on("click", ({ latlng }: LeafletMouseEvent) => place(cellAt(latlng)));
  takeKeys(element, map, (step) => {
    const point = fields.read();
    place(point === null || step === null ? cellAt(map.getCenter()) : neighbour(point, step));
  });
}

/** Public cell of a point on the map, which may be whole turns of the globe to the east or west. */
function cellAt({ lat, lng }: Point): Point {
  return snap(Math.max(-90, Math.min(90, lat)), wrap(lng));
}

/** Initial view of the map: around the given centre, or the whole world. */
function openView(map: LeafletMap, { dataset }: HTMLElement): void {
  const centre = readPosition(dataset.centreLat ?? "", dataset.centreLng ?? "");
  if (centre === null) map.setView([25, 10], ZOOM_MIN);
  else map.setView(centre, ZOOM_FAR);
}

/** Goes to where the pin was put from outside the map. */
function look(map: LeafletMap, point: Point, metres: number | null): void {
  map.fitBounds(boundsAround(point, metres ?? AREA_METRES), { maxZoom: ZOOM_NEAR, animate: false });
}

/** The pin and the circle around it. */
function createPin(map: LeafletMap, radius: Radius) {
  const icon = new DivIcon({ className: "map-pin", html: false, iconSize: [44, 44] });
  const marker = new Marker([0, 0], { icon, draggable: true, keyboard: false, autoPan: true });
  const area = new Circle([0, 0], { className: "map-area map-picked", interactive: false });

  const encircle = (point: Point) => {
    const metres = radius.read();
    if (metres === null) area.remove();
    else area.setRadius(metres).setLatLng(point).addTo(map);
  };
  // The circle jumps from cell to cell under the pin, and so shows what will be public before it is let go.
  marker.on("drag", () => encircle(cellAt(marker.getLatLng())));

  return {
    show(point: Point | null) {
      if (point === null) {
        marker.remove();
        area.remove();
        return;
      }
      marker.setLatLng(point).addTo(map);
      encircle(point);
    },
    onMoved(moved: (point: Point) => void) {
      marker.on("dragend", () => moved(cellAt(marker.getLatLng())));
    },
  };
}

/** Arrow keys give their step, Enter none; + and - zoom. Screen readers hand keys on to an "application". */
function takeKeys(element: HTMLElement, map: LeafletMap, act: (step: Step | null) => void): void {
  element.tabIndex = 0;
  element.setAttribute("role", "application");
  element.setAttribute("aria-label", sentence(element, "label"));
  element.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (target !== element || event.ctrlKey || event.altKey || event.metaKey) return;
    if (key in STEPS) act(STEPS[key]!);
    else if (key === "Enter") act(null);
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
