import { getTableColumns } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { alertMapping } from "../alert-row.ts";
import { alert } from "./schema.ts";

export type AlertRow = typeof alert.$inferSelect;

export const {
  alertColumns: ALERT_COLUMNS,
  toAlert,
  readAlert,
} = alertMapping<SQLiteColumn>(getTableColumns(alert));
