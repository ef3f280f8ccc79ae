import { type Frame, local, type Page } from "./frame.tsx";
import { Sentences } from "./sentences.tsx";

/** The page on which a private link has nothing more to offer: what became of its matter, and the way home. */
export function lastPage(
  { words, links }: Frame,
  { title, said }: { readonly title: string; readonly said: readonly string[] },
): Page {
  return {
    title,
    access: "private",
    body: (
      <>
        <h1>{title}</h1>
        <Sentences of={said} />
        <p>
          <a href={local(links.home)}>{words.fault.home}</a>
        </p>
      </>
    ),
  };
}
