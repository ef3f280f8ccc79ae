/** @jsxImportSource hono/jsx */
import type { Child } from "hono/jsx";
import { local, type Page, type PageContext } from "../layout.tsx";

/** Private page with a heading, a few sentences and what comes below them. */
export function textPage(title: string, sentences: readonly string[], below?: Child): Page {
  return {
    title,
    access: "private",
    body: (
      <>
        <h1>{title}</h1>
        <Sentences of={sentences} />
        {below}
      </>
    ),
  };
}

/** Page of a private link with nothing left to do on it but go to the home page. */
export function lastPage({ t, links }: PageContext, title: string, sentences: string[]): Page {
  const home = (
    <p>
      <a href={local(links.home)}>{t.fault.home}</a>
    </p>
  );
  return textPage(title, sentences, home);
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

/** Button for an action that cannot be undone, and a way back. */
export function DangerForm(props: { action: string; button: string; back: string; keep: string }) {
  return (
    <>
      <form method="post" action={props.action}>
        <button class="danger" type="submit">
          {props.button}
        </button>
      </form>
      <p>
        <a class="button quiet" href={props.back}>
          {props.keep}
        </a>
      </p>
    </>
  );
}
