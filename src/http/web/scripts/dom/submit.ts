/** Submits a form as one of its buttons does, by default the first. Safari before 16 has no requestSubmit. */
export function submit(form: HTMLFormElement, button: HTMLElement | null = null): void {
  if (typeof form.requestSubmit === "function") form.requestSubmit(button);
  else (button ?? form.querySelector<HTMLElement>("button:not([type='button'])"))?.click();
}
