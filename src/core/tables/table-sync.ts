import {
  type AlertChange,
  type AlertDraft,
  changeAfter,
  IMPORT_SOURCE,
  lifetimeMs,
} from "../alerts/alert.ts";
import { createRowPhotos, hashRow, joinHashes, type RowPhotos, splitHash } from "./row-photos.ts";
import { createDraft, type PublishInput, publishInput, redraft } from "../alerts/publication.ts";
import type { TableRead, TableSyncResult } from "./table-read.ts";
import { STOCKS } from "../caps.ts";
import { DAY_MS } from "../duration.ts";
import { Fault } from "../fault.ts";
import { parse } from "../input.ts";
import { CLAIM_WAITS_MS, isNewClaim } from "../matches/claim.ts";
import { createMutex } from "../mutex.ts";
import type { PhotoActions } from "../photos/photos.ts";
import type { Ports } from "./ports.ts";
import { createPageCheck } from "../organisations/animal-page.ts";
import { newLink } from "../people/private-link.ts";
import {
  type BulkAlert,
  type ImportedAlert,
  type ImportUpdate,
  MISSED_READS_MAX,
} from "./import-store.ts";
import type { SyncIndexes } from "../instance.ts";

/** So many animals may be missing at once, if one is still known; of more, at most half. */
const MISSING_MAX = 5;
/** An alert is renewed once it has used up so much of its time: not at every read. */
const RENEWED_AFTER_MS = DAY_MS;
const PAGE = 500;
/** Alerts changed in one transaction. */
const BATCH = 100;
/** Rows read before others get their turn; each takes about a millisecond. */
const ROWS_PER_YIELD = 10;
/** Draws of a short code. Nearly all are free, so this many collisions in a row mean a fault. */
const DRAWS_MAX = 100;

export type TableSync = ReturnType<typeof createTableSync>;

/** Keeps the alerts of a table in step with it. */
export function createTableSync(
  ports: Ports,
  syncIndexes: SyncIndexes,
  photoActions: Pick<PhotoActions, "fetchedOfTable">,
) {
  const inTurn = createMutex();

  /**
   * Publishes new rows, changes what has changed, renews what is still there, and ends what two reads in a row lacked.
   * Safe to repeat after an interruption. Throws `too_large` for too many rows.
   */
  async function syncTable(read: TableRead): Promise<TableSyncResult> {
    const plan = await planOf(ports, read);
    const photos = createRowPhotos(photoActions, STOCKS.photosPerTableRead);
    if (plan.result.guard === null && !read.dryRun) await carryOut(plan, read, photos);
    return { ...plan.result, photos: photos.result };
  }

  async function carryOut(
    { added, updates, released, photosDue, missing }: Plan,
    read: TableRead,
    photos: ReturnType<typeof createRowPhotos>,
  ) {
    const now = ports.clock();
    for (const batch of inBatches([...released, ...updates])) {
      await ports.store.updateImported(batch, now);
      await syncIndexes();
      await ports.yieldToEventLoop();
    }
    for (const batch of inBatches(added)) {
      const names = await photos.fetch(batch);
      await ports.store.addAlerts(
        batch.map((one, at) => bulkAlert(ports, one, names[at] ?? null, read, now)),
        now,
      );
      await syncIndexes();
      await ports.yieldToEventLoop();
    }
    for (const batch of inBatches(inRandomTurn(photosDue))) {
      const names = await photos.fetch(batch);
      const withPhotos = batch.flatMap((one, at) => withNames(one, names[at] ?? null) ?? []);
      await ports.store.updateImported(withPhotos, now);
      await syncIndexes();
    }
    // In one transaction and last: a read that was interrupted has not counted as one.
    if (missing.length > 0) await ports.store.updateImported(missing, now);
    await syncIndexes();
  }

  /** Ends the alerts of a table that is not read any more, as no longer there. Returns their number. */
  async function endTable(mapping: string, email: string): Promise<number> {
    const now = ports.clock();
    const { own } = await importedById(ports, `${IMPORT_SOURCE}${mapping}:`, email);
    const ended = [...own.values()].filter(isListed).map((seen) => noLongerThere(seen, now));
    for (const batch of inBatches(ended)) {
      await ports.store.updateImported(batch, now);
      await ports.yieldToEventLoop();
    }
    await syncIndexes();
    return ended.length;
  }

  /** The list from a random place on: rows whose photos fail at every read must not keep the others from theirs. */
  function inRandomTurn<One>(list: readonly One[]): readonly One[] {
    const [high = 0, low = 0] = ports.dice.bytes(2);
    const first = (high * 256 + low) % Math.max(list.length, 1);
    return [...list.slice(first), ...list.slice(0, first)];
  }

  return {
    syncTable: (read: TableRead) => inTurn(() => syncTable(read)),
    endTable: (mapping: string, email: string) => inTurn(() => endTable(mapping, email)),
    /** Number of an owner's alerts that stand for rows of a table. */
    async countListed(mapping: string, email: string): Promise<number> {
      const { own } = await importedById(ports, `${IMPORT_SOURCE}${mapping}:`, email);
      return [...own.values()].filter(isListed).length;
    },
  };
}

