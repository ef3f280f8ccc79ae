import { form } from "../support/world.ts";
import { type Fetch, callTool } from "./client.ts";

/** Request to write, with all the text that a stranger can put into it. */
export type ChannelRequest = {
  /** Alert that the message or sighting is about. */
  readonly alert: { readonly slug: string };
  readonly email: string;
  /** Text for a free-text field, different for each field. */
  readonly word: (field: string) => string;
  /** Tells this request from every other. */
  readonly number: number;
};

/** A way for anybody to cause a confirmation email. `send` is true if the request was accepted. */
export type Channel = {
  readonly name: string;
  readonly send: (fetch: Fetch, request: ChannelRequest) => Promise<boolean>;
};

const spot = (number: number) => ({ lat: (number % 80) - 40.5, lng: (number % 170) + 0.5 });

/** All channels: three tools, four forms. */
export const CHANNELS: readonly Channel[] = [
  toolChannel("publish_alert", ({ email, word, number }) => ({
    type: "lost",
    species: "cat",
    ...spot(number),
    email,
    color: word("color"),
    name: word("name"),
    breed: word("breed"),
    description: word("description"),
    city: word("city"),
    photo_urls: [`https://127.0.0.1/${word("photo").replaceAll(" ", "-")}.jpg`],
  })),
  toolChannel("send_message", ({ alert, email, word }) => ({
    alert: alert.slug,
    email,
    message: word("message"),
    name: word("from"),
  })),
  toolChannel("subscribe_zone", ({ email, word, number }) => ({
    ...spot(number),
    email,
    label: word("label"),
  })),
  formChannel(
    () => "/publish",
    ({ email, word, number }) => ({
      type: "lost",
      species: "cat",
      ...texts(spot(number)),
      email,
      color: word("color"),
      name: word("name"),
      breed: word("breed"),
      description: word("description"),
    }),
  ),
  formChannel(
    ({ alert }) => `/alerts/${alert.slug}/contact`,
    ({ email, word }) => ({ email, name: word("from"), message: word("message") }),
  ),
  formChannel(
    () => "/subscribe",
    ({ email, word, number }) => ({
      ...texts(spot(number)),
      radiusKm: "5",
      email,
      label: word("label"),
    }),
  ),
  formChannel(
    ({ alert }) => `/alerts/${alert.slug}/sighting`,
    ({ email, word }) => ({ lat: "45.76", lng: "4.84", hoursAgo: "0", email, note: word("note") }),
  ),
];

function toolChannel(
  name: string,
  args: (request: ChannelRequest) => Readonly<Record<string, unknown>>,
): Channel {
  return {
    name,
    send: async (fetch, request) => (await callTool(fetch, name, args(request))).kind === "done",
  };
}

function formChannel(
  path: (request: ChannelRequest) => string,
  fields: (request: ChannelRequest) => Readonly<Record<string, string>>,
): Channel {
  return {
    name: path({ alert: { slug: ":name" }, email: "", word: String, number: 0 }),
    async send(fetch, request) {
      const answer = await fetch(path(request), { method: "POST", ...form(fields(request)) });
      return (
        answer.status === 303 && answer.headers.get("Location")?.includes("/waiting/") === true
      );
    },
  };
}

function texts({ lat, lng }: { lat: number; lng: number }) {
  return { lat: String(lat), lng: String(lng) };
}
