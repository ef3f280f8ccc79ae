import type { Member, Organisation } from "./organisation.ts";

/**
 * Changes to the members of an organisation. A member that is added again gets the new role, and stays signed in; in another
 * spelling, which may be another mailbox, they are removed and added.
 */
export type MemberChanges = {
  readonly added: readonly Member[];
  /** Addresses, in any case. For this organisation, links and sessions of those who were members end for good. */
  readonly removed: readonly string[];
};

/**
 * Outcome of saving an organisation: `exists` or `unknown`: there is one with this slug already, or none;
 * `email_taken`: another organisation has the address; `full`: too many organisations, or members.
 */
export type SavedOrganisation = {
  readonly kind: "saved" | "exists" | "unknown" | "email_taken" | "full";
};

/**
 * Outcome of a change by a member. `full`: too many members; `no_manager`: its last manager would go; `not_allowed`: the
 * member is no manager any more.
 */
export type ChangedMembers = { readonly kind: "saved" | "full" | "no_manager" | "not_allowed" };

/** Organisations, their members and their alerts. */
export interface OrganisationStore {
  organisation(slug: string): Promise<Organisation | null>;
  /** By slug, after this one; null: from the first. */
  organisations(after: string | null, limit: number): Promise<Organisation[]>;
  /** In the order of their addresses. */
  members(slug: string, limit: number): Promise<Member[]>;
  /**
   * Adds an organisation, or changes one, with its members. An alert that is published afterwards has the organisation with
   * its owner's address. `alignAlerts` then brings those before in line.
   */
  saveOrganisation(
    organisation: Organisation,
    members: MemberChanges,
    isNew: boolean,
    now: number,
  ): Promise<SavedOrganisation>;
  /**
   * Gives alerts of the organisation's address its slug and name, and takes them from those of other addresses, `limit` at a
   * time. Returns the number of changed alerts. Alerts whose owner was erased stay as they are.
   */
  alignAlerts(slug: string, limit: number, now: number): Promise<number>;
  /** Takes the organisation from `limit` of its alerts. Returns their number. */
  releaseAlerts(slug: string, limit: number, now: number): Promise<number>;
  /**
   * Deletes an organisation with its members, their links and sessions, and the log, and takes it from all its alerts.
   * Returns false if there is none.
   */
  removeOrganisation(slug: string, now: number): Promise<boolean>;
  /** Number of the organisation's active alerts. */
  countActiveOf(slug: string): Promise<number>;
  /** Page of an animal at its organisation's site, as the table had it; null if there is none. */
  animalPage(alertId: string): Promise<string | null>;
}
