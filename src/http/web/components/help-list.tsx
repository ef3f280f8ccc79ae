/** @jsxImportSource hono/jsx */
import type { HelpNearby } from "../../../core/help.ts";
import { usePage } from "../layout/layout.tsx";

/** People to call, the nearest of each kind; empty if the operator named none nearby. */
export function HelpList({ help }: { help: HelpNearby }) {
  const { t } = usePage();
  const text = t.help;
  if (help.length === 0) return null;
  return (
    <div class="help-list">
      <h3 id="help">{text.title}</h3>
      <p class="hint">{text.lead}</p>
      {help.map(({ kind, places }) => (
        <>
          <h4>{text.kinds[kind]}</h4>
          <ul>
            {places.map(({ name, phone, url, km }) => (
              <li>
                {url === null ? (
                  <bdi>{name}</bdi>
                ) : (
                  <a href={url} rel="noopener noreferrer">
                    <bdi>{name}</bdi>
                  </a>
                )}{" "}
                {phone !== null && (
                  <a class="phone" href={`tel:${phone.replace(/[^+\d]/g, "")}`} dir="ltr">
                    {phone}
                  </a>
                )}{" "}
                <span class="quiet">{t.home.away({ km: Math.max(1, Math.round(km)) })}</span>
              </li>
            ))}
          </ul>
        </>
      ))}
    </div>
  );
}
