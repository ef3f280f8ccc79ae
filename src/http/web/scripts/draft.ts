/**
 * Keeps what is typed into a form on the device until it has arrived, photos included, and sends the form.
 *
 *   <form data-draft="publish" data-restored="…" data-forget="Forget this" data-sending="Sending… {percent} %"
 *         data-offline="…">
 *
 * The draft is in IndexedDB: the values of the fields, whose point is on the public grid already, and the prepared photos,
 * which have no metadata. It is erased when the form has arrived, by `data-forget`, and after a week. Without a connection
 * the form waits, and is sent when there is one again; the server takes a form that arrives twice as one.
 */
import { button, element } from "./elements.ts";
import { message } from "./messages.ts";

/** What is kept of a form. */
type Draft = {
  readonly savedAt: number;
  readonly values: readonly (readonly [name: string, value: string])[];
  readonly files: readonly File[];
};

const KEEP_MS = 7 * 24 * 60 * 60 * 1000;
const SAVE_AFTER_MS = 400;
const STORE = "drafts";

const form = document.querySelector<HTMLFormElement>("form[data-draft]");
if (form && "indexedDB" in window) void keepDraft(form).catch(() => {});

async function keepDraft(of: HTMLFormElement): Promise<void> {
  const database = await opened();
  const name = of.dataset["draft"]!;
  const photos = of.querySelector<HTMLInputElement>("input[data-photos]");
  const status = element("p", { className: "notice" });
  status.setAttribute("role", "status");
  status.hidden = true;
  of.prepend(status);

  let isSent = false;
  let timer = 0;
  const save = () => {
    if (isSent) return;
    void put(database, name, {
      savedAt: Date.now(),
      values: valuesOf(of),
      files: [...(photos?.files ?? [])],
    });
  };
  const saveSoon = () => {
    clearTimeout(timer);
    timer = window.setTimeout(save, SAVE_AFTER_MS);
  };
  const forget = async () => {
    clearTimeout(timer);
    await put(database, name, null);
  };
  const tell = (text: string, ...more: Node[]) => {
    status.hidden = false;
    status.replaceChildren(text, ...more);
  };

  // A form that came back with errors holds newer answers than the draft.
  const draft = document.querySelector(".trouble") ? null : await get(database, name);
  if (draft && Math.abs(Date.now() - draft.savedAt) < KEEP_MS) {
    restore(of, photos, draft);
    const drop = button(message(of, "forget"), "quiet", () => {
      void forget().then(() => location.reload());
    });
    tell(`${message(of, "restored")} `, drop);
  } else if (draft) await forget();

  of.addEventListener("input", saveSoon);
  of.addEventListener("change", saveSoon);
  of.addEventListener("prepared", saveSoon);
  window.addEventListener("pagehide", save);

  const send = () => {
    save();
    const request = new XMLHttpRequest();
    request.open("POST", of.action);
    request.upload.addEventListener("progress", ({ loaded, total }) =>
      tell(message(of, "sending", { percent: Math.round((100 * loaded) / Math.max(1, total)) })),
    );
    request.addEventListener("load", () => {
      const isDone = request.status < 400 && request.responseURL !== of.action;
      // The page with the errors comes as the answer to a form, which only the browser itself can show.
      if (!isDone) return of.submit();
      isSent = true;
      void forget().then(() => location.assign(request.responseURL));
    });
    request.addEventListener("error", () => {
      tell(message(of, "offline"));
      window.addEventListener("online", send, { once: true });
    });
    request.send(new FormData(of));
    tell(message(of, "sending", { percent: 0 }));
  };
  of.addEventListener("submit", (event) => {
    if (event.defaultPrevented) return;
    event.preventDefault();
    send();
  });
}

function valuesOf(of: HTMLFormElement): (readonly [string, string])[] {
  return [...new FormData(of)].flatMap(([name, value]) =>
    typeof value === "string" && value !== "" ? [[name, value] as const] : [],
  );
}

function restore(of: HTMLFormElement, photos: HTMLInputElement | null, draft: Draft): void {
  for (const [name, value] of draft.values) {
    const field = of.elements.namedItem(name);
    if (field instanceof RadioNodeList) field.value = value;
    else if (
      field instanceof HTMLInputElement ||
      field instanceof HTMLSelectElement ||
      field instanceof HTMLTextAreaElement
    )
      field.value = value;
    if (field instanceof HTMLElement) field.closest("details")?.setAttribute("open", "");
  }
  // The map follows the place, once all of its fields have their values.
  for (const [name] of draft.values) {
    const field = of.elements.namedItem(name);
    if (field instanceof HTMLElement) field.dispatchEvent(new Event("change", { bubbles: true }));
  }
  // As they are: prepared once more they would be other files, and the form another one to the server.
  if (!photos?.files?.length)
    photos?.dispatchEvent(new CustomEvent("restore", { detail: draft.files }));
}

function opened(): Promise<IDBDatabase> {
  const request = indexedDB.open("pet-alert", 1);
  request.addEventListener("upgradeneeded", () => request.result.createObjectStore(STORE));
  return settled(request);
}

function get(database: IDBDatabase, name: string): Promise<Draft | undefined> {
  return settled(database.transaction(STORE).objectStore(STORE).get(name));
}

function put(database: IDBDatabase, name: string, draft: Draft | null): Promise<unknown> {
  const store = database.transaction(STORE, "readwrite").objectStore(STORE);
  return draft === null ? settled(store.delete(name)) : settled(store.put(draft, name));
}

function settled<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("no database")));
  });
}
