/** @jsxImportSource hono/jsx */
import { LinkLine } from "../../components/elements.tsx";
import type { ManagedAlert } from "../../../../core/owners/owner.ts";
import {
  correctionFrom,
  Editor,
  EDITOR_FIELDS,
  editorDraft,
  editorLabels,
} from "../../form/alert-editor.tsx";
import { EMPTY_FORM, Form, formPage, type FormState } from "../../form/field.tsx";
import { type PageContext, local, type Page, type Web } from "../../layout/layout.tsx";
import { loadThumbnails, type StoredPhoto, receivePhotoForm } from "../../form/photo-field.tsx";
import { withPlaceErrors } from "../../form/location-field.tsx";

/** Edit page of a live or expired alert, behind the owner's private link. */
export function editRoutes({ get, post, service }: Web): void {
  get("/manage/:token/edit", async (_, ctx, { token }) => {
    const managed = await service.owners.managedAlert(token);
    if (!managed.canEdit) return ctx.links.manage(token);
    const photos = await loadThumbnails(service, managed.photos, managed.photos);
    return editPage(ctx, token, managed, photos, EMPTY_FORM);
  });

  post("/manage/:token/edit", async (c, ctx, { token }) => {
    const managed = await service.owners.managedAlert(token);
    const options = { fields: EDITOR_FIELDS, own: managed.photos, except: EXCEPT };
    const form = await receivePhotoForm(c, service, options, ({ values }, kept, error) =>
      editPage(ctx, token, managed, kept, { values, error: withPlaceErrors(error) }),
    );
    const correction = correctionFrom(service, form.values, managed.alert, form.refs);
    const removed = await service.owners.edit(token, correction);
    const done = removed.length === 0 ? "edit" : "edit-without";
    return `${ctx.links.manage(token)}?done=${done}`;
  });
}

/** Errors of the link, which has no page to edit. */
const EXCEPT = ["not_found", "gone"] as const;

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
        <LinkLine to={here} label={t.edit.back} />
      </>
    ),
  });
}
