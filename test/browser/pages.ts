import type { Page } from "playwright-core";
import type { Language } from "../../src/core/alert.ts";
import { jpeg } from "../support/picture.ts";
import { pictures } from "./acting.ts";
import type { Cast } from "./cast.ts";

/** One page in one state. Opening it again, in another language, shows the same. */
export type PageState = {
  /** What it is called in test reports and screenshots. */
  readonly name: string;
  /** Its address, whole or as a path. */
  readonly at: (cast: Cast) => string;
  /** The status it answers with; 200 when absent. */
  readonly status?: number;
  /** For pages that answer a form: what it was sent with. */
  readonly post?: Fields | ((cast: Cast) => Fields);
  /** Whether a moderator looks at it. */
  readonly isSignedIn?: boolean;
  /** What a person does on it before it is looked at. */
  readonly act?: (page: Page, cast: Cast) => Promise<unknown>;
  /** The language it has whatever was asked for. */
  readonly language?: Language;
  /** Whether any site may show it in a frame. */
  readonly isFramed?: boolean;
};
/** A field given several times has a list of values. */
type Fields = Readonly<Record<string, string | readonly string[]>>;

const TOO_LONG = "too long ".repeat(300);

/** Every page in every state that looks different. A new page is a line here and, if need be, a name in `cast.ts`. */
export const PAGES: readonly PageState[] = [
  { name: "home", at: () => "/" },
  { name: "home, searched", at: () => "/?q=mimi&type=lost&species=cat" },
  { name: "home, nothing fits", at: () => "/?q=nobody&species=bird" },
  { name: "home, older alerts", at: (cast) => cast.olderAlerts },
  { name: "home, wrong search", at: () => "/?q=!!!&species=zebra", status: 400 },
  { name: "home, around a town", at: () => "/?place=Lyon&radius_km=25" },
  { name: "home, several towns", at: () => "/?place=Springfield&radius_km=25" },
  { name: "home, nothing near", at: () => "/?place=Reykjavik&radius_km=5" },
  { name: "home, unknown town", at: () => "/?place=Lyyon" },
  { name: "home, no alerts yet", at: (cast) => cast.emptySite },
  { name: "about", at: () => "/about" },

  { name: "alert, lost", at: (cast) => cast.lost.page },
  { name: "alert, found", at: (cast) => cast.found.page },
  { name: "alert, resolved", at: (cast) => cast.resolved.page },
  { name: "alert, expired", at: (cast) => cast.expired.page },
  { name: "alert, removed", at: (cast) => cast.removed.page, status: 410 },
  { name: "alert, hidden", at: (cast) => cast.hidden.page, status: 410 },
  { name: "alert, unknown", at: () => "/alerts/lost-cat-nobody-abc234", status: 404 },

  { name: "publish, lost", at: () => "/publish?type=lost" },
  {
    name: "publish, found, unfolded",
    at: () => "/publish?type=found",
    act: (page) => page.locator("summary").click(),
  },
  { name: "publish, photo chosen", at: () => "/publish", act: choosePhotos },
  {
    name: "publish, refused",
    at: () => "/publish",
    post: ({ photos }) => ({
      type: "found",
      species: "",
      email: "jo",
      place: "Lyyon",
      eventDate: "2031-01-01",
      microchip: "12",
      photo: photos.slice(0, 2),
    }),
    status: 400,
  },
  {
    name: "publish, likely matches",
    at: () => "/publish",
    post: ({ area, writing: { color, breed } }) => ({
      type: "found",
      species: "cat",
      email: "jo@example.net",
      color,
      breed,
      ...area,
    }),
  },

  { name: "waiting", at: (cast) => cast.waiting.fresh },
  {
    name: "waiting, too early to send again",
    at: (cast) => `${cast.waiting.fresh}/again`,
    post: {},
    status: 429,
  },
  { name: "waiting, sent again", at: (cast) => `${cast.waiting.twice}?again` },
  {
    name: "waiting, wrong address",
    at: (cast) => `${cast.waiting.fresh}/address`,
    post: { email: "jo" },
    status: 400,
  },
  { name: "waiting, confirmed", at: (cast) => cast.waiting.confirmed },
  { name: "waiting, over", at: (cast) => cast.waiting.over },
  { name: "waiting, unknown", at: () => "/waiting/unknown", status: 404 },

  { name: "poster, strips", at: (cast) => `${cast.lost.poster}?paper=a4&sheet=tear` },
  { name: "poster, far", at: (cast) => `${cast.lost.poster}?paper=letter&sheet=far` },
  { name: "poster, without a photo", at: (cast) => `${cast.found.poster}?paper=letter&sheet=tear` },
  { name: "poster, home again", at: (cast) => cast.resolved.poster, status: 409 },

  { name: "sighting", at: (cast) => cast.lost.sighting },
  { name: "sighting, home again", at: (cast) => cast.resolved.sighting },
  {
    name: "sighting, refused",
    at: (cast) => cast.lost.sighting,
    post: { place: "Lyyon", email: "jo", hoursAgo: "2", note: "By the river" },
    status: 400,
  },

  { name: "report", at: (cast) => cast.lost.report },
  { name: "report, refused", at: (cast) => cast.lost.report, post: { text: "Look" }, status: 400 },
  { name: "report, thanks", at: (cast) => cast.lost.report, post: { reason: "scam" } },

  { name: "contact", at: (cast) => cast.lost.contact },
  { name: "contact, of a finder", at: (cast) => cast.found.contact },
  { name: "contact, home again", at: (cast) => cast.resolved.contact },
  { name: "contact, nobody left", at: (cast) => cast.forgotten.contact },
  {
    name: "contact, refused",
    at: (cast) => cast.lost.contact,
    post: { name: "Jo", email: "jo", message: " " },
    status: 400,
  },
  {
    name: "contact, asked",
    at: (cast) => cast.lost.contact,
    post: { name: "Jo", email: "jo@example.net", message: "Call 06 12 34 56 78" },
  },

  { name: "confirm a publication", at: (cast) => cast.confirm.publish },
  {
    name: "confirm a publication, editing",
    at: (cast) => cast.confirm.publishFound,
    act: (page) => page.locator("summary").first().click(),
  },
  {
    name: "confirm a publication, refused",
    at: (cast) => cast.confirm.publishFound,
    post: { name: "Minou", eventDate: "2031-01-01" },
    status: 400,
  },
  { name: "confirm a message", at: (cast) => cast.confirm.message },
  { name: "confirm a zone", at: (cast) => cast.confirm.zone },
  { name: "confirm a sighting", at: (cast) => cast.confirm.sighting },
  { name: "confirmed, published", at: (cast) => cast.confirm.published },
  { name: "confirmed, sent", at: (cast) => cast.confirm.sent },
  { name: "confirmed, zone", at: (cast) => cast.confirm.zoneStarted },
  { name: "confirmed, sighting", at: (cast) => cast.confirm.told },
  { name: "confirm, expired", at: (cast) => cast.confirm.expired },
  { name: "confirm, disowned", at: (cast) => cast.confirm.disowned },
  { name: "confirm, unknown", at: () => "/confirm/unknown", status: 404 },
  { name: "not me", at: (cast) => `${cast.confirm.publish}/not-me` },
  { name: "not me, too late", at: (cast) => `${cast.confirm.published}/not-me` },
  { name: "not me, stopped", at: (cast) => `${cast.confirm.disowned}/not-me`, post: {} },
  { name: "not me, allowed again", at: (cast) => `${cast.confirm.allowed}/allow`, post: {} },

  { name: "manage", at: (cast) => cast.lost.manage },
  { name: "manage, resolved now", at: (cast) => `${cast.resolved.manage}?done=resolve` },
  { name: "manage, expired", at: (cast) => cast.expired.manage },
  { name: "manage, told", at: (cast) => `${cast.resolved.manage}?done=tell` },
  { name: "manage, hidden", at: (cast) => cast.hidden.manage },
  {
    name: "manage, impossible",
    at: (cast) => `${cast.resolved.manage}/renew`,
    post: {},
    status: 409,
  },
  { name: "remove", at: (cast) => `${cast.lost.manage}/remove` },
  { name: "removed", at: (cast) => `${cast.spareManageLink()}/remove`, post: {} },
  { name: "edit", at: (cast) => `${cast.lost.manage}/edit` },
  {
    name: "edit, refused",
    at: (cast) => `${cast.found.manage}/edit`,
    post: { edited: "1", name: "Minou", color: "", eventDate: "2031-01-01", place: "Lyyon" },
    status: 400,
  },
  { name: "find my link", at: () => "/manage" },
  { name: "find my link, refused", at: () => "/manage", post: { email: "jo" }, status: 400 },
  { name: "find my link, sent", at: () => "/manage", post: { email: "jo@example.net" } },

  { name: "erase", at: () => "/erase" },
  { name: "erase, refused", at: () => "/erase", post: { email: "jo" }, status: 400 },
  { name: "erase, link sent", at: () => "/erase", post: { email: "jo@example.net" } },
  { name: "erase, what there is", at: (cast) => cast.erase.waiting },
  { name: "erase, nothing left", at: (cast) => cast.erase.nothing },
  { name: "erased", at: (cast) => cast.erase.done },
  { name: "erase, unknown", at: () => "/erase/unknown", status: 404 },

  { name: "conversation, owner", at: (cast) => cast.conversation.owner },
  { name: "conversation, writer", at: (cast) => cast.conversation.writer },
  { name: "conversation, home again", at: (cast) => cast.conversation.ended },
  {
    name: "conversation, refused",
    at: (cast) => cast.conversation.writer,
    post: { message: TOO_LONG },
    status: 400,
  },
  { name: "conversation, closed", at: (cast) => cast.conversation.closed },
  { name: "close a conversation", at: (cast) => `${cast.conversation.owner}/close` },
  { name: "report a conversation", at: (cast) => `${cast.conversation.writer}/report` },
  {
    name: "report a conversation, refused",
    at: (cast) => `${cast.conversation.writer}/report`,
    post: { text: "Look" },
    status: 400,
  },

  { name: "pair", at: (cast) => cast.pair.open },
  { name: "pair, ended", at: (cast) => cast.pair.ended },

  { name: "unsubscribe from a zone", at: (cast) => cast.unsubscribe.zone },
  { name: "unsubscribe from reminders", at: (cast) => cast.unsubscribe.reminders },
  { name: "unsubscribe from matches", at: (cast) => cast.unsubscribe.matches },
  { name: "unsubscribed", at: (cast) => cast.unsubscribe.ended },

  { name: "subscribe", at: () => "/subscribe" },
  {
    name: "subscribe, to a search",
    at: () => "/subscribe?place=Lyon&lat=45.77&lng=4.83&radius_km=10",
  },
  {
    name: "subscribe, which town",
    at: () => "/subscribe",
    post: { place: "Springfield", radiusKm: "10", email: "jo@example.net" },
  },
  {
    name: "subscribe, refused",
    at: () => "/subscribe",
    post: { place: "Lyyon", radiusKm: "1000", email: "jo" },
    status: 400,
  },
  {
    name: "waiting, zone",
    at: () => "/subscribe",
    post: { place: "Reykjavik", radiusKm: "10", label: "Home", email: "jo@example.net" },
  },

  { name: "sign in", at: () => "/admin" },
  { name: "sign in, link sent", at: () => "/admin/sign-in", post: { email: "jo@example.net" } },
  { name: "sign in, by the link", at: (cast) => cast.admin.entry },
  { name: "sign in, link used", at: (cast) => cast.admin.spent, post: {}, status: 404 },
  {
    name: "sign in, session over",
    at: (cast) => `/admin/alerts/${cast.lost.id}/hide`,
    post: {},
    status: 403,
  },
  {
    name: "moderation",
    at: () => "/admin?done=hide",
    isSignedIn: true,
    act: (page) => page.locator("summary").click(),
  },
  {
    name: "moderation, remove",
    at: (cast) => `/admin/alerts/${cast.found.id}/remove`,
    isSignedIn: true,
  },
  {
    name: "moderation, block",
    at: (cast) => `/admin/alerts/${cast.found.id}/block`,
    isSignedIn: true,
  },
  {
    name: "moderation, block who wrote",
    at: (cast) => `/admin/alerts/${cast.found.id}/conversations/1/block`,
    isSignedIn: true,
  },

  { name: "API docs", at: () => "/api/docs", language: "en" },
  { name: "embedded list", at: () => "/embed?limit=5", isFramed: true },
  { name: "embedded list, empty", at: () => "/embed?species=bird&type=lost", isFramed: true },
  { name: "embedded list, refused", at: () => "/embed?species=zebra", isFramed: true, status: 400 },

  { name: "nothing here", at: () => "/nowhere", status: 404 },
  { name: "wrong method", at: () => "/about", post: {}, status: 405 },
];

/** Two photographs; one says where it was taken, and the page asks about it. */
async function choosePhotos(page: Page): Promise<void> {
  const [plain] = await pictures(1);
  const placed = await jpeg({ width: 800, height: 600, gps: { lat: 45.7741, lng: 4.8321 } });
  const files = [placed, plain?.bytes ?? placed];
  await page.setInputFiles(
    "input[type=file]",
    files.map((bytes) => ({ name: "IMG.jpg", mimeType: "image/jpeg", buffer: Buffer.from(bytes) })),
  );
  await page.locator(".photo-previews img").nth(1).waitFor();
  await page.locator(".photo-place").waitFor();
}
