import type { DraftFace } from "../../core/confirming.ts";
import { type Frame, local } from "./frame.tsx";

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
            {withoutScheme(link)}
          </a>
        </p>
        <p class="share-buttons">
          <button class="quiet" type="button" data-share data-url={link} hidden>
            {words.alert.shareButton}
          </button>
          <button
            class="quiet"
            type="button"
            data-copy={link}
            data-copied={words.alert.copied}
            data-failed={words.alert.copyFailed}
            data-status="#copied"
            hidden
          >
            {words.alert.copy}
          </button>
        </p>
        <p class="hint" id="copied" role="status"></p>
      </div>
    </section>
  );
}

/** As people write an address down. */
export function withoutScheme(link: string): string {
  return link.replace(/^https?:\/\//, "");
}

/** Where the poster is. */
export function PosterLink({ frame, slug }: { readonly frame: Frame; readonly slug: string }) {
  const { link, linkHint } = frame.words.poster;
  return (
    <p class="act">
      <a class="button quiet" href={local(frame.links.poster(slug))}>
        {link}
      </a>
      <span class="hint">{linkHint}</span>
    </p>
  );
}
