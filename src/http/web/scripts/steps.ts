/**
 * Shows a form one step at a time, each with buttons to go on and back; the browser's Back goes back a step, too.
 *
 *   <form data-steps data-next="Next" data-back="Back" data-progress="Step {step} of {steps}">
 *     <section data-step>…</section> …
 *   </form>
 *
 * A form that came back with errors opens at the first of them, and its links to fields open their step. A form that is
 * opened again opens at the step where it was left, but at no later one than the first that lacks something.
 */
import { button, element, message } from "./dom/elements.ts";

for (const form of document.querySelectorAll<HTMLFormElement>("form[data-steps]")) takeSteps(form);

function takeSteps(form: HTMLFormElement): void {
  const steps = [...form.querySelectorAll<HTMLElement>("[data-step]")];
  const progress = element("p", { className: "quiet" });
  progress.setAttribute("role", "status");
  form.prepend(progress);
  // A field of a hidden step cannot show what is wrong with it: each step is checked before the next one.
  form.noValidate = true;
  let current = 0;

  const stepOf = (field: Element | null) => steps.findIndex((step) => step.contains(field));

  function show(step: number): void {
    current = step;
    for (const [at, section] of steps.entries()) section.hidden = at !== step;
    progress.textContent = message(form, "progress", { step: step + 1, steps: steps.length });
    // A map that was hidden has no size yet.
    window.dispatchEvent(new Event("resize"));
  }

  function go(step: number): void {
    history.pushState({ step }, "");
    show(step);
    form.scrollIntoView({ block: "start" });
    const heading = steps[step]?.querySelector<HTMLElement>("h2");
    if (heading) {
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    }
  }

  const isComplete = (section: HTMLElement) =>
    [...section.querySelectorAll<HTMLInputElement>("input, select, textarea")].every((field) => {
      field.dispatchEvent(new Event("check"));
      return field.reportValidity();
    });

  for (const [at, section] of steps.entries()) {
    const ways = element("p", { className: "ways-on" });
    if (at < steps.length - 1)
      ways.append(
        button(message(form, "next"), "", () => {
          if (isComplete(section)) go(at + 1);
        }),
      );
    if (at > 0) ways.append(button(message(form, "back"), "quiet", () => history.back()));
    section.append(ways);
  }

  form.addEventListener(
    "submit",
    (event) => {
      const section = steps[current]!;
      if (isComplete(section) && current === steps.length - 1) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      // The Enter key in a field of an earlier step.
      if (current < steps.length - 1 && isComplete(section)) go(current + 1);
    },
    { capture: true },
  );
  window.addEventListener("popstate", ({ state }) => show(state?.step ?? first));
  document.addEventListener("click", ({ target }) => {
    const link = target instanceof Element ? target.closest('a[href^="#field-"]') : null;
    const field = link && document.querySelector(link.getAttribute("href")!);
    const step = stepOf(field);
    if (step === -1) return;
    show(step);
  });

  const first = Math.max(0, stepOf(form.querySelector("[aria-invalid]")));
  const left: unknown = history.state?.step;
  const open = () => {
    const lacking = steps.findIndex((section) => section.querySelector(":invalid") !== null);
    const last = lacking < 0 ? steps.length - 1 : lacking;
    show(typeof left === "number" ? Math.min(left, last) : first);
  };
  open();
  // What the draft brings back may be what the step was missing.
  form.addEventListener("restored", open, { once: true });
}
