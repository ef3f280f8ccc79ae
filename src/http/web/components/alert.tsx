/** @jsxImportSource hono/jsx */
import { capitalize } from "../../../core/locale.ts";
import type { DraftView } from "../../../core/confirmation/confirm.ts";
import type { Messages } from "../messages/messages.ts";
import type { PublicAlert } from "../../../core/alerts/alert.ts";
import { Animal } from "./icon.tsx";
import { local, usePage } from "../layout.tsx";

/** Short card of an alert, for lists and above forms. */
export function AlertCard({
  alert,
  distanceKm = null,
  level,
}: {
  alert: PublicAlert;
  /** Distance from the centre of the search. */
  distanceKm?: number | null;
  level: 2 | 3;
}) {
  const { t } = usePage();
  const Heading = level === 2 ? "h2" : "h3";
  const looks = [alert.color, alert.breed].filter((look) => look !== "unknown").join(", ");
  return (
    <article class="card">
      <Picture alert={alert} />
      <div>
        <Heading dir="auto">
          <a href={local(alert.url)}>{headlineOf(t, alert)}</a>
        </Heading>
        <p dir="auto">{looks}</p>
        <p class="quiet" dir="auto">
          {placeOf(t, alert)} · <time datetime={alert.eventDate}>{t.day(alert.eventDate)}</time>
          {distanceKm !== null && (
            <>
              {" · "}
              <span class="away">{t.home.away({ km: distanceKm })}</span>
            </>
          )}
        </p>
      </div>
    </article>
  );
}

/** First photo or, without one, the icon of the species. Decorative: the text beside it says the same. */
function Picture({ alert }: { alert: PublicAlert }) {
  const [thumbnail] = alert.thumbnails;
  if (thumbnail === undefined) return <Mark alert={alert} />;
  return <img class="thumb" src={local(thumbnail)} alt="" width="88" height="88" loading="lazy" />;
}

/** Icon of the species, filled for a lost animal. Decorative: the headline says the same. */
export function Mark({ alert }: { alert: Pick<DraftView, "type" | "species"> }) {
  return (
    <span class={`mark ${alert.type}`}>
      <Animal species={alert.species} />
    </span>
  );
}

/** "Lost cat: Mimi". */
export function headlineOf(t: Messages, alert: Pick<DraftView, "type" | "species" | "name">) {
  const headline = capitalize(t.headline[alert.type][alert.species]);
  return alert.name === null ? headline : t.named({ headline, name: alert.name });
}

/** "Lyon, France". */
export function placeOf(t: Messages, alert: Pick<DraftView, "city" | "countryCode">): string {
  return `${alert.city}, ${t.country(alert.countryCode)}`;
}

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
    alert.photos.length === 1 ? shows : `${shows} (${t.alert.photo({ count: at + 1 })})`;
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
            <span class="hint">{t.alert.position}</span>
          </dd>
        </div>
        {traitsOf(t, alert).map(([name, value]) => (
          <Fact name={name} value={value} />
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

/** Row of a list of facts. */
export function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd dir="auto">{value}</dd>
    </div>
  );
}

/** Known traits with their labels. */
function traitsOf(t: Messages, alert: ShownAlert): (readonly [name: string, value: string])[] {
  const traits: [string, string | null, string][] = [
    [t.field.breed, alert.breed, alert.breed],
    [t.field.color, alert.color, alert.color],
    [t.field.size, alert.size, t.size[alert.size]],
    [t.field.sex, alert.sex, t.sex[alert.sex]],
    [t.field.age, alert.age, t.age[alert.age]],
    [t.field.custody, alert.custody, alert.custody === null ? "" : t.custody[alert.custody]],
  ];
  const known = traits.filter(([, value]) => value !== null && value !== "unknown");
  return known.map(([name, , shown]) => [name, shown]);
}
