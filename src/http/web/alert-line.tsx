import type { PublicAlert } from "../../core/alert.ts";
import type { DraftFace } from "../../core/confirming.ts";
import { type Frame, local } from "./frame.tsx";
import { Animal } from "./icon.tsx";
import type { Words } from "./words/words.ts";

/** An alert in a line or two, for lists and beside forms. */
export function AlertLine({
  frame,
  alert,
  distanceKm = null,
  level,
}: {
  readonly frame: Frame;
  readonly alert: PublicAlert;
  /** From where was searched. */
  readonly distanceKm?: number | null;
  readonly level: 2 | 3;
}) {
  const { words } = frame;
  const Heading = level === 2 ? "h2" : "h3";
  const looks = [alert.color, alert.breed].filter((look) => look !== "unknown").join(", ");
  return (
    <article class="card">
      <Picture alert={alert} />
      <div>
        <Heading dir="auto">
          <a href={local(alert.url)}>{headlineOf(words, alert)}</a>
        </Heading>
        <p dir="auto">{looks}</p>
        <p class="quiet" dir="auto">
          {placeOf(words, alert)} ·{" "}
          <time datetime={alert.eventDate}>{words.day(alert.eventDate)}</time>
          {distanceKm !== null && (
            <>
              {" · "}
              <span class="away">{words.home.away(distanceKm)}</span>
            </>
          )}
        </p>
      </div>
    </article>
  );
}

/** Its first photo, or the kind of animal. The words beside it say what it shows. */
function Picture({ alert }: { readonly alert: PublicAlert }) {
  const [thumbnail] = alert.thumbnails;
  if (thumbnail === undefined) return <Mark alert={alert} />;
  return <img class="thumb" src={local(thumbnail)} alt="" width="88" height="88" loading="lazy" />;
}

/** The kind of animal, filled for a lost one; the headline beside it says the same. */
export function Mark({ alert }: { readonly alert: Pick<DraftFace, "type" | "species"> }) {
  return (
    <span class={`mark ${alert.type}`}>
      <Animal species={alert.species} />
    </span>
  );
}

/** "Lost cat: Mimi". */
export function headlineOf(words: Words, alert: Pick<DraftFace, "type" | "species" | "name">) {
  const headline = words.headline[alert.type][alert.species];
  return alert.name === null ? headline : words.named(headline, alert.name);
}

/** "Lyon, France". */
export function placeOf(words: Words, alert: Pick<DraftFace, "city" | "countryCode">): string {
  return words.place(alert.city, words.country(alert.countryCode));
}

/** Who reads what is written to an alert. */
export function readerOf(
  alert: Pick<PublicAlert, "type" | "custody"> | null,
): "owner" | "finder" | "shelter" {
  if (alert?.type !== "found") return "owner";
  return alert.custody === "shelter" ? "shelter" : "finder";
}
