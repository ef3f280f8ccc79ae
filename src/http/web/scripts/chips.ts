/**
 * Searches as soon as a chip is tapped. The keyboard goes through the chips and searches by the button, because it chooses
 * each chip that it passes.
 *
 *   <form> … <fieldset data-chips><input type="radio" …> …
 */
for (const chips of document.querySelectorAll<HTMLFieldSetElement>("fieldset[data-chips]")) {
  let isTapped = false;
  chips.addEventListener("pointerdown", () => (isTapped = true));
  chips.addEventListener("keydown", () => (isTapped = false));
  chips.addEventListener("change", () => {
    if (isTapped) chips.form?.requestSubmit();
  });
}
