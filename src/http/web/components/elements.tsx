/** @jsxImportSource hono/jsx */
import type { Child } from "hono/jsx";
import { local, type Page, type PageContext, usePage } from "../layout/layout.tsx";

/** Submit button. */
export function Submit(props: { label: Child; class?: "quiet" | "danger" | undefined }) {
  return (
    <button class={props.class} type="submit">
      {props.label}
    </button>
  );
}

/** Form of one button and hidden fields. */
export function ButtonForm(props: {
  label: Child;
  /** Address of the page itself by default. */
  action?: string;
  class?: "quiet" | "danger" | undefined;
  fields?: Readonly<Record<string, string>>;
}) {
  return (
    <form method="post" action={props.action && local(props.action)}>
      {Object.entries(props.fields ?? {}).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <Submit label={props.label} class={props.class} />
    </form>
  );
}

/** Link that looks like a button: the main one of a page, or a quiet one. */
export function ButtonLink(props: { to: string; label: Child; isMain?: boolean; rel?: string }) {
  const name = props.isMain === true ? "button" : "button quiet";
  return (
    <a class={name} rel={props.rel} href={local(props.to)}>
      {props.label}
    </a>
  );
}

/** Paragraph of one such link. */
export function ButtonLine(props: { to: string; label: Child; isMain?: boolean }) {
  return (
    <p>
      <ButtonLink {...props} />
    </p>
  );
}

/** Paragraph of one link. */
export function LinkLine({ to, label }: { to: string; label: Child }) {
  return (
    <p>
      <a href={local(to)}>{label}</a>
    </p>
  );
}

/** Item of a list with one link. */
export function LinkItem({ to, label }: { to: string; label: Child }) {
  return (
    <li>
      <a href={local(to)}>{label}</a>
    </li>
  );
}

/** Section with a heading, which others link to by its id. */
export function Section(props: { id: string; title: Child; class?: string; children?: Child }) {
  return (
    <section class={props.class} aria-labelledby={props.id}>
      <h2 id={props.id}>{props.title}</h2>
      {props.children}
    </section>
  );
}

/** Private page with a heading. */
export function privatePage(title: string, below: Child): Page {
  return {
    title,
    access: "private",
    body: (
      <>
        <h1>{title}</h1>
        {below}
      </>
    ),
  };
}

/** Private page with a heading, a few sentences and what comes below them. */
export function textPage(title: string, sentences: readonly string[], below?: Child): Page {
  return privatePage(
    title,
    <>
      <Sentences of={sentences} />
      {below}
    </>,
  );
}

/** Page of a private link with nothing left to do on it but follow one link, by default to the home page. */
export function lastPage(
  { t, links }: PageContext,
  title: string,
  sentences: readonly string[],
  { to, label } = { to: links.home, label: t.fault.home },
): Page {
  return textPage(title, sentences, <LinkLine to={local(to)} label={label} />);
}

/** Plain paragraphs, the first one larger. */
export function Sentences({ of }: { of: readonly string[] }) {
  return (
    <>
      {of.map((sentence, at) => (
        <p class={at === 0 ? "lead" : undefined}>{sentence}</p>
      ))}
    </>
  );
}

/** Placeholder for a value in a sentence; no text contains it. */
const SLOT = "\u0000";

/** Sentence with an element as its only value. */
export function Filled({ sentence, value }: { sentence: (value: string) => string; value: Child }) {
  const [before, after] = sentence(SLOT).split(SLOT);
  return (
    <>
      {before}
      {value}
      {after}
    </>
  );
}

/** Plain list. */
export function List({ of }: { of: readonly string[] }) {
  return (
    <ul>
      {of.map((item) => (
        <li>{item}</li>
      ))}
    </ul>
  );
}

/** Notice of what has just been done; null shows none. Screen readers read it out. */
export function StatusNotice({ text }: { text: string | null }) {
  return (
    text !== null && (
      <p class="notice" role="status">
        {text}
      </p>
    )
  );
}

/** Page with such a notice above it. */
export function withNotice(page: Page, text: string | null): Page {
  return { ...page, body: [<StatusNotice text={text} />, page.body] };
}

/** Button for an action that cannot be undone, and a way back. */
export function DangerForm(props: { action: string; button: string; back: string; keep: string }) {
  return (
    <>
      <ButtonForm
        action={props.action && local(props.action)}
        label={props.button}
        class="danger"
      />
      <ButtonLine to={props.back} label={props.keep} />
    </>
  );
}

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

/** Day and time in UTC (milliseconds since 1970); in the reader's zone by the script `page`. */
export function Moment({ at, class: className }: { at: number; class?: string }) {
  const { t } = usePage();
  return (
    <time class={className} datetime={new Date(at).toISOString()} data-locale={t.tag}>
      {t.moment(at)}
    </time>
  );
}
