/**
 * Keeps what is typed into a form on the device until it has arrived, photos included, and sends the form.
 *
 *   <form data-draft="publish-lost" data-restored="…" data-forget="Forget this" data-sending="Sending… {percent} %"
 *         data-offline="…" data-busy="…" data-failed="…" data-private="email microchip" data-worker>
 *
 * The draft is in IndexedDB: the values of the fields, whose point is on the public grid already, and the prepared photos,
 * which have no metadata. The fields of `data-private` are in sessionStorage, which ends with the tab, until the form was
 * sent in vain: others may use the device. It is erased when the form has arrived, by `data-forget`, and after twelve hours.
 * Where the connection is lost or the server is busy, the form waits and is sent again, with the same idempotency key, by
 * which the server takes a form that arrives twice as one. "Today" and "yesterday" of a group of radio buttons `day` become a date in the field
 * `eventDate` once another day has begun, and the "2" hours ago or "last_night" of a list `hoursAgo` a day and an hour in
 * the fields `seenDay` and `seenHour` once half an hour has passed. With `data-worker`, the service worker sends a form that
 * could not be sent, once its page is closed (worker.ts).
 */
import { button, element, message } from "./dom/elements.ts";
import {
  DAY_MS,
  type Draft,
  isFresh,
  localDay,
  openDrafts,
  seenTime,
  SEND_EVENT,
} from "./kept-drafts.ts";
import { isPrepared } from "./photos/redrawn.ts";

const SAVE_AFTER_MS = 400;
/** Longer than the server waits for a form. */
const SEND_MS_MAX = 180_000;
/** Waits before a form is sent again while the device says that it has a connection. After them, people decide. */
const RETRY_MS = [5_000, 20_000, 60_000];

const form = document.querySelector<HTMLFormElement>("form[data-draft]");
if (form && "indexedDB" in window) void keepDraft(form).catch(() => {});

async function keepDraft(of: HTMLFormElement): Promise<void> {
  const name = of.dataset["draft"]!;
  const photos = of.querySelector<HTMLInputElement>("input[data-photos]");
  const notice = statusLine();
  const key = element("input", { type: "hidden", name: "idempotencyKey", value: newKey() });
  of.prepend(notice, key);
  let isTyped = false;
  /** Marks the draft as one that was sent in vain. */
  let toSend: Partial<Pick<Draft, "savedAt" | "sendTo">> | null = null;
  const privateNames = (of.dataset["private"] ?? "").split(" ");
  const isPrivate = (field: string) => privateNames.includes(field);
  let timer = 0;
  const saveAfter = (ms: number) => {
    isTyped = true;
    clearTimeout(timer);
    timer = window.setTimeout(() => void save(), ms);
  };
  // People type while the database opens, too. What scripts fill in meanwhile is not kept.
  let isRead = false;
  for (const event of ["input", "change", "prepared"])
    of.addEventListener(event, ({ isTrusted }) => {
      // A form that was sent in vain and edited is another one to the server.
      if (isTrusted) key.value = newKey();
      // A field that was left is saved at once: what is saved while a page closes may not arrive.
      if (isRead || isTrusted) saveAfter(event === "input" ? SAVE_AFTER_MS : 0);
    });

  const opening = openDrafts();
  const reading = opening.then((drafts) => drafts.get(name));
  const write = async () => {
    isTyped = false;
    clearTimeout(timer);
    const values = valuesOf(of);
    keepInTab(
      name,
      values.filter(([field]) => isPrivate(field)),
    );
    const isWhole = toSend !== null;
    const kept = isWhole ? values : values.filter(([field]) => !isPrivate(field));
    const chosen = [...(photos?.files ?? [])].filter(isPrepared);
    const isOnServer = of.querySelector("input[name=photo]") !== null;
    // Photos of the draft; the server has them where they are ticked in the form.
    const files = chosen.length === 0 && isOnServer ? ((await reading)?.files ?? []) : chosen;
    const keptFiles = isWhole || !isPrivate("photos") ? files : [];
    const draft = { savedAt: Date.now(), values: kept, files: keptFiles, ...toSend };
    const isEmpty = keptFiles.length === 0 && kept.every(([field]) => field === key.name);
    const drafts = await opening;
    await (isEmpty ? drafts.erase(name) : drafts.put(name, draft));
  };
  let saved = Promise.resolve();
  /** Resolves once all that was typed so far is on the device, or cannot be. */
  const save = () => {
    if (!isTyped) return saved;
    const written = write().catch(() => {});
    saved = saved.then(() => written);
    return saved;
  };
  const forget = async () => {
    clearTimeout(timer);
    isTyped = false;
    keepInTab(name, []);
    await (await opening).erase(name);
  };
  const saveToSend = async (submittedAt: number) => {
    const hasWorker = of.dataset["worker"] !== undefined && "serviceWorker" in navigator;
    toSend = { savedAt: submittedAt, sendTo: hasWorker ? of.action : "" };
    isTyped = true;
    await save();
    if (hasWorker) void wakeWorker().catch(() => {});
  };
  const takeFromWorker = async () => {
    if (toSend === null) return;
    toSend = null;
    isTyped = true;
    await save();
  };
  // Another tab may have sent or dropped the draft, so only what was typed since is saved again.
  window.addEventListener("pagehide", () => void save());
  sendOnSubmit(of, { save, forget, saveToSend, takeFromWorker });

  const draft = withTab(await reading, keptInTab(name));
  // A form that came back with errors, or is typed into already, holds newer answers than the draft.
  if (draft && !document.querySelector(".trouble") && !isTyped) {
    if (draft.sendTo !== undefined) toSend = { sendTo: "" };
    restore(of, photos, draft);
    const drop = button(message(of, "forget"), "quiet", () => {
      // A reload would bring back what was typed.
      void forget().then(() => location.replace(location.pathname + location.search));
    });
    show(notice, `${message(of, "restored")} `, drop);
    of.dispatchEvent(new Event("restored"));
  }
  isRead = true;
}

