/** @jsxImportSource hono/jsx */
import type { Context } from "hono";
import { Fault, type FaultCode } from "../../../core/fault.ts";
import { badInput } from "../../../core/input.ts";
import type { Caller } from "../../../core/limits.ts";
import { PHOTOS_MAX } from "../../../core/alerts/publication.ts";
import { ATTACHED_PHOTOS_MAX } from "../../../core/photos/photos.ts";
import type { Service } from "../../../core/service/service.ts";
import { faultMessage, fieldMessage, type FormState, useForm } from "./field.tsx";
import { POSITION_FIELDS } from "./location-field.tsx";
import { type FormValues, PHOTO_FILES, PHOTO_KEPT, type PhotoForm, readPhotoForm } from "./form.ts";
import { onError, type Page, type PageContext, usePage, type WebEnv } from "../layout/layout.tsx";

/** Stored photo as a data URL: it may have no public URL yet. */
export type StoredPhoto = { readonly ref: string; readonly src: string };

/** Name of the field for the photo shown first. */
export const PHOTO_FIRST = "first";
const FIELD = `field-${PHOTO_FILES}`;

/** Form as it was sent, with its photos stored. */
type ReceivedForm = {
  readonly values: FormValues;
  /** Tickets of new photos and names of published ones, in display order. */
  readonly refs: readonly string[];
};
type PhotoFormOptions = {
  readonly fields: readonly string[];
  readonly max?: number;
  /** Names of the photos that the alert has published. */
  readonly own?: readonly string[];
  /** Errors that the page of the form does not show. */
  readonly except?: readonly FaultCode[];
};

/**
 * Reads a form with photos and stores them. From then on, errors show the page of the form again with what was typed and
 * with the photos. Throws the error of the first photo that was rejected, after the others were stored.
 */
export async function receivePhotoForm(
  c: Context<WebEnv>,
  service: Service,
  { fields, max = PHOTOS_MAX, own = [], except = [] }: PhotoFormOptions,
  page: (draft: FormState, kept: readonly StoredPhoto[], error: Fault) => Page | Promise<Page>,
): Promise<ReceivedForm> {
  const form = await readPhotoForm(c, fields);
  const { values } = form;
  const { refs, refusal } = await storePhotos(service, form, c.get("caller"), max);
  onError(
    c,
    async (error) => page({ values, error }, await loadThumbnails(service, refs, own), error),
    except,
  );
  if (refusal !== null) throw refusal;
  return { values, refs };
}

/** Photos stored for a form, and the error of the first one that was rejected. */
type StoredPhotos = {
  /** Tickets of new photos and names of published ones, in display order. */
  readonly refs: readonly string[];
  readonly refusal: Fault | null;
};

/** Stores the photos of a form. A rejected photo, or one too many, does not stop the others. */
export async function storePhotos(
  service: Service,
  { values, kept, files }: PhotoForm,
  caller: Caller,
  max = PHOTOS_MAX,
): Promise<StoredPhotos> {
  const refs = new Set(kept.slice(0, max));
  let refusal: Fault | null = null;
  // Rejected files cost time too, so at most `max` files are read.
  for (const [at, file] of files.entries()) {
    if (refs.size === max || at === max) {
      refusal ??= badInput([{ field: PHOTO_FILES, reason: { kind: "at_most", limit: max } }]);
      break;
    }
    try {
      refs.add(await service.photos.upload(file, caller));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      refusal ??= error;
    }
  }
  const first = values[PHOTO_FIRST];
  if (first === undefined || !refs.has(first)) return { refs: [...refs], refusal };
  return { refs: [...new Set([first, ...refs])], refusal };
}

/** Thumbnails of stored photos; `own` are names the alert has published. Missing photos are skipped. */
export async function loadThumbnails(
  service: Service,
  refs: readonly string[],
  own: readonly string[] = [],
): Promise<StoredPhoto[]> {
  const photos: StoredPhoto[] = [];
  for (const ref of refs) {
    const bytes = await service.photos.thumbnail(ref, own);
    if (bytes !== null) photos.push({ ref, src: `data:image/webp;base64,${bytes.toBase64()}` });
  }
  return photos;
}

/** Photo field: choose files, drop stored photos or put one first. The position in a photo may set the pin of the form. */
export function PhotoField({
  kept,
  max = PHOTOS_MAX,
  hint,
}: {
  kept: readonly StoredPhoto[];
  max?: number;
  hint?: string;
}) {
  const ctx = usePage();
  const text = ctx.t.photoField;
  const wrong = photoError(ctx, useForm().draft);
  return (
    <fieldset class="photos">
      <legend>{text.legend}</legend>
      {kept.length > 0 && (
        <ul class="kept">
          {kept.map((photo, at) => (
            <Kept photo={photo} count={at + 1} of={kept.length} />
          ))}
        </ul>
      )}
      <label for={FIELD}>{kept.length === 0 ? text.choose : text.add}</label>
      <p class="hint" id={`${FIELD}-hint`}>
        {hint ?? text.hint({ max })}
      </p>
      {wrong !== null && (
        <p class="wrong" id={`${FIELD}-wrong`}>
          {wrong}
        </p>
      )}
      <input
        id={FIELD}
        name={PHOTO_FILES}
        type="file"
        accept="image/*"
        multiple
        aria-describedby={wrong === null ? `${FIELD}-hint` : `${FIELD}-hint ${FIELD}-wrong`}
        aria-invalid={wrong === null ? undefined : "true"}
        data-photos
        data-max={max - kept.length}
        data-status="#photos-status"
        data-preview={text.preview({ count: "{count}" })}
        data-remove={text.remove}
        data-first={text.makeFirst}
        data-shrinking={text.shrinking}
        data-too-many={text.tooMany}
        data-unreadable={text.unreadable}
        data-heic={text.heic}
        {...POSITION_FIELDS}
        data-position-ask={text.positionAsk}
        data-position-yes={text.positionYes}
        data-position-no={text.positionNo}
      />
      <p id="photos-status" class="hint" role="status"></p>
    </fieldset>
  );
}

/** Error message of the photo field. */
function photoError({ t }: PageContext, { error: formError }: FormState): string | null {
  const wrong = formError?.fields.find(({ field }) => field === PHOTO_FILES);
  if (wrong) return fieldMessage(t, t.photoField.legend, wrong.reason);
  return formError?.why?.reason.startsWith("photo") ? faultMessage(t, formError) : null;
}

function Kept({ photo, count, of }: { photo: StoredPhoto; count: number; of: number }) {
  const { t } = usePage();
  const text = t.photoField;
  return (
    <li>
      <img src={photo.src} alt={text.preview({ count })} />
      <label class="tick">
        <input type="checkbox" name={PHOTO_KEPT} value={photo.ref} checked />
        {text.keep({ count })}
      </label>
      {of > 1 && (
        <label class="tick">
          <input type="radio" name={PHOTO_FIRST} value={photo.ref} checked={count === 1} />
          {text.first({ count })}
        </label>
      )}
    </li>
  );
}

/** Photo field of a message or a sighting. */
export function AttachedPhotos(props: {
  kept: readonly StoredPhoto[];
  audience: "everyone" | "two";
}) {
  const { attachedHint } = usePage().t.photoField;
  const max = ATTACHED_PHOTOS_MAX;
  return <PhotoField kept={props.kept} max={max} hint={attachedHint[props.audience]({ max })} />;
}
