/**
 * Suggests towns for what is typed, in a `<datalist>`.
 *
 *   <input name="town" list="towns" data-towns="/towns" data-lat-field="#lat" data-lng-field="#lng" data-keeps-pin>
 *   <datalist id="towns"></datalist>
 *
 * `data-towns` is queried with `?q=` and returns JSON: `[{"name", "label", "lat", "lng"}]`, best first. The list suggests
 * the labels. If the text of the field is one of them, its position (on the public grid) is written into the two named
 * fields. Any other text empties them, so that the position of the previous town does not override the new one; with
 * `data-keeps-pin` only a position that came from this field. When the field is left, a map of the position is shown the
 * place that the text means (`?place=`), and a pin far from it goes, unless the text may mean several (`"isAsked": true`).
 * A step of a form (steps.ts) that is checked has `data-missing` or `data-unknown` shown at a field without a known place,
 * unless there is a position.
 */
import { distanceKm, type Point, snap, TOWN_REACH_KM } from "../../../values/point.ts";
import { positionFields } from "./dom/fields.ts";
import { message } from "./dom/elements.ts";

type TownOption = { readonly label: string; readonly point: Point; readonly isAsked: boolean };

const QUERY_LENGTH_MIN = 2;
/** Pause in typing before the server is queried. */
const DEBOUNCE_MS = 200;

for (const input of document.querySelectorAll<HTMLInputElement>("input[data-towns]"))
  suggestTowns(input);

function suggestTowns(input: HTMLInputElement): void {
  const fields = positionFields(input)!;
  let towns: readonly TownOption[] = [];
  let unknown = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  let request = new AbortController();
  const keepsPin = input.dataset.keepsPin !== undefined;
  let isOfThisField = input.value !== "";
  const write = (point: Point | null) => {
    fields.write(point);
    isOfThisField = true;
  };
  fields.onChange(() => (isOfThisField = false));

  input.addEventListener("input", () => {
    clearTimeout(timer);
    request.abort();
    const chosen = towns.find(({ label }) => label === input.value);
    if (chosen !== undefined) return write(chosen.point);

    if ((isOfThisField || !keepsPin) && fields.read()) write(null);
    timer = setTimeout(query, DEBOUNCE_MS);
  });

  const suggestPosition = async () => {
    const text = input.value.trim();
    if (text.length < QUERY_LENGTH_MIN) return;
    const meant = await fetchTowns(input.dataset.towns!, { place: text });
    unknown = meant?.length === 0 ? text : "";
    const [first] = meant ?? [];
    if (first === undefined || input.value.trim() !== text) return;
    const pin = fields.read();
    if (pin !== null && (first.isAsked || distanceKm(pin, first.point) <= TOWN_REACH_KM)) return;
    if (pin !== null) write(null);
    fields.suggest(first.point);
  };
  input.addEventListener("check", () => {
    const text = input.value.trim();
    const wrong = text === "" ? "missing" : text === unknown ? "unknown" : "";
    input.setCustomValidity(wrong === "" || fields.read() ? "" : message(input, wrong));
  });
  input.addEventListener("change", () => void suggestPosition());
  // A position that came with the page stays.
  if (fields.read() === null) void suggestPosition();

  async function query(): Promise<void> {
    const text = input.value.trim();
    if (text.length < QUERY_LENGTH_MIN) return;
    request = new AbortController();
    const found = await fetchTowns(input.dataset.towns!, { q: text }, request.signal);
    // Without a response the list stays as it was; the field accepts any town anyway.
    if (found === null || input.value.trim() !== text) return;
    towns = found;
    input.list?.replaceChildren(...towns.map(({ label }) => new Option(label, label)));
  }
}

async function fetchTowns(
  path: string,
  query: { readonly q: string } | { readonly place: string },
  signal: AbortSignal | null = null,
): Promise<readonly TownOption[] | null> {
  try {
    const response = await fetch(`${path}?${new URLSearchParams(query)}`, { signal });
    return response.ok ? readTowns(await response.json()) : null;
  } catch {
    return null;
  }
}

type Answered = Point & { readonly label: string; readonly isAsked?: boolean };

function readTowns(response: readonly Answered[]): readonly TownOption[] {
  return response.map(({ label, lat, lng, isAsked = false }) => ({
    label,
    point: snap(lat, lng),
    isAsked,
  }));
}
