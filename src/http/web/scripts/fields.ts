import type { Point } from "../../../core/place.ts";
import { readPosition } from "./position.ts";

/** The field a data attribute (`key` in camel case) of an element names by a selector; null if it names none. */
export function fieldNamed(
  owner: HTMLElement,
  key: string,
): HTMLInputElement | HTMLSelectElement | null {
  const selector = owner.dataset[key];
  const found = selector ? document.querySelector(selector) : null;
  return found instanceof HTMLInputElement || found instanceof HTMLSelectElement ? found : null;
}

/**
 * Two fields of a form that hold a position. They hold the truth: whoever writes them says so by an `input` event,
 * and whoever draws them listens; the scripts know nothing else of each other.
 */
export type PositionFields = {
  /** The position on the public grid; null while there is none. */
  readonly read: () => Point | null;
  /** Writes a position, which must be on the public grid, or empties both. */
  readonly write: (point: Point | null) => void;
  /** Calls back after every change, whoever made it. */
  readonly onChange: (changed: () => void) => void;
  /** From now on moves to the public grid what somebody typed, so that no exact position is sent. */
  readonly snapTyped: () => void;
};

/** The fields that `data-lat-field` and `data-lng-field` of an element name; null unless both are there. */
export function positionFields(owner: HTMLElement): PositionFields | null {
  const lat = fieldNamed(owner, "latField");
  const lng = fieldNamed(owner, "lngField");
  if (lat === null || lng === null) return null;
  const read = () => readPosition(lat.value, lng.value);
  const write = (point: Point | null) => {
    lat.value = point === null ? "" : String(point.lat);
    lng.value = point === null ? "" : String(point.lng);
    // Both hold their new value before anyone is told, so that nobody sees half a position.
    for (const field of [lat, lng]) field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const on = (event: "input" | "change", act: () => void) => {
    for (const field of [lat, lng]) field.addEventListener(event, act);
  };
  return {
    read,
    write,
    onChange: (changed) => on("input", changed),
    snapTyped: () =>
      on("change", () => {
        const point = read();
        if (point !== null) write(point);
      }),
  };
}
