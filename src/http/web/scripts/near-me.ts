/**
 * Searches around the reader.
 *
 *   <button type="button" data-near-me hidden
 *           data-lat-field="#lat" data-lng-field="#lng" data-town-field="#town"
 *           data-asking="…" data-denied="…" data-failed="…" data-status="#near-me-status">
 *
 * The button is shown where the browser can tell a position. A press asks for it, writes its cell on the public grid
 * into the two fields, empties the town's field (if named) and sends the button's form: what the reader just pressed
 * it for. Nothing is sent when there is no answer; the words are said in the status.
 */
import { fieldNamed, positionFields } from "./fields.ts";
import { locateBy } from "./locate.ts";

for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-near-me]")) {
  const { form } = button;
  const fields = positionFields(button);
  if (form === null || fields === null) continue;

  locateBy(button, (point) => {
    const town = fieldNamed(button, "townField");
    if (town !== null) town.value = "";
    fields.write(point);
    form.requestSubmit();
  });
}
