/** @jsxImportSource hono/jsx */
import type { DraftView } from "../../../core/confirmation/confirm.ts";
import { local, usePage } from "../layout.tsx";

/** Short link and QR image. */
export function Share({ alert }: { alert: Pick<DraftView, "shortCode" | "qrUrl"> }) {
  const { t, links } = usePage();
  const link = links.short(alert.shortCode);
  return (
    <section class="share" aria-labelledby="share">
      <img src={local(alert.qrUrl)} width={256} height={256} alt={t.alert.qr({ link })} />
      <div>
        <h2 id="share">{t.alert.share}</h2>
        <p>{t.alert.shareHint}</p>
        <p>
          <a class="address" href={local(link)}>
            {withoutScheme(link)}
          </a>
        </p>
        <p class="share-buttons">
          <button class="quiet" type="button" data-share data-url={link} hidden>
            {t.alert.shareButton}
          </button>
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
        </p>
        <p class="hint" id="copied" role="status"></p>
      </div>
    </section>
  );
}

/** Link as people write it down: without the scheme. */
export function withoutScheme(link: string): string {
  return link.replace(/^https?:\/\//, "");
}

/** Link to the poster. */
export function PosterLink({ slug }: { slug: string }) {
  const { t, links } = usePage();
  const { link, linkHint } = t.poster;
  return (
    <p class="act">
      <a class="button quiet" href={local(links.poster(slug))}>
        {link}
      </a>
      <span class="hint">{linkHint}</span>
    </p>
  );
}
