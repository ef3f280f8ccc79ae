/**
 * Offers towns while one is typed, in the browser's own list.
 *
 *   <input name="town" list="towns" data-towns="/towns" data-lat-field="#lat" data-lng-field="#lng" data-clears-position>
 *   <datalist id="towns"></datalist>
 *
 * `data-towns` is asked with `?q=` and answers JSON: `[{"name", "label", "lat", "lng"}]`, best first. The list offers
 * the labels. Where the field's text is one of them, its position (on the public grid) goes into the two named
 * fields, if any. With `data-clears-position` every other text empties them: for a search, in which the town that was
 * typed must not be overruled by the position of the one before.
 */
import { type Point, snap } from "../../../core/place.ts";
import { positionFields } from "./fields.ts";

type Town = { readonly label: string; readonly point: Point };

const QUERY_LENGTH_MIN = 2;
const OFFERED_MAX = 20;
/** Pause in the typing before the server is queried. */
const REST_MS = 200;

for (const input of document.querySelectorAll<HTMLInputElement>("input[data-towns]")) offer(input);

function offer(input: HTMLInputElement): void {
  const fields = positionFields(input);
  let towns: readonly Town[] = [];
  let resting: ReturnType<typeof setTimeout> | undefined;
  let asking = new AbortController();

  input.addEventListener("input", () => {
    clearTimeout(resting);
    asking.abort();
    const chosen = towns.find(({ label }) => label === input.value);
    if (chosen !== undefined) return fields?.write(chosen.point);

    if ("clearsPosition" in input.dataset && fields?.read()) fields.write(null);
    resting = setTimeout(ask, REST_MS);
  });

  async function ask(): Promise<void> {
    const query = input.value.trim();
    if (query.length < QUERY_LENGTH_MIN) return;
    asking = new AbortController();
    const found = await townsLike(input.dataset.towns!, query, asking.signal);
    // Without an answer the list stays as it was: the field takes any town without it.
    if (found === null || input.value.trim() !== query) return;
    towns = found;
    input.list?.replaceChildren(...towns.map(({ label }) => new Option(label, label)));
  }
}

async function townsLike(
  path: string,
  query: string,
  signal: AbortSignal,
): Promise<readonly Town[] | null> {
  try {
    const response = await fetch(`${path}?q=${encodeURIComponent(query)}`, { signal });
    return response.ok ? readTowns(await response.json()) : null;
  } catch {
    return null;
  }
}

function readTowns(answer: unknown): readonly Town[] {
  if (!Array.isArray(answer)) return [];
  return answer.slice(0, OFFERED_MAX).flatMap(({ label, lat, lng }) => {
    const whole = typeof label === "string" && Number.isFinite(lat) && Number.isFinite(lng);
    return whole ? [{ label, point: snap(lat, lng) }] : [];
  });
}
