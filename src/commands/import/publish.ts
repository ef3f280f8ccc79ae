import type { Language } from "../../messages/languages.ts";
import { type AlertDraft, IMPORT_SOURCE, lifetimeMs } from "../../core/alerts/alert.ts";
import {
  createRowPhotos,
  hashRow,
  joinHashes,
  type RowPhotos,
} from "../../core/tables/row-photos.ts";
import { type DraftResult, createDraft, publishInput } from "../../core/alerts/publication.ts";
import { Fault } from "../../core/fault.ts";
import { parse } from "../../core/input.ts";
import { createPageCheck } from "../../core/organisations/animal-page.ts";
import type { Links } from "../../core/urls.ts";
import { newLink } from "../../core/people/private-link.ts";
import type { Store } from "../../core/service/store.ts";
import type { App } from "../../start.ts";
import type { CommandContext } from "../shell/command.ts";
import { csvLine } from "../../text/csv.ts";
import { openOutput } from "../shell/output.ts";
import { formatNumber, plural } from "../../text/terminal-text.ts";
import type { Progress } from "../shell/terminal.ts";
import { withUniqueCode } from "../shell/unique-code.ts";
import { createGeocoder, createLastResorts, type LastResorts } from "../../tables/geocode.ts";
import type { Mapping, MappingPlace } from "../../tables/mapping.ts";
import { createPackedList, type PackedList } from "../../tables/packed-list.ts";
import { type ImportEntry, type Rejection, sourceColumn } from "../../tables/rows.ts";
import { publicationFields } from "../../tables/table-read.ts";
import type { BulkAlert } from "../../core/tables/import-store.ts";

/** Prefix of the sources of all alerts imported with a mapping. */
export function sourcePrefix({ mapping }: Mapping): string {
  return `${IMPORT_SOURCE}${mapping}:`;
}

const CHANGES_PER_READ = 1_000;
const CHANGES_PER_PROGRESS = 50_000;

/** Sources with a prefix, of all alerts ever published, including removed ones. */
export async function findPublishedSources(
  store: Pick<Store, "changesSince" | "alertsByKeys">,
  prefix: string,
  progress: Progress,
): Promise<Set<string>> {
  const sources = new Set<string>();
  let read = 0;
  for (let revision = 0, more = true; more;) {
    const changes = await store.changesSince(revision, CHANGES_PER_READ);
    const keys = changes.alerts.map((change) =>
      change.kind === "put" ? change.alert.publishedAt : change.publishedAt,
    );
    for (const { source } of await store.alertsByKeys(keys))
      if (source?.startsWith(prefix)) sources.add(source);
    read += keys.length;
    if (read % CHANGES_PER_PROGRESS < keys.length)
      await pause(progress, `Read ${plural(read, "alert")}`);
    ({ revision, more } = changes);
  }
  progress.clear();
  return sources;
}

/** Shows progress and lets signals be handled. */
async function pause(progress: Progress, text: string): Promise<void> {
  progress.show(text);
  await Bun.sleep(0);
}

/** Rows after which memory is released: on a large machine it would otherwise grow with every row read. */
const ROWS_PER_RELEASE = 5_000;

/** Releases memory after every so many rows. */
function releaseMemory(rows: number): void {
  if (rows === 0 || rows % ROWS_PER_RELEASE !== 0) return;
  Bun.gc(true);
  Bun.shrink();
}

/** Entry that can be published. */
export type ImportCandidate = {
  readonly line: number;
  readonly id: string;
  readonly draft: AlertDraft;
  /** Keyed hash of its fields. */
  readonly fields: string;
  readonly photos: RowPhotos | null;
  readonly animalPage: string | null;
  /** True when contact details were removed from its text. */
  readonly isRedacted: boolean;
};

/** Entries that can be published, and what the operator is told of them. */
export type Candidates = {
  readonly list: PackedList<ImportCandidate>;
  readonly lost: number;
  readonly found: number;
  /** Number of animals by the day they were lost or found. */
  readonly byDay: ReadonlyMap<string, number>;
  /** Lines with a chip number that cannot be read. */
  readonly unreadableChips: readonly number[];
  readonly lastResorts: LastResorts;
  /** Rows whose alerts will have no link to the animal's page, and why. */
  readonly pagesLeftOut: readonly {
    readonly line: number;
    readonly id: string;
    readonly why: string;
  }[];
};

