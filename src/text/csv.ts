/** Value of a CSV cell. Lists are joined with spaces; null and undefined are empty. */
export type CsvCell = string | number | null | undefined | readonly string[];

/** Line of a CSV table (RFC 4180). */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join()}\r\n`;
}

function csvCell(value: CsvCell): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = escapeFormula(typeof value === "string" ? value : value.join(" "));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Beginnings that spreadsheets run as formulas (<https://owasp.org/www-community/attacks/CSV_Injection>), at the start of
 * a cell. Where decimals have a comma, spreadsheets take semicolons for the ends of cells and do not know our quotes, so
 * that a cell of theirs may begin within one of ours.
 */
const FORMULA = /^(?=[\t\r\n])|(^|[;\t\r\n])(?=[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

function escapeFormula(text: string): string {
  return text.replace(FORMULA, "$1'");
}
