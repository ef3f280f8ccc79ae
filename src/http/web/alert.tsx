import { Hono } from "hono";
import type { PublicAlert } from "../../core/alert.ts";
import type { MatchFace } from "../../core/matching.ts";
import type { DraftFace } from "../../core/confirming.ts";
import { headlineOf, Mark, placeOf, readerOf } from "./alert-line.tsx";
import { type Frame, local, type Page, show, type Web, type WebEnv } from "./frame.tsx";
import { Matches, MATCHES_SHOWN } from "./matches.tsx";
import type { Words } from "./words/words.ts";

/** The page of each alert, at one address; its other names lead there. */
export function createAlertPages({ service, frameOf }: Web): Hono<WebEnv> {
  const pages = new Hono<WebEnv>();

  pages.get("/alerts/:name", async (c) => {
    const frame = frameOf(c);
    const alert = await service.get(c.req.param("name"));
    if (alert.slug !== c.req.param("name")) return c.redirect(alert.url, 301);
    const { matches } = await service.matches({ alert: alert.id, limit: MATCHES_SHOWN });
    return show(c, frame, alertPage(frame, alert, matches));
  });

  return pages;
}

const OG_DESCRIPTION_MAX = 200;

function alertPage(frame: Frame, alert: PublicAlert, matches: readonly MatchFace[]): Page {
  const { words } = frame;
  return {
    title: titleOf(words, alert),
    access: "public",
    head: <Sharing frame={frame} alert={alert} />,
    body: (
      <article class="alert">
        <Ended words={words} alert={alert} />
        <AlertText frame={frame} alert={alert} level={1} />
        {alert.reachable && (
          <p class="act">
            <a class="button" href={local(alert.contactUrl)}>
              {words.contact.title[readerOf(alert)]}
            </a>
            <span class="hint">{words.alert.contactHint}</span>
          </p>
        )}
        <Matches frame={frame} alert={alert} matches={matches} />
        <Share frame={frame} alert={alert} />
        <p class="quiet">
          {words.alert.published(words.day(alert.publishedAt))}{" "}
          {alert.status === "active" && words.alert.runs(words.day(alert.expiresAt))}
        </p>
      </article>
    ),
  };
}

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
  const { words } = frame;
  const Heading = level === 1 ? "h1" : "h2";
  return (
    <>
      <div class="headline">
        <Mark alert={alert} />
        <Heading dir="auto">{headlineOf(words, alert)}</Heading>
      </div>
      {alert.photos.map((photo, at) => (
        <img class="photo" src={local(photo)} alt={words.alert.photo(at + 1)} />
      ))}
      <dl class="facts">
        {factsOf(words, alert).map(([name, value, more]) => (
          <div>
            <dt>{name}</dt>
            <dd dir="auto">
              {value}
              {more && <span class="hint">{more}</span>}
            </dd>
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

/** Short link and QR image. */
export function Share({
  frame,
  alert,
}: {
  readonly frame: Frame;
  readonly alert: Pick<DraftFace, "shortCode" | "qrUrl">;
}) {
  const { words, links } = frame;
  const link = links.short(alert.shortCode);
  return (
    <section class="share" aria-labelledby="share">
      <img src={local(alert.qrUrl)} width={256} height={256} alt={words.alert.qr(link)} />
      <div>
        <h2 id="share">{words.alert.share}</h2>
        <p>{words.alert.shareHint}</p>
        <p>
          <a class="address" href={local(link)}>
            {link.replace(/^https?:\/\//, "")}
          </a>
        </p>
      </div>
    </section>
  );
}

type Fact = readonly [name: string, value: string, more?: string];

/** What is not known is left out. */
function factsOf(words: Words, alert: Shown): Fact[] {
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
  return [
    [words.alert.on[alert.type], words.day(alert.eventDate)],
    [
      words.alert.where[alert.type],
      placeOf(words, alert),
      words.alert.position(alert.lat, alert.lng),
    ],
    ...known.map(([name, , shown]): Fact => [name, shown]),
  ];
}

function titleOf(words: Words, alert: PublicAlert): string {
  return `${headlineOf(words, alert)} (${placeOf(words, alert)})`;
}

function Ended({ words, alert }: { readonly words: Words; readonly alert: PublicAlert }) {
  switch (alert.status) {
    case "active":
      return null;
    case "resolved":
      return (
        <div class="notice">
          <p class="lead">{words.alert.homeAgain}</p>
          <p>{words.alert.homeAgainText[alert.type]}</p>
        </div>
      );
    case "expired":
      return (
        <div class="notice">
          <p class="lead">{words.alert.expired}</p>
          <p>{words.alert.expiredText}</p>
        </div>
      );
  }
}

function Sharing({ frame, alert }: { readonly frame: Frame; readonly alert: PublicAlert }) {
  const { words } = frame;
  const about = alert.description ?? [alert.color, alert.breed].join(", ");
  const image = alert.photos[0];
  return (
    <>
      <link rel="canonical" href={alert.url} />
      <meta name="description" content={about.slice(0, OG_DESCRIPTION_MAX)} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={frame.siteName} />
      <meta property="og:url" content={alert.url} />
      <meta property="og:title" content={titleOf(words, alert)} />
      <meta property="og:description" content={about.slice(0, OG_DESCRIPTION_MAX)} />
      {image !== undefined && <meta property="og:image" content={image} />}
    </>
  );
}
