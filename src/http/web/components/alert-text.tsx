/** @jsxImportSource hono/jsx */
import type { PublicAlert } from "../../../core/alerts/alert.ts";
import type { DraftView } from "../../../core/confirmation/confirm.ts";
import { headlineOf, Mark, placeOf } from "./alert-line.tsx";
import { local, usePage } from "../layout.tsx";
import type { Messages } from "../messages/messages.ts";

/** Alert as pages show it, live or unconfirmed. */
type ShownAlert = Omit<DraftView, "photos" | "thumbnails"> &
  Pick<PublicAlert, "photos" | "thumbnails">;

/** Whole content of an alert, the same on its page and in previews. */
export function AlertDetails({ alert, level }: { alert: ShownAlert; level: 1 | 2 }) {
  return (
    <>
      <Headline alert={alert} level={level} />
      <Gallery alert={alert} />
      <Facts alert={alert} />
    </>
  );
}

/** Headline of an alert with its icon. */
export function Headline({ alert, level }: { alert: ShownAlert; level: 1 | 2 }) {
  const { t } = usePage();
  const Heading = level === 1 ? "h1" : "h2";
  return (
    <div class="headline">
      <Mark alert={alert} />
      <Heading dir="auto">{headlineOf(t, alert)}</Heading>
    </div>
  );
}

/** Photos of an alert: the first one large, the others as thumbnails, each linked to the full size. */
export function Gallery({ alert }: { alert: ShownAlert }) {
  const { t } = usePage();
  const looks = alert.color === "unknown" ? [] : [alert.color];
  const shows = [headlineOf(t, alert), ...looks].join(", ");
  const alt = (at: number) =>
    alert.photos.length === 1 ? shows : `${shows} (${t.alert.photo(at + 1)})`;
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

/** Known traits and the description. A map on the page reads its position from the row of the place. */
export function Facts({ alert }: { alert: ShownAlert }) {
  const { t } = usePage();
  return (
    <>
      <dl class="facts">
        <div>
          <dt>{t.alert.on[alert.type]}</dt>
          <dd>{t.day(alert.eventDate)}</dd>
        </div>
        <div data-lat={alert.lat} data-lng={alert.lng} data-type={alert.type}>
          <dt>{t.alert.where[alert.type]}</dt>
          <dd dir="auto">
            {placeOf(t, alert)}
            <span class="hint">{t.alert.position(alert.lat, alert.lng)}</span>
          </dd>
        </div>
        {traitsOf(t, alert).map(([name, value]) => (
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

/** Known traits with their labels. */
function traitsOf(t: Messages, alert: ShownAlert): (readonly [name: string, value: string])[] {
  const traits: [string, string | null, string][] = [
    [t.alert.breed, alert.breed, alert.breed],
    [t.alert.color, alert.color, alert.color],
    [t.alert.size, alert.size, t.size[alert.size]],
    [t.alert.sex, alert.sex, t.sex[alert.sex]],
    [t.alert.age, alert.age, t.age[alert.age]],
    [t.alert.custody, alert.custody, alert.custody === null ? "" : t.custody[alert.custody]],
  ];
  const known = traits.filter(([, value]) => value !== null && value !== "unknown");
  return known.map(([name, , shown]) => [name, shown]);
}