const BATCH_SIZE = 500;

/** Geocodes, validates and redacts new entries, as publishing does. */
export async function createCandidates(
  app: App,
  entries: PackedList<ImportEntry>,
  options: {
    readonly email: string;
    readonly language: Language;
    readonly mapping: Mapping;
    /** Sources that are already published. */
    readonly published: ReadonlySet<string>;
    /** Earliest day, YYYY-MM-DD. */
    readonly since: string | null;
    readonly acceptTowns: boolean;
    /** Place of last resort for rows that have none by the mapping. */
    readonly place: MappingPlace | null;
    readonly progress: Progress;
  },
): Promise<{
  readonly candidates: Candidates;
  readonly rejected: readonly Rejection[];
  readonly alreadyPublished: number;
  /** Entries before `since`. */
  readonly older: number;
}> {
  const { email, language, mapping, published, since, progress } = options;
  const geocode = await createGeocoder(app.gazetteer, entries, options);
  const codes = new Set<string>();
  const list = createPackedList<ImportCandidate>();
  const counts = { lost: 0, found: 0 };
  const lastResorts = createLastResorts();
  const byDay = new Map<string, number>();
  const unreadableChips: number[] = [];
  const checkPage = await createPageCheck(app, email);
  const pagesLeftOut: Candidates["pagesLeftOut"][number][] = [];
  const rejected: Rejection[] = [];
  let alreadyPublished = 0;
  let older = 0;
  let checked = 0;
  for (const entry of entries) {
    if (checked % BATCH_SIZE === 0) {
      const total = formatNumber(entries.length);
      await pause(progress, `Checked ${formatNumber(checked)} of ${total}`);
      releaseMemory(checked);
    }
    checked++;
    const { line, id, eventDate, hasUnreadableChip } = entry;
    if (since !== null && eventDate < since) {
      older++;
      continue;
    }
    if (published.has(sourcePrefix(mapping) + id)) {
      alreadyPublished++;
      continue;
    }
    const place = geocode(entry);
    if ("why" in place) {
      rejected.push({ line, id, why: place.why, isDamaged: false });
      continue;
    }
    const fields = publicationFields(entry, place);
    try {
      const { draft, removed } = await draftWithUniqueCode(app, codes, {
        ...fields,
        email,
        language,
      });
      const page = entry.page === null ? null : checkPage(entry.page);
      if (page !== null && "why" in page) pagesLeftOut.push({ line, id, why: page.why });
      list.add({
        line,
        id,
        draft,
        ...hashRow(app.secrets, fields),
        animalPage: page !== null && "url" in page ? page.url : null,
        isRedacted: removed.length > 0,
      });
      counts[draft.type]++;
      byDay.set(draft.eventDate, (byDay.get(draft.eventDate) ?? 0) + 1);
      lastResorts.add(entry, place);
      if (hasUnreadableChip) unreadableChips.push(line);
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== "bad_input") throw error;
      rejected.push({ line, id, why: inColumns(error, mapping), isDamaged: false });
    }
  }
  progress.clear();
  const candidates = {
    list,
    ...counts,
    byDay,
    unreadableChips,
    lastResorts: lastResorts.value(),
    pagesLeftOut,
  };
  return { candidates, rejected, alreadyPublished, older };
}

function draftWithUniqueCode(
  app: App,
  taken: Set<string>,
  raw: Readonly<Record<string, unknown>>,
): Promise<DraftResult> {
  const input = parse(publishInput, raw);
  return withUniqueCode(
    app.store,
    taken,
    () => createDraft(input, app.clock(), app),
    ({ draft }) => draft.shortCode,
  );
}

/** Message of a validation error, with the table's column names. */
export function inColumns(
  { fields, message }: Pick<Fault, "fields" | "message">,
  mapping: Mapping,
): string {
  if (fields.length === 0) return message.replace(/\.$/, "");
  return fields.map((one) => `${sourceColumn(one.field, mapping)} ${one.message}`).join("; ");
}

/** CSV table of the private links of imported alerts. */
export type LinksFile = {
  add(rows: readonly (readonly [id: string, page: string, manageLink: string])[]): Promise<void>;
  /** Completes the file, or deletes it if it has no links or a write failed. */
  close(): Promise<void>;
};

