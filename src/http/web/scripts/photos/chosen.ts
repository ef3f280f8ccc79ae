import { sentence } from "../sentences.ts";

/** A picture that will be sent, with a `blob:` address to look at it; null where this browser cannot show it. */
type Picture = { readonly file: File; readonly url: string | null };

/**
 * The pictures that were chosen so far: they are the files of the input, and are shown behind it, each with a button
 * that takes it out and, but for the first, one that puts it first. Words of the input: `data-preview` with `{count}`,
 * from 1, `data-remove` and `data-first`.
 */
export function createChosen(input: HTMLInputElement) {
  let pictures: readonly Picture[] = [];
  const list = document.createElement("ul");
  list.className = "photo-previews";
  input.after(list);

  const show = () => {
    putInto(input, pictures);
    list.replaceChildren(...pictures.map(entryOf));
    list.hidden = pictures.length === 0;
  };
  const remove = (index: number) => {
    forget(pictures[index]!);
    pictures = pictures.toSpliced(index, 1);
    show();
    focusOn(Math.min(index, pictures.length - 1));
  };
  const putFirst = (index: number) => {
    pictures = [pictures[index]!, ...pictures.toSpliced(index, 1)];
    show();
    focusOn(0);
  };
  /** The pressed button is gone by then; its place in the order of focus is not. */
  const focusOn = (index: number) => {
    (list.children[index]?.querySelector("button") ?? input).focus();
  };
  const entryOf = (picture: Picture, index: number) => {
    const name = sentence(input, "preview", { count: index + 1 });
    const entry = document.createElement("li");
    entry.append(pictureOf(picture, name));
    entry.append(button(sentence(input, "remove"), name, () => remove(index)));
    if (index > 0) entry.append(button(sentence(input, "first"), name, () => putFirst(index)));
    return entry;
  };

  return {
    show,
    count: () => pictures.length,
    add(file: File, look: "shown" | "unseen") {
      const url = look === "shown" ? URL.createObjectURL(file) : null;
      pictures = [...pictures, { file, url }];
      show();
    },
    clear() {
      pictures.forEach(forget);
      pictures = [];
      show();
    },
  };
}

/** Makes pictures the files of an input, which tells nobody. */
function putInto(input: HTMLInputElement, pictures: readonly Picture[]): void {
  const transfer = new DataTransfer();
  for (const { file } of pictures) transfer.items.add(file);
  input.files = transfer.files;
}

function forget({ url }: Picture): void {
  if (url !== null) URL.revokeObjectURL(url);
}

function pictureOf({ file, url }: Picture, name: string): HTMLElement {
  if (url === null) {
    const words = document.createElement("span");
    words.textContent = file.name;
    return words;
  }
  const image = document.createElement("img");
  image.src = url;
  image.alt = name;
  return image;
}

/** A button whose words say more to those who do not see what it stands under. */
function button(words: string, name: string, act: () => void): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  button.textContent = words;
  button.setAttribute("aria-label", `${words}: ${name}`);
  button.addEventListener("click", act);
  return button;
}
