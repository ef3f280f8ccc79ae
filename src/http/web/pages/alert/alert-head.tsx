/** @jsxImportSource hono/jsx */
import { type Language, type PublicAlert } from "../../../../core/alerts/alert.ts";
import { headlineOf, placeOf } from "../../components/alert-line.tsx";
import { usePage } from "../../layout.tsx";
import type { Messages } from "../../messages/messages.ts";

/** Length of link previews, beyond which most apps cut them. */
const DESCRIPTION_MAX = 200;
/** Radius of the feed linked from the page of an alert. */
const FEED_RADIUS_KM = 10;

/** Open Graph locales. */
const LOCALE: Readonly<Record<Language, string>> = {
  en: "en_GB",
  fr: "fr_FR",
  es: "es_ES",
  de: "de_DE",
};

/** Head of an alert's page for search engines, link previews and feed readers. */
export function AlertHead({ alert }: { alert: PublicAlert }) {
  const { t, links, siteName } = usePage();
  const title = titleOf(t, alert);
  const description = descriptionOf(t, alert);
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
        title={t.alert.around(alert.city)}
        href={`${links.feed}?${near}`}
      />
      <meta name="description" content={description} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={siteName} />
      <meta property="og:locale" content={LOCALE[t.language as Language]} />
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
export function titleOf(t: Messages, alert: PublicAlert): string {
  return `${headlineOf(t, alert)} (${placeOf(t, alert)})`;
}

/** Description by the owner, or else what the animal looks like. */
function descriptionOf(t: Messages, alert: PublicAlert): string {
  const looks = [alert.color, alert.breed].filter((look) => look !== "unknown");
  const when = `${t.alert.on[alert.type]} ${t.day(alert.eventDate)}`;
  const text = alert.description ?? [...looks, when].join(", ");
  const letters = [...text.replace(/\s+/g, " ")];
  return letters.length <= DESCRIPTION_MAX
    ? letters.join("")
    : `${letters.slice(0, DESCRIPTION_MAX - 1).join("")}…`;
}

/**
 * JSON-LD. schema.org has no type for lost animals, so this is a page about an animal, with a place and an expiry date.
 * The position is that of the public cell.
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

/** JSON that cannot close its script element. */
function inScript(data: object): string {
  return JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
