import { type Point, snap } from "../../../../core/place.ts";
import { positionFields } from "../fields.ts";
import { sentence } from "../sentences.ts";
import { EXIF_BYTES_MAX, exifPosition } from "./exif-gps.ts";

/** The cell of the public grid in which a picture says it was taken; null where it says none. */
export async function placeOf(file: File): Promise<Point | null> {
  // A file that cannot be read says no place; decoding it will fail too, and say so.
  const bytes = await file
    .slice(0, EXIF_BYTES_MAX)
    .arrayBuffer()
    .catch(() => new ArrayBuffer());
  const exact = exifPosition(new Uint8Array(bytes));
  return exact === null ? null : snap(exact.lat, exact.lng);
}

/**
 * Asks whether the pin should go where a picture was taken, in a box behind the input that waits without hurry. The
 * place is written into the fields that `data-lat-field` and `data-lng-field` name, or forgotten. Words of the input:
 * `data-position-ask`, `data-position-yes`, `data-position-no`.
 */
export function createPlaceQuestion(input: HTMLInputElement) {
  const fields = positionFields(input);
  // Screen readers tell what comes into it.
  const room = document.createElement("div");
  room.setAttribute("role", "status");
  input.after(room);
  const close = () => {
    room.replaceChildren();
    input.focus();
  };

  return {
    /** True while the question is open. */
    isOpen: () => room.hasChildNodes(),
    /** Asks about a place, unless it is asked already or the pin stands there. */
    ask(place: Point): void {
      if (fields === null || room.hasChildNodes()) return;
      const pin = fields.read();
      if (pin?.lat === place.lat && pin.lng === place.lng) return;

      const box = document.createElement("div");
      box.className = "photo-place";
      const question = document.createElement("p");
      question.textContent = sentence(input, "positionAsk");
      const accept = () => {
        fields.write(place);
        close();
      };
      box.append(
        question,
        button(sentence(input, "positionYes"), "", accept),
        button(sentence(input, "positionNo"), "quiet", close),
      );
      room.append(box);
    },
  };
}

function button(words: string, look: string, act: () => void): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = look;
  button.textContent = words;
  button.addEventListener("click", act);
  return button;
}
