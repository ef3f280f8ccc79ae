/** @jsxImportSource hono/jsx */
import { ButtonLink } from "./elements.tsx";
import type { AlertView } from "../../../core/alerts/alert.ts";
import type { PlaceName } from "../../../places/places.ts";
import { local, usePage } from "../layout/layout.tsx";
import { headlineOf, placeOf } from "./alert.tsx";

type Shared = PlaceName & Pick<AlertView, "type" | "species" | "breed" | "name" | "shortCode">;

/** Ways to pass an alert on: the share sheet of a phone, WhatsApp, Facebook, the short link, and a poster. */
export function ShareRow({ alert, posterOf }: { alert: Shared; posterOf: string | null }) {
  const ctx = usePage();
  const { t, links } = ctx;
  const link = links.short(alert.shortCode);
  const text = t.alert.shareText[alert.type]({
    headline: headlineOf(t, alert),
    place: placeOf(ctx, alert),
  });
  const whatsapp = `https://wa.me/?${new URLSearchParams({ text: `${text} ${link}` })}`;
  const facebook = `https://www.facebook.com/sharer/sharer.php?${new URLSearchParams({ u: link })}`;
  return (
    <div class="share-row">
      <p class="share-buttons">
        <button
          class="quiet"
          type="button"
          data-share
          data-url={link}
          data-title={headlineOf(t, alert)}
          data-text={text}
          hidden
        >
          {t.alert.shareButton}
        </button>
        <a class="button quiet" href={whatsapp} rel="noopener noreferrer" target="_blank">
          WhatsApp
        </a>
        <a class="button quiet" href={facebook} rel="noopener noreferrer" target="_blank">
          Facebook
        </a>
        <button
          class="quiet"
          type="button"
          data-copy={link}
          data-copied={t.alert.copied}
          data-failed={t.alert.copyFailed}
          data-status="#copied"
          hidden
        >
          {t.alert.copy}
        </button>
        {posterOf !== null && <ButtonLink to={links.poster(posterOf)} label={t.poster.link} />}
      </p>
      <p class="hint">
        <a class="address" href={local(link)}>
          {withoutScheme(link)}
        </a>
      </p>
      <p class="hint" id="copied" role="status"></p>
    </div>
  );
}

/** Link as people write it down: without the scheme. */
export function withoutScheme(link: string): string {
  return link.replace(/^https?:\/\//, "");
}
