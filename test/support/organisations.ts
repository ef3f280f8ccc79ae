import type { OrganisationInput } from "../../src/core/organisations/organisation.ts";
import { type Session, sessionIn } from "./moderators.ts";
import type { World } from "./world.ts";

export const SHELTER = "shelter@example.org";
export const MANAGER = "anna@example.org";
export const STAFF = "ben@example.org";
export const PHONE = "+33 4 78 00 11 22";
export const STREET = "12 rue des Lilas";
export const HOURS = "Mon to Sat, 2 pm to 6 pm";

/** A shelter with everything that can be said of it. */
export const HAPPY_PAWS: OrganisationInput = {
  slug: "happy-paws",
  name: "Happy Paws",
  email: SHELTER,
  address: `${STREET}\n69001 Lyon`,
  hours: HOURS,
  phone: PHONE,
  page: "https://paws.example.org/visit",
  members: [
    { email: MANAGER, role: "manager" },
    { email: STAFF, role: "staff" },
  ],
};

/** Names an organisation, as the operator does at a shell. */
export async function nameShelter(world: World, about: Partial<OrganisationInput> = {}) {
  await world.app.operator.saveOrganisation({ ...HAPPY_PAWS, ...about, isNew: true });
}

/** The session of a member, with the headers of a browser. */
export async function signInMember(world: World, email = STAFF): Promise<Session> {
  return sessionIn(await world.post(await askToEnterInbox(world, email)));
}

/** Requests a sign-in link to the inbox, and returns its path. */
export async function askToEnterInbox(world: World, email: string): Promise<string> {
  await world.post("/inbox/sign-in", { email });
  return world.linkTo(email, "/inbox/enter/");
}

/** Publishes an alert with the address of the shelter. */
export function publishFound(world: World, about: object = {}) {
  return world.publish({
    type: "found",
    species: "dog",
    color: "black",
    email: SHELTER,
    ...about,
  });
}

/** Writes a message about an alert, and confirms it. */
export async function writeAbout(
  world: World,
  alert: { readonly contact_url: string },
  message: string,
  email: string,
): Promise<void> {
  await world.post(alert.contact_url, { email, message });
  await world.confirm(email);
}

/** Addresses of the conversations that the inbox lists, in order. */
export async function listedIn(world: World, session: Session): Promise<string[]> {
  const page = await world.text("/inbox", session);
  return [...page.matchAll(/href="(\/inbox\/conversations\/[^"]+)"/g)].map((match) => match[1]!);
}
