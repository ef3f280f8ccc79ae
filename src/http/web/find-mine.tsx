import { Hono } from "hono";
import { Fault } from "../../core/fault.ts";
import { parse } from "../../core/input.ts";
import { linksInput } from "../../core/owning.ts";
import { type Draft, Email, TroubleBox } from "./field.tsx";
import { filled, readForm } from "./form.ts";
import { type Frame, local, type Page, show, showFault, type Web, type WebEnv } from "./frame.tsx";
import { Sentences } from "./sentences.tsx";

/** For owners who lost their private link: it is sent again, to the address they published with. */
export function createFindMine({ service, frameOf }: Web): Hono<WebEnv> {
  const pages = new Hono<WebEnv>();

  pages.get("/manage", (c) => {
    const frame = frameOf(c);
    return show(c, frame, formPage(frame, { given: {}, trouble: null }));
  });

  pages.post("/manage", async (c) => {
    const frame = frameOf(c);
    const given = await readForm(c, ["email"]);
    try {
      const { sentTo } = await service.sendLinks(parse(linksInput, filled(given)), c.get("caller"));
      return show(c, frame, sentPage(frame, sentTo));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return showFault(c, frame, error, formPage(frame, { given, trouble: error }));
    }
  });

  return pages;
}

function formPage(frame: Frame, draft: Draft): Page {
  const { words, links } = frame;
  const say = words.findMine;
  return {
    title: draft.trouble === null ? say.title : words.errorTitle(say.title),
    access: draft.trouble === null ? "public" : "private",
    body: (
      <>
        <h1>{say.title}</h1>
        <form method="post" action={local(links.findMine)}>
          <TroubleBox frame={frame} trouble={draft.trouble} labels={{ email: say.email }} />
          <p class="lead">{say.lead}</p>
          <Email draft={draft} label={say.email} />
          <button type="submit">{say.button}</button>
        </form>
        <p>
          <a href={local(links.eraseMine)}>{words.erase.link}</a>
        </p>
      </>
    ),
  };
}

function sentPage({ words: { findMine } }: Frame, sentTo: string): Page {
  return {
    title: findMine.sentTitle,
    access: "private",
    body: (
      <>
        <h1>{findMine.sentTitle}</h1>
        <Sentences of={[findMine.sent(sentTo)]} />
      </>
    ),
  };
}