/**
 * Creates a file readable by its owner only, or writes to standard output. Throws `Fault` with a sentence for the
 * operator; `pet-alert links` writes links that could not be written.
 */
export async function createLinksFile(path: string, context: CommandContext): Promise<LinksFile> {
  const output = openOutput(path, context, { isPrivate: true });
  let isComplete = false;
  await output.write(csvLine(["external_id", "page", "manage_link"]));
  return {
    async add(rows) {
      if (rows.length === 0) return;
      isComplete = false;
      await withAdvice(() => output.write(rows.map(csvLine).join("")));
      isComplete = true;
    },
    async close() {
      try {
        if (isComplete) await withAdvice(async () => output.finish());
      } finally {
        output.drop();
      }
    },
  };
}

/** Adds to a write error that the alerts are published and how to get their links. */
async function withAdvice(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new Fault(
      error.code,
      `${error.message} The alerts are published. To write their links again: pet-alert links --email ADDRESS FILE.csv`,
    );
  }
}

/** Publishes candidates in batches. A source is published only once. */
export async function publishAll(
  app: App,
  { list }: Candidates,
  options: {
    readonly email: string;
    readonly language: Language;
    /** Prefix of their sources. */
    readonly sources: string;
    readonly links: Links;
    readonly file: LinksFile | null;
    readonly stopped: AbortSignal;
    readonly progress: Progress;
  },
) {
  const result = { lost: 0, found: 0, redacted: 0, isComplete: true };
  const photos = createRowPhotos({ fetchedOfTable: app.service.fetchedPhotosOfTable }, Infinity);
  const lines = new Map<string, number>();
  let done = 0;
  for (const batch of inBatches(list)) {
    const total = formatNumber(list.length);
    await pause(options.progress, `Published ${formatNumber(done)} of ${total}`);
    releaseMemory(done);
    if (options.stopped.aborted) {
      result.isComplete = false;
      break;
    }
    done += batch.length;
    const names = await photos.fetch(batch);
    for (const { id, line, photos: own } of batch) if (own !== null) lines.set(id, line);
    const bulk = batch.map((one, at) => bulkAlert(app, one, names[at] ?? null, options));
    const added = new Set(await app.service.addAlerts(bulk));
    const fresh = bulk.filter(({ source }) => added.has(source));
    await options.file?.add(fresh.map((one) => linksOf(app, one, options)));
    for (const { draft } of fresh) result[draft.type]++;
    result.redacted += batch.filter(
      ({ isRedacted }, at) => isRedacted && added.has(bulk[at]!.source),
    ).length;
  }
  options.progress.clear();
  const failed = photos.result.failed.map((one) => ({ ...one, line: lines.get(one.id) ?? 0 }));
  return { ...result, photos: { fetched: photos.result.fetched, failed } };
}

function* inBatches<Value>(values: Iterable<Value>): Generator<readonly Value[]> {
  let batch: Value[] = [];
  for (const value of values) {
    batch.push(value);
    if (batch.length < BATCH_SIZE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function bulkAlert(
  app: App,
  { id, draft, fields, photos, animalPage }: ImportCandidate,
  names: readonly string[] | null,
  options: { readonly email: string; readonly language: Language; readonly sources: string },
) {
  return {
    draft: { ...draft, photos: names ?? [] },
    ownerEmail: options.email,
    language: options.language,
    source: options.sources + id,
    rowHash: joinHashes(fields, names === null ? null : (photos?.hash ?? null)),
    ...(animalPage === null ? {} : { animalPage }),
    expiresAt: app.clock() + lifetimeMs(draft.type, draft.species),
    link: newLink(app, "manage", draft.id),
    announce: true,
  } satisfies BulkAlert;
}

function linksOf(
  { secrets }: App,
  { source, draft, link }: ReturnType<typeof bulkAlert>,
  { sources, links }: { readonly sources: string; readonly links: Links },
): [string, string, string] {
  const token = secrets.unseal(link.purpose, link.sealed);
  if (token === null) throw new Error("a link that was just sealed cannot be unsealed");
  return [source.slice(sources.length), links.alert(draft.slug), links.manage(token)];
}
