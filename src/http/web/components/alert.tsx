/** @jsxImportSource hono/jsx */
import { raw } from "hono/html";
import type { PageMessages } from "../../../messages/messages.ts";
import { animalHeadline, eventDay, writtenText } from "../../../core/alerts/alert-text.ts";
import { capitalize } from "../../../messages/locale.ts";
import { DRAWING_SIZE, drawnAnimal } from "../../../photos/drawn-animal.ts";
import { DAY_MS } from "../../../core/duration.ts";
import type { Point } from "../../../values/point.ts";
import { type PlaceName, placeText } from "../../../places/places.ts";
import { dayIn, timeZoneAt } from "../../../core/time-zone.ts";
import {
  type AlertView,
  appearanceOf,
  isAtOrganisation,
  type PublicAlert,
} from "../../../core/alerts/alert.ts";
import {
  type ChoiceName,
  type FieldName,
  FIELDS,
  fieldsWhere,
} from "../../../core/alerts/fields.ts";
import { Animal } from "../assets/icon.tsx";
import { local, type PageContext, usePage } from "../layout/layout.tsx";

/** Card of an alert, for lists and above forms: the photo with its tag, the name, looks, place and day. */
export function AlertCard({
  alert,
  distanceKm = null,
  level,
  isPrinted = false,
}: {
  alert: PublicAlert;
  /** Distance from the centre of the search. */
  distanceKm?: number | null;
  level: 2 | 3;
  /** Loads the photo at once: pages are printed without being scrolled. */
  isPrinted?: boolean;
}) {
  const { t } = usePage();
  const Heading = level === 2 ? "h2" : "h3";
  const looks = appearanceOf(alert);
  return (
    <article class="card">
      <Picture alert={alert} isPrinted={isPrinted} />
      <div>
        <Heading dir="auto">
          <a href={local(alert.url)}>
            <CardTitle alert={alert} />
          </a>
        </Heading>
        {looks !== "" && <p dir="auto">{looks}</p>}
        {alert.organisation !== null && <p dir="auto">{alert.organisation.name}</p>}
        <p class="when">
          <bdi>{placeText(alert)}</bdi>
          {distanceKm !== null && (
            <span class="away"> · {t.home.away({ km: distanceKm })}</span>
          )} · <Day date={alert.eventDate} at={alert} />
        </p>
      </div>
    </article>
  );
}

/** Card of an animal that came home. */
export function HomeAgainCard({ alert, at }: { alert: PublicAlert; at: number }) {
  const { t } = usePage();
  const { again } = t.home;
  return (
    <article class="card">
      <Picture alert={alert} />
      <div>
        <h3 dir="auto">
          <a href={local(alert.url)}>
            {alert.name === null ? again[alert.species] : again.named({ name: alert.name })}
          </a>
        </h3>
        <p class="when">
          <bdi>{placeText(alert)}</bdi> · <Day date={dayIn(timeZoneAt(alert), at)} at={alert} />
        </p>
      </div>
    </article>
  );
}

/** The name, or what was lost or found. Readers of links hear both, and how an animal without a name looks. */
function CardTitle({ alert }: { alert: PublicAlert }) {
  const { t } = usePage();
  const headline = headlineOf(t, { ...alert, name: null });
  const looks = appearanceOf(alert);
  if (alert.name !== null)
    return (
      <>
        <span class="heard">{t.named({ headline, name: "" })}</span>
        {alert.name}
      </>
    );
  return (
    <>
      {headline}
      {looks !== "" && <span class="heard">, {looks}</span>}
    </>
  );
}

/** Day of a time (milliseconds since 1970) by the clocks where the animal is from. */
export function dayOf(alert: Point, time: number): string {
  return dayIn(timeZoneAt(alert), time);
}

/** First photo or, without one, a drawing, with the tag. Decorative but for the tag: the text beside it says the same. */
export function Picture({ alert, isPrinted = false }: { alert: PublicAlert; isPrinted?: boolean }) {
  const [thumbnail] = alert.thumbnails;
  return (
    <span class="picture">
      {thumbnail === undefined ? (
        <Drawing alert={alert} />
      ) : (
        <img
          src={local(thumbnail)}
          alt=""
          width="480"
          height="480"
          loading={isPrinted ? undefined : "lazy"}
        />
      )}
      <Tag alert={alert} />
    </span>
  );
}

/** Animal of an alert without a photo. Decorative. */
export function Drawing({ alert }: { alert: Pick<AlertView, "species" | "color"> }) {
  return (
    <svg
      class="drawing"
      viewBox={`0 0 ${DRAWING_SIZE} ${DRAWING_SIZE}`}
      aria-hidden="true"
      focusable="false"
    >
      {raw(drawnAnimal(alert.species, alert.color))}
    </svg>
  );
}

/** "Lost", "Found" or "Home again", in the colour of each. */
export function Tag({ alert }: { alert: Pick<AlertView, "type"> & { readonly status?: string } }) {
  const { t } = usePage();
  const isHome = alert.status === "resolved";
  return (
    <span class={`tag ${isHome ? "home" : alert.type}`}>
      {isHome ? t.alert.homeTag : t.type[alert.type]}
    </span>
  );
}

/** Days ago that are told as "today" or "3 days ago"; earlier ones as a date. */
const RECENT_DAYS = 6;

