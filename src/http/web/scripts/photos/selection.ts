import { button, element, message } from "../dom/elements.ts";

/** Photo that will be sent, and its `blob:` URL; null if this browser cannot display it. */
type Photo = { readonly file: File; readonly url: string | null };

/**
 * Photos chosen so far: the files of the input, listed after it with a button to remove each and, except for the first,
 * one to show it first. Texts of the input: `data-preview` with `{count}` from 1, `data-remove` and `data-first`.
 */
export function createSelection(input: HTMLInputElement) {
  let photos: readonly Photo[] = [];
  const list = element("ul", { className: "photo-previews" });
  input.after(list);

  const show = () => {
    setFiles(input, photos);
    list.replaceChildren(...photos.map(itemOf));
    list.hidden = photos.length === 0;
  };
  const remove = (index: number) => {
    release(photos[index]!);
    photos = photos.filter((_, at) => at !== index);
    show();
    focusOn(Math.min(index, photos.length - 1));
  };
  const putFirst = (index: number) => {
    photos = [photos[index]!, ...photos.filter((_, at) => at !== index)];
    show();
    focusOn(0);
  };
  /** The pressed button no longer exists, so the focus moves to the one that took its place. */
  const focusOn = (index: number) => {
    (list.children[index]?.querySelector("button") ?? input).focus();
  };
  const itemOf = (photo: Photo, index: number) => {
    const name = message(input, "preview", { count: index + 1 });
    const labelled = (label: string, onClick: () => void) => {
      const created = button(label, "quiet", onClick);
      // Out of context the label does not say which photo is meant.
      created.setAttribute("aria-label", `${label}: ${name}`);
      return created;
    };
    const item = element("li", {}, previewOf(photo, name));
    item.append(labelled(message(input, "remove"), () => remove(index)));
    if (index > 0) item.append(labelled(message(input, "first"), () => putFirst(index)));
    return item;
  };

  return {
    show,
    count: () => photos.length,
    add(file: File, { canDisplay }: { canDisplay: boolean }) {
      photos = [...photos, { file, url: canDisplay ? URL.createObjectURL(file) : null }];
      show();
    },
    clear() {
      photos.forEach(release);
      photos = [];
      show();
    },
  };
}

/** Sets the files of an input, which fires no event. */
function setFiles(input: HTMLInputElement, photos: readonly Photo[]): void {
  const transfer = new DataTransfer();
  for (const { file } of photos) transfer.items.add(file);
  input.files = transfer.files;
}

function release({ url }: Photo): void {
  if (url !== null) URL.revokeObjectURL(url);
}

function previewOf({ file, url }: Photo, name: string): HTMLElement {
  return url === null
    ? element("span", { textContent: file.name })
    : element("img", { src: url, alt: name });
}
