import { Hono } from "hono";
import { Fault } from "../../core/fault.ts";
import { emailField, parse } from "../../core/input.ts";
import type { WaitingView } from "../../core/waiting.ts";
import { z } from "zod";
import { type Draft, Email, TroubleBox } from "./field.tsx";
import { filled, readForm } from "./form.ts";
import {
  type Frame,
  local,
  type Page,
  seeOther,
  show,
  showFault,
  type Web,
  type WebEnv,
} from "./frame.tsx";
import { RemovedBox } from "./removed.tsx";
import { Sentences } from "./sentences.tsx";

const addressInput = z.object({ email: emailField });
const NOTHING_YET: Draft = { given: {}, trouble: null };

/** What follows every form that asked for something: nothing is live yet, the mail has the link. */
export function createWaitingPages({ service, frameOf }: Web): Hono<WebEnv> {
  const pages = new Hono<WebEnv>();

  pages.get("/waiting/:ticket", async (c) => {
    const frame = frameOf(c);
    const ticket = c.req.param("ticket");
    const view = await service.waiting(ticket);
    const isAgain = c.req.query("again") !== undefined && view.againAt === null;
    return show(c, frame, waitingPage(frame, ticket, view, NOTHING_YET, isAgain));
  });

  pages.post("/waiting/:ticket/again", async (c) => {
    const frame = frameOf(c);
    await readForm(c, []);
    const ticket = c.req.param("ticket");
    try {
      await service.askAgain(ticket);
    } catch (error) {
      if (!(error instanceof Fault) || error.code === "not_found") throw error;
      const view = await service.waiting(ticket);
      const page = waitingPage(frame, ticket, view, { given: {}, trouble: error }, false);
      return showFault(c, frame, error, page);
    }
    return seeOther(c, `${local(frame.links.waiting(ticket))}?again`);
  });

  pages.post("/waiting/:ticket/address", async (c) => {
    const frame = frameOf(c);
    const ticket = c.req.param("ticket");
    const given = await readForm(c, ["email"]);
    try {
      const { email } = parse(addressInput, filled(given));
      const asked = await service.correctAddress(ticket, email, c.get("caller"));
      return seeOther(c, local(frame.links.waiting(asked.ticket)));
    } catch (error) {
      if (!(error instanceof Fault) || error.code === "not_found") throw error;
      const view = await service.waiting(ticket);
      const page = waitingPage(frame, ticket, view, { given, trouble: error }, false);
      return showFault(c, frame, error, page);
    }
  });

  return pages;
}

function waitingPage(
  frame: Frame,
  ticket: string,
  view: WaitingView,
  draft: Draft,
  isAgain: boolean,
): Page {
  const words = frame.words.waiting;
  switch (view.state) {
    case "waiting":
      return {
        title: draft.trouble === null ? words.title : frame.words.errorTitle(words.title),
        access: "private",
        body: (
          <>
            <h1>{words.title}</h1>
            <Waiting frame={frame} ticket={ticket} view={view} draft={draft} isAgain={isAgain} />
          </>
        ),
      };
    case "confirmed":
      return confirmedPage(frame, view);
    case "over":
      return {
        title: words.overTitle,
        access: "private",
        body: (
          <>
            <h1>{words.overTitle}</h1>
            <Sentences of={[words.over]} />
          </>
        ),
      };
  }
}

function Waiting({
  frame,
  ticket,
  view,
  draft,
  isAgain,
}: {
  readonly frame: Frame;
  readonly ticket: string;
  readonly view: WaitingView;
  readonly draft: Draft;
  readonly isAgain: boolean;
}) {
  const { words, links } = frame;
  const say = words.waiting;
  const here = local(links.waiting(ticket));
  return (
    <>
      <TroubleBox frame={frame} trouble={draft.trouble} labels={{ email: say.email }} />
      {isAgain && (
        <p class="notice" role="status">
          {say.sentAgain}
        </p>
      )}
      <p class="lead">{say.sent(view.sentTo ?? "")}</p>
      <p>
        <strong>{say.next[view.kind]}</strong>
      </p>
      {view.names !== null && <p>{say.code(view.names.shortCode)}</p>}
      <RemovedBox frame={frame} removed={view.removed} />
      <p class="quiet">{say.until(words.moment(view.expiresAt))}</p>
      {view.againAt === null ? (
        <p class="quiet">{say.usedUp}</p>
      ) : (
        <form method="post" action={`${here}/again`}>
          <p class="quiet">{say.againHint}</p>
          <button class="quiet" type="submit">
            {say.again}
          </button>
        </form>
      )}
      {view.canCorrect && (
        <details open={draft.given["email"] !== undefined}>
          <summary>{say.correct}</summary>
          <form method="post" action={`${here}/address`}>
            <Email draft={draft} label={say.email} />
            <button class="quiet" type="submit">
              {say.correctButton}
            </button>
          </form>
        </details>
      )}
    </>
  );
}

function confirmedPage({ words, links }: Frame, { names }: WaitingView): Page {
  const say = words.waiting;
  return {
    title: say.confirmedTitle,
    access: "private",
    body: (
      <>
        <h1>{say.confirmedTitle}</h1>
        <Sentences of={[say.confirmed]} />
        <p>
          {names === null ? (
            <a href={local(links.home)}>{words.fault.home}</a>
          ) : (
            <a class="button" href={local(links.alert(names.slug))}>
              {say.see}
            </a>
          )}
        </p>
      </>
    ),
  };
}
