import type { Page } from "playwright-core";
import type { Language } from "../../src/messages/languages.ts";
import { jpeg } from "../support/picture.ts";
import { makePhotos } from "./user-actions.ts";
import type { SampleData } from "./sample-data.ts";

/** One page in one state. Opening it again, in another language, shows the same. */
export type PageState = {
  /** Name in test reports and screenshots. */
  readonly name: string;
  /** Its address, whole or as a path. */
  readonly at: (data: SampleData) => string;
  /** The status it answers with; 200 when absent. */
  readonly status?: number;
  /** For pages that answer a form: what it was sent with. */
  readonly post?: Fields | ((data: SampleData) => Fields);
  /** Opened by a signed-in moderator or member. */
  readonly isSignedIn?: boolean;
  /** Actions on the page before it is checked. */
  readonly act?: (page: Page, data: SampleData) => Promise<unknown>;
  /** The language it has whatever was asked for. */
  readonly language?: Language;
  /** Any site may show it in a frame. */
  readonly isFramed?: boolean;
};
/** A field given several times has a list of values. */
type Fields = Readonly<Record<string, string | readonly string[]>>;

const TOO_LONG = "too long ".repeat(300);

/** All pages in all states that look different. A new page needs a line here, and possibly an entry in `sample-data.ts`. */
export const PAGES: readonly PageState[] = [
  { name: "home", at: () => "/" },
  {
    name: "home, searched",
    at: ({ writing }) => `/?q=${encodeURIComponent(writing.name)}&type=lost&species=cat`,
  },
  { name: "home, nothing fits", at: () => "/?q=nobody&species=bird" },
  { name: "home, older alerts", at: (data) => data.olderAlerts },
  { name: "home, list to print", at: () => "/?place=Lyon&radius_km=25&view=list" },
  { name: "home, by colour and breed", at: () => "/?color=grey&breed_group=siamese" },
  {
    name: "home, wrong search",
    at: ({ writing }) =>
      `/?${new URLSearchParams({ species: writing.name, cursor: writing.name })}`,
    status: 400,
  },
  { name: "home, typed town", at: ({ writing }) => `/?place=${encodeURIComponent(writing.place)}` },
  { name: "home, around a town", at: () => "/?place=Lyon&radius_km=25" },
  { name: "home, several towns", at: () => "/?place=Springfield&radius_km=25" },
  { name: "home, nothing near", at: () => "/?place=Reykjavik&radius_km=5" },
  { name: "home, unknown town", at: () => "/?place=Lyyon" },
  { name: "home, no alerts yet", at: (data) => data.emptySite },
  { name: "about", at: () => "/about" },
  { name: "imprint", at: () => "/imprint" },
  { name: "imprint, nobody named", at: (data) => new URL("/imprint", data.emptySite).href },
  { name: "privacy", at: () => "/privacy" },
  { name: "privacy, nobody named", at: (data) => new URL("/privacy", data.emptySite).href },
  { name: "terms", at: () => "/terms" },

  { name: "alert, lost", at: (data) => data.lost.page },
  { name: "alert, found", at: (data) => data.found.page },
  { name: "alert, resolved", at: (data) => data.resolved.page },
  { name: "alert, expired", at: (data) => data.expired.page },
  { name: "alert, removed", at: (data) => data.removed.page, status: 410 },
  { name: "alert, hidden", at: (data) => data.hidden.page, status: 410 },
  {
    name: "alert, unknown",
    at: ({ writing }) => `/alerts/${encodeURIComponent(writing.name)}`,
    status: 404,
  },

  { name: "publish, lost", at: () => "/publish?type=lost" },
  {
    name: "publish, found, unfolded",
    at: () => "/publish?type=found",
    act: (page) => page.locator("summary").click(),
  },
  {
    name: "publish, typed town",
    at: ({ writing }) => `/publish?place=${encodeURIComponent(writing.place)}`,
  },
  { name: "publish, photo chosen", at: () => "/publish", act: choosePhotos },
  { name: "publish, no photo chosen", at: () => "/publish", act: chooseNoPhoto },
  {
    name: "publish, refused",
    at: () => "/publish",
    post: ({ photos, writing }) => ({
      ...writing,
      type: writing.name,
      species: "",
      email: "jo",
      eventDate: "2031-01-01",
      microchip: "12",
      photo: [...photos.slice(0, 2), writing.file],
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

  { name: "waiting", at: (data) => data.waiting.fresh },
  {
    name: "waiting, too early to send again",
    at: (data) => `${data.waiting.fresh}?soon`,
  },
  { name: "waiting, sent again", at: (data) => `${data.waiting.twice}?again` },
  {
    name: "waiting, wrong address",
    at: (data) => `${data.waiting.fresh}/address`,
    post: ({ writing }) => ({ email: writing.name }),
    status: 400,
  },
  { name: "waiting, confirmed", at: (data) => data.waiting.confirmed },
  { name: "waiting, over", at: (data) => data.waiting.over },

  { name: "poster, strips", at: (data) => `${data.lost.poster}?paper=a4&sheet=tear` },
  { name: "poster, far", at: (data) => `${data.lost.poster}?paper=letter&sheet=far` },
  { name: "poster, flyers", at: (data) => `${data.lost.poster}?paper=a4&sheet=flyers` },
  { name: "poster, without a photo", at: (data) => `${data.found.poster}?paper=letter&sheet=tear` },
  { name: "poster, home again", at: (data) => data.resolved.poster, status: 409 },

  { name: "sighting", at: (data) => data.lost.sighting },
  { name: "sighting, home again", at: (data) => data.resolved.sighting },
  {
    name: "sighting, refused",
    at: (data) => data.lost.sighting,
    post: ({ writing: { place, note, name } }) => ({ place, note, hoursAgo: name, email: name }),
    status: 400,
  },

  { name: "report", at: (data) => data.lost.report },
  {
    name: "report, refused",
    at: (data) => data.lost.report,
    post: ({ writing: { name, report } }) => ({ reason: name, text: report }),
    status: 400,
  },
  { name: "report, thanks", at: (data) => data.lost.report, post: { reason: "scam" } },

  { name: "contact", at: (data) => data.lost.contact },
  { name: "contact, of a finder", at: (data) => data.found.contact },
  { name: "contact, home again", at: (data) => data.resolved.contact },
  { name: "contact, nobody left", at: (data) => data.forgotten.contact },
  {
    name: "contact, refused",
    at: (data) => data.lost.contact,
    post: ({ writing: { name, sender, message } }) => ({ name, email: sender, message }),
    status: 400,
  },
  {
    name: "contact, asked",
    at: (data) => data.lost.contact,
    post: { name: "Jo", email: "jo@example.net", message: "Call 06 12 34 56 78" },
  },

  { name: "confirm a publication", at: (data) => data.confirm.publish },
  {
    name: "confirm a publication, editing",
    at: (data) => data.confirm.publishFound,
    act: (page) => page.locator("summary").first().click(),
  },
  {
    name: "confirm a publication, refused",
    at: (data) => data.confirm.publish,
    post: ({ writing }) => ({ ...writing, eventDate: "2031-01-01", sex: writing.name }),
    status: 400,
  },
  { name: "confirm a message", at: (data) => data.confirm.message },
  { name: "confirm a zone", at: (data) => data.confirm.zone },
  { name: "confirm a zone, with a list", at: (data) => data.confirm.listed },
  { name: "confirm a sighting", at: (data) => data.confirm.sighting },
  { name: "confirmed, published", at: (data) => data.confirm.published },
  { name: "confirmed, sent", at: (data) => data.confirm.sent },
  { name: "confirmed, zone", at: (data) => data.confirm.zoneStarted },
  { name: "confirmed, sighting", at: (data) => data.confirm.told },
  { name: "confirm, expired", at: (data) => data.confirm.expired },
  { name: "confirm, disowned", at: (data) => data.confirm.disowned },
  {
    name: "confirm, unknown",
    at: ({ writing }) => `/confirm/${encodeURIComponent(writing.name)}`,
    status: 404,
  },
  { name: "not me", at: (data) => `${data.confirm.publish}/not-me` },
  { name: "not me, too late", at: (data) => `${data.confirm.published}/not-me` },
  { name: "not me, stopped", at: (data) => `${data.confirm.disowned}/not-me`, post: {} },
  { name: "not me, allowed again", at: (data) => `${data.confirm.allowed}/allow`, post: {} },

  { name: "manage", at: (data) => data.lost.manage },
  {
    name: "manage, all of the plan",
    at: (data) => `${data.lost.manage}?done=step`,
    act: (page) => page.locator(".plan summary").first().click(),
  },
  { name: "manage, notified on this device", at: (data) => `${data.lost.manage}?done=device` },
  { name: "manage, plan of a finder", at: (data) => data.found.manage },
  { name: "search map", at: (data) => `${data.lost.manage}/map` },
  { name: "manage, resolved now", at: (data) => `${data.resolved.manage}?done=resolve` },
  { name: "manage, expired", at: (data) => data.expired.manage },
  { name: "manage, told", at: (data) => `${data.resolved.manage}?done=tell` },
  { name: "manage, hidden", at: (data) => data.hidden.manage },
  {
    name: "manage, impossible",
    at: (data) => `${data.resolved.manage}/renew`,
    post: {},
    status: 409,
  },
  { name: "remove", at: (data) => `${data.lost.manage}/remove` },
  { name: "removed", at: (data) => `${data.spareManageLink()}/remove`, post: {} },
  { name: "edit", at: (data) => `${data.lost.manage}/edit` },
  {
    name: "edit, refused",
    at: (data) => `${data.lost.manage}/edit`,
    post: ({ writing }) => ({
      ...writing,
      edited: "1",
      eventDate: writing.name,
      lat: writing.name,
    }),
    status: 400,
  },
  { name: "find my link", at: () => "/manage" },
  {
    name: "find my link, refused",
    at: () => "/manage",
    post: ({ writing }) => ({ email: writing.name }),
    status: 400,
  },
  { name: "find my link, sent", at: () => "/manage", post: { email: "jo@example.net" } },

  { name: "how animals came home", at: () => "/returns" },
  { name: "erase", at: () => "/erase" },
  { name: "erase, link sent", at: () => "/erase", post: { email: "jo@example.net" } },
  { name: "erase, what there is", at: (data) => data.erase.waiting },
  { name: "erase, nothing left", at: (data) => data.erase.nothing },
  { name: "erased", at: (data) => data.erase.done },

  { name: "conversation, owner", at: (data) => data.conversation.owner },
  { name: "conversation, writer", at: (data) => data.conversation.writer },
  { name: "conversation, home again", at: (data) => data.conversation.ended },
  {
    name: "conversation, refused",
    at: (data) => data.conversation.writer,
    post: { message: TOO_LONG },
    status: 400,
  },
  { name: "conversation, closed", at: (data) => data.conversation.closed },
  { name: "close a conversation", at: (data) => `${data.conversation.owner}/close` },
  { name: "report a conversation", at: (data) => `${data.conversation.writer}/report` },
  {
    name: "report a conversation, refused",
    at: (data) => `${data.conversation.writer}/report`,
    post: { text: "Look" },
    status: 400,
  },

  { name: "pair", at: (data) => data.pair.open },
  { name: "pair, ended", at: (data) => data.pair.ended },

  { name: "unsubscribe from a zone", at: (data) => data.unsubscribe.zone },
  { name: "unsubscribe from reminders", at: (data) => data.unsubscribe.reminders },
  { name: "unsubscribe from the plan", at: (data) => data.unsubscribe.plan },
  { name: "unsubscribed", at: (data) => data.unsubscribe.ended },

  { name: "subscribe", at: () => "/subscribe" },
  {
    name: "subscribe, to a search",
    at: () => "/subscribe?place=Lyon&lat=45.77&lng=4.83&radius_km=10",
  },
  {
    name: "subscribe, which town",
    at: () => "/subscribe",
    post: { place: "Springfield", radiusKm: "10", email: "jo@example.net" },
    status: 400,
  },
  {
    name: "subscribe, refused",
    at: () => "/subscribe",
    post: ({ writing: { name, place, label } }) => ({ place, label, radiusKm: name, email: name }),
    status: 400,
  },
  { name: "device", at: () => "/device" },
  {
    name: "device, told",
    at: () => "/device",
    post: (data) => ({ endpoint: data.device.endpoint }),
  },
  {
    name: "waiting, zone",
    at: () => "/subscribe",
    post: { place: "Reykjavik", radiusKm: "10", label: "Home", email: "jo@example.net" },
  },

  { name: "sign in", at: () => "/admin" },
  { name: "sign in, link sent", at: () => "/admin/sign-in", post: { email: "jo@example.net" } },
  { name: "sign in, by the link", at: (data) => data.admin.entry },
  { name: "sign in, link used", at: (data) => data.admin.spent, post: {}, status: 404 },
  {
    name: "sign in, session over",
    at: (data) => `/admin/alerts/${data.lost.id}/hide`,
    post: {},
    status: 403,
  },
  {
    name: "moderation",
    at: () => "/admin?done=hide",
    isSignedIn: true,
    act: (page) => page.locator("summary").last().click(),
  },
  { name: "moderation, newest alerts", at: () => "/admin/alerts", isSignedIn: true },
  { name: "moderation, search", at: () => "/admin/alerts?q=cat", isSignedIn: true },
  {
    name: "moderation, one alert",
    at: (data) => `/admin/alerts/${data.found.id}`,
    isSignedIn: true,
  },
  {
    name: "moderation, remove",
    at: (data) => `/admin/alerts/${data.found.id}/remove`,
    isSignedIn: true,
  },
  {
    name: "moderation, block",
    at: (data) => `/admin/alerts/${data.found.id}/block`,
    isSignedIn: true,
  },
  {
    name: "moderation, block who wrote",
    at: (data) => `/admin/alerts/${data.found.id}/conversations/1/block`,
    isSignedIn: true,
  },

  { name: "organisation", at: () => "/organisations/happy-paws" },
  { name: "alert of an organisation", at: (data) => data.sheltered.page },
  { name: "poster of an organisation", at: (data) => `${data.sheltered.page}/poster` },
  { name: "inbox, sign in", at: () => "/inbox" },
  { name: "inbox, by the link", at: (data) => data.inbox.entry },
  { name: "inbox", at: () => "/inbox?page=1", isSignedIn: true },
  { name: "inbox, conversation", at: (data) => data.inbox.conversation, isSignedIn: true },
  { name: "inbox, alerts", at: () => "/inbox/alerts?ended=2", isSignedIn: true },
  { name: "inbox, members", at: () => "/inbox/members", isSignedIn: true },
  {
    name: "inbox, leave a shelter",
    at: () => "/inbox/leave?organisation=second-home",
    isSignedIn: true,
  },
  { name: "inbox, leave as the last manager", at: () => "/inbox/leave", isSignedIn: true },

  { name: "API docs", at: () => "/api/docs", language: "en" },
  { name: "embedded list", at: () => "/embed?limit=5", isFramed: true },
  {
    name: "embedded list, typed town",
    at: ({ writing }) => `/embed?place=${encodeURIComponent(writing.place)}`,
    isFramed: true,
  },
  { name: "embedded list, empty", at: () => "/embed?species=bird&type=lost", isFramed: true },
  { name: "embedded list, refused", at: () => "/embed?species=zebra", isFramed: true, status: 400 },

  { name: "nothing here", at: () => "/nowhere", status: 404 },
  { name: "wrong method", at: () => "/about", post: {}, status: 405 },
];

/** Two photographs; one says where it was taken, and the page asks about it. */
async function choosePhotos(page: Page, { writing }: SampleData): Promise<void> {
  const [plain] = await makePhotos(1);
  const placed = await jpeg({ width: 800, height: 600, gps: { lat: 45.7741, lng: 4.8321 } });
  const files = [placed, plain?.bytes ?? placed];
  await page.setInputFiles(
    "input[type=file]",
    files.map((bytes) => ({
      name: writing.file,
      mimeType: "image/jpeg",
      buffer: Buffer.from(bytes),
    })),
  );
  await page.locator(".photo-previews img").nth(1).waitFor();
  await page.locator(".photo-place").waitFor();
}

/** A file that no browser takes for a picture: the page says so by its name. */
async function chooseNoPhoto(page: Page, { writing: { file } }: SampleData): Promise<void> {
  const none = { name: file, mimeType: "image/jpeg", buffer: Buffer.from("none") };
  await page.setInputFiles("input[type=file]", none);
  await page.getByText(file).first().waitFor();
}
