/**
 * Shows times in the reader's time zone. The page has them in UTC.
 *
 *   <time datetime="2026-11-24T09:00:00.000Z" data-locale="en-GB">24 November 2026 at 09:00 (UTC)</time>
 */
for (const time of document.querySelectorAll<HTMLTimeElement>("time[data-locale]")) {
  const format = new Intl.DateTimeFormat(time.dataset.locale, {
    dateStyle: "long",
    timeStyle: "short",
  });
  time.textContent = format.format(new Date(time.dateTime));
}
