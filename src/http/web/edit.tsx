import { Hono } from "hono";
import { Fault } from "../../core/fault.ts";
import type { Managed } from "../../core/owning.ts";
import { corrections, Editor, EDITOR_FIELDS, editorLabels, type Refused } from "./editor.tsx";
import { TroubleBox } from "./field.tsx";
import { readPhotoForm } from "./form.ts";
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
import { drawn, keepPhotos, type KeptPhoto } from "./photo-field.tsx";
import { byPlace } from "./place-field.tsx";

/** Changing an alert that is live or has expired, behind the owner's private link. */
export function createEdit({ service, frameOf }: Web): Hono<WebEnv> {
  const edit = new Hono<WebEnv>();

  edit.get("/manage/:token/edit", async (c) => {
    const frame = frameOf(c);
    const token = c.req.param("token");
    const managed = await service.managed(token);
    if (!managed.canEdit) return seeOther(c, local(frame.links.manage(token)));
    const photos = await drawn(service, managed.photos);
    return show(c, frame, editPage(frame, token, managed, photos, null));
  });

  edit.post("/manage/:token/edit", async (c) => {
    const frame = frameOf(c);
    const token = c.req.param("token");
    const form = await readPhotoForm(c, EDITOR_FIELDS);
    const managed = await service.managed(token);
    const photos = await keepPhotos(service, form, c.get("caller"));
    try {
      if (photos.refusal !== null) throw photos.refusal;
      const correction = await corrections(service, form.given, managed.alert, photos.names);
      const removed = await service.edit(token, correction);
      const done = removed.length === 0 ? "edit" : "edit-without";
      return seeOther(c, `${local(frame.links.manage(token))}?done=${done}`);
    } catch (error) {
      if (!(error instanceof Fault) || error.code === "not_found" || error.code === "gone")
        throw error;
      const refused = { given: form.given, trouble: byPlace(error) };
      const page = editPage(frame, token, managed, await drawn(service, photos.names), refused);
      return showFault(c, frame, error, page);
    }
  });

  return edit;
}

function editPage(
  frame: Frame,
  token: string,
  { alert }: Managed,
  photos: readonly KeptPhoto[],
  refused: Refused,
): Page {
  const { words, links } = frame;
  const here = local(links.manage(token));
  return {
    title: refused === null ? words.edit.title : words.errorTitle(words.edit.title),
    access: "private",
    scripts: ["map", "town", "photos"],
    body: (
      <>
        <h1>{words.edit.title}</h1>
        <form method="post" action={`${here}/edit`} enctype="multipart/form-data">
          <TroubleBox
            frame={frame}
            trouble={refused?.trouble ?? null}
            labels={editorLabels(frame, alert.type)}
          />
          <Editor frame={frame} alert={alert} photos={photos} refused={refused} />
          <button type="submit">{words.edit.button}</button>
        </form>
        <p>
          <a href={here}>{words.edit.back}</a>
        </p>
      </>
    ),
  };
}
