/** @jsxImportSource hono/jsx */
import type { ConfirmCorrection } from "../../../../core/pending/changes.ts";
import type { Review } from "../../../../core/pending/confirm.ts";
import { Fault } from "../../../../core/fault.ts";
import { positionDoubt } from "../../../../places/places.ts";
import { parse } from "../../../../core/input.ts";
import { frequencyInput } from "../../../../core/zones/zone.ts";
import type { Service } from "../../../../core/service/service.ts";
import { correctionFrom, EDITOR_FIELDS } from "../../form/alert-editor.tsx";
import { EMPTY_FORM } from "../../form/field.tsx";
import { readForm, readAnyBody } from "../../form/form.ts";
import {
  type PageContext,
  local,
  type Page,
  type Web,
  onError,
  type RouteHandler,
} from "../../layout/layout.tsx";
import {
  allowedPage,
  isAllowed,
  notMePage,
  stoppedEmailsPage,
  allowedLink,
  REQUEST_ID,
  withWaitingList,
} from "./waiting-list.tsx";
import { outcomePage } from "./outcome.tsx";
import { loadThumbnails, storePhotos } from "../../form/photo-field.tsx";
import { sendPhoto } from "../../layout/photo-response.ts";
import { withPlaceErrors } from "../../form/location-field.tsx";
import { type Editing, FROM_PAGE, reviewPage } from "./review.tsx";
import { lastPage, withNotice } from "../../components/elements.tsx";

const FREQUENCY = "frequency";

/** Pages behind the links of confirmation emails. GET shows, POST acts. */
export function confirmRoutes({ get, post, service }: Web): void {
  get("/confirm/:token", async (c, ctx, { token }) => {
    const hasRemovals = c.req.query(REMOVALS) !== undefined;
    const notice = otherSpellingNotice(ctx, c.req.query(OUTCOME));
    // The alert may be gone, but the link still lists what else waits.
    const gonePage = async (error: Fault) => {
      const page = lastPage(ctx, ctx.t.confirm.expiredTitle, [error.message]);
      return withNotice(await withList(ctx, token, page), notice);
    };
    onError(c, gonePage, ["not_found"]);
    const review = await service.confirmation.review(token);
    const editing = await editingOf(service, review);
    return withNotice(await pageOf(ctx, token, review, editing, hasRemovals), notice);
  });

  get("/confirm/:token/photos/:file", (c, _, { token, file }) =>
    sendPhoto(c, file, (name, size) => service.confirmation.draftPhoto(token, name, size)),
  );

  const confirm: RouteHandler<"/confirm/:token"> = async (c, ctx, { token }) => {
    const form = await readAnyBody(c, [...EDITOR_FIELDS, FREQUENCY, FROM_PAGE]);
    let photos = form.kept;
    let own: readonly string[] = [];
    const again = async (error: Fault) => {
      const draft = { values: form.values, error: withPlaceErrors(error) };
      const editing = { draft, photos: await loadThumbnails(service, photos, own), doubt: null };
      return pageOf(ctx, token, await service.confirmation.review(token), editing);
    };
    onError(c, again, ["not_found", "gone"]);
    const before = await service.confirmation.review(token);
    let correction: ConfirmCorrection = {};
    if (isPublication(before)) {
      own = before.action.photos;
      const { refs, refusal } = await storePhotos(service, form, c.get("caller"));
      photos = refs;
      if (refusal !== null) throw refusal;
      correction = correctionFrom(service, form.values, before.action.draft, refs);
    }
    if (before.state === "waiting" && before.action.kind === "zone")
      correction = parse(frequencyInput.partial(), form.values);
    const review = await service.confirmation.confirm(token, correction);
    return form.values[FROM_PAGE] === undefined
      ? pageOf(ctx, token, review, NOTHING_EDITED)
      : `${local(ctx.links.confirm(token))}${removalsQuery(review)}`;
  };
  post("/confirm/:token", confirm, { isForPrograms: true });

  get("/confirm/:token/not-me", async (c, ctx, { token }) => {
    const isStopped = await service.confirmation.canAllowEmails(token);
    if (!isStopped && isAllowed(c)) return withList(ctx, token, allowedPage(ctx));
    const state = await stateOf(() => service.confirmation.review(token));
    if (isStopped) return withList(ctx, token, stoppedPage(ctx, token, state));
    return notMePage(ctx, state === "done");
  });

  post("/confirm/:token/not-me", async (_, ctx, { token }) => {
    await service.confirmation.disown(token);
    return ctx.links.notMe(token);
  });

  post("/confirm/:token/allow", async (_, ctx, { token }) => {
    await service.confirmation.allowEmails(token);
    return allowedLink(ctx.links.notMe(token));
  });

  post("/confirm/:token/other-spelling", async (c, ctx, { token }) => {
    const form = await readForm(c, [REQUEST_ID]);
    const outcome = await service.confirmation.sendToOtherSpelling(token, form[REQUEST_ID] ?? "");
    return `${ctx.links.confirm(token)}?${OUTCOME}=${outcome}`;
  });

  async function withList(ctx: PageContext, token: string, page: Page): Promise<Page> {
    const { otherSpellings: requests, ...own } = await service.confirmation.waitingBehind(token);
    return withWaitingList(page, own, { requests, link: ctx.links.confirm(token) });
  }

  async function pageOf(
    ctx: PageContext,
    token: string,
    review: Review,
    editing: Editing,
    hasRemovals = false,
  ): Promise<Page> {
    return withList(ctx, token, ownPage(ctx, token, review, editing, hasRemovals));
  }

  function ownPage(
    ctx: PageContext,
    token: string,
    review: Review,
    editing: Editing,
    hasRemovals: boolean,
  ): Page {
    switch (review.state) {
      case "waiting":
        return reviewPage(ctx, token, review, editing);
      case "done":
        return outcomePage(ctx, review.outcome, hasRemovals);
      case "disowned":
        return stoppedEmailsPage(ctx, ctx.links.confirm(token), ctx.t.confirm.disowned);
      case "expired": {
        const { expiredTitle, expired, expiredNext } = ctx.t.confirm;
        return lastPage(ctx, expiredTitle, [expired, expiredNext]);
      }
    }
  }
}

