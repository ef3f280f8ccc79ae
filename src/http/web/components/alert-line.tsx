/** @jsxImportSource hono/jsx */
import type { PublicAlert } from "../../../core/alerts/alert.ts";
import type { DraftView } from "../../../core/confirmation/confirm.ts";
import { local, usePage } from "../layout.tsx";
import { Animal } from "./icon.tsx";
import type { Messages } from "../messages/messages.ts";

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
              <span class="away">{t.home.away(distanceKm)}</span>
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
  const headline = t.headline[alert.type][alert.species];
  return alert.name === null ? headline : t.named(headline, alert.name);
}

/** "Lyon, France". */
export function placeOf(t: Messages, alert: Pick<DraftView, "city" | "countryCode">): string {
  return t.place(alert.city, t.country(alert.countryCode));
}

/** Recipient of messages about an alert. */
export function readerOf(
  alert: Pick<PublicAlert, "type" | "custody"> | null,
): "owner" | "finder" | "shelter" {
  if (alert?.type !== "found") return "owner";
  return alert.custody === "shelter" ? "shelter" : "finder";
}
