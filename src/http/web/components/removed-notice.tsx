/** @jsxImportSource hono/jsx */
import { Section } from "./elements.tsx";
import { OFFICIAL_NAME } from "../../../core/conversations/sender-name.ts";
import type { Removed } from "../../../core/alerts/publication.ts";
import { usePage } from "../layout/layout.tsx";

/** Notice that lists what was removed from the text, for its writer. */
export function RemovedNotice({ removed }: { removed: readonly Removed[] }) {
  const { t } = usePage();
  const labels: Readonly<Record<string, string>> = t.field;
  const kindNames: Readonly<Record<string, string>> = {
    ...t.contactKind,
    [OFFICIAL_NAME]: t.removed.officialName,
  };
  if (removed.length === 0) return null;

  return (
    <Section id="removed" title={t.removed.heading} class="notice">
      <p>{t.removed.text}</p>
      <ul>
        {removed.map(({ field, kinds }) => (
          <li>
            {t.named({
              headline: labels[field] ?? field,
              name: t.and(kinds.map((kind) => kindNames[kind] ?? kind)),
            })}
          </li>
        ))}
      </ul>
    </Section>
  );
}
