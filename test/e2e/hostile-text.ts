import type { Page } from "playwright-core";
import type { PageState } from "./pages.ts";
import type { Texts } from "./sample-data.ts";

// If any of this is not treated as text, it creates an element of the class "owned" or calls `owned`.
export const HOSTILE: Texts = {
  name: `"'><img class=owned src=x onerror=owned()>`,
  color: `</dd></a><script class=owned>owned()</script>`,
  breed: `owned()//&quot; {{owned()}} \${owned()}`,
  description: `</textarea><iframe class=owned srcdoc="<script>parent.owned()</script>"></iframe>\n<svg class=owned onload=owned()> \u202Eesrever\u2066 ${"W".repeat(400)} Z${"\u0334\u0351".repeat(200)}`,
  city: `<!-- <b class=owned>]]> ${"Llanfair".repeat(6)}`,
  sender: `</title><b class=owned>' onfocus=owned() x='`,
  message: `</blockquote></form><input class=owned autofocus onfocus=owned()> <a class=owned href="javascript:owned()">x</a> ${"M".repeat(400)}`,
  label: `<style class=owned>*{display:none}</style>`,
  note: `</li><video class=owned autoplay onloadstart=owned()><source src=x onerror=owned()></video> ${"N".repeat(300)}`,
  report: `</p><details class=owned open ontoggle=owned()> ${"R".repeat(400)}`,
  place: `Lyon"><object class=owned data="javascript:owned()">`,
  file: `"><img class=owned src=x onerror=owned()>.jpg`,
};

const AS_QUERY = encodeURIComponent(HOSTILE.name);

/** Pages that show the input of the request. */
export const TYPED: readonly PageState[] = [
  { name: "home, hostile words", at: () => `/?q=${AS_QUERY}` },
  {
    name: "home, hostile filters",
    at: () => `/?species=${AS_QUERY}&cursor=${AS_QUERY}`,
    status: 400,
  },
  { name: "hostile name of an alert", at: () => `/alerts/${AS_QUERY}`, status: 404 },
  { name: "hostile link", at: () => `/confirm/${AS_QUERY}`, status: 404 },
  { name: "home, hostile town", at: () => `/?place=${encodeURIComponent(HOSTILE.place)}` },
  {
    name: "embedded list, hostile town",
    at: () => `/embed?place=${encodeURIComponent(HOSTILE.place)}`,
    isFramed: true,
  },
  { name: "publish, hostile town in the address", at: () => `/publish?place=${AS_QUERY}` },
  {
    name: "publish, hostile",
    at: () => "/publish",
    post: { ...HOSTILE, type: HOSTILE.name, species: HOSTILE.name, photo: [HOSTILE.file, "x"] },
    status: 400,
  },
  {
    name: "publish, hostile name of a file",
    at: () => "/publish",
    act: (page) => chooseNoPhoto(page, HOSTILE.file),
  },
  {
    name: "sighting, hostile",
    at: (data) => data.lost.sighting,
    post: { place: HOSTILE.place, note: HOSTILE.note, hoursAgo: HOSTILE.name, email: HOSTILE.name },
    status: 400,
  },
  {
    name: "subscribe, hostile",
    at: () => "/subscribe",
    post: {
      place: HOSTILE.place,
      label: HOSTILE.label,
      radiusKm: HOSTILE.name,
      email: HOSTILE.name,
    },
    status: 400,
  },
  {
    name: "report, hostile",
    at: (data) => data.lost.report,
    post: { reason: HOSTILE.name, text: HOSTILE.report },
    status: 400,
  },
  {
    name: "find my link, hostile",
    at: () => "/manage",
    post: { email: HOSTILE.name },
    status: 400,
  },
  {
    name: "waiting, hostile address",
    at: (data) => `${data.waiting.fresh}/address`,
    post: { email: HOSTILE.name },
    status: 400,
  },
  {
    name: "edit, hostile",
    at: (data) => `${data.lost.manage}/edit`,
    post: {
      ...HOSTILE,
      edited: "1",
      eventDate: HOSTILE.name,
      lat: HOSTILE.name,
      lng: HOSTILE.name,
    },
    status: 400,
  },
  {
    name: "contact, hostile",
    at: (data) => data.lost.contact,
    post: { name: HOSTILE.name, email: HOSTILE.sender, message: HOSTILE.message },
    status: 400,
  },
  {
    name: "confirm a publication, hostile",
    at: (data) => data.confirm.publish,
    post: { ...HOSTILE, eventDate: HOSTILE.name, sex: HOSTILE.name, age: HOSTILE.name },
    status: 400,
  },
];

/** A file that no browser takes for a picture: the page says so by its name. */
async function chooseNoPhoto(page: Page, name: string): Promise<void> {
  const file = { name, mimeType: "image/jpeg", buffer: Buffer.from("none") };
  await page.setInputFiles("input[type=file]", file);
  await page.getByText(name).first().waitFor();
}
