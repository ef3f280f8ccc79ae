import { type Language, type PublicAlert } from "../../core/alert.ts";
import { headlineOf, placeOf } from "./alert-line.tsx";
import type { Frame } from "./frame.tsx";
import type { Words } from "./words/words.ts";

/** Longer texts are cut by those who show them. */
const DESCRIPTION_MAX = 200;
/** Around an alert, what may be news to whoever reads it. */
const FEED_RADIUS_KM = 10;

/** As Open Graph names languages. */
const LOCALE: Readonly<Record<Language, string>> = {
  en: "en_GB",
  fr: "fr_FR",
  es: "es_ES",
  de: "de_DE",
};

/** What an alert's page tells those who show links: search engines, messengers, feed readers. */
export function AlertHead({
  frame,
  alert,
}: {
  readonly frame: Frame;
  readonly alert: PublicAlert;
}) {
  const { words, links, siteName } = frame;
  const title = titleOf(words, alert);
  const description = descriptionOf(words, alert);
  const [image] = alert.photos;
  const near = new URLSearchParams({
    lat: String(alert.lat),
    lng: String(alert.lng),
    radius_km: String(FEED_RADIUS_KM),
  });
  return (
    <>
      <link rel="canonical" href={alert.url} />
      <link
        rel="alternate"
        type="application/atom+xml"
        title={words.alert.around(alert.city)}
        href={`${links.feed}?${near}`}
      />
      <meta name="description" content={description} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={siteName} />
      <meta property="og:locale" content={LOCALE[words.language as Language]} />
      <meta property="og:url" content={alert.url} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      {image !== undefined && (
        <>
          <meta property="og:image" content={image} />
          <meta property="og:image:type" content="image/webp" />
          <meta property="og:image:alt" content={title} />
        </>
      )}
      <meta name="twitter:card" content={image === undefined ? "summary" : "summary_large_image"} />
      <script
        type="application/ld+json"
        dangerouslySetInnerHTML={{ __html: inScript(linkedData(title, description, alert)) }}
      />
    </>
  );
}

/** "Lost cat: Mimi (Lyon, France)". */
export function titleOf(words: Words, alert: PublicAlert): string {
  return `${headlineOf(words, alert)} (${placeOf(words, alert)})`;
}

/** The owner's words, or else what the animal looks like. */
function descriptionOf(words: Words, alert: PublicAlert): string {
  const looks = [alert.color, alert.breed].filter((look) => look !== "unknown");
  const when = `${words.alert.on[alert.type]} ${words.day(alert.eventDate)}`;
  const text = alert.description ?? [...looks, when].join(", ");
  const letters = [...text.replace(/\s+/g, " ")];
  return letters.length <= DESCRIPTION_MAX
    ? letters.join("")
    : `${letters.slice(0, DESCRIPTION_MAX - 1).join("")}…`;
}

/**
 * In the vocabulary of schema.org, which knows no lost animals: a page about an animal, at a place, that holds until a
 * day. The position is the public cell's.
 */
function linkedData(title: string, description: string, alert: PublicAlert): object {
  const iso = (time: number) => new Date(time).toISOString();
  return {
    "@context": "https://schema.org",
    "@type": "WebPage",
    "@id": alert.url,
    url: alert.url,
    name: title,
    description,
    datePublished: iso(alert.publishedAt),
    dateModified: iso(alert.updatedAt),
    ...(alert.status === "active" ? { expires: iso(alert.expiresAt) } : {}),
    ...(alert.photos.length === 0 ? {} : { image: alert.photos }),
    about: {
      "@type": "Thing",
      identifier: alert.id,
      ...(alert.name === null ? {} : { name: alert.name }),
      description: [alert.species, alert.breed, alert.color]
        .filter((trait) => trait !== "unknown")
        .join(", "),
    },
    contentLocation: {
      "@type": "Place",
      address: {
        "@type": "PostalAddress",
        addressLocality: alert.city,
        addressCountry: alert.countryCode,
      },
      geo: { "@type": "GeoCoordinates", latitude: alert.lat, longitude: alert.lng },
    },
  };
}

/** JSON that cannot end the element it stands in. */
function inScript(data: object): string {
  return JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