/** Query parameter of the page after an email to another spelling was to be sent. */
const OUTCOME = "email";

function otherSpellingNotice({ t }: PageContext, outcome = ""): string | null {
  const { sent, full, not_listed } = t.confirm.otherSpellings;
  return new Map(Object.entries({ sent, full, not_listed })).get(outcome) ?? null;
}

/** Query parameter of the result's page: contact details were removed from the changes. */
const REMOVALS = "without";

function removalsQuery(review: Review): string {
  const { outcome } = review.state === "done" ? review : { outcome: null };
  return outcome?.kind === "publish" && outcome.removed.length > 0 ? `?${REMOVALS}` : "";
}

/** Page that says emails are stopped, with a button to allow them again. */
function stoppedPage(ctx: PageContext, token: string, state: Review["state"]): Page {
  const { stopped, stoppedLate } = ctx.t.notMe;
  const link = ctx.links.confirm(token);
  return stoppedEmailsPage(ctx, link, state === "done" ? stoppedLate : stopped);
}

/** State of a request; the alert of a waiting message may have been removed. Throws `not_found`. */
async function stateOf(review: () => Promise<Review>): Promise<Review["state"]> {
  try {
    return (await review()).state;
  } catch (error) {
    if (error instanceof Fault && error.code === "gone") return "waiting";
    throw error;
  }
}

const NOTHING_EDITED: Editing = { draft: EMPTY_FORM, photos: [], doubt: null };

async function editingOf(service: Service, review: Review): Promise<Editing> {
  if (!isPublication(review)) return NOTHING_EDITED;
  const { photos, draft } = review.action;
  return {
    draft: EMPTY_FORM,
    photos: await loadThumbnails(service, photos, photos),
    doubt: positionDoubt(service.places.locate, draft, draft.city, draft.countryCode),
  };
}

type WaitingPublication = Extract<Review, { state: "waiting" }> & {
  readonly action: { readonly kind: "publish" };
};

function isPublication(review: Review): review is WaitingPublication {
  return review.state === "waiting" && review.action.kind === "publish";
}
