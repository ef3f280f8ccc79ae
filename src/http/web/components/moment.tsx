/** @jsxImportSource hono/jsx */
import { usePage } from "../layout/layout.tsx";
import { Filled } from "./text-page.tsx";

/** Sentence with a time in the place of `moment`. */
export function MomentSentence({
  sentence,
  at,
}: {
  sentence: (values: { moment: string }) => string;
  at: number;
}) {
  return <Filled sentence={(moment) => sentence({ moment })} value={<Moment at={at} />} />;
}

/** Day and time in UTC (milliseconds since 1970); in the reader's zone on pages that load the script `local-times`. */
export function Moment({ at, class: className }: { at: number; class?: string }) {
  const { t } = usePage();
  return (
    <time class={className} datetime={new Date(at).toISOString()} data-locale={t.tag}>
      {t.moment(at)}
    </time>
  );
}
