/** @jsxImportSource hono/jsx */
import { Fault } from "../../../../core/fault.ts";
import type { ManagedAlert } from "../../../../core/alerts/owner.ts";
import {
  correctionFrom,
  Editor,
  EDITOR_FIELDS,
  editorLabels,
  type RejectedForm,
} from "../../form/alert-editor.tsx";
import { ErrorSummary } from "../../form/field.tsx";
import { readPhotoForm } from "../../form/form.ts";
import {
  type PageContext,
  local,
  type Page,
  seeOther,
  renderPage,
  renderFault,
  type Web,
} from "../../layout.tsx";
import { loadThumbnails, storePhotos, type StoredPhoto } from "../../form/photo-field.tsx";
import { withPlaceErrors } from "../../form/location-field.tsx";

/** Edit page of a live or expired alert, behind the owner's private link. */
export function editRoutes({ app, service, contextOf }: Web): void {
  app.get("/manage/:token/edit", async (c) => {
    const ctx = contextOf(c);
    const token = c.req.param("token");
    const managed = await service.managedAlert(token);
    if (!managed.canEdit) return seeOther(c, local(ctx.links.manage(token)));
    const photos = await loadThumbnails(service, managed.photos, managed.photos);
    return renderPage(c, ctx, editPage(ctx, token, managed, photos, null));
  });

  app.post("/manage/:token/edit", async (c) => {
    const ctx = contextOf(c);
    const token = c.req.param("token");
    const form = await readPhotoForm(c, EDITOR_FIELDS);
    const managed = await service.managedAlert(token);
    const photos = await storePhotos(service, form, c.get("caller"));
    try {
      if (photos.refusal !== null) throw photos.refusal;
      const correction = await correctionFrom(service, form.values, managed.alert, photos.refs);
      const removed = await service.editAlert(token, correction);
      const done = removed.length === 0 ? "edit" : "edit-without";
      return seeOther(c, `${local(ctx.links.manage(token))}?done=${done}`);
    } catch (error) {
      if (!(error instanceof Fault) || error.code === "not_found" || error.code === "gone")
        throw error;
      const refused = { values: form.values, formError: withPlaceErrors(error) };
      const kept = await loadThumbnails(service, photos.refs, managed.photos);
      const page = editPage(ctx, token, managed, kept, refused);
      return renderFault(c, ctx, error, page);
    }
  });
}

function editPage(
  ctx: PageContext,
  token: string,
  { alert }: ManagedAlert,
  photos: readonly StoredPhoto[],
  refused: RejectedForm,
): Page {
  const { t, links } = ctx;
  const here = local(links.manage(token));
  return {
    title: refused === null ? t.edit.title : t.errorTitle(t.edit.title),
    access: "private",
    scripts: ["map", "town", "photos"],
    body: (
      <>
        <h1>{t.edit.title}</h1>
        <form method="post" action={`${here}/edit`} enctype="multipart/form-data">
          <ErrorSummary
            formError={refused?.formError ?? null}
            labels={editorLabels(ctx, alert.type)}
          />
          <Editor alert={alert} photos={photos} refused={refused} />
          <button type="submit">{t.edit.button}</button>
        </form>
        <p>
          <a href={here}>{t.edit.back}</a>
        </p>
      </>
    ),
  };
}
