import { type Point, snap } from "../../../core/place.ts";
import { sentence, statusOf } from "./sentences.ts";

/** Time limit for a device, and maximum age of a position that it already has. */
const ANSWER_MS_MAX = 15_000;
const AGE_MS_MAX = 5 * 60_000;

/**
 * Shows a button, which stays hidden where the browser knows no position, and on a press asks for the position once.
 * Only the centre of its cell on the public grid is handed on; the exact one is forgotten here.
 *
 * Words: `data-asking` while the browser asks (may be missing), `data-denied` when the reader said no,
 * `data-failed` when there was no answer. `data-status` names where they are said.
 */
export function locateBy(button: HTMLButtonElement, take: (point: Point) => void): void {
  if (!("geolocation" in navigator) || !window.isSecureContext) return;
  const say = statusOf(button);
  let asking = false;
  const answer = (text: string) => {
    asking = false;
    button.removeAttribute("aria-busy");
    say(text);
  };

  button.hidden = false;
  button.addEventListener("click", () => {
    if (asking) return;
    asking = true;
    // Not `disabled`: that would take the focus from under the reader's finger.
    button.setAttribute("aria-busy", "true");
    say(sentence(button, "asking"));
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        answer("");
        take(snap(coords.latitude, coords.longitude));
      },
      ({ code, PERMISSION_DENIED }) =>
        answer(sentence(button, code === PERMISSION_DENIED ? "denied" : "failed")),
      // A cell is 1 km wide: no need to wake the satellite receiver.
      { enableHighAccuracy: false, timeout: ANSWER_MS_MAX, maximumAge: AGE_MS_MAX },
    );
  });
}