/** Lets the browser wake the worker once there is a connection, if it has Background Sync. */
async function wakeWorker(): Promise<void> {
  type WithSync = { readonly sync?: { register(event: string): Promise<void> } };
  const { sync }: WithSync & object = await navigator.serviceWorker.ready;
  await sync?.register(SEND_EVENT);
}

/** Keeps values of a form in the tab; none erases them. */
function keepInTab(name: string, values: Draft["values"]): void {
  if (values.length === 0) sessionStorage.removeItem(`draft:${name}`);
  else sessionStorage.setItem(`draft:${name}`, JSON.stringify({ savedAt: Date.now(), values }));
}

/** Values of a form that the tab keeps; null without any. */
function keptInTab(name: string): KeptInTab | null {
  const kept: KeptInTab | null = JSON.parse(sessionStorage.getItem(`draft:${name}`) ?? "null");
  return kept !== null && isFresh(kept) ? kept : null;
}

type KeptInTab = Pick<Draft, "savedAt" | "values">;

/** Draft of the device with what the tab keeps beside it; undefined without either. */
function withTab(known: Draft | undefined, own: KeptInTab | null): Draft | undefined {
  if (own === null) return known;
  return {
    savedAt: own.savedAt,
    files: [],
    ...known,
    values: [...(known?.values ?? []), ...own.values],
  };
}

type Keeping = Readonly<Record<"save" | "forget" | "takeFromWorker", () => Promise<void>>> & {
  /** Saves the whole draft and leaves it to the worker, where there is one. */
  readonly saveToSend: (submittedAt: number) => Promise<void>;
};

