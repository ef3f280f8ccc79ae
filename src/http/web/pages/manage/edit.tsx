/** @jsxImportSource hono/jsx */
import type { Fault } from "../../../../core/fault.ts";
import type { ManagedAlert } from "../../../../core/owners/owner.ts";
import {
  correctionFrom,
  Editor,
  EDITOR_FIELDS,
  editorDraft,
  editorLabels,
} from "../../form/alert-editor.tsx";
import { EMPTY_FORM, Form, formPage, type FormState } from "../../form/field.tsx";
import { readPhotoForm } from "../../form/form.ts";
import {
  type PageContext,
  local,
  type Page,
  seeOther,
  showAgain,
  type Web,
} from "../../layout/layout.tsx";
import { loadThumbnails, storePhotos, type StoredPhoto } from "../../form/photo-field.tsx";
import { withPlaceErrors } from "../../form/location-field.tsx";

/** Edit page of a live or expired alert, behind the owner's private link. */
export function editRoutes({ get, post, service }: Web): void {
  get("/manage/:token/edit", async (c, ctx) => {
    const token = c.req.param("token");
    const managed = await service.managedAlert(token);
    if (!managed.canEdit) return seeOther(c, local(ctx.links.manage(token)));
    const photos = await loadThumbnails(service, managed.photos, managed.photos);
    return editPage(ctx, token, managed, photos, EMPTY_FORM);
  });

  post("/manage/:token/edit", async (c, ctx) => {
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
      const kept = await loadThumbnails(service, photos.refs, managed.photos);
      const again = (fault: Fault) =>
        editPage(ctx, token, managed, kept, { values: form.values, error: withPlaceErrors(fault) });
      return showAgain(c, ctx, error, again, ["not_found", "gone"]);
    }
  });
}

function editPage(
  ctx: PageContext,
  token: string,
  { alert }: ManagedAlert,
  photos: readonly StoredPhoto[],
  typed: FormState,
): Page {
  const { t, links } = ctx;
  const here = local(links.manage(token));
  const draft = editorDraft(alert, typed);
  const labels = editorLabels(ctx, alert.type);
  return formPage(ctx, draft, {
    title: t.edit.title,
    access: "private",
    scripts: ["map", "town", "photos"],
    body: (
      <>
        <Form action={`${here}/edit`} draft={draft} labels={labels} hasFiles>
          <Editor alert={alert} photos={photos} />
          <button type="submit">{t.edit.button}</button>
        </Form>
        <p>
          <a href={here}>{t.edit.back}</a>
        </p>
      </>
    ),
  });
}
