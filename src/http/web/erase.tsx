import { Hono } from "hono";
import { KEEP_PERSONAL_DATA_MS } from "../../core/alert.ts";
import { DAY_MS } from "../../core/duration.ts";
import {
  eraseInput,
  type Erasure,
  HOLDING_KINDS,
  type Holdings,
  holdsAnything,
  TOMBSTONE_KEEP_MS,
} from "../../core/erasing.ts";
import { Fault } from "../../core/fault.ts";
import { parse } from "../../core/input.ts";
import { PENDING_KEEP_MS } from "../../core/pending.ts";
import { AlertLine } from "./alert-line.tsx";
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
import { lastPage } from "./last-page.tsx";
import { allowedPage, disownedPage, notMePage } from "./not-me.tsx";
import { Sentences } from "./sentences.tsx";

/** Erasing all that is kept of a person: a link by e-mail, a page that shows what there is, a button. */
export function createErase({ service, frameOf }: Web): Hono<WebEnv> {
  const pages = new Hono<WebEnv>();

  pages.get("/erase", (c) => {
    const frame = frameOf(c);
    return show(c, frame, formPage(frame, { given: {}, trouble: null }));
  });

  pages.post("/erase", async (c) => {
    const frame = frameOf(c);
    const given = await readForm(c, ["email"]);
    try {
      const input = parse(eraseInput, { ...filled(given), language: frame.words.language });
      const { sentTo } = await service.askErasure(input, c.get("caller"));
      return show(c, frame, sentPage(frame, sentTo));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return showFault(c, frame, error, formPage(frame, { given, trouble: error }));
    }
  });

  pages.get("/erase/:token", async (c) => {
    const frame = frameOf(c);
    const token = c.req.param("token");
    return show(c, frame, pageOf(frame, token, await service.erasure(token)));
  });

  pages.post("/erase/:token", async (c) => {
    const frame = frameOf(c);
    await readForm(c, []);
    const token = c.req.param("token");
    await service.erase(token);
    return seeOther(c, local(frame.links.erase(token)));
  });

  pages.get("/erase/:token/not-me", async (c) => {
    const frame = frameOf(c);
    await service.requireStoppable(c.req.param("token"));
    return show(c, frame, notMePage(frame, false));
  });

  pages.post("/erase/:token/not-me", async (c) => {
    const frame = frameOf(c);
    await readForm(c, []);
    const token = c.req.param("token");
    await service.disownErasure(token);
    return show(c, frame, disownedPage(frame, frame.links.erase(token), frame.words.notMe.stopped));
  });

  pages.post("/erase/:token/allow", async (c) => {
    const frame = frameOf(c);
    await readForm(c, []);
    await service.allowErasureLetters(c.req.param("token"));
    return show(c, frame, allowedPage(frame));
  });

  return pages;
}

function formPage(frame: Frame, draft: Draft): Page {
  const { words, links } = frame;
  const say = words.erase;
  return {
    title: draft.trouble === null ? say.title : words.errorTitle(say.title),
    access: draft.trouble === null ? "public" : "private",
    body: (
      <>
        <h1>{say.title}</h1>
        <form method="post" action={local(links.eraseMine)}>
          <TroubleBox frame={frame} trouble={draft.trouble} labels={{ email: say.email }} />
          <p class="lead">{say.lead}</p>
          <Email draft={draft} label={say.email} />
          <button type="submit">{say.send}</button>
        </form>
        <Limits frame={frame} />
      </>
    ),
  };
}

function sentPage({ words: { erase } }: Frame, sentTo: string): Page {
  return {
    title: erase.sentTitle,
    access: "private",
    body: (
      <>
        <h1>{erase.sentTitle}</h1>
        <Sentences of={[erase.sent(sentTo)]} />
      </>
    ),
  };
}

function pageOf(frame: Frame, token: string, erasure: Erasure): Page {
  switch (erasure.state) {
    case "waiting":
      return askPage(frame, token, erasure);
    case "done":
      return donePage(frame, erasure.erased);
  }
}

function askPage(
  frame: Frame,
  token: string,
  { mailbox, expiresAt, holdings, alerts }: Extract<Erasure, { state: "waiting" }>,
): Page {
  const { words, links } = frame;
  const say = words.erase;
  if (!holdsAnything(holdings)) return nothingPage(frame);
  return {
    title: say.askTitle,
    access: "private",
    body: (
      <>
        <h1>{say.askTitle}</h1>
        <p class="lead">{say.ask(mailbox)}</p>
        <Counts frame={frame} holdings={holdings} />
        {alerts.map((alert) => (
          <AlertLine frame={frame} alert={alert} level={2} />
        ))}
        <p>{say.forGood}</p>
        <form method="post" action={local(links.erase(token))}>
          <button class="danger" type="submit">
            {say.button}
          </button>
        </form>
        <p>
          <a class="button quiet" href={local(links.home)}>
            {say.keep}
          </a>
        </p>
        <p class="quiet">{say.until(words.moment(expiresAt))}</p>
        <Limits frame={frame} />
      </>
    ),
  };
}

/** It may have ended, or been erased through another link, since the letter was sent. */
function nothingPage(frame: Frame): Page {
  const { nothingTitle, nothing } = frame.words.erase;
  return lastPage(frame, { title: nothingTitle, said: [nothing] });
}

function donePage(frame: Frame, erased: Holdings): Page {
  const { words, links } = frame;
  const say = words.erase;
  return {
    title: say.doneTitle,
    access: "private",
    body: (
      <>
        <h1>{say.doneTitle}</h1>
        <p class="lead">{say.done}</p>
        <Counts frame={frame} holdings={erased} />
        <Limits frame={frame} />
        <p>
          <a href={local(links.home)}>{words.fault.home}</a>
        </p>
      </>
    ),
  };
}

function Counts({ frame, holdings }: { readonly frame: Frame; readonly holdings: Holdings }) {
  const { parts } = frame.words.erase;
  const kinds = HOLDING_KINDS.filter((kind) => holdings[kind] > 0);
  return (
    <ul>
      {kinds.map((kind) => (
        <li>{parts[kind](holdings[kind])}</li>
      ))}
    </ul>
  );
}

/** What stays, and why. */
function Limits({ frame }: { readonly frame: Frame }) {
  const say = frame.words.erase;
  const days = (ms: number) => Math.round(ms / DAY_MS);
  const { unknown, ended, report, address, arrived, backups, marks } = say.limits;
  const over = ended(days(KEEP_PERSONAL_DATA_MS));
  const items = [
    unknown,
    frame.isModerated ? `${over} ${report}` : over,
    address,
    arrived,
    backups(days(TOMBSTONE_KEEP_MS)),
    marks(days(PENDING_KEEP_MS)),
  ];
  return (
    <section class="panel" aria-labelledby="limits">
      <h2 id="limits">{say.limitsTitle}</h2>
      <ul>
        {items.map((item) => (
          <li>{item}</li>
        ))}
      </ul>
    </section>
  );
}
