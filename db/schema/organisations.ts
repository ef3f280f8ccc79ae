import { sql } from "drizzle-orm";
import type { MemberRole, OrganisationAct } from "../../src/core/organisations/organisation.ts";
import type { Columns } from "../columns.ts";

export type OrganisationTables = ReturnType<typeof organisationTables>;

/** Shelters and other organisations, and their members. */
export function organisationTables(c: Columns) {
  /** Shelters and other organisations that the operator named. */
  const organisation = c.table(
    "organisation",
    {
      slug: c.text().primaryKey(),
      name: c.text().notNull(),
      /** Address of its alerts' owner; null once it was erased. */
      email: c.text(),
      address: c.text(),
      hours: c.text(),
      phone: c.text(),
      page: c.text(),
      /** Name of a photo. */
      logo: c.text(),
      createdAt: c.number("created_at").notNull(),
    },
    () => [c.uniqueIndex("organisation_by_email").on(sql`lower(email)`)],
  );

  /** Column with the slug of an organisation, with which the row is deleted. */
  const ofOrganisation = () => c.parent("organisation", () => organisation.slug);

  /** Members of organisations: people who may sign in for them. */
  const member = c.table(
    "member",
    {
      email: c.text().notNull(),
      organisation: ofOrganisation(),
      role: c.text().$type<MemberRole>().notNull(),
      /** Time since which the mailbox is a member; another role does not change it. */
      addedAt: c.number("added_at").notNull(),
    },
    (table) => [
      c.primaryKey({ columns: [table.organisation, table.email] }),
      c.uniqueIndex("member_by_mailbox").on(sql`lower(email)`, table.organisation),
    ],
  );

  /** Sign-in links of members, which work once, and the sessions they open. */
  const memberKey = sessionKeyTable(c, "member_key");

  /** Log of what members did. */
  const memberAction = c.table(
    "member_action",
    {
      id: c.text().primaryKey(),
      at: c.number().notNull(),
      organisation: ofOrganisation(),
      /** Mailbox of the member, or a name in its place: see `MemberAction`. */
      who: c.text().notNull(),
      act: c.text().$type<OrganisationAct>().notNull(),
      /** Short code of the alert, or the masked mailbox of another member. */
      subject: c.text().notNull(),
    },
    (table) => [
      c.index("member_action_of_organisation").on(table.organisation, table.at),
      c.index("member_action_by_time").on(table.at),
      c.index("member_action_by_who").on(sql`lower(who)`),
    ],
  );

  return { organisation, member, memberKey, memberAction };
}

export type SessionKeyTable = ReturnType<typeof sessionKeyTable>;

/** Sign-in links of moderators or members, which work once, and the sessions they open. */
export function sessionKeyTable(c: Columns, name: string) {
  return c.table(name, {
    tokenHash: c.text("token_hash").primaryKey(),
    kind: c.text().$type<"link" | "session">().notNull(),
    email: c.text().notNull(),
    createdAt: c.number("created_at").notNull(),
    expiresAt: c.number("expires_at").notNull(),
  });
}
