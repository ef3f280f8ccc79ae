/** @jsxImportSource hono/jsx */
import { usePage } from "../layout.tsx";

/** Day and time in UTC (milliseconds since 1970); in the reader's zone on pages that load the script `local-times`. */
export function Moment({ at, class: className }: { at: number; class?: string }) {
  const { t } = usePage();
  return (
    <time class={className} datetime={new Date(at).toISOString()} data-locale={t.tag}>
      {t.moment(at)}
    </time>
  );
}
