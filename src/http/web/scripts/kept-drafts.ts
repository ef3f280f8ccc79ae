/** Draft of a form on the device: the values of its fields, and its prepared photos. */
export type Draft = {
  readonly savedAt: number;
  readonly values: readonly (readonly [name: string, value: string])[];
  readonly files: readonly File[];
  /** Once it was submitted in vain: address to which the worker sends the form, "" if nothing does. Absent otherwise. */
  readonly sendTo?: string;
};

const HOUR_MS = 60 * 60 * 1000;
export const DAY_MS = 24 * HOUR_MS;
/** Lifetime of a draft: from an evening to the next morning, since others may use the device. */
const KEEP_MS = 12 * HOUR_MS;
/** More than anybody writes in that time. */
const DRAFTS_MAX = 100;
/** Time for which a choice of hours stays true enough. */
const ROUGHLY_MS = 30 * 60 * 1000;
const STORE = "drafts";

/** Event for which the worker is woken once there is a connection (Background Sync). */
export const SEND_EVENT = "send-drafts";

/** Drafts on this device by the names of their forms, in IndexedDB. Those of more than twelve hours are erased. */
export async function openDrafts() {
  const request = indexedDB.open("pet-alert", 1);
  request.addEventListener("upgradeneeded", () => request.result.createObjectStore(STORE));
  const database = await settled(request);
  const store = () => database.transaction(STORE).objectStore(STORE);
  const write = (change: (store: IDBObjectStore) => IDBRequest) => {
    const transaction = database.transaction(STORE, "readwrite");
    change(transaction.objectStore(STORE));
    return written(transaction);
  };

  const drafts = {
    names: () => settled<IDBValidKey[]>(store().getAllKeys(null, DRAFTS_MAX)),
    get: (name: IDBValidKey) => settled<Draft | undefined>(store().get(name)),
    put: (name: IDBValidKey, draft: Draft) => write((drafts) => drafts.put(draft, name)),
    erase: (name: IDBValidKey) => write((drafts) => drafts.delete(name)),
  };
  for (const name of await drafts.names()) {
    const draft = await drafts.get(name);
    if (draft && !isFresh(draft)) await drafts.erase(name);
  }
  return drafts;
}

/** True for a draft that is not over. A clock that was set back makes drafts of the future. */
export function isFresh({ savedAt }: Pick<Draft, "savedAt">): boolean {
  return Math.abs(Date.now() - savedAt) < KEEP_MS;
}

/**
 * Day and hour of "2 hours ago" or "last_night" as chosen at a time, by the clock of the device, without the hour for whole
 * days ago; null while the choice is true enough.
 */
export function seenTime(hoursAgo: string, chosenAt: number): { day: string; hour: string } | null {
  if (Date.now() - chosenAt < ROUGHLY_MS) return null;
  const isNight = hoursAgo === "last_night";
  const seen = new Date(chosenAt - (isNight ? DAY_MS : Number(hoursAgo) * HOUR_MS));
  const hour = isNight ? "23" : Number(hoursAgo) >= 24 ? "" : String(seen.getHours());
  return { day: localDay(seen.getTime()), hour };
}

/** Day of a time by the clock of the device, YYYY-MM-DD. */
export function localDay(time: number): string {
  const at = new Date(time);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

function settled<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("no database")));
  });
}

/** Resolves when the changes are on the disk: photos are written after the request has succeeded. */
function written(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener("complete", () => resolve());
    transaction.addEventListener("abort", () =>
      reject(transaction.error ?? new Error("not written")),
    );
  });
}
