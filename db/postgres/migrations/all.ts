import type { Migration } from "../../migration.ts";
import first from "./0000_first.sql" with { type: "text" };
import indexes from "./0002_indexes.sql" with { type: "text" };
import heldPhotos from "./0003_held_photos.sql" with { type: "text" };
import vacuum from "./0004_vacuum.sql" with { type: "text" };
import claims from "./0005_claims.sql" with { type: "text" };
import tableRows from "./0006_table_rows.sql" with { type: "text" };
import tableSource from "./0007_table_source.sql" with { type: "text" };
import lead from "./0001_lead.sql" with { type: "text" };
import plan from "./0008_plan.sql" with { type: "text" };
import organisations from "./0009_organisations.sql" with { type: "text" };
import devices from "./0010_devices.sql" with { type: "text" };
import emailedReplies from "./0011_emailed_replies.sql" with { type: "text" };
import memberLog from "./0012_member_log.sql" with { type: "text" };
import animalPage from "./0013_animal_page.sql" with { type: "text" };
import memberships from "./0014_memberships.sql" with { type: "text" };

/**
 * Step of the schema. Programs of the release before run beside those of this one, so a step only adds: tables, nullable
 * columns, indexes; or it loosens a constraint on which they do not rely. What nothing uses any more goes in a later
 * release. `programs`: number of steps that a program must know to use the database after this one; it is raised by a step
 * that takes something away.
 */
export type PostgresMigration = Migration & { readonly programs: number };

/** Every migration, oldest first. Append only: a released one never changes. */
export const MIGRATIONS: readonly PostgresMigration[] = [
  { name: "0000_first", sql: first, programs: 1 },
  { name: "0001_lead", sql: lead, programs: 1 },
  { name: "0002_indexes", sql: indexes, programs: 1 },
  { name: "0003_held_photos", sql: heldPhotos, programs: 1 },
  { name: "0004_vacuum", sql: vacuum, programs: 1 },
  { name: "0005_claims", sql: claims, programs: 1 },
  { name: "0006_table_rows", sql: tableRows, programs: 1 },
  { name: "0007_table_source", sql: tableSource, programs: 1 },
  { name: "0008_plan", sql: plan, programs: 1 },
  { name: "0009_organisations", sql: organisations, programs: 1 },
  { name: "0010_devices", sql: devices, programs: 1 },
  { name: "0011_emailed_replies", sql: emailedReplies, programs: 1 },
  { name: "0012_member_log", sql: memberLog, programs: 1 },
  { name: "0013_animal_page", sql: animalPage, programs: 1 },
  { name: "0014_memberships", sql: memberships, programs: 1 },
];
