import { BASE_URL, FINDER, LOST_CAT, type World } from "./world.ts";

/** An alert with a conversation about it, and a private link of every kind: `waiting` is yet to be confirmed. */
export async function allLinks(world: World) {
  const alert = await world.publish();
  const manage = await world.linkTo(LOST_CAT.email, "/manage/");
  await world.post(alert.contact_url, { name: "Jo", email: FINDER, message: "She is here." });
  const confirmed = await world.linkTo(FINDER, "/confirm/");
  await world.post(confirmed);
  const conversation = await world.linkTo(LOST_CAT.email, "/conversation/");
  await world.tool("subscribe_zone", { lat: 45.77, lng: 4.83, email: "z@example.org" });
  const waiting = await world.linkTo("z@example.org", "/confirm/");
  const unsubscribe = await unsubscribeLink(world, "y@example.org");
  return { alert, manage, confirmed, conversation, waiting, unsubscribe };
}

/** Asks by tool for a publication; gives the link of its email. */
export async function confirmLink(world: World, about: Record<string, unknown> = {}) {
  await world.tool("publish_alert", { ...LOST_CAT, ...about });
  return world.linkTo(LOST_CAT.email, "/confirm/");
}

/** Watches a zone; gives the link that ends it. */
export async function unsubscribeLink(
  world: World,
  email: string,
  about: Record<string, unknown> = {},
): Promise<string> {
  await world.tool("subscribe_zone", { lat: 45.77, lng: 4.83, email, ...about });
  const done = await (await world.confirm(email)).text();
  return `${BASE_URL}${/href="(\/unsubscribe\/[^"]+)"/.exec(done)?.[1]}`;
}

/** True for the path of an address that only one reader has: it holds the token of a link, or the ticket of a request. */
export function holdsToken(path: string): boolean {
  return /^\/(?:(?:confirm|manage|conversation|unsubscribe|pair|waiting|erase)|(?:admin|inbox)\/enter)\/./s.test(
    path,
  );
}