/** Sends a form when it is submitted, and again after a failure that is not the form's. */
function sendOnSubmit(
  of: HTMLFormElement,
  { save, forget, saveToSend, takeFromWorker }: Keeping,
): void {
  const progress = statusLine();
  of.querySelector("button[type=submit]")?.after(progress);
  let isSending = false;
  let submittedAt = 0;
  let retries = 0;
  let timer = 0;

  const send = () => {
    if (isSending) return;
    isSending = true;
    clearTimeout(timer);
    window.removeEventListener("online", send);
    resolveDay(of, submittedAt);
    resolveHours(of, submittedAt);
    void save();
    const request = new XMLHttpRequest();
    request.open("POST", of.action);
    request.timeout = SEND_MS_MAX;
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      const percent = Math.round((100 * loaded) / Math.max(1, total));
      // Screen readers read out every change.
      if (percent % 10 === 0) show(progress, message(of, "sending", { percent }));
    });
    request.addEventListener("load", () => {
      if (request.status >= 500) return waitAnd("busy");
      const isDone = request.status < 400 && request.responseURL !== of.action;
      // The page with the errors comes as the answer to a form, which only the browser itself can show.
      if (!isDone) return void takeFromWorker().finally(() => of.submit());
      void forget().finally(() => location.assign(request.responseURL));
    });
    for (const failure of ["error", "timeout"] as const)
      request.addEventListener(failure, () => waitAnd("offline"));
    request.send(new FormData(of));
    show(progress, message(of, "sending", { percent: 0 }));
  };
  const waitAnd = (reason: "busy" | "offline") => {
    isSending = false;
    window.addEventListener("online", send, { once: true });
    const wait = RETRY_MS[retries++];
    const isLast = navigator.onLine && wait === undefined;
    if (navigator.onLine && wait !== undefined) timer = window.setTimeout(send, wait);
    // The message says that the form is kept on the device, and people close the page once they have read it.
    void saveToSend(submittedAt).then(() => {
      if (!isSending) show(progress, message(of, isLast ? "failed" : reason));
    });
  };

  // A page that browsers keep as it was left: its form is on its way or has arrived.
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted && isSending) location.replace(location.pathname + location.search);
  });
  of.addEventListener("submit", (event) => {
    if (event.defaultPrevented) return;
    event.preventDefault();
    if (isSending) return;
    retries = 0;
    submittedAt = Date.now();
    send();
  });
}

/** New idempotency key. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Line for what a screen reader is to announce, hidden while it is empty. */
function statusLine(): HTMLElement {
  const line = element("p", { className: "notice", hidden: true });
  line.setAttribute("role", "status");
  return line;
}

function show(line: HTMLElement, text: string, ...more: Node[]): void {
  line.hidden = false;
  line.replaceChildren(text, ...more);
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
  resolveDay(of, draft.savedAt);
  resolveHours(of, draft.savedAt);
  // The map follows the place, once all of its fields have their values.
  for (const [name] of draft.values) {
    const field = of.elements.namedItem(name);
    if (field instanceof HTMLElement) field.dispatchEvent(new Event("change", { bubbles: true }));
  }
  // As they are: prepared once more they would be other files, and the form another one to the server.
  if (!photos?.files?.length)
    photos?.dispatchEvent(new CustomEvent("restore", { detail: draft.files }));
}

/** Writes the date of "today" or "yesterday" as chosen at a time, once that is another day. */
function resolveDay(of: HTMLFormElement, chosenAt: number): void {
  const day = of.elements.namedItem("day");
  const date = of.elements.namedItem("eventDate");
  if (!(day instanceof RadioNodeList) || !(date instanceof HTMLInputElement)) return;
  const daysAgo = ["today", "yesterday"].indexOf(day.value);
  if (daysAgo < 0 || localDay(chosenAt) === localDay(Date.now())) return;
  day.value = "date";
  date.value = localDay(chosenAt - daysAgo * DAY_MS);
}

/** Writes the day and hour of "2 hours ago" or "last night" as chosen at a time, once that is too long ago. */
function resolveHours(of: HTMLFormElement, chosenAt: number): void {
  const [ago, day, hour] = ["hoursAgo", "seenDay", "seenHour"].map((name) =>
    of.elements.namedItem(name),
  );
  if (!(ago instanceof HTMLSelectElement) || !(hour instanceof HTMLSelectElement)) return;
  if (!(day instanceof HTMLInputElement) || day.value !== "" || hour.value !== "") return;
  const seen = seenTime(ago.value, chosenAt);
  if (seen === null) return;
  day.value = seen.day;
  hour.value = seen.hour;
  day.closest("details")?.setAttribute("open", "");
}
