import { type AlertChange, type AlertDraft, changeAfter, IMPORT_SOURCE } from "../alerts/alert.ts";
import { lifetimeMs } from "../alerts/lifetime.ts";
import {
  createRowPhotos,
  type HashedRow,
  hashRow,
  joinHashes,
  type RowPhotos,
  splitHash,
} from "./row-photos.ts";
import { createDraft, type PublishInput, publishInput } from "../alerts/publication.ts";
import type { TableRead, TableSyncResult } from "./table-read.ts";
import { newNames } from "../alerts/new-names.ts";
import { QUOTAS } from "../caps.ts";
import { DAY_MS } from "../duration.ts";
import { Fault } from "../fault.ts";
import { parse } from "../input.ts";
import { CLAIM_WAITS_MS, isNewClaim } from "../matches/claim.ts";
import { createMutex } from "../mutex.ts";
import type { PhotoActions } from "../photos/photos.ts";
import type { Ports } from "./ports.ts";
import { createPageCheck } from "../organisations/animal-page.ts";
import type { PrivateLink } from "../people/link-store.ts";
import { newLink } from "../people/private-link.ts";
import {
  type BulkAlert,
  type ImportedAlert,
  type ImportUpdate,
  MISSED_READS_MAX,
} from "./imported-alert.ts";
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
   * Safe to repeat after an interruption.
   */
  async function syncTable(read: TableRead): Promise<TableSyncResult> {
    const now = ports.clock();
    const alerts = await alertsOf(ports, read);
    const steps = await stepsFor(ports, read, alerts, now);
    const { missing, guard } = missingFrom(read, alerts.own, now);
    const photos = createRowPhotos(photoActions, QUOTAS.photosPerTableRead);
    const isCarriedOut = guard === null && !read.dryRun;
    const links = isCarriedOut ? await carryOut(steps, missing, read, photos) : [];
    const count = (outcome: Step["outcome"]) =>
      steps.filter((step) => step.outcome === outcome).length;
    const known = steps.flatMap(({ id, outcome }) => (outcome === "known" ? [id] : []));
    return {
      published: count("published"),
      updated: count("updated"),
      renewed: count("renewed"),
      reopened: count("reopened"),
      unchanged: count("unchanged"),
      leftAlone: count("leftAlone"),
      missing: missing.filter(({ seen, change }) => isListed(seen) && change === undefined).length,
      ended: missing.filter(({ change }) => change !== undefined).length,
      ofOthers: alerts.ofOthers.size,
      redacted: steps.filter(({ isRedacted }) => isRedacted).length,
      photos: photos.result,
      pagesLeftOut: steps.flatMap(({ pageLeftOut }) => pageLeftOut ?? []),
      refused: steps.flatMap(({ refusal }) => refusal ?? []),
      guard,
      ...(read.onlyNew === true ? { known, links } : {}),
    };
  }

  /** Returns the links of what was published. */
  async function carryOut(
    steps: readonly Step[],
    missing: readonly ImportUpdate[],
    read: TableRead,
    photos: ReturnType<typeof createRowPhotos>,
  ) {
    const now = ports.clock();
    const links: NonNullable<TableSyncResult["links"]>[number][] = [];
    const photosOnly = steps.filter(({ isAboutPhotos }) => isAboutPhotos);
    const others = steps.filter(
      ({ update, added, isAboutPhotos }) =>
        isAboutPhotos !== true && ((update ?? null) !== null || added !== undefined),
    );
    for (const batch of inBatches([...others, ...inRandomTurn(photosOnly)])) {
      const names = await photos.fetch(batch);
      const updates = batch.flatMap(({ update, isAboutPhotos }, at) => {
        if (isAboutPhotos !== true) return update ?? [];
        const own = names[at] ?? null;
        // They are fetched at the next read.
        return own === null || !update ? [] : { ...update, photos: own };
      });
      if (updates.length > 0) await ports.store.updateImported(updates, now);
      const bulk = batch.flatMap(({ id, added }, at) =>
        added === undefined ? [] : bulkAlert(ports, id, added, names[at] ?? null, read, now),
      );
      const added = bulk.length === 0 ? [] : await ports.store.addAlerts(bulk, now);
      for (const { source, draft, link } of bulk) {
        const token = ports.secrets.unseal(link.purpose, link.sealed);
        if (!added.includes(source) || token === null) continue;
        links.push({ id: source.slice(prefixOf(read).length), slug: draft.slug, token });
      }
      await syncIndexes();
      await ports.yieldToEventLoop();
    }
    // In one transaction and last: a read that was interrupted has not counted as one.
    if (missing.length > 0) await ports.store.updateImported(missing, now);
    await syncIndexes();
    return links;
  }

  /** Ends the alerts of a table that is not read any more, as no longer there. Returns their number. */
  async function endTable(mapping: string, email: string): Promise<number> {
    const now = ports.clock();
    const ended = (await listedAlerts(mapping, email)).map((seen) => noLongerThere(seen, now));
    for (const batch of inBatches(ended)) {
      await ports.store.updateImported(batch, now);
      await ports.yieldToEventLoop();
    }
    await syncIndexes();
    return ended.length;
  }

  async function listedAlerts(mapping: string, email: string): Promise<ImportedAlert[]> {
    const { own } = await alertsOf(ports, { mapping, email, rows: [] });
    return [...own.values()].filter(isListed);
  }

  /** The list from a random place on: rows whose photos fail at every read must not keep the others from theirs. */
  function inRandomTurn<One>(list: readonly One[]): readonly One[] {
    const [high = 0, low = 0] = ports.random.bytes(2);
    const first = (high * 256 + low) % Math.max(list.length, 1);
    return [...list.slice(first), ...list.slice(0, first)];
  }

  return {
    syncTable: (read: TableRead) => inTurn(() => syncTable(read)),
    endTable: (mapping: string, email: string) => inTurn(() => endTable(mapping, email)),
    /** Number of an owner's alerts that stand for rows of a table. */
    countListed: async (mapping: string, email: string) =>
      (await listedAlerts(mapping, email)).length,
  };
}

