/**
 * Searches as soon as a chip is tapped. Keyboards choose each chip that they pass, so they search by the button.
 *
 *   <form> … <fieldset data-chips><input type="radio" …> …
 */
import { submit } from "./dom/submit.ts";

for (const chips of document.querySelectorAll<HTMLFieldSetElement>("fieldset[data-chips]")) {
  let isTapped = false;
  chips.addEventListener("pointerdown", () => (isTapped = true));
  chips.addEventListener("keydown", () => (isTapped = false));
  chips.addEventListener("change", () => {
    if (isTapped && chips.form !== null) submit(chips.form);
  });
}
