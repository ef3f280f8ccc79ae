import { Fault } from "../../core/fault.ts";
import { badInput } from "../../core/input.ts";
import type { Caller } from "../../core/limit.ts";
import { PHOTOS_MAX } from "../../core/publication.ts";
import type { Service } from "../../core/service.ts";
import { faultInWords, fieldInWords } from "./fault-words.ts";
import type { Draft } from "./field.tsx";
import { PHOTO_FILES, PHOTO_KEPT, type PhotoForm } from "./form.ts";
import type { Frame } from "./frame.tsx";

/** A picture that is kept already, drawn into the page: it has no public address yet. */
export type KeptPhoto = { readonly name: string; readonly src: string };

/** The field that says which kept picture comes first. */
export const PHOTO_FIRST = "first";
const FIELD = `field-${PHOTO_FILES}`;

/** The pictures a form shall show, and what was wrong with the first that could not be kept. */
export type PhotosOfForm = {
  /** Names, the one wanted first in front. */
  readonly names: readonly string[];
  readonly refusal: Fault | null;
};

/** Keeps the pictures that came with a form: one that is refused, or one too many, keeps no other from being kept. */
export async function keepPhotos(
  service: Service,
  { given, kept, files }: PhotoForm,
  caller: Caller,
): Promise<PhotosOfForm> {
  const names = new Set(kept.slice(0, PHOTOS_MAX));
  let refusal: Fault | null = null;
  // Files that are refused take time as well: no more of them are looked at than could be kept.
  for (const [at, file] of files.entries()) {
    if (names.size === PHOTOS_MAX || at === PHOTOS_MAX) {
      refusal ??= TOO_MANY;
      break;
    }
    try {
      names.add(await service.keepPhoto(new Uint8Array(await file.arrayBuffer()), caller));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      refusal ??= error;
    }
  }
  const first = given[PHOTO_FIRST];
  if (first === undefined || !names.has(first)) return { names: [...names], refusal };
  return { names: [...new Set([first, ...names])], refusal };
}

const TOO_MANY = badInput([{ field: PHOTO_FILES, reason: { kind: "at_most", limit: PHOTOS_MAX } }]);

/** Kept pictures, ready to be drawn; those that are gone are left out. */
export async function drawn(service: Service, names: readonly string[]): Promise<KeptPhoto[]> {
  const photos: KeptPhoto[] = [];
  for (const name of names) {
    const bytes = await service.thumbnailOf(name);
    if (bytes !== null) photos.push({ name, src: `data:image/webp;base64,${bytes.toBase64()}` });
  }
  return photos;
}

/** Choosing pictures; those kept before can be left out or put first. */
export function PhotoField({
  frame,
  draft,
  kept,
  hasPlace,
}: {
  readonly frame: Frame;
  readonly draft: Draft;
  readonly kept: readonly KeptPhoto[];
  /** Whether the form has a pin that a picture's own position may set. */
  readonly hasPlace: boolean;
}) {
  const words = frame.words.photoField;
  const wrong = wrongWith(frame, draft);
  return (
    <fieldset class="photos">
      <legend>{words.legend}</legend>
      {kept.length > 0 && (
        <ul class="kept">
          {kept.map((photo, at) => (
            <Kept frame={frame} photo={photo} count={at + 1} of={kept.length} />
          ))}
        </ul>
      )}
      <label for={FIELD}>{kept.length === 0 ? words.choose : words.add}</label>
      <p class="hint" id={`${FIELD}-hint`}>
        {words.hint(PHOTOS_MAX)}
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
        data-max={PHOTOS_MAX - kept.length}
        data-status="#photos-status"
        data-preview={words.preview("{count}")}
        data-remove={words.remove}
        data-first={words.makeFirst}
        data-shrinking={words.shrinking}
        data-too-many={words.tooMany}
        data-unreadable={words.unreadable}
        {...(hasPlace
          ? {
              "data-lat-field": "#field-lat",
              "data-lng-field": "#field-lng",
              "data-position-ask": words.positionAsk,
              "data-position-yes": words.positionYes,
              "data-position-no": words.positionNo,
            }
          : {})}
      />
      <p id="photos-status" class="hint" role="status"></p>
    </fieldset>
  );
}

/** A picture that was refused says so by its own sentence. */
function wrongWith({ words }: Frame, { trouble }: Draft): string | null {
  const wrong = trouble?.fields.find(({ field }) => field === PHOTO_FILES);
  if (wrong) return fieldInWords(words, words.photoField.legend, wrong.reason);
  return trouble?.why?.reason.startsWith("photo") ? faultInWords(words, trouble) : null;
}

function Kept({
  frame,
  photo,
  count,
  of,
}: {
  readonly frame: Frame;
  readonly photo: KeptPhoto;
  readonly count: number;
  readonly of: number;
}) {
  const words = frame.words.photoField;
  return (
    <li>
      <img src={photo.src} alt={words.preview(count)} />
      <label class="tick">
        <input type="checkbox" name={PHOTO_KEPT} value={photo.name} checked />
        {words.keep(count)}
      </label>
      {of > 1 && (
        <label class="tick">
          <input type="radio" name={PHOTO_FIRST} value={photo.name} checked={count === 1} />
          {words.first(count)}
        </label>
      )}
    </li>
  );
}