type NewAlert = {
  readonly id: string;
  readonly draft: AlertDraft;
  readonly row: ReturnType<typeof hashRow>;
  readonly animalPage: string | null;
  readonly photos: RowPhotos | null;
};
/** Published alert whose photos are to be those of its row. */
type PhotosDue = {
  readonly id: string;
  readonly seen: ImportedAlert;
  readonly fields: string;
  readonly photos: RowPhotos;
};

type Plan = {
  readonly added: readonly NewAlert[];
  readonly updates: readonly ImportUpdate[];
  /** Erased alerts whose rows are back: they are published anew. */
  readonly released: readonly ImportUpdate[];
  readonly photosDue: readonly PhotosDue[];
  readonly missing: readonly ImportUpdate[];
  readonly result: Omit<TableSyncResult, "photos">;
};

async function planOf(ports: Ports, read: TableRead): Promise<Plan> {
  const now = ports.clock();
  const prefix = `${IMPORT_SOURCE}${read.mapping}:`;
  const { own, ofOthers } = await importedById(ports, prefix, read.email);
  const pages = await readPages(ports, read);
  const here = new Set([...read.rows.map((row) => row.id), ...read.kept]);
  const codes = new Set<string>();
  const counts = { renewed: 0, updated: 0, reopened: 0, unchanged: 0, leftAlone: 0, redacted: 0 };
  const refused: TableSyncResult["refused"][number][] = [];
  const added: NewAlert[] = [];
  const updates: ImportUpdate[] = [];
  const released: ImportUpdate[] = [];
  const photosDue: PhotosDue[] = [];

  for (const [nth, row] of read.rows.entries()) {
    if (nth % ROWS_PER_YIELD === 0) await ports.yieldToEventLoop();
    if (ofOthers.has(row.id)) continue;
    try {
      const input = parse(publishInput, {
        ...row.input,
        email: read.email,
        language: read.language,
      });
      const hashed = hashRow(ports.secrets, row.input);
      const animalPage = pages.urlOf(row.id);
      const seen = own.get(row.id);
      if (seen !== undefined && !isBackAfterErasure(seen)) {
        const { update, kind, isRedacted } = updateOf(
          ports,
          seen,
          { input, hashed, animalPage },
          now,
        );
        counts[kind]++;
        if (isRedacted) counts.redacted++;
        if (update !== null) updates.push(update);
        else if (kind === "unchanged") photosDue.push(...photosOf(row.id, seen, hashed));
        continue;
      }
      const { draft, removed } = await newDraft(ports, input, codes, now);
      if (seen !== undefined)
        released.push({ seen, rowHash: null, missedReads: 0, releasesSource: true });
      added.push({ id: row.id, draft, row: hashed, animalPage, photos: hashed.photos });
      if (removed.length > 0) counts.redacted++;
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== "bad_input") throw error;
      refused.push({ id: row.id, why: error.message, fields: error.fields });
    }
  }

  for (const keptId of read.kept) {
    const seen = own.get(keptId);
    const update = seen === undefined ? null : stillThere(seen, now);
    if (update !== null) updates.push(update);
  }
  // A row that was refused is there all the same.
  const refusedIds = new Set(refused.map((one) => one.id));
  for (const refusedId of refusedIds) {
    const seen = own.get(refusedId);
    const update = seen === undefined ? null : stillThere(seen, now);
    if (update !== null) updates.push(update);
  }

  const gone = [...own].flatMap(([rowId, seen]) => (here.has(rowId) ? [] : [seen]));
  const missing = read.isWhole ? gone.flatMap((seen) => missingOf(seen, now) ?? []) : [];
  const listed = [...own.values()].filter(isListed).length;
  const missingNow = gone.filter(isListed).length;
  const isTooMany = missingNow > MISSING_MAX && missingNow * 2 > listed;
  // Another column taken for the id leaves none of them known, however few they are.
  const seenLast = gone.filter(isListed).filter(({ missedReads }) => missedReads === 0);
  const isAnyKnown = [...own.keys()].some((rowId) => here.has(rowId));
  const isNoneKnown = seenLast.length > 1 && !isAnyKnown;
  const ended = missing.filter(({ change }) => change !== undefined).length;
  return {
    added,
    updates,
    released,
    photosDue,
    missing,
    result: {
      ...counts,
      published: added.length,
      missing: missing.filter(({ seen, change }) => isListed(seen) && change === undefined).length,
      ended,
      ofOthers: ofOthers.size,
      pagesLeftOut: pages.leftOut,
      refused,
      guard:
        (isTooMany || isNoneKnown) && !read.acceptMissing ? { missing: missingNow, listed } : null,
    },
  };
}