/** Alerts of a table by the ids of their rows: those of its owner, and the ids of others'. */
type TableAlerts = {
  readonly own: Map<string, ImportedAlert>;
  readonly ofOthers: Set<string>;
};

/** Beginning of the sources of a table's alerts. */
function prefixOf({ mapping }: Pick<TableRead, "mapping">): string {
  return `${IMPORT_SOURCE}${mapping}:`;
}

/** All alerts of a table, or only those of the rows that are read. */
async function alertsOf(
  { store }: Ports,
  { mapping, email, rows, onlyNew }: Pick<TableRead, "mapping" | "email" | "rows" | "onlyNew">,
): Promise<TableAlerts> {
  const prefix = prefixOf({ mapping });
  const own = new Map<string, ImportedAlert>();
  const ofOthers = new Set<string>();
  const add = (one: ImportedAlert) => {
    const rowId = one.alert.source.slice(prefix.length);
    const owner = one.alert.ownerEmail?.toLowerCase() ?? null;
    // Of an erased alert nobody is the owner any more.
    if (owner === null || owner === email.toLowerCase()) own.set(rowId, one);
    else ofOthers.add(rowId);
  };
  if (onlyNew === true) {
    for (const { id } of rows) {
      const [first] = await store.importedAlerts(prefix + id, null, 1);
      if (first?.alert.source === prefix + id) add(first);
    }
    return { own, ofOthers };
  }
  for (let after: string | null = null; ;) {
    const page: ImportedAlert[] = await store.importedAlerts(prefix, after, PAGE);
    page.forEach(add);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return { own, ofOthers };
    after = last.alert.source;
  }
}

/** Decision about a row. */
type Step = {
  readonly id: string;
  /** "known": of another owner or, where only new rows are published, there already. */
  readonly outcome:
    | "published"
    | "updated"
    | "renewed"
    | "reopened"
    | "unchanged"
    | "leftAlone"
    | "known"
    | "refused";
  readonly isRedacted?: boolean;
  readonly update?: ImportUpdate | null;
  readonly added?: NewRow;
  /** Photos to be fetched for it; null if its row has none. */
  readonly photos?: RowPhotos | null;
  /** True for an update that only brings these photos, which a published alert lacks. */
  readonly isAboutPhotos?: boolean;
  readonly refusal?: TableSyncResult["refused"][number];
  readonly pageLeftOut?: TableSyncResult["pagesLeftOut"][number];
};
type NewRow = { readonly draft: AlertDraft; readonly animalPage: string | null } & HashedRow;

async function stepsFor(
  ports: Ports,
  read: TableRead,
  { own, ofOthers }: TableAlerts,
  now: number,
): Promise<Step[]> {
  const { email, language } = read;
  const checkPage = await createPageCheck(ports, email);
  const codes = new Set<string>();
  const steps: Step[] = [];

  async function stepFor({ id, input: fields, page }: TableRead["rows"][number]): Promise<Step> {
    const seen = own.get(id);
    if (ofOthers.has(id) || (read.onlyNew === true && seen !== undefined))
      return { id, outcome: "known" };
    const input = parse(publishInput, { ...fields, email, language });
    const hashed = hashRow(ports.secrets, fields);
    const checked = page === undefined ? null : checkPage(page);
    const animalPage = checked !== null && "url" in checked ? checked.url : null;
    const step =
      seen === undefined || isBackAfterErasure(seen)
        ? await publication(id, seen, input, { ...hashed, animalPage })
        : updateOf(ports, id, seen, { input, hashed, animalPage }, now);
    if (checked === null || "url" in checked) return step;
    return { ...step, pageLeftOut: { id, why: checked.why } };
  }

  async function publication(
    id: string,
    erased: ImportedAlert | undefined,
    input: PublishInput,
    row: Pick<NewRow, "fields" | "photos" | "animalPage">,
  ): Promise<Step> {
    const { draft, removed } = createDraft(input, await newNames(ports, codes), now, ports);
    // Its row is published anew.
    const update: ImportUpdate | null =
      erased === undefined
        ? null
        : { seen: erased, rowHash: null, missedReads: 0, releasesSource: true };
    const isRedacted = removed.length > 0;
    const { photos } = row;
    return { id, outcome: "published", update, added: { draft, ...row }, photos, isRedacted };
  }

  for (const [nth, row] of read.rows.entries()) {
    if (nth % ROWS_PER_YIELD === 0) await ports.yieldToEventLoop();
    try {
      steps.push(await stepFor(row));
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== "bad_input") throw error;
      const { id } = row;
      const refusal = { id, why: error.message, fields: error.fields };
      steps.push({ id, outcome: "refused", refusal, update: stillThere(own.get(id), now) });
    }
  }
  // Rows that are in the table and are not to be published.
  for (const id of read.kept)
    steps.push({ id, outcome: "refused", update: stillThere(own.get(id), now) });
  return steps;
}

