/**
 * Prepares photos before they are sent: upright, small, and without metadata.
 *
 *   <input type="file" name="photos" multiple accept="image/*" data-photos data-max="6"
 *          data-status="#photos-status" data-shrinking="…" data-too-many="… {max} …"
 *          data-unreadable="… {name} …" data-heic="… {name} …"
 *          data-preview="Photo {count}" data-remove="Remove" data-first="Show first"
 *          data-lat-field="#field-lat" data-lng-field="#field-lng"
 *          data-position-ask="…" data-position-yes="…" data-position-no="…">
 *
 * The files of the input are replaced by the prepared ones, in the order listed after it; files chosen later are added.
 * A file that this browser cannot decode is reported (`data-unreadable`) and sent unchanged, for the server to check,
 * unless it cannot be a photo. HEIC that it cannot decode is reported
 * (`data-heic`) and left out, because the server cannot read it either. If the form is submitted while photos are
 * being prepared, it is sent once they are ready, unless there is a message or a question for the user.
 *
 * If a photo says where it was taken and the form has fields for a position, the user is asked if the pin should move
 * there. The position is read before the metadata is removed, moved to the public grid at once, and written only after
 * a yes.
 */
import { message, statusOf } from "./dom/elements.ts";
import { submit } from "./dom/submit.ts";
import { createPositionQuestion, photoCell } from "./photos/position-question.ts";
import { createSelection } from "./photos/selection.ts";
import { redrawn } from "./photos/redrawn.ts";

for (const input of document.querySelectorAll<HTMLInputElement>("input[data-photos]")) {
  if ("DataTransfer" in window) preparePhotos(input);
}

function preparePhotos(input: HTMLInputElement): void {
  const max = Number(input.dataset.max);
  const showStatus = statusOf(input);
  const selection = createSelection(input);
  const question = createPositionQuestion(input);
  const submission = delaySubmission(input.form, () => showStatus(message(input, "shrinking")));
  let queue = Promise.resolve();
  let errors: string[] = [];

  /** Prepares files one at a time: a decoded photo takes much memory. */
  const choose = () => {
    const files = [...(input.files ?? [])];
    // Restores the prepared files at once: the new ones must not be sent unprepared.
    selection.show();
    if (files.length === 0) return;
    submission.begin();
    queue = queue.then(() => prepare(files)).finally(finish);
  };
  const prepare = async (files: readonly File[]) => {
    for (const file of files) {
      if (selection.count() >= max) {
        errors.push(message(input, "tooMany", { max }));
        return;
      }
      const position = await photoCell(file);
      if (position !== null) question.ask(position);
      const cleaned = await redrawn(file);
      if (cleaned !== null) selection.add(cleaned, { canDisplay: true });
      else if (await isHeic(file)) errors.push(message(input, "heic", { name: file.name }));
      else {
        errors.push(message(input, "unreadable", { name: file.name }));
        if (mayBePhoto(file)) selection.add(file, { canDisplay: false });
      }
    }
  };
  const finish = () => {
    if (!submission.end(errors.length === 0 && !question.isOpen())) return;
    showStatus(errors.join(" "));
    errors = [];
    // Drafts keep prepared photos only.
    input.dispatchEvent(new Event("prepared", { bubbles: true }));
  };

  input.addEventListener("change", choose);
  input.addEventListener("restore", (event) => {
    for (const file of (event as CustomEvent<readonly File[]>).detail)
      selection.add(file, { canDisplay: true });
  });
  input.form?.addEventListener("reset", selection.clear);
  // Some browsers keep the chosen files when a page is reloaded.
  choose();
}

/** Brands of the formats in which phones store photos as HEIC (ISO 23008-12), behind `ftyp` at byte 4. */
const HEIC_BRANDS = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"];

async function isHeic(file: File): Promise<boolean> {
  const start = new TextDecoder("latin1").decode(await file.slice(4, 12).arrayBuffer());
  return start.startsWith("ftyp") && HEIC_BRANDS.includes(start.slice(4));
}

/** False for other files than photos; photos in a format that the browser does not know often have no type. */
function mayBePhoto({ type }: File): boolean {
  return type === "" || type.startsWith("image/");
}

/** Delays the submission of a form between `begin` and the last `end`; `onDelay` is called at each `begin` and each delay. */
function delaySubmission(form: HTMLFormElement | null, onDelay: () => void) {
  let running = 0;
  /** Button that submitted the form, null for none; undefined if nothing was submitted. */
  let submitter: HTMLElement | null | undefined;
  form?.addEventListener("submit", (event) => {
    if (running === 0) return;
    event.preventDefault();
    submitter = event.submitter;
    onDelay();
  });
  return {
    begin() {
      running++;
      onDelay();
    },
    /** True for the last one. `canSubmit` is false if there is something to show first. */
    end(canSubmit: boolean): boolean {
      running--;
      if (running > 0) return false;
      if (submitter !== undefined && canSubmit && form !== null) submit(form, submitter);
      submitter = undefined;
      return true;
    },
  };
}
