/** @jsxImportSource hono/jsx */
import type { HelpNearby } from "../../../core/help.ts";
import { usePage } from "../layout/layout.tsx";

/** People to call, the nearest of each kind; empty if the operator named none nearby. */
export function HelpList({ help, level = 3 }: { help: HelpNearby; level?: 2 | 3 }) {
  const { t } = usePage();
  const text = t.help;
  const [Heading, KindHeading] = level === 2 ? (["h2", "h3"] as const) : (["h3", "h4"] as const);
  if (help.length === 0) return null;
  return (
    <div class="help-list">
      <Heading id="help">{text.title}</Heading>
      <p class="hint">{text.lead}</p>
      {help.map(({ kind, places }) => (
        <>
          <KindHeading>{text.kinds[kind]}</KindHeading>
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
