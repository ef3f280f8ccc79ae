import { FINDER, LOST_CAT, type World } from "./world.ts";

export const MOD = "mod@example.org";
export const SECOND = "second@example.org";
/** The environment of a world with two moderators. */
export const MODERATED = { ADMIN_EMAILS: `${MOD}, ${SECOND}`, LIMIT_PUBLISH: "off" };

/** The headers that the browser of a moderator sends with the forms of our pages. */
export type Session = { readonly Cookie: string; readonly "Sec-Fetch-Site": "same-origin" };

export async function signIn(world: World, email = MOD): Promise<Session> {
  return sessionIn(await world.post(await signInLink(world, email)));
}

/** Asks for the way in, and gives its link. */
export async function signInLink(world: World, email = MOD): Promise<string> {
  await world.post("/admin/sign-in", { email });
  return world.linkTo(email, "/admin/enter/");
}

/** The session that an answer opens. */
export function sessionIn(answer: Response): Session {
  const Cookie = answer.headers.get("Set-Cookie")?.split(";")[0] ?? "";
  return { Cookie, "Sec-Fetch-Site": "same-origin" };
}

export function report(
  world: World,
  alert: { url: string },
  fields: Readonly<Record<string, string>> = { reason: "scam" },
) {
  return world.press(`${alert.url}/report`, fields);
}

/** Does to an alert what a moderator can: `hide`, `block` and so on. */
export function moderate(world: World, session: Session, alert: { id: string }, what: string) {
  return world.post(`/admin/alerts/${alert.id}/${what}`, {}, session);
}

/** A conversation about an alert; gives the links of both sides. */
export async function converse(
  world: World,
  alert: { contact_url: string },
  message = "She is here.",
) {
  await world.post(alert.contact_url, { name: "Jo", email: FINDER, message });
  await world.confirm(FINDER);
  const owner = await world.linkTo(LOST_CAT.email, "/conversation/");
  await world.post(owner, { message: "Where?" });
  return { owner, stranger: await world.linkTo(FINDER, "/conversation/") };
}
