import type { Language } from "../../messages/languages.ts";
import type { Fault } from "../fault.ts";
import type { RowPhotosResult } from "./row-photos.ts";

/** Rows of one table that can be in sync. */
export const SYNC_ROWS_MAX = 20_000;

/** Good read of a table. */
export type TableRead = {
  /** Name of the mapping: alerts of other mappings are not touched. */
  readonly mapping: string;
  readonly email: string;
  readonly language: Language;
  /**
   * Rows to publish, by their id in the table, with the fields of a publication but for email and language, and the address
   * of the animal's page at its organisation's site.
   */
  readonly rows: readonly {
    readonly id: string;
    readonly input: Readonly<Record<string, unknown>>;
    readonly page?: string | undefined;
  }[];
  /** Ids of rows that are in the table, but are not to be published. Alerts that they already have stay as they are. */
  readonly kept: readonly string[];
  /** Number of rows that could not be read. */
  readonly rejected?: number | undefined;
  /** False if rows may have been lost: then no animal counts as missing. */
  readonly isWhole: boolean;
  /** Publishes new rows, and leaves everything else as it is. */
  readonly onlyNew?: boolean | undefined;
  /** Lets more animals go at once than `MissingGuard` allows. */
  readonly acceptMissing: boolean;
  readonly dryRun: boolean;
};

/** Result of a read, in numbers of alerts. */
export type TableSyncResult = {
  readonly published: number;
  /** Rows that have changed. */
  readonly updated: number;
  /** Given more time, because they are still in the table. */
  readonly renewed: number;
  /** Active again, because their rows are back or still there. */
  readonly reopened: number;
  readonly unchanged: number;
  /** Missing for the first time; they end with the next good read that lacks them, too. */
  readonly missing: number;
  /** Ended, because two good reads in a row lacked them. */
  readonly ended: number;
  /** Closed, hidden or removed by people, and left so. */
  readonly leftAlone: number;
  /** Alerts of this mapping that belong to another address, and are never touched. */
  readonly ofOthers: number;
  /** Texts from which contact details were removed. */
  readonly redacted: number;
  readonly photos: Readonly<RowPhotosResult>;
  /** Rows whose alerts have no link to the animal's page, and why. */
  readonly pagesLeftOut: readonly { readonly id: string; readonly why: string }[];
  readonly refused: readonly {
    readonly id: string;
    readonly why: string;
    readonly fields: Fault["fields"];
  }[];
  /** Set if nothing was changed, because too many animals were missing at once. */
  readonly guard: { readonly missing: number; readonly listed: number } | null;
  /** Ids of rows that were published before; with `onlyNew`. */
  readonly known?: readonly string[];
  /** Pages and manage links of what was published; with `onlyNew`. */
  readonly links?: readonly {
    readonly id: string;
    readonly slug: string;
    readonly token: string;
  }[];
};
