import { type Frame, local, type Page } from "./frame.tsx";
import { lastPage } from "./last-page.tsx";
import { Sentences } from "./sentences.tsx";

/** Asks whoever followed the "this was not me" of a letter. `isLate`: what it asked was confirmed before. */
export function notMePage(frame: Frame, isLate: boolean): Page {
  const words = frame.words.notMe;
  return {
    title: words.title,
    access: "private",
    body: (
      <>
        <h1>{words.title}</h1>
        <Sentences of={isLate ? [words.late] : [words.text, words.ignore]} />
        <form method="post">
          <button type="submit">{words.button}</button>
        </form>
      </>
    ),
  };
}

/** Such letters are stopped; `link` is the address of the letter's page, under which they can be allowed again. */
export function disownedPage(
  frame: Frame,
  link: string,
  { title, text }: { readonly title: string; readonly text: string },
): Page {
  const { words } = frame;
  return {
    title,
    access: "private",
    body: (
      <>
        <h1>{title}</h1>
        <Sentences of={[text]} />
        <form class="apart" method="post" action={local(`${link}/allow`)}>
          <p>{words.notMe.change}</p>
          <button class="quiet" type="submit">
            {words.notMe.allow}
          </button>
        </form>
      </>
    ),
  };
}

export function allowedPage(frame: Frame): Page {
  const { allowedTitle, allowed } = frame.words.notMe;
  return lastPage(frame, { title: allowedTitle, said: [allowed] });
}
