import { z } from "zod";
import type { OrganisationLink } from "../alerts/alert.ts";
import { emailField, mailbox, organisationSlug, PHONE_NUMBER, withReason } from "../input.ts";
import type { Links } from "../urls.ts";

/**
 * Shelter or other organisation that the operator named. Its alerts are those whose owner has its address, which only the
 * reader of that mailbox can confirm.
 */
export type Organisation = {
  /** Key of it, and the end of its page's address. Never changes. */
  readonly slug: string;
  readonly name: string;
  /** Address with which its alerts are published and imported, never shown; null once it was erased. */
  readonly email: string | null;
  /** Postal address, opening hours and telephone. On pages and paper only, never in JSON, feeds or tools. */
  readonly address: string | null;
  readonly hours: string | null;
  readonly phone: string | null;
  /** URL of its own site. */
  readonly page: string | null;
  /** Name of a photo. */
  readonly logo: string | null;
};

/** Rights of a member. `staff` answers messages and ends alerts; `manager` also adds and removes members. */
export const MEMBER_ROLES = ["staff", "manager"] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** Person who may sign in for an organisation. */
export type Member = {
  readonly email: string;
  readonly role: MemberRole;
};

/** Membership of a mailbox, which may have several. */
export type Membership = Member & {
  /** Slug and name of the organisation. */
  readonly organisation: string;
  readonly name: string;
};

/** Action of a member that is logged. */
const ORGANISATION_ACTS = [
  "reply",
  "read",
  "resolve",
  "add_member",
  "remove_member",
  "leave",
] as const;
export type OrganisationAct = (typeof ORGANISATION_ACTS)[number];

/** Action of a member, logged in the transaction that carries it out. */
export type MemberAction = {
  readonly id: string;
  readonly at: number;
  /** Slug of the organisation. */
  readonly organisation: string;
  /** Member's mailbox; `NOBODY` once it was erased. */
  readonly who: string;
  readonly act: OrganisationAct;
  /** Short code of the alert, or the masked mailbox of the member that was added or removed; "" for `leave`. */
  readonly subject: string;
};

export const ORGANISATIONS_MAX = 1_000;
export const MEMBERS_MAX = 50;
const NAME_MAX = 100;
const TEXT_MAX = 300;

const optionalText = z.string().max(TEXT_MAX).optional();
export const memberInput = z.object({ email: emailField, role: z.enum(MEMBER_ROLES) });

/** Fields of an organisation that the operator gives. "" clears an optional one. */
export const organisationInput = z.object({
  slug: organisationSlug,
  name: z.string().trim().min(1).max(NAME_MAX).optional(),
  email: z
    .string()
    .refine((text) => text === "" || mailbox(text) !== null, withReason("email"))
    .optional(),
  address: optionalText,
  hours: optionalText,
  phone: z
    .string()
    .refine((text) => text === "" || PHONE_NUMBER.test(text), withReason("phone"))
    .optional(),
  page: z
    .string()
    .max(TEXT_MAX, { abort: true })
    .refine((text) => text === "" || isWebPage(text), withReason("web_page"))
    .optional(),
  /** Bytes of an image in Base64; "" removes the logo. */
  logo: z.string().optional(),
  members: z.array(memberInput).max(MEMBERS_MAX).optional(),
  formerMembers: z.array(emailField).max(MEMBERS_MAX).optional(),
});
export type OrganisationInput = z.infer<typeof organisationInput>;

function isWebPage(text: string): boolean {
  const url = URL.parse(text);
  const isPlain = url?.username === "" && url.password === "";
  return isPlain && (url.protocol === "https:" || url.protocol === "http:");
}

/** Contact details of an organisation, for its own page, those of its alerts, and paper. */
export type OrganisationView = OrganisationLink &
  Pick<Organisation, "address" | "hours" | "phone" | "page"> & {
    /** URL of its logo on this server. */
    readonly logo: string | null;
  };

export function toOrganisationView(one: Organisation, links: Links): OrganisationView {
  return {
    slug: one.slug,
    name: one.name,
    url: links.organisation(one.slug),
    address: one.address,
    hours: one.hours,
    phone: one.phone,
    page: one.page,
    logo: one.logo === null ? null : links.thumbnail(one.logo),
  };
}
