import { Hono } from "hono";
import type { Review } from "../../core/confirming.ts";
import { Fault } from "../../core/fault.ts";
import { parse } from "../../core/input.ts";
import { correctionInput } from "../../core/publication.ts";
import { statusOf } from "../faults.ts";
import { type Given, readForm, type Trouble } from "./form.ts";
import { type Frame, local, type Page, show, type Web, type WebEnv } from "./frame.tsx";
import { outcomePage } from "./outcome.tsx";
import { reviewPage } from "./review.tsx";
import { Sentences } from "./sentences.tsx";

/** Text may be emptied; of the others an empty one says nothing. */
const TEXTS = ["name", "breed", "color", "description"];
const CHOICES = ["size", "sex", "age", "eventDate", "custody"];

/** The pages behind the links of confirmation letters. GET shows, POST acts. */
export function createConfirm({ service, frame }: Web): Hono<WebEnv> {
  const confirm = new Hono<WebEnv>();
  const { stopped, stoppedLate } = frame.words.notMe;

  confirm.get("/confirm/:token", (c) => {
    const token = c.req.param("token");
    return show(c, frame, pageOf(frame, token, service.review(token), null));
  });

  confirm.post("/confirm/:token", async (c) => {
    const token = c.req.param("token");
    const given = await readForm(c, [...TEXTS, ...CHOICES]);
    try {
      const review = service.confirm(token, parse(correctionInput, corrections(given)));
      return show(c, frame, pageOf(frame, token, review, null));
    } catch (error) {
      if (!(error instanceof Fault) || error.code === "not_found" || error.code === "gone")
        throw error;
      if (error.retryAfterSeconds !== null) c.header("Retry-After", `${error.retryAfterSeconds}`);
      const page = pageOf(frame, token, service.review(token), { given, trouble: error });
      return show(c, frame, page, statusOf(error.code));
    }
  });

  confirm.get("/confirm/:token/not-me", (c) => {
    return show(
      c,
      frame,
      notMePage(
        frame,
        stateOf(() => service.review(c.req.param("token"))),
      ),
    );
  });

  confirm.post("/confirm/:token/not-me", async (c) => {
    await readForm(c, []);
    const token = c.req.param("token");
    service.disown(token);
    return show(
      c,
      frame,
      disownedPage(frame, token, service.review(token).state === "done" ? stoppedLate : stopped),
    );
  });

  confirm.post("/confirm/:token/allow", async (c) => {
    await readForm(c, []);
    service.allowLetters(c.req.param("token"));
    return show(c, frame, allowedPage(frame));
  });

  return confirm;
}

/** Where what was asked stands; the alert of a waiting message may be gone. Throws `not_found`. */
function stateOf(review: () => Review): Review["state"] {
  try {
    return review().state;
  } catch (error) {
    if (error instanceof Fault && error.code === "gone") return "waiting";
    throw error;
  }
}

function corrections(given: Given): Given {
  const told = Object.entries(given).filter(
    ([name, value]) => TEXTS.includes(name) || value !== "",
  );
  return Object.fromEntries(told);
}

function pageOf(
  frame: Frame,
  token: string,
  review: Review,
  refused: { given: Given; trouble: Trouble } | null,
): Page {
  switch (review.state) {
    case "waiting":
      return reviewPage(frame, token, review, refused);
    case "done":
      return outcomePage(frame, review.outcome);
    case "disowned":
      return disownedPage(frame, token, frame.words.confirm.disowned);
    case "expired":
      return expiredPage(frame);
  }
}

function expiredPage(frame: Frame): Page {
  const { words, links } = frame;
  return {
    title: words.confirm.expiredTitle,
    access: "private",
    body: (
      <>
        <h1>{words.confirm.expiredTitle}</h1>
        <Sentences of={[words.confirm.expired, words.confirm.expiredNext]} />
        <p>
          <a href={local(links.home)}>{words.fault.home}</a>
        </p>
      </>
    ),
  };
}

function notMePage(frame: Frame, state: Review["state"]): Page {
  const words = frame.words.notMe;
  return {
    title: words.title,
    access: "private",
    body: (
      <>
        <h1>{words.title}</h1>
        <Sentences of={state === "done" ? [words.late] : [words.text, words.ignore]} />
        <form method="post">
          <button type="submit">{words.button}</button>
        </form>
      </>
    ),
  };
}

function disownedPage(
  frame: Frame,
  token: string,
  { title, text }: { readonly title: string; readonly text: string },
): Page {
  const { words, links } = frame;
  return {
    title,
    access: "private",
    body: (
      <>
        <h1>{title}</h1>
        <Sentences of={[text]} />
        <form class="apart" method="post" action={local(`${links.confirm(token)}/allow`)}>
          <p>{words.notMe.change}</p>
          <button class="quiet" type="submit">
            {words.notMe.allow}
          </button>
        </form>
      </>
    ),
  };
}

function allowedPage(frame: Frame): Page {
  const { words, links } = frame;
  return {
    title: words.notMe.allowedTitle,
    access: "private",
    body: (
      <>
        <h1>{words.notMe.allowedTitle}</h1>
        <Sentences of={[words.notMe.allowed]} />
        <p>
          <a href={local(links.home)}>{words.fault.home}</a>
        </p>
      </>
    ),
  };
}
