/**
 * Makes Back lead to a form instead of asking to send it again, on a page that a browser got as the answer to one.
 *
 *   <main data-form-address="/subscribe">
 */
for (const { dataset } of document.querySelectorAll<HTMLElement>("[data-form-address]"))
  history.replaceState(history.state, "", dataset.formAddress);
