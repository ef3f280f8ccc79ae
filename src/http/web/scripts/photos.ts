/**
 * Prepares pictures before they are sent: upright, small, and with nothing in them but what is seen.
 *
 *   <input type="file" name="photos" multiple accept="image/*" data-photos data-max="6" data-bytes-max="8000000"
 *          data-status="#photos-status" data-shrinking="…" data-too-many="… {max} …" data-unreadable="… {name} …"
 *          data-preview="Photo {count}" data-remove="Remove" data-first="Show first"
 *          data-lat-field="#field-lat" data-lng-field="#field-lng"
 *          data-position-ask="…" data-position-yes="…" data-position-no="…">
 *
 * The input stays what is sent: its files are replaced by the prepared ones, in the order shown behind it, and what is
 * chosen later is added. What this browser cannot decode is told (`data-unreadable`); it is sent as it is, for the
 * server to judge, unless it is surely no picture or larger than `data-bytes-max` (may be missing). A form that is sent
 * while pictures are prepared goes off when they are, if there is nothing the reader should see before.
 *
 * Where a picture says where it was taken and the form has fields for a position, the reader is asked whether the pin
 * should go there. The place is read before the picture is cleaned, moved to the public grid at once, and written
 * nowhere without a yes.
 */
import { sentence, statusOf } from "./sentences.ts";
import { createChosen } from "./photos/chosen.ts";
import { cleanPicture } from "./photos/strip-metadata.ts";
import { createPlaceQuestion, placeOf } from "./photos/place-question.ts";

const PICTURES_MAX = 6;

for (const input of document.querySelectorAll<HTMLInputElement>("input[data-photos]")) {
  if ("createImageBitmap" in window && "DataTransfer" in window) takeCareOf(input);
}

function takeCareOf(input: HTMLInputElement): void {
  const max = Number(input.dataset.max ?? PICTURES_MAX);
  const say = statusOf(input);
  const chosen = createChosen(input);
  const question = createPlaceQuestion(input);
  const hold = createHold(input.form, () => say(sentence(input, "shrinking")));
  let waiting = Promise.resolve();
  let troubles: string[] = [];

  /** One at a time: a decoded photograph takes much memory. */
  const choose = () => {
    const files = [...(input.files ?? [])];
    // Back to what is prepared at once: what was just chosen must not be sent as it is.
    chosen.show();
    if (files.length === 0) return;
    hold.begin();
    waiting = waiting.then(() => prepare(files)).finally(finish);
  };
  const prepare = async (files: readonly File[]) => {
    for (const file of files) {
      if (chosen.count() >= max) {
        troubles.push(sentence(input, "tooMany", { max }));
        return;
      }
      const place = await placeOf(file);
      if (place !== null) question.ask(place);
      const cleaned = await cleanPicture(file);
      if (cleaned !== null) chosen.add(cleaned, "shown");
      else {
        troubles.push(sentence(input, "unreadable", { name: file.name }));
        if (mayBePicture(file, input.dataset.bytesMax)) chosen.add(file, "unseen");
      }
    }
  };
  const finish = () => {
    if (!hold.end(troubles.length === 0 && !question.isOpen())) return;
    say(troubles.join(" "));
    troubles = [];
  };

  input.addEventListener("change", choose);
  input.form?.addEventListener("reset", chosen.clear);
  // Some browsers keep what was chosen when a page is loaded again.
  choose();
}

/** Pictures of a kind that a browser does not know often have no type. */
function mayBePicture({ type, size }: File, bytesMax = "Infinity"): boolean {
  return (type === "" || type.startsWith("image/")) && size <= Number(bytesMax);
}

/** Keeps a form from going off between `begin` and `end`, and sends it on after the last `end` if it was sent. */
function createHold(form: HTMLFormElement | null, heldBack: () => void) {
  let running = 0;
  /** The button that sent the form, null for none; undefined while it was not sent. */
  let sentBy: HTMLElement | null | undefined;
  form?.addEventListener("submit", (event) => {
    if (running === 0) return;
    event.preventDefault();
    sentBy = event.submitter;
    heldBack();
  });
  return {
    begin() {
      running++;
      heldBack();
    },
    /** True for the last one; `isAllWell`: nothing came up that the reader should see first. */
    end(isAllWell: boolean): boolean {
      running--;
      if (running > 0) return false;
      if (sentBy !== undefined && isAllWell) form?.requestSubmit(sentBy);
      sentBy = undefined;
      return true;
    },
  };
}