/** Pages of the animals at their organisation's site, by the ids of their rows. */
async function readPages(ports: Ports, { rows, email }: TableRead) {
  const urls = new Map<string, string>();
  const leftOut: TableSyncResult["pagesLeftOut"][number][] = [];
  const check = await createPageCheck(ports, email);
  for (const { id: rowId, page } of rows) {
    if (page === undefined) continue;
    const checked = check(page);
    if ("url" in checked) urls.set(rowId, checked.url);
    else leftOut.push({ id: rowId, why: checked.why });
  }
  return { urlOf: (rowId: string) => urls.get(rowId) ?? null, leftOut };
}

/** Alerts of a mapping by the ids of their rows: those of this owner, and the ids of others'. */
async function importedById({ store }: Ports, prefix: string, email: string) {
  const own = new Map<string, ImportedAlert>();
  const ofOthers = new Set<string>();
  for (let after: string | null = null; ;) {
    const page: ImportedAlert[] = await store.importedAlerts(prefix, after, PAGE);
    for (const one of page) {
      const rowId = one.alert.source.slice(prefix.length);
      const owner = one.alert.ownerEmail?.toLowerCase() ?? null;
      // Of an erased alert nobody is the owner any more.
      if (owner === null || owner === email.toLowerCase()) own.set(rowId, one);
      else ofOthers.add(rowId);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return { own, ofOthers };
    after = last.alert.source;
  }
}

/** True for an alert that stands for a row, as people see it. */
function isListed({ alert }: ImportedAlert): boolean {
  return alert.status === "active";
}

/** True for an alert that has ended by itself and was erased since, while its animal is there again or still. */
function isBackAfterErasure({ alert, isErased, missedReads }: ImportedAlert): boolean {
  if (!isErased || alert.status === "removed" || alert.status === "hidden") return false;
  return alert.status === "expired" || missedReads === MISSED_READS_MAX;
}

type RowOutcome = "renewed" | "updated" | "reopened" | "unchanged" | "leftAlone";

function updateOf(
  ports: Ports,
  seen: ImportedAlert,
  {
    input,
    hashed,
    animalPage,
  }: {
    readonly input: PublishInput;
    readonly hashed: ReturnType<typeof hashRow>;
    readonly animalPage: string | null;
  },
  now: number,
): {
  readonly update: ImportUpdate | null;
  readonly kind: RowOutcome;
  readonly isRedacted: boolean;
} {
  const { alert } = seen;
  if (isLeftAlone(seen)) return { update: null, kind: "leftAlone", isRedacted: false };
  const kept = seen.rowHash === null ? null : splitHash(seen.rowHash);
  const isChanged = kept === null ? isAsPublished(seen) : kept.fields !== hashed.fields;
  const rowHash = joinHashes(hashed.fields, kept?.photos ?? null);
  const result = isChanged ? redraft(alert, input, now, ports) : null;
  const change = renewal(seen, now);
  const isPageNew = seen.animalPage !== animalPage;
  const state = {
    seen,
    rowHash,
    missedReads: 0,
    ...(change === null ? {} : { change }),
    ...(isPageNew ? { animalPage } : {}),
  };
  const kind = kindOf(seen, result !== null || isPageNew, change);
  if (result === null) {
    const isSame =
      change === null && !isPageNew && seen.rowHash === rowHash && seen.missedReads === 0;
    return { update: isSame ? null : state, kind, isRedacted: false };
  }
  const { draft, removed } = result;
  const waitsMs = isNewClaim(alert, draft) ? { waitsMs: CLAIM_WAITS_MS } : {};
  return { update: { ...state, draft, ...waitsMs }, kind, isRedacted: removed.length > 0 };
}

function kindOf(seen: ImportedAlert, isChanged: boolean, change: AlertChange | null): RowOutcome {
  if (change !== null && seen.alert.status !== "active") return "reopened";
  if (isChanged) return "updated";
  return change === null ? "unchanged" : "renewed";
}

/** The photos of a row, unless its alert has them. */
function photosOf(
  id: string,
  seen: ImportedAlert,
  { fields, photos }: ReturnType<typeof hashRow>,
): PhotosDue[] {
  const kept = seen.rowHash === null ? null : splitHash(seen.rowHash).photos;
  if (seen.alert.status !== "active" || kept === (photos?.hash ?? null)) return [];
  // The source has no photo any more.
  return [{ id, seen, fields, photos: photos ?? { addresses: [], hash: "" } }];
}

/** Update of an alert with its new photos; null if they are to be fetched at the next read. */
function withNames(
  { seen, fields, photos }: PhotosDue,
  names: readonly string[] | null,
): ImportUpdate | null {
  if (names === null) return null;
  const hash = photos.hash === "" ? null : photos.hash;
  const rowHash = joinHashes(fields, hash);
  return { seen, rowHash, missedReads: seen.missedReads, photos: names };
}

/** True if nobody has changed an alert since it was imported, before hashes of rows were kept. */
function isAsPublished({ alert }: ImportedAlert): boolean {
  return alert.updatedAt === alert.publishedAt;
}

/** True for an alert that people ended, hid or removed. One that the table lacked since has come back. */
function isLeftAlone({ alert, isErased, missedReads }: ImportedAlert): boolean {
  switch (alert.status) {
    case "hidden":
    case "removed":
      return true;
    case "resolved":
      return isErased || missedReads < MISSED_READS_MAX;
    case "active":
    case "expired":
      return isErased;
  }
}

/** Change that keeps an alert alive or makes it active again; null while it has time enough. */
function renewal({ alert }: ImportedAlert, now: number): AlertChange | null {
  if (alert.status === "resolved" || alert.status === "expired")
    return {
      status: "active",
      expiresAt: now + lifetimeMs(alert.type, alert.species),
      endedAt: null,
    };
  const until = changeAfter(alert, "renew", now);
  return until.expiresAt - alert.expiresAt >= RENEWED_AFTER_MS ? until : null;
}

/** Update of an alert whose row is in the table, but cannot be read or is not to be published; null if there is none. */
function stillThere(seen: ImportedAlert, now: number): ImportUpdate | null {
  if (isLeftAlone(seen) || seen.alert.status !== "active") return null;
  const change = renewal(seen, now);
  if (change === null && seen.missedReads === 0) return null;
  return { seen, rowHash: seen.rowHash, missedReads: 0, ...(change === null ? {} : { change }) };
}

/** Update of an alert whose row is missing; null if that is known well enough. */
function missingOf(seen: ImportedAlert, now: number): ImportUpdate | null {
  const { alert, rowHash, isErased } = seen;
  if (isErased || alert.status === "removed" || seen.missedReads >= MISSED_READS_MAX) return null;
  const missedReads = seen.missedReads + 1;
  return missedReads === MISSED_READS_MAX && alert.status === "active"
    ? noLongerThere(seen, now)
    : { seen, rowHash, missedReads };
}

/** Update that ends an alert. Not as "resolved", which means home again: the animal may have been adopted, or died. */
function noLongerThere(seen: ImportedAlert, now: number): ImportUpdate {
  const { alert, rowHash } = seen;
  const change = { status: "expired", expiresAt: alert.expiresAt, endedAt: now } as const;
  return { seen, rowHash, missedReads: MISSED_READS_MAX, change };
}

async function newDraft(ports: Ports, input: PublishInput, codes: Set<string>, now: number) {
  for (let draws = 0; draws < DRAWS_MAX; draws++) {
    const drawn = createDraft(input, now, ports);
    const { shortCode } = drawn.draft;
    if (codes.has(shortCode) || (await ports.store.isShortCodeTaken(shortCode))) continue;
    codes.add(shortCode);
    return drawn;
  }
  throw new Fault("unavailable", `No unused short code was found in ${DRAWS_MAX} draws.`);
}

function bulkAlert(
  ports: Ports,
  { id: rowId, draft, row, animalPage }: NewAlert,
  photos: readonly string[] | null,
  { mapping, email, language }: TableRead,
  now: number,
): BulkAlert {
  const photosHash = photos === null ? null : (row.photos?.hash ?? null);
  return {
    draft: { ...draft, photos: photos ?? [] },
    ownerEmail: email,
    language,
    source: `${IMPORT_SOURCE}${mapping}:${rowId}`,
    rowHash: joinHashes(row.fields, photosHash),
    ...(animalPage === null ? {} : { animalPage }),
    expiresAt: now + lifetimeMs(draft.type, draft.species),
    link: newLink(ports, "manage", draft.id),
    announce: true,
  };
}

function* inBatches<One>(list: readonly One[]): Generator<readonly One[]> {
  for (let at = 0; at < list.length; at += BATCH) yield list.slice(at, at + BATCH);
}
