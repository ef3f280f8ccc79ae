import type { Point } from "../../../../values/point.ts";
import { readPosition } from "./position.ts";

/** Field that a data attribute (`key` in camel case) of an element names by a selector; null without one. */
export function fieldNamed(
  owner: HTMLElement,
  key: string,
): HTMLInputElement | HTMLSelectElement | null {
  const selector = owner.dataset[key];
  const found = selector ? document.querySelector(selector) : null;
  return found instanceof HTMLInputElement || found instanceof HTMLSelectElement ? found : null;
}

/**
 * Two fields of a form that hold a position. Scripts share positions only through them: a writer fires `input` events,
 * and readers listen for them.
 */
export type PositionFields = {
  /** Position on the public grid; null while there is none. */
  readonly read: () => Point | null;
  /** Writes a position, which must be on the public grid, or empties both fields. */
  readonly write: (point: Point | null) => void;
  /** Calls `listener` after every change, by a script or the user. */
  readonly onChange: (listener: () => void) => void;
  /** Calls `listener` with each place that `suggest` passes on, to be shown while there is no position. */
  readonly onSuggestion: (listener: (point: Point) => void) => void;
  readonly suggest: (point: Point) => void;
  /** From now on moves typed positions to the public grid, so that no exact position is sent. */
  readonly snapTyped: () => void;
};

/** Fields that `data-lat-field` and `data-lng-field` of an element name; null unless both exist. */
export function positionFields(owner: HTMLElement): PositionFields | null {
  const lat = fieldNamed(owner, "latField");
  const lng = fieldNamed(owner, "lngField");
  if (lat === null || lng === null) return null;
  const read = () => readPosition(lat.value, lng.value);
  const write = (point: Point | null) => {
    lat.value = point === null ? "" : String(point.lat);
    lng.value = point === null ? "" : String(point.lng);
    // Both fields have their new value before the first event, so that no listener sees half a position.
    for (const field of [lat, lng]) field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const listen = (event: "input" | "change", listener: () => void) => {
    for (const field of [lat, lng]) field.addEventListener(event, listener);
  };
  return {
    read,
    write,
    onChange: (listener) => listen("input", listener),
    onSuggestion: (listener) =>
      lat.addEventListener("suggestion", (event) => listener((event as CustomEvent<Point>).detail)),
    suggest: (point) => lat.dispatchEvent(new CustomEvent("suggestion", { detail: point })),
    snapTyped: () =>
      listen("change", () => {
        const point = read();
        if (point !== null) write(point);
      }),
  };
}
