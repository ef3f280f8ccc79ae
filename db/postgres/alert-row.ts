import { getTableColumns } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { alertMapping } from "../alert-row.ts";
import { alert } from "./schema.ts";

export const { toAlert } = alertMapping<PgColumn>(getTableColumns(alert));
