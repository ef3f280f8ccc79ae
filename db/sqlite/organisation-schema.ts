import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { MemberRole, OrganisationAct } from "../../src/core/organisations/organisation.ts";
import { sessionKeyTable } from "./session-key-schema.ts";

/** Shelters and other organisations that the operator named. */
export const organisation = sqliteTable(
  "organisation",
  {
    slug: text().primaryKey(),
    name: text().notNull(),
    /** Address of its alerts' owner; null once it was erased. */
    email: text(),
    address: text(),
    hours: text(),
    phone: text(),
    page: text(),
    /** Name of a photo. */
    logo: text(),
    createdAt: integer("created_at").notNull(),
  },
  () => [uniqueIndex("organisation_by_email").on(sql`lower(email)`)],
);

/** Column with the slug of an organisation, with which the row is deleted. */
const ofOrganisation = () =>
  text("organisation")
    .notNull()
    .references(() => organisation.slug, { onDelete: "cascade" });

/** Members of organisations: people who may sign in for them. */
export const member = sqliteTable(
  "member",
  {
    email: text().notNull(),
    organisation: ofOrganisation(),
    role: text().$type<MemberRole>().notNull(),
    /** Time since which the mailbox is a member; another role does not change it. */
    addedAt: integer("added_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.organisation, table.email] }),
    uniqueIndex("member_by_mailbox").on(sql`lower(email)`, table.organisation),
  ],
);

/** Sign-in links of members, which work once, and the sessions they open. */
export const memberKey = sessionKeyTable("member_key");

/** Log of what members did. */
export const memberAction = sqliteTable(
  "member_action",
  {
    id: text().primaryKey(),
    at: integer().notNull(),
    organisation: ofOrganisation(),
    /** Mailbox of the member, or a name in its place: see `MemberAction`. */
    who: text().notNull(),
    act: text().$type<OrganisationAct>().notNull(),
    /** Short code of the alert, or the masked mailbox of another member. */
    subject: text().notNull(),
  },
  (table) => [
    index("member_action_of_organisation").on(table.organisation, table.at),
    index("member_action_by_time").on(table.at),
    index("member_action_by_who").on(sql`lower(who)`),
  ],
);
