/** What stands in one cell of a table. Several values stand apart by spaces; what is not known is empty. */
export type Cell = string | number | null | undefined | readonly string[];

/** A line of a CSV table (RFC 4180). */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join()}\r\n`;
}

function csvCell(value: Cell): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = guarded(typeof value === "string" ? value : value.join(" "));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Spreadsheets carry out text that begins so: <https://owasp.org/www-community/attacks/CSV_Injection>. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

function guarded(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}
