import type { Alert } from "../src/core/alerts/alert.ts";
import type { ImportedAlert } from "../src/core/store/imports.ts";

/** Imported alert in a row, of which `alert` was read. */
export function toImported(
  alert: Alert,
  row: {
    readonly rowHash: string | null;
    readonly missedReads: number;
    readonly animalPage: string | null;
    readonly erasedAt: number | null;
  },
): ImportedAlert {
  const { source } = alert;
  if (source === null) throw new Error("an alert without a source was not imported");
  return {
    alert: { ...alert, source },
    rowHash: row.rowHash,
    missedReads: row.missedReads,
    animalPage: row.animalPage,
    isErased: row.erasedAt !== null,
  };
}

/** First text after all that begin with a prefix, which ends with an ASCII character. */
export function prefixEnd(prefix: string): string {
  const last = prefix.charCodeAt(prefix.length - 1);
  return prefix.slice(0, -1) + String.fromCharCode(last + 1);
}
