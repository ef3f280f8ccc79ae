/**
 * Saves a list of alerts as a CSV file, made in the browser of what its pages list.
 *
 *   <button type="button" data-csv="#alerts-list" data-file="alerts.csv" data-saving="…" data-saved="{count} …"
 *           data-saved-part="The first {count} …" data-failed="…" data-status="#…" hidden>
 *   <ul id="alerts-list" data-columns="type,name,…"><li data-row='["lost","Mimi",…]'> …
 *   <a rel="next" href="…">                                                            the next page of the list
 *
 * The file holds the rows of this page and of those after it, as far as `PAGES_MAX`.
 */
import { type CsvCell, csvLine } from "../../../text/csv.ts";
import { element } from "./dom/elements.ts";
import { message, statusOf } from "./dom/messages.ts";

const PAGES_MAX = 10;
const COLUMNS_MAX = 50;
/** Spreadsheets take a file without it for one in an old encoding. */
const BYTE_ORDER_MARK = "\ufeff";

for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-csv]")) {
  const list = document.querySelector<HTMLElement>(button.dataset.csv!);
  if (list === null) continue;
  const showStatus = statusOf(button);
  let isSaving = false;
  button.hidden = false;
  const saveTable = async () => {
    if (isSaving) return;
    isSaving = true;
    showStatus(message(button, "saving"));
    const table = await readTable(button.dataset.csv!);
    isSaving = false;
    if (table === null) return showStatus(message(button, "failed"));
    const columns = (list.dataset.columns ?? "").split(",");
    save(button.dataset.file ?? "", [columns, ...table.rows]);
    const count = table.rows.length.toLocaleString(document.documentElement.lang);
    showStatus(message(button, table.isWhole ? "saved" : "savedPart", { count }));
  };
  button.addEventListener("click", () => void saveTable());
}

type Table = { readonly rows: readonly CsvCell[][]; readonly isWhole: boolean };

/** Rows of this page and the pages after it; null if one of them cannot be loaded. */
async function readTable(list: string): Promise<Table | null> {
  const rows: CsvCell[][] = [];
  let page: Document = document;
  let address = location.href;
  for (let pages = 1; ; pages++) {
    rows.push(...rowsOf(page, list));
    const next = page.querySelector('a[rel="next"]')?.getAttribute("href") ?? null;
    if (next === null) return { rows, isWhole: true };
    if (pages === PAGES_MAX) return { rows, isWhole: false };
    address = new URL(next, address).href;
    const loaded = await load(address);
    if (loaded === null) return null;
    page = loaded;
  }
}

function rowsOf(page: Document, list: string): CsvCell[][] {
  return [...page.querySelectorAll<HTMLElement>(`${list} [data-row]`)].flatMap(({ dataset }) => {
    const row: unknown = JSON.parse(dataset.row!);
    return Array.isArray(row) ? [row.slice(0, COLUMNS_MAX).map(cellOf)] : [];
  });
}

/** Numbers stay numbers: "-0.12" as a text would be taken for a formula. */
function cellOf(value: unknown): CsvCell {
  return typeof value === "number" ? value : String(value);
}

async function load(address: string): Promise<Document | null> {
  try {
    const response = await fetch(address);
    return response.ok ? new DOMParser().parseFromString(await response.text(), "text/html") : null;
  } catch {
    return null;
  }
}

function save(name: string, lines: readonly (readonly CsvCell[])[]): void {
  const text = BYTE_ORDER_MARK + lines.map(csvLine).join("");
  const href = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = element("a", { href, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  URL.revokeObjectURL(href);
}
