import { type Point, snap } from "../../../../values/point.ts";
import { message, statusOf } from "./messages.ts";

/** Time limit for the device to answer. */
const TIMEOUT_MS = 15_000;
/** Maximum age of a position that the device already has. */
const AGE_MS_MAX = 5 * 60_000;

/**
 * Shows a button if the browser supports geolocation, and requests the position each time it is pressed. `onPosition`
 * gets only the centre of the cell on the public grid; the exact position is dropped here.
 *
 * PageMessages: `data-asking` while the browser asks (optional), `data-denied` if the user refused, `data-failed` if there
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