/** Day in everyday words, by the clocks of a place: "today", "3 days ago", "21 November 2026". */
export function Day({ date, at }: { date: string; at: Point }) {
  const { t, now } = usePage();
  const today = dayIn(timeZoneAt(at), now);
  // Alerts may be a day ahead: their writers' clocks and our map of time zones are not perfect.
  const ago = Math.max(0, Math.round((Date.parse(today) - Date.parse(date)) / DAY_MS));
  return (
    <time datetime={date} title={t.day(date)}>
      {ago <= RECENT_DAYS ? t.daysAgo(ago) : t.day(date)}
    </time>
  );
}

/** Icon of the species, filled for a lost animal. Decorative: the headline says the same. */
export function Mark({ alert }: { alert: Pick<AlertView, "type" | "species"> }) {
  return (
    <span class={`mark ${alert.type}`}>
      <Animal species={alert.species} />
    </span>
  );
}

/** "Lost cat: Mimi". */
export function headlineOf(
  t: PageMessages,
  alert: Pick<AlertView, "type" | "species" | "name"> & { readonly breed?: string },
) {
  const headline = capitalize(animalHeadline(t, alert));
  return alert.name === null ? headline : t.named({ headline, name: alert.name });
}

/** Reader of a place: the language, and the country in which a place needs no country. */
type PlaceReader = Pick<PageContext, "t" | "country">;

/** "Lyon, near Parc de la Tête d’Or"; "Lyon, France" without a landmark. */
export function whereOf(
  reader: PlaceReader,
  alert: PlaceName & Pick<AlertView, "landmark">,
): string {
  const { t } = reader;
  return alert.landmark === null
    ? placeOf(reader, alert)
    : t.near(placeText(alert), writtenText(t, alert.landmark));
}

/** "Friedrichshain, Berlin" for readers in Germany, "Friedrichshain, Berlin, Germany" for all others. */
export function placeOf({ t, country }: PlaceReader, place: PlaceName): string {
  const { countryCode } = place;
  const name = placeText(place);
  return countryCode === country ? name : `${name}, ${t.country(countryCode)}`;
}

/** Alert as pages show it, live or unconfirmed. */
type ShownAlert = AlertView & Partial<Pick<PublicAlert, "organisation">>;

/** Whole content of an alert, the same on its page and in previews. */
export function AlertDetails({ alert }: { alert: ShownAlert }) {
  const { t } = usePage();
  return (
    <>
      <h2 dir="auto">{headlineOf(t, alert)}</h2>
      <Gallery alert={alert} />
      <Facts alert={alert} />
    </>
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
  return (
    <div class="gallery">
      <div class="picture">
        {first === undefined ? (
          <Drawing alert={alert} />
        ) : (
          <a class="photo" href={local(first)}>
            <img src={local(first)} alt={alt(0)} />
          </a>
        )}
        <Tag alert={alert} />
      </div>
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
  const ctx = usePage();
  const { t } = ctx;
  return (
    <>
      {alert.description !== null && (
        <p class="text" dir="auto">
          {writtenText(t, alert.description)}
        </p>
      )}
      <Traits alert={alert} />
      <dl class="facts">
        <div>
          <dt>{t.alert.on[alert.type]}</dt>
          <dd>{eventDay(t, alert)}</dd>
        </div>
        <div data-lat={alert.lat} data-lng={alert.lng} data-type={alert.type}>
          <dt>{t.alert.where[alert.type]}</dt>
          <dd dir="auto">
            {placeOf(ctx, alert)}
            {alert.landmark !== null && (
              <>
                <br />
                {t.named({ headline: t.field.landmark, name: writtenText(t, alert.landmark) })}
              </>
            )}
            <span class="hint">{t.alert.position}</span>
          </dd>
        </div>
      </dl>
    </>
  );
}

/** Known traits in a row. Their labels are for screen readers, and appear under the pointer. */
function Traits({ alert }: { alert: ShownAlert }) {
  const { t } = usePage();
  const traits = traitsOf(t, alert);
  if (traits.length === 0) return null;
  return (
    <ul class="pills">
      {traits.map(([name, value]) => (
        <li title={name}>
          <span class="heard">{t.named({ headline: name, name: "" })}</span>
          <bdi>{value}</bdi>
        </li>
      ))}
    </ul>
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
function traitsOf(t: PageMessages, alert: ShownAlert): (readonly [name: string, value: string])[] {
  return TRAITS.flatMap((name) => {
    const value = alert[name];
    return value === null || value === "unknown"
      ? []
      : [[t.field[name], traitText(t, alert, name, value)]];
  });
}

const TRAITS = fieldsWhere(({ kind, isOfEvent }) => !isOfEvent && kind !== "text").filter(
  (name) => name !== "name",
);

function traitText(t: PageMessages, alert: ShownAlert, name: FieldName, value: string): string {
  if (name === "custody") return custodyText(t, alert);
  return FIELDS[name].kind === "choice" ? choiceTexts(t, name)[value]! : value;
}

/** Texts of the values of a choice. */
export function choiceTexts(t: PageMessages, name: FieldName): Readonly<Record<string, string>> {
  return t[name as ChoiceName];
}

/** Place of a found animal. That it is at a shelter is the publisher's word, except on an organisation's own alert. */
function custodyText(t: PageMessages, { custody, organisation = null }: ShownAlert): string {
  if (custody === null) return "";
  const isProven = custody !== "shelter" || isAtOrganisation({ custody, organisation });
  return isProven ? t.custody[custody] : t.saidToBeAtShelter;
}
