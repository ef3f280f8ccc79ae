import { z } from "zod";
import { Fault } from "../fault.ts";
import { organisationSlug, recipient } from "../input.ts";
import type { PhotoActions } from "../photos/photos.ts";
import type { Ports } from "./ports.ts";
import type { SavedOrganisation } from "./organisation-store.ts";
import { cleanText } from "../text.ts";
import {
  type Member,
  MEMBERS_MAX,
  type Organisation,
  type OrganisationInput,
  organisationInput,
  ORGANISATIONS_MAX,
  type OrganisationView,
  toOrganisationView,
} from "./organisation.ts";
import type { SyncIndexes } from "../instance.ts";

/** Organisation as the operator sees it, with addresses. */
export type OrganisationRecord = OrganisationView & {
  readonly email: string | null;
  readonly members: readonly Member[];
  readonly activeAlerts: number;
};

export const saveOrganisationInput = organisationInput.extend({ isNew: z.boolean() });
export const namedOrganisationInput = z.object({ slug: organisationSlug });

/** Organisations in one list of the operator, and alerts changed in one transaction. */
const LISTED_MAX = ORGANISATIONS_MAX;
const ALERTS_PER_BATCH = 200;

/** Use cases of the operator about organisations, for the machine's own shell. No network adapter may have these. */
export function createOrganisationOperator(
  ports: Ports,
  syncIndexes: SyncIndexes,
  photos: Pick<PhotoActions, "using" | "dropGone">,
) {
  const { store } = ports;

  async function recordOf(one: Organisation): Promise<OrganisationRecord> {
    return {
      ...toOrganisationView(one, ports.links),
      email: one.email,
      members: await store.members(one.slug, MEMBERS_MAX),
      activeAlerts: await store.countActiveOf(one.slug),
    };
  }

  async function requireOrganisation(slug: string): Promise<Organisation> {
    const found = await store.organisation(slug);
    if (found === null) throw new Fault("not_found", `There is no organisation "${slug}".`);
    return found;
  }

  /** Repeats a change of some alerts until none is left. */
  async function changeAll(change: () => Promise<number>): Promise<void> {
    for (let changed = 1; changed > 0; await ports.yieldToEventLoop()) {
      changed = await change();
      await syncIndexes();
    }
  }

  return {
    organisations: async (): Promise<OrganisationRecord[]> =>
      Promise.all((await store.organisations(null, LISTED_MAX)).map(recordOf)),

    /**
     * Adds an organisation, or changes the given fields of one, and names it on its alerts. Throws `bad_input`,
     * `not_found` and `conflict` with a sentence.
     */
    async saveOrganisation({ isNew, ...input }: z.infer<typeof saveOrganisationInput>) {
      const before = isNew ? null : await requireOrganisation(input.slug);
      const name = cleaned(input.name, false) ?? before?.name ?? null;
      if (name === null) throw new Fault("bad_input", "A new organisation needs a name.");
      const logo = await storedLogo(ports, input.logo, before);
      const organisation: Organisation = {
        slug: input.slug,
        name,
        email: addressIn(input, before),
        address: given(cleaned(input.address, true), before?.address),
        hours: given(cleaned(input.hours, true), before?.hours),
        phone: given(cleaned(input.phone, false), before?.phone),
        page: given(cleaned(input.page, false), before?.page),
        logo,
      };
      const members = {
        added: (input.members ?? []).map(({ email, role }) => ({ email: recipient(email), role })),
        removed: (input.formerMembers ?? []).map(recipient),
      };
      const saved = await photos.using(logo === null ? [] : [logo], () =>
        store.saveOrganisation(organisation, members, isNew, ports.clock()),
      );
      refuseUnlessSaved(saved, organisation);
      await changeAll(() => store.alignAlerts(input.slug, ALERTS_PER_BATCH, ports.clock()));
      await photos.dropGone();
      return recordOf(organisation);
    },

    /** Deletes an organisation with its members. Its alerts stay, as those of a private person. Throws `not_found`. */
    async removeOrganisation(slug: string): Promise<{ readonly name: string }> {
      const { name } = await requireOrganisation(slug);
      await changeAll(() => store.releaseAlerts(slug, ALERTS_PER_BATCH, ports.clock()));
      await store.removeOrganisation(slug, ports.clock());
      await syncIndexes();
      await photos.dropGone();
      return { name };
    },
  };
}

/** Text without invisible characters; "" if nothing is left, undefined if it was not given. */
function cleaned(text: string | undefined, multiline: boolean): string | undefined {
  return text === undefined ? undefined : cleanText(text, { multiline });
}

/** Given text, or the one before if none was given; null for "". */
function given(text: string | undefined, before: string | null = null): string | null {
  return text === undefined ? before : text === "" ? null : text;
}

function addressIn({ email }: OrganisationInput, before: Organisation | null): string | null {
  if (email === undefined) return before?.email ?? null;
  return email === "" ? null : recipient(email);
}

async function storedLogo(
  { photos }: Pick<Ports, "photos">,
  logo: string | undefined,
  before: Organisation | null,
): Promise<string | null> {
  if (logo === undefined) return before?.logo ?? null;
  return logo === "" ? null : photos.keep(new Blob([Uint8Array.fromBase64(logo)]), "operator");
}

function refuseUnlessSaved(saved: SavedOrganisation, { slug, email }: Organisation): void {
  switch (saved.kind) {
    case "saved":
      return;
    case "exists":
      throw new Fault("conflict", `There is already an organisation "${slug}": use edit.`);
    case "unknown":
      throw new Fault("not_found", `There is no organisation "${slug}".`);
    case "email_taken":
      throw new Fault("conflict", `Another organisation already has the address ${email ?? ""}.`);
    case "full":
      throw new Fault(
        "conflict",
        `There can be at most ${ORGANISATIONS_MAX} organisations, with at most ${MEMBERS_MAX} members each.`,
      );
  }
}
