/** @jsxImportSource hono/jsx */
import { ButtonForm, ButtonLine, LinkLine } from "./button.tsx";
import type { Child } from "hono/jsx";
import { local, type Page, type PageContext } from "../layout/layout.tsx";

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
      <ButtonForm action={props.action} label={props.button} class="danger" />
      <ButtonLine to={props.back} label={props.keep} />
    </>
  );
}
