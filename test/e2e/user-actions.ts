import { jpeg } from "../support/picture.ts";
import type { World } from "../support/world.ts";
import type { Texts } from "./sample-data.ts";

export const MODERATOR = "moderator@example.org";
/** A park in Lyon, on the public grid. */
export const HOME = { lat: 45.7741, lng: 4.8321 };

type Fields = Readonly<Record<string, string>>;
type About = Readonly<Record<string, unknown>>;
/** File as a browser sends it. */
export type Photo = { readonly name: string; readonly bytes: Uint8Array };

/** User actions on a whole service, with the texts of `writing`. */
export function createUserActions(world: World, writing: Texts) {
  const { name, color, breed, description, city, sender, message, label, note, place } = writing;
  const looks = { type: "lost", species: "cat", ...HOME, name, color, breed, description, city };

  const linkTo = (email: string, part: string) => world.linkTo(email, part);
  const press = (link: string, fields: Fields = {}, headers: Fields = {}) =>
    world.post(link, fields, headers);
  /** Submits a form; returns the path of the page it leads to. */
  const send = async (path: string, fields: Fields, pictures: readonly Photo[] = []) => {
    const body = new FormData();
    for (const [field, value] of Object.entries(fields)) body.set(field, value);
    for (const { name, bytes } of pictures) body.append("photos", new File([bytes], name));
    const answer = await world.fetch(path, { method: "POST", body });
    const next = answer.headers.get("Location");
    if (next === null) throw new Error(`the form of ${path} leads nowhere: ${answer.status}`);
    return next;
  };
  /** Publishes an alert; returns it with its addresses. */
  const publish = async (email: string, about: About = {}) => {
    const alert = await world.publish({ ...looks, email, ...about });
    const page = String(alert.url);
    return {
      id: String(alert.id),
      email,
      code: String(alert.short_code),
      page,
      contact: String(alert.contact_url),
      sighting: `${page}/sighting`,
      report: `${page}/report`,
      poster: `${page}/poster`,
      confirmed: await linkTo(email, "/confirm/"),
      manage: await linkTo(email, "/manage/"),
    };
  };
  /** Asks in the page's own form, with pictures; gives the page to wait on and the link of the email. */
  const askInForm = async (path: string, email: string, told: Fields, pictures?: Photo[]) => {
    const waiting = await send(path, { ...told, email }, pictures);
    return { waiting, confirm: await linkTo(email, "/confirm/") };
  };
  const position = { lat: String(HOME.lat), lng: String(HOME.lng) };

  return {
    linkTo,
    press,
    publish,
    /** A publication, a message, a sighting or a zone that waits for its human; gives the link of its email. */
    async askToPublish(email: string, about: About = {}) {
      await world.tool("publish_alert", { ...looks, email, ...about });
      return linkTo(email, "/confirm/");
    },
    async askToWrite(email: string, contact: string) {
      await press(contact, { name: sender, email, message });
      return linkTo(email, "/confirm/");
    },
    async askForZone(email: string) {
      const zone = { ...HOME, radius_km: 12, label, species: "cat", type: "found" };
      await world.tool("subscribe_zone", { ...zone, email });
      return linkTo(email, "/confirm/");
    },
    askToTell: (email: string, sighting: string) =>
      askInForm(sighting, email, { ...position, place, note, hoursAgo: "2" }),
    askInForm: (email: string, about: Fields = {}, pictures?: Photo[]) => {
      const { city: _, lat: __, lng: ___, ...text } = looks;
      return askInForm("/publish", email, { ...text, ...position, ...about }, pictures);
    },
    /** Puts pictures on a live alert. */
    hang: (manage: string, pictures: Photo[]) => send(`${manage}/edit`, { edited: "1" }, pictures),
    report: (page: string) => press(`${page}/report`, { reason: "scam", text: writing.report }),
    async confirmed(link: string) {
      await press(link);
      return link;
    },
    /** A moderator signs in: the link of the email, used now, and the session it opened. */
    async signIn() {
      await press("/admin/sign-in", { email: MODERATOR });
      const link = await linkTo(MODERATOR, "/admin/enter/");
      const [cookie = ""] = (await press(link)).headers.getSetCookie();
      const session = /^moderator=([^;]+)/.exec(cookie)?.[1];
      if (session === undefined) throw new Error("no moderator was let in");
      return { link, session };
    },
    async askToErase(email: string) {
      await press("/erase", { email });
      return linkTo(email, "/erase/");
    },
    async askToSignIn() {
      await press("/admin/sign-in", { email: MODERATOR });
      return linkTo(MODERATOR, "/admin/enter/");
    },
    moderate: (session: string, id: string, act: "hide" | "dismiss") =>
      press(
        `/admin/alerts/${id}/${act}`,
        {},
        { Cookie: `moderator=${session}`, "Sec-Fetch-Site": "same-origin" },
      ),
  };
}

/** Different photos with a phone's file name. */
export function makePhotos(count: number, name = "IMG_1234.jpg"): Promise<Photo[]> {
  const sizes = Array.from({ length: count }, (_, at) => ({ width: 1200 - 40 * at, height: 900 }));
  return Promise.all(sizes.map(async (size) => ({ name, bytes: await jpeg(size) })));
}
