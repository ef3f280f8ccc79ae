import { Fault } from "../fault.ts";
import type { Ports } from "./ports.ts";
import {
  type Member,
  type MemberAction,
  type Membership,
  type OrganisationAct,
  ORGANISATIONS_MAX,
  type OrganisationView,
  toOrganisationView,
} from "../organisations/organisation.ts";
import { createSessions } from "../people/session.ts";

/** Signed-in member, and the organisation for which the member acts. */
export type MemberSession = Member & {
  readonly organisation: OrganisationView;
  /** Other organisations for which the same session may act. */
  readonly others: readonly Membership[];
};

export type MemberSessions = ReturnType<typeof createMemberSessions>;

/**
 * Members by their sessions. All throw `forbidden` without a valid session, and to somebody who is not a member of the
 * organisation. `slug`: organisation for which the member acts; null if the request names none.
 */
export function createMemberSessions(ports: Ports) {
  const { store, secrets, links } = ports;

  /** Memberships of a session as they are now, which may differ from those at sign-in. Throws `forbidden` without any. */
  async function membershipsOf(session: string | null): Promise<readonly Membership[]> {
    const memberships =
      session === null
        ? []
        : await store.memberships(secrets.tokenHash(session), ports.clock(), ORGANISATIONS_MAX);
    if (memberships.length === 0) throw new Fault("forbidden", { reason: "sign_in" });
    return memberships;
  }

  async function actingFor(
    memberships: readonly Membership[],
    slug: string | null,
  ): Promise<MemberSession> {
    const chosen =
      slug === null
        ? memberships[0]
        : memberships.find(({ organisation }) => organisation === slug);
    const organisation =
      chosen === undefined ? null : await store.organisation(chosen.organisation);
    if (chosen === undefined || organisation === null)
      throw new Fault("forbidden", { reason: "not_a_member" });
    return {
      email: chosen.email,
      role: chosen.role,
      organisation: toOrganisationView(organisation, links),
      others: memberships.filter((one) => one !== chosen),
    };
  }

  return {
    membershipsOf,
    actingFor,

    /** Member who reads; if no organisation is named, for the one of which they have been a member longest. */
    reader: async (session: string | null, slug: string | null): Promise<MemberSession> =>
      actingFor(await membershipsOf(session), slug),

    /**
     * Member who changes something. If no organisation is named, throws `bad_input` to members of several: it may be meant
     * for any of them.
     */
    async writer(session: string | null, slug: string | null): Promise<MemberSession> {
      const memberships = await membershipsOf(session);
      if (slug === null && memberships.length > 1)
        throw new Fault("bad_input", { reason: "which_organisation" });
      return actingFor(memberships, slug);
    },

    actionOf: (
      { email, organisation }: MemberSession,
      act: OrganisationAct,
      subject: string,
    ): MemberAction => ({
      id: ports.random.id(),
      at: ports.clock(),
      organisation: organisation.slug,
      who: email,
      act,
      subject,
    }),

    /** Prolongs a session after an action. */
    renew: createSessions(ports, "inbox").renew,
  };
}
