/**
 * Cards of alerts in a chat (MCP Apps, 2026-01-26), for the results of search_alerts, get_alert and find_matches. Runs in a
 * frame of the host, without network access, and talks to the host by JSON-RPC messages. Texts of alerts stay text.
 */
import { labelsFor } from "./cards/labels.ts";

type Alert = Readonly<Record<string, unknown>>;
type Match = {
  readonly alert: Alert;
  readonly score: number;
  readonly copied?: boolean;
  readonly summary: string;
  readonly ask: string | null;
  readonly reasons: readonly string[];
};
type Message = {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: any;
  readonly result?: any;
};

const PROTOCOL_VERSION = "2026-01-26";
const INITIALIZE_ID = "initialize";
const root = document.querySelector("main")!;
let labels = labelsFor(navigator.language);
let result: any = null;

window.addEventListener("message", ({ source, data }: MessageEvent<Message>) => {
  if (source !== window.parent || typeof data !== "object" || data === null) return;
  const { id, method, params } = data;
  if (id === INITIALIZE_ID && method === undefined) {
    adapt(data.result?.hostContext);
    send({ method: "ui/notifications/initialized", params: {} });
  } else if (method === "ui/notifications/host-context-changed") adapt(params);
  else if (method === "ui/notifications/tool-result") {
    result = params;
    draw();
  } else if (id !== undefined && method !== undefined) {
    const isKnown = method === "ping" || method === "ui/resource-teardown";
    const unknown = { code: -32_601, message: "Method not found" };
    send({ id, ...(isKnown ? { result: {} } : { error: unknown }) });
  }
});

new ResizeObserver(() => {
  const { width, height } = document.body.getBoundingClientRect();
  const params = { width: Math.ceil(width), height: Math.ceil(height) };
  send({ method: "ui/notifications/size-changed", params });
}).observe(document.body);

send({
  id: INITIALIZE_ID,
  method: "ui/initialize",
  params: {
    protocolVersion: PROTOCOL_VERSION,
    appInfo: { name: "pet-alert-cards", version: "1" },
    appCapabilities: {},
  },
});

function send(message: object): void {
  window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
}

/** Follows the host's theme and language. */
function adapt(context: { theme?: string; locale?: string } | undefined): void {
  if (context?.theme === "light" || context?.theme === "dark")
    document.documentElement.dataset["theme"] = context.theme;
  if (typeof context?.locale === "string") labels = labelsFor(context.locale);
  document.documentElement.lang = labels.language;
  draw();
}

function draw(): void {
  if (result === null) return;
  const { structuredContent: found, content, isError } = result;
  if (isError || typeof found !== "object" || found === null) {
    const texts = (content ?? []).map(({ text }: { text?: string }) => text ?? "");
    root.replaceChildren(...texts.map((text: string) => element("p", "note", text)));
    return;
  }
  const notes = (found.notes ?? []).map((note: string) => element("p", "note", note));
  const cards = [
    ...(found.alert === undefined ? [] : [card(found.alert)]),
    ...(found.matches ?? []).map((match: Match) => card(match.alert, match)),
    ...(found.alerts ?? []).map((alert: Alert) => card(alert)),
  ];
  const list = element("div", found.matches === undefined ? "cards" : "cards matches");
  list.append(...cards);
  root.replaceChildren(list, ...notes);
}

function card(alert: Alert, match?: Match): HTMLElement {
  const type = alert["alert_type"] === "found" ? "found" : "lost";
  const breed = textOf(alert, "breed");
  const isOther = alert["pet_type"] === "other" && breed !== null;
  const species = isOther ? breed : labels.species(String(alert["pet_type"]));
  const name = textOf(alert, "pet_name");
  const article = element("article", `card ${type}`);
  article.append(
    photo(alert, `${labels.type[type]}: ${name ?? species}`),
    element("p", "band", bandOf(labels.type[type], labels.status(String(alert["status"])))),
    element("h2", "", name ?? species),
    ...lines([
      [name === null ? null : species, isOther ? null : breed, textOf(alert, "color")],
      [placeOf(alert), labels.km(alert["distance_km"]), labels.day(alert["event_date"])],
    ]),
  );
  if (match !== undefined) {
    article.append(
      ...(match.copied === true ? [] : [element("p", "score", labels.chance(match.score))]),
      element("p", "", match.summary),
      ...(match.ask === null ? [] : [element("p", "", match.ask)]),
      reasons(match.reasons),
    );
  }
  const button = element("button", "", labels.open);
  button.addEventListener("click", () => open(alert["url"]));
  article.append(button);
  return article;
}

function bandOf(type: string, status: string | null): string {
  return status === null ? type : `${type} · ${status}`;
}

/** First photo, or the animal as a word. */
function photo(alert: Alert, description: string): HTMLElement {
  const address = alert["photo"] ?? (alert["photos"] as readonly string[] | undefined)?.[0];
  if (typeof address !== "string")
    return element("div", "photo", labels.species(String(alert["pet_type"])));
  const image = element("img", "photo");
  image.src = address;
  image.alt = description;
  return image;
}

function lines(all: readonly (readonly (string | null)[])[]): HTMLElement[] {
  return all.flatMap((parts) => {
    const known = parts.filter((part) => part !== null);
    return known.length === 0 ? [] : [element("p", "facts", known.join(" · "))];
  });
}

function reasons(all: readonly string[]): HTMLElement {
  const details = element("details", "");
  const list = element("ul", "");
  list.append(...all.map((reason) => element("li", "", reason)));
  details.append(element("summary", "", labels.reasons), list);
  return details;
}

/** Text of a field; null if it is not known. */
function textOf(alert: Alert, field: string): string | null {
  const value = alert[field];
  return typeof value !== "string" || value === "" || value === "unknown" ? null : value;
}

/** "Friedrichshain, Berlin", or "Paris 18e" for a quarter that has the city in its name. */
function placeOf(alert: Alert): string | null {
  const [district, city] = [textOf(alert, "district"), textOf(alert, "city")];
  if (district === null || city === null || district.startsWith(city)) return district ?? city;
  return `${district}, ${city}`;
}

/** Asks the host to open a page in the browser. */
function open(url: unknown): void {
  if (typeof url !== "string" || !/^https?:\/\//.test(url)) return;
  send({ id: "open", method: "ui/open-link", params: { url } });
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  text = "",
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (className !== "") made.className = className;
  if (text !== "") made.textContent = text;
  made.dir = "auto";
  return made;
}
