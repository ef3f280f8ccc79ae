import { Hono } from "hono";
import type { Review } from "../../core/confirming.ts";
import { Fault } from "../../core/fault.ts";
import type { Correction } from "../../core/publication.ts";
import type { Service } from "../../core/service.ts";
import { corrections, EDITOR_FIELDS } from "./editor.tsx";
import { readForm, readPhotoForm } from "./form.ts";
import {
  type Frame,
  keepPrivate,
  type Page,
  show,
  showFault,
  type Web,
  type WebEnv,
} from "./frame.tsx";
import { lastPage } from "./last-page.tsx";
import { allowedPage, disownedPage, notMePage } from "./not-me.tsx";
import { outcomePage } from "./outcome.tsx";
import { drawn, keepPhotos } from "./photo-field.tsx";
import { photoNamed, sendPhoto } from "./photos.ts";
import { byPlace } from "./place-field.tsx";
import { type Editing, reviewPage } from "./review.tsx";

/** The pages behind the links of confirmation letters. GET shows, POST acts. */
export function createConfirm({ service, frameOf }: Web): Hono<WebEnv> {
  const confirm = new Hono<WebEnv>();

  confirm.get("/confirm/:token", async (c) => {
    const frame = frameOf(c);
    const token = c.req.param("token");
    const review = await service.review(token);
    return show(c, frame, pageOf(frame, token, review, await editingOf(service, review)));
  });

  confirm.get("/confirm/:token/photos/:file", async (c) => {
    const photo = photoNamed(c.req.param("file"));
    const token = c.req.param("token");
    const bytes = photo === null ? null : await service.draftPhoto(token, photo.name, photo.size);
    if (bytes === null) throw new Fault("not_found", { reason: "photo_unknown" });
    keepPrivate(c);
    return sendPhoto(c, bytes);
  });

  confirm.post("/confirm/:token", async (c) => {
    const frame = frameOf(c);
    const token = c.req.param("token");
    const form = await readPhotoForm(c, EDITOR_FIELDS);
    let photos: readonly string[] = form.kept;
    try {
      const before = await service.review(token);
      let correction: Correction = {};
      if (isPublication(before)) {
        const { names, refusal } = await keepPhotos(service, form, c.get("caller"));
        photos = names;
        if (refusal !== null) throw refusal;
        correction = await corrections(service, form.given, before.wish.draft, names);
      }
      const review = await service.confirm(token, correction);
      return show(c, frame, pageOf(frame, token, review, NOTHING_EDITED));
    } catch (error) {
      if (!(error instanceof Fault) || error.code === "not_found" || error.code === "gone")
        throw error;
      const refused = { given: form.given, trouble: byPlace(error) };
      const editing = { refused, photos: await drawn(service, photos) };
      const page = pageOf(frame, token, await service.review(token), editing);
      return showFault(c, frame, error, page);
    }
  });

  confirm.get("/confirm/:token/not-me", async (c) => {
    const frame = frameOf(c);
    const state = await stateOf(() => service.review(c.req.param("token")));
    return show(c, frame, notMePage(frame, state === "done"));
  });

  confirm.post("/confirm/:token/not-me", async (c) => {
    const frame = frameOf(c);
    await readForm(c, []);
    const token = c.req.param("token");
    await service.disown(token);
    const { state } = await service.review(token);
    const { stopped, stoppedLate } = frame.words.notMe;
    const link = frame.links.confirm(token);
    return show(c, frame, disownedPage(frame, link, state === "done" ? stoppedLate : stopped));
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

const NOTHING_EDITED: Editing = { refused: null, photos: [] };

async function editingOf(service: Service, review: Review): Promise<Editing> {
  const photos = isPublication(review) ? review.wish.photos : [];
  return { refused: null, photos: await drawn(service, photos) };
}

type WaitingPublication = Extract<Review, { state: "waiting" }> & {
  readonly wish: { readonly kind: "publish" };
};

function isPublication(review: Review): review is WaitingPublication {
  return review.state === "waiting" && review.wish.kind === "publish";
}

function pageOf(frame: Frame, token: string, review: Review, editing: Editing): Page {
  switch (review.state) {
    case "waiting":
      return reviewPage(frame, token, review, editing);
    case "done":
      return outcomePage(frame, review.outcome);
    case "disowned":
      return disownedPage(frame, frame.links.confirm(token), frame.words.confirm.disowned);
    case "expired":
      return expiredPage(frame);
  }
}

function expiredPage(frame: Frame): Page {
  const { expiredTitle, expired, expiredNext } = frame.words.confirm;
  return lastPage(frame, { title: expiredTitle, said: [expired, expiredNext] });
}
