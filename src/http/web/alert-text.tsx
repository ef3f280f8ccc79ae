import type { PublicAlert } from "../../core/alert.ts";
import type { DraftFace } from "../../core/confirming.ts";
import { headlineOf, Mark, placeOf } from "./alert-line.tsx";
import { type Frame, local } from "./frame.tsx";
import type { Words } from "./words/words.ts";

/** What a page shows of an alert, live or still waiting. */
type Shown = Omit<DraftFace, "photos" | "thumbnails"> & Pick<PublicAlert, "photos" | "thumbnails">;

/** What an alert says, on its page and before it goes live: the same words in the same place. */
export function AlertText({
  frame,
  alert,
  level,
}: {
  readonly frame: Frame;
  readonly alert: Shown;
  readonly level: 1 | 2;
}) {
  return (
    <>
      <Headline frame={frame} alert={alert} level={level} />
      <Gallery frame={frame} alert={alert} />
      <Facts frame={frame} alert={alert} />
    </>
  );
}

/** Kind, name and mark of an alert. */
export function Headline({
  frame,
  alert,
  level,
}: {
  readonly frame: Frame;
  readonly alert: Shown;
  readonly level: 1 | 2;
}) {
  const Heading = level === 1 ? "h1" : "h2";
  return (
    <div class="headline">
      <Mark alert={alert} />
      <Heading dir="auto">{headlineOf(frame.words, alert)}</Heading>
    </div>
  );
}

/** The first photo large, the others small; each leads to the whole picture. */
export function Gallery({ frame, alert }: { readonly frame: Frame; readonly alert: Shown }) {
  const { words } = frame;
  const looks = alert.color === "unknown" ? [] : [alert.color];
  const shows = [headlineOf(words, alert), ...looks].join(", ");
  const alt = (at: number) =>
    alert.photos.length === 1 ? shows : `${shows} (${words.alert.photo(at + 1)})`;
  const [first] = alert.photos;
  if (first === undefined) return null;
  return (
    <div class="gallery">
      <a class="photo" href={local(first)}>
        <img src={local(first)} alt={alt(0)} />
      </a>
      {alert.photos.length > 1 && (
        <ul>
          {alert.thumbnails.slice(1).map((thumbnail, at) => (
            <li>
              <a class="photo" href={local(alert.photos[at + 1] ?? thumbnail)}>
                <img src={local(thumbnail)} alt={alt(at + 1)} loading="lazy" />
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** What is known, and the description. The row of the place is what a map on the page shows. */
export function Facts({ frame, alert }: { readonly frame: Frame; readonly alert: Shown }) {
  const { words } = frame;
  return (
    <>
      <dl class="facts">
        <div>
          <dt>{words.alert.on[alert.type]}</dt>
          <dd>{words.day(alert.eventDate)}</dd>
        </div>
        <div data-lat={alert.lat} data-lng={alert.lng} data-type={alert.type}>
          <dt>{words.alert.where[alert.type]}</dt>
          <dd dir="auto">
            {placeOf(words, alert)}
            <span class="hint">{words.alert.position(alert.lat, alert.lng)}</span>
          </dd>
        </div>
        {traitsOf(words, alert).map(([name, value]) => (
          <div>
            <dt>{name}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
      </dl>
      {alert.description !== null && (
        <p class="text" dir="auto">
          {alert.description}
        </p>
      )}
    </>
  );
}

/** What is not known is left out. */
function traitsOf(words: Words, alert: Shown): (readonly [name: string, value: string])[] {
  const traits: [string, string | null, string][] = [
    [words.alert.breed, alert.breed, alert.breed],
    [words.alert.color, alert.color, alert.color],
    [words.alert.size, alert.size, words.size[alert.size]],
    [words.alert.sex, alert.sex, words.sex[alert.sex]],
    [words.alert.age, alert.age, words.age[alert.age]],
    [
      words.alert.custody,
      alert.custody,
      alert.custody === null ? "" : words.custody[alert.custody],
    ],
  ];
  const known = traits.filter(([, value]) => value !== null && value !== "unknown");
  return known.map(([name, , shown]) => [name, shown]);
}
