import type { Email } from "../email.ts";
import type { Hit } from "../limits.ts";
import type { Language } from "../../messages/languages.ts";
import type { TableRead, TableSyncResult } from "./table-read.ts";
import { Fault } from "../fault.ts";

/** Table at an address, as the operator's file lists it. */
export type ListedTable = {
  /** Name of its own; as the name of a mapping, it is part of what makes a row known again. */
  readonly name: string;
  /** Mailbox that owns its alerts. */
  readonly owner: string;
  readonly language: Language;
  /** Address without its secret, to be shown to the operator. */
  readonly shownAddress: string;
  /** Time between two pulls. */
  readonly everyMs: number;
};

/** Problem of the operator's file of tables; "invalid": it, or a file that it names, cannot be used. */
export type TableListProblem = "gone" | "invalid";

/** Tables of the operator's file, and their reader. */
export interface TableList {
  all(): readonly ListedTable[];
  /** Reads the file again. Throws `bad_input` with a sentence for the operator, and changes nothing, if it is not valid. */
  reload(): Promise<void>;
  /** Reads the file again as `reload` does, but keeps the kind of its problem instead of throwing. */
  refresh(): Promise<void>;
  /** Problem of the file when it was last read; null if it could be used. */
  problem(): TableListProblem | null;
  /**
   * Fetches and reads a table. A version lets the server answer that nothing has changed. Throws `TableFault`, also when
   * the signal aborts it.
   */
  read(name: string, version: TableVersion | null, signal: AbortSignal): Promise<PulledTable>;
}

/** Version of an answer, by which its server knows whether the table has changed. */
export type TableVersion = {
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** Hash of how the table is read: with another mapping, the same answer gives other alerts. */
  readonly readBy: string;
};

export type PulledTable =
  | { readonly kind: "unchanged" }
  | {
      readonly kind: "table";
      readonly input: Omit<TableRead, "acceptMissing" | "dryRun">;
      /** Rows that the mapping could not read, each as a line for the operator. */
      readonly rejected: readonly string[];
      /** Rows that are put at the place of last resort, in lines for the operator. */
      readonly lastResorts: readonly string[];
      readonly version: TableVersion | null;
    };

/** Kinds of failed reads. `guard`: too many animals were missing at once. */
export const TABLE_PROBLEMS = ["unreachable", "denied", "no_table", "too_large", "guard"] as const;

export type TableProblem = {
  readonly kind: (typeof TABLE_PROBLEMS)[number];
  /** Sentence for the operator, without words from the table. */
  readonly text: string;
};

/** Table that could not be read, with a sentence for the operator that holds no secret and no words from the table. */
export class TableFault extends Fault {
  readonly kind: TableProblem["kind"];

  constructor(kind: TableProblem["kind"], sentence: string) {
    super(kind === "unreachable" ? "unavailable" : "bad_input", sentence);
    this.kind = kind;
  }
}

/** Knowledge about a table that is read again and again. Holds nothing personal. */
export type TableState = {
  readonly name: string;
  /** Time since which it is known. */
  readonly addedAt: number;
  /** Time of the next pull; null if only the operator's commands read it. */
  readonly dueAt: number | null;
  readonly triedAt: number | null;
  /** Last good read, even if nothing had changed. */
  readonly goodAt: number | null;
  /** Last good read of all rows. */
  readonly wholeAt: number | null;
  /** Failed reads since the last good one. */
  readonly failures: number;
  /** Problem of the last read; null if it was good. */
  readonly problem: TableProblem | null;
  /** Rows refused in the last good read of all rows. */
  readonly rejected: number;
  /** Version that the server may confirm; null if the table must be read as a whole. */
  readonly version: TableVersion | null;
  /** Time at which the operator removed it: it is not pulled any more. */
  readonly removedAt: number | null;
};

/** Emails about a table, sent only if their limits have room. */
export type TableNotice = { readonly emails: readonly Email[]; readonly hits: readonly Hit[] };

/** Tables that are read again and again. */
export interface TableStore {
  /** All tables, by name. */
  tableStates(limit: number): Promise<TableState[]>;
  /**
   * Takes a table for one read: nobody else can take it until `releaseAt`, or until it is saved. Adds it if it is new.
   * Returns null if someone else has taken it.
   */
  takeTable(fresh: TableState, now: number, releaseAt: number): Promise<TableState | null>;
  /**
   * Saves a table and ends the read that took it until `releaseAt`, and queues the notices. Returns false, and does nothing,
   * if someone else has taken it since. With null it is saved in any case, and stays taken.
   */
  saveTable(
    state: TableState,
    releaseAt: number | null,
    notices: readonly TableNotice[],
    now: number,
  ): Promise<boolean>;
}

/** Outcome of a pull. */
export type PullReport = {
  readonly name: string;
  /** Null if nothing had changed, or nothing could be read. */
  readonly result: TableSyncResult | null;
  /** Rows that the mapping could not read, each as a line for the operator. */
  readonly rejected: readonly string[];
  /** Rows that are put at the place of last resort, in lines for the operator. */
  readonly lastResorts: readonly string[];
  readonly problem: TableProblem | null;
};
