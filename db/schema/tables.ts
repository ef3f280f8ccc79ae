import type { Columns } from "../columns.ts";
import { alertTables } from "./alerts.ts";
import { conversationTables } from "./conversations.ts";
import { instanceTables } from "./instance.ts";
import { moderationTables } from "./moderation.ts";
import { organisationTables } from "./organisations.ts";
import { peopleTables } from "./people.ts";
import { zoneTables } from "./zones.ts";

/** All tables that both engines have. */
export type Tables = ReturnType<typeof createTables>;

/** Row of a table. */
export type Row<Name extends keyof Tables> = Tables[Name]["$inferSelect"];

/** Declares the tables with the columns of an engine. */
export function createTables(c: Columns) {
  const organisations = organisationTables(c);
  const alerts = alertTables(c, organisations);
  const conversations = conversationTables(c, alerts);
  return {
    ...organisations,
    ...alerts,
    ...conversations,
    ...moderationTables(c, { ...alerts, ...conversations }),
    ...zoneTables(c, alerts),
    ...peopleTables(c),
    ...instanceTables(c),
  };
}
