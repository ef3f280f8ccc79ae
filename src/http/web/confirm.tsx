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
export function createConfirm({ service, frameOf }: Web): Hono<WebEnv> {
  const confirm = new Hono<WebEnv>();

  confirm.get("/confirm/:token", async (c) => {
    const frame = frameOf(c);
    const token = c.req.param("token");
    return show(c, frame, pageOf(frame, token, await service.review(token), null));
  });

  confirm.post("/confirm/:token", async (c) => {
    const frame = frameOf(c);
    const token = c.req.param("token");
    const given = await readForm(c, [...TEXTS, ...CHOICES]);
    try {
      const review = await service.confirm(token, parse(correctionInput, corrections(given)));
      return show(c, frame, pageOf(frame, token, review, null));
    } catch (error) {
      if (!(error instanceof Fault) || error.code === "not_found" || error.code === "gone")
        throw error;
      if (error.retryAfterSeconds !== null) c.header("Retry-After", `${error.retryAfterSeconds}`);
      const page = pageOf(frame, token, await service.review(token), { given, trouble: error });
      return show(c, frame, page, statusOf(error.code));
    }
  });

  confirm.get("/confirm/:token/not-me", async (c) => {
    const frame = frameOf(c);
    const state = await stateOf(() => service.review(c.req.param("token")));
    return show(c, frame, notMePage(frame, state));
  });

  confirm.post("/confirm/:token/not-me", async (c) => {
    const frame = frameOf(c);
    await readForm(c, []);
    const token = c.req.param("token");
    await service.disown(token);
    const { state } = await service.review(token);
    const { stopped, stoppedLate } = frame.words.notMe;
    return show(c, frame, disownedPage(frame, token, state === "done" ? stoppedLate : stopped));
  });

  confirm.post("/confirm/:token/allow", async (c) => {
    const frame = frameOf(c);
    await readForm(c, []);
    await service.allowLetters(c.req.param("token"));
    return show(c, frame, allowedPage(frame));
  });

  return confirm;
}

/** Where what was asked stands; the alert of a waiting message may be gone. Throws `not_found`. */
async function stateOf(review: () => Promise<Review>): Promise<Review["state"]> {
  try {
    return (await review()).state;
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