/** Updates of alerts whose rows are missing, unless so many are missing that it is not believed. */
function missingFrom(read: TableRead, own: TableAlerts["own"], now: number) {
  const here = new Set([...read.rows.map((row) => row.id), ...read.kept]);
  const gone = [...own].flatMap(([rowId, seen]) => (here.has(rowId) ? [] : [seen]));
  const listed = [...own.values()].filter(isListed).length;
  const missingNow = gone.filter(isListed);
  const isTooMany = missingNow.length > MISSING_MAX && missingNow.length * 2 > listed;
  // Another column taken for the id leaves none of them known, however few they are.
  const isNoneKnown =
    gone.length === own.size &&
    missingNow.filter(({ missedReads }) => missedReads === 0).length > 1;
  return {
    missing: read.isWhole ? gone.flatMap((seen) => missingOf(seen, now) ?? []) : [],
    guard:
      (isTooMany || isNoneKnown) && !read.acceptMissing
        ? { missing: missingNow.length, listed }
        : null,
  };
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

function updateOf(
  ports: Ports,
  id: string,
  seen: ImportedAlert,
  {
    input,
    hashed,
    animalPage,
  }: {
    readonly input: PublishInput;
    readonly hashed: HashedRow;
    readonly animalPage: string | null;
  },
  now: number,
): Step {
  const { alert } = seen;
  if (isLeftAlone(seen)) return { id, outcome: "leftAlone" };
  const kept = splitHash(seen.rowHash ?? "");
  const isChanged = kept.fields !== hashed.fields;
  const rowHash = joinHashes(hashed.fields, kept.photos);
  const result = isChanged ? createDraft(input, alert, now, ports, alert.photos) : null;
  const change = renewal(seen, now);
  const isPageNew = seen.animalPage !== animalPage;
  const outcome = outcomeOf(seen, result !== null || isPageNew, change);
  if (outcome === "unchanged" && seen.rowHash === rowHash && seen.missedReads === 0) {
    const photosHash = hashed.photos?.hash ?? null;
    if (alert.status !== "active" || kept.photos === photosHash) return { id, outcome };
    const update = { seen, rowHash: joinHashes(hashed.fields, photosHash), missedReads: 0 };
    // The row may have no photo any more.
    const photos = hashed.photos ?? { addresses: [], hash: "" };
    return { id, outcome, update, photos, isAboutPhotos: true };
  }
  const update = {
    seen,
    rowHash,
    missedReads: 0,
    ...(change === null ? {} : { change }),
    ...(isPageNew ? { animalPage } : {}),
  };
  if (result === null) return { id, outcome, update };
  const { draft, removed } = result;
  const waitsMs = isNewClaim(alert, draft) ? { waitsMs: CLAIM_WAITS_MS } : {};
  return { id, outcome, update: { ...update, draft, ...waitsMs }, isRedacted: removed.length > 0 };
}

function outcomeOf(
  seen: ImportedAlert,
  isChanged: boolean,
  change: AlertChange | null,
): Step["outcome"] {
  if (change !== null && seen.alert.status !== "active") return "reopened";
  if (isChanged) return "updated";
  return change === null ? "unchanged" : "renewed";
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
function stillThere(seen: ImportedAlert | undefined, now: number): ImportUpdate | null {
  if (seen === undefined || isLeftAlone(seen) || seen.alert.status !== "active") return null;
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

function bulkAlert(
  ports: Ports,
  rowId: string,
  { draft, fields, photos: ownPhotos, animalPage }: NewRow,
  photos: readonly string[] | null,
  read: TableRead,
  now: number,
): BulkAlert & { readonly link: PrivateLink } {
  const photosHash = photos === null ? null : (ownPhotos?.hash ?? null);
  return {
    draft: { ...draft, photos: photos ?? [] },
    ownerEmail: read.email,
    language: read.language,
    source: prefixOf(read) + rowId,
    rowHash: joinHashes(fields, photosHash),
    ...(animalPage === null ? {} : { animalPage }),
    expiresAt: now + lifetimeMs(draft.type, draft.species),
    link: newLink(ports, "manage", draft.id),
    announce: true,
  };
}

function* inBatches<One>(list: readonly One[]): Generator<readonly One[]> {
  for (let at = 0; at < list.length; at += BATCH) yield list.slice(at, at + BATCH);
}
