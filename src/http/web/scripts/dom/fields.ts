import { type Point, snap } from "../../../../values/point.ts";
import { message, statusOf } from "./elements.ts";
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

/** Time limit for the device to answer. */
const TIMEOUT_MS = 15_000;
/** Maximum age of a position that the device already has. */
const AGE_MS_MAX = 5 * 60_000;

/**
 * Shows a button if the browser supports geolocation, and requests the position each time it is pressed. `onPosition`
 * gets only the centre of the cell on the public grid; the exact position is dropped here.
 *
 * Messages: `data-asking` while the browser asks (optional), `data-denied` if the user refused, `data-failed` if there
 * was no answer, `data-done` once it is known (optional). `data-status` names the element that shows them. Returns a
 * function that takes the message away.
 */
export function locateBy(
  button: HTMLButtonElement,
  onPosition: (point: Point) => void,
): () => void {
  if (!("geolocation" in navigator) || !window.isSecureContext) return () => {};
  const showStatus = statusOf(button);
  let isPending = false;
  const finish = (status: string) => {
    isPending = false;
    button.removeAttribute("aria-busy");
    showStatus(status);
  };

  button.hidden = false;
  button.addEventListener("click", () => {
    if (isPending) return;
    isPending = true;
    // `disabled` would take the focus away from the button.
    button.setAttribute("aria-busy", "true");
    showStatus(message(button, "asking"));
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        finish(message(button, "done"));
        onPosition(snap(coords.latitude, coords.longitude));
      },
      ({ code, PERMISSION_DENIED }) =>
        finish(message(button, code === PERMISSION_DENIED ? "denied" : "failed")),
      // A cell is 1 km wide: no need for GPS.
      { enableHighAccuracy: false, timeout: TIMEOUT_MS, maximumAge: AGE_MS_MAX },
    );
  });
  return () => showStatus("");
}
