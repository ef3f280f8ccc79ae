/**
 * Search as soon as a chip is tapped, and around the position of the device.
 *
 *   <form> … <fieldset data-chips><input type="radio" …> …
 *   <button type="button" data-near-me hidden
 *           data-lat-field="#lat" data-lng-field="#lng" data-town-field="#town"
 *           data-asking="…" data-denied="…" data-failed="…" data-status="#near-me-status">
 *
 * Keyboards choose each chip that they pass, so they search by the button. The button of the position is shown if the
 * browser supports geolocation. A press requests the position, writes its cell on the public grid into the two fields,
 * empties the field of the town and submits the form of the button. Without a position nothing is submitted; the status
 * says why.
 */
import { fieldNamed, positionFields, locateBy } from "./dom/fields.ts";
import { submit } from "./dom/submit.ts";

for (const chips of document.querySelectorAll<HTMLFieldSetElement>("fieldset[data-chips]")) {
  let isTapped = false;
  chips.addEventListener("pointerdown", () => (isTapped = true));
  chips.addEventListener("keydown", () => (isTapped = false));
  chips.addEventListener("change", () => {
    if (isTapped && chips.form !== null) submit(chips.form);
  });
}

for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-near-me]")) {
  locateBy(button, (point) => {
    fieldNamed(button, "townField")!.value = "";
    positionFields(button)!.write(point);
    submit(button.form!);
  });
}
