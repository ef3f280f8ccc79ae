import { type Point, snap } from "../../../../values/point.ts";
import { button, element, message } from "../dom/elements.ts";
import { positionFields } from "../dom/fields.ts";
import { EXIF_BYTES_MAX, exifPosition } from "./exif-gps.ts";

/** Cell of the public grid in which a photo was taken, by its metadata; null if it does not say. */
export async function photoCell(file: File): Promise<Point | null> {
  // An unreadable file has no position; decoding it fails too and reports the error.
  const bytes = await file
    .slice(0, EXIF_BYTES_MAX)
    .arrayBuffer()
    .catch(() => new ArrayBuffer());
  const exact = exifPosition(new Uint8Array(bytes));
  return exact === null ? null : snap(exact.lat, exact.lng);
}

/**
 * Asks, in a box after the input, if the pin should move to where a photo was taken. A yes writes the position into the
 * fields that `data-lat-field` and `data-lng-field` name; otherwise it is dropped. Messages: `data-position-ask`,
 * `data-position-yes`, `data-position-no`.
 */
export function createPositionQuestion(input: HTMLInputElement) {
  const fields = positionFields(input);
  const container = element("div", {});
  // Screen readers announce its content.
  container.setAttribute("role", "status");
  input.after(container);
  const close = () => {
    container.replaceChildren();
    input.focus();
  };

  return {
    /** True while the question is open. */
    isOpen: () => container.hasChildNodes(),
    /** Asks about a position, unless a question is open or the pin is there already. */
    ask(position: Point): void {
      if (fields === null || container.hasChildNodes()) return;
      const pin = fields.read();
      if (pin?.lat === position.lat && pin.lng === position.lng) return;

      const accept = () => {
        fields.write(position);
        close();
      };
      container.append(
        element(
          "div",
          { className: "photo-place" },
          element("p", { textContent: message(input, "positionAsk") }),
          button(message(input, "positionYes"), "", accept),
          button(message(input, "positionNo"), "quiet", close),
        ),
      );
    },
  };
}
