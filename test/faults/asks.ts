import { form } from "../support/world.ts";
import { type Fetch, tool } from "./doors.ts";

/** One wish to write, and every word a stranger may put into it. */
export type Wish = {
  /** The alert that is written to. */
  readonly alert: { readonly slug: string };
  readonly email: string;
  /** What stands in a field of free text; the fields' own names tell them apart. */
  readonly word: (field: string) => string;
  /** Tells this wish from every other. */
  readonly number: number;
};

/** A way in by which anybody can have a confirmation letter sent. True: it was taken. */
export type Way = {
  readonly name: string;
  readonly ask: (fetch: Fetch, wish: Wish) => Promise<boolean>;
};

const spot = (number: number) => ({ lat: (number % 80) - 40.5, lng: (number % 170) + 0.5 });

/** Every way there is: three tools, four forms. */
export const WAYS: readonly Way[] = [
  toolWay("publish_alert", ({ email, word, number }) => ({
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
  toolWay("send_message", ({ alert, email, word }) => ({
    alert: alert.slug,
    email,
    message: word("message"),
    name: word("from"),
  })),
  toolWay("subscribe_zone", ({ email, word, number }) => ({
    ...spot(number),
    email,
    label: word("label"),
  })),
  formWay(
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
      step: "publish",
    }),
  ),
  formWay(
    ({ alert }) => `/alerts/${alert.slug}/contact`,
    ({ email, word }) => ({ email, name: word("from"), message: word("message") }),
  ),
  formWay(
    () => "/subscribe",
    ({ email, word, number }) => ({
      ...texts(spot(number)),
      radiusKm: "5",
      email,
      label: word("label"),
    }),
  ),
  formWay(
    ({ alert }) => `/alerts/${alert.slug}/sighting`,
    ({ email, word }) => ({ lat: "45.76", lng: "4.84", hoursAgo: "0", email, note: word("note") }),
  ),
];

function toolWay(name: string, args: (wish: Wish) => Readonly<Record<string, unknown>>): Way {
  return {
    name,
    ask: async (fetch, wish) => (await tool(fetch, name, args(wish))).kind === "done",
  };
}

function formWay(
  path: (wish: Wish) => string,
  fields: (wish: Wish) => Readonly<Record<string, string>>,
): Way {
  return {
    name: path({ alert: { slug: ":name" }, email: "", word: String, number: 0 }),
    async ask(fetch, wish) {
      const answer = await fetch(path(wish), { method: "POST", ...form(fields(wish)) });
      return (
        answer.status === 303 && answer.headers.get("Location")?.includes("/waiting/") === true
      );
    },
  };
}

function texts({ lat, lng }: { lat: number; lng: number }) {
  return { lat: String(lat), lng: String(lng) };
}
