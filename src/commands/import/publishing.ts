import { type AlertDraft, type Language, lifeMs } from "../../core/alert.ts";
import { Fault } from "../../core/fault.ts";
import { parse } from "../../core/input.ts";
import type { Links } from "../../core/links.ts";
import { newLink } from "../../core/private-link.ts";
import { type Birth, birth, publishInput } from "../../core/publication.ts";
import type { BulkAlert } from "../../core/store.ts";
import type { App } from "../../start.ts";
import { withFreeCode } from "../free-code.ts";
import { counted, type Progress } from "../progress.ts";
import { columnBehind, type Entry } from "./entry.ts";
import type { LinksFile } from "./links-file.ts";
import type { Mapping } from "./mapping.ts";
import { placer } from "./placing.ts";
import type { Refusal } from "./reading.ts";

/** An entry that can be published. */
export type Candidate = {
  readonly line: number;
  readonly id: string;
  readonly draft: AlertDraft;
  /** Whether contact details were taken out of its text. */
  readonly isCleaned: boolean;
  readonly hasUnreadableChip: boolean;
};

/** What becomes of a table's entries. */
export type Sorted = {
  readonly candidates: readonly Candidate[];
  readonly refused: readonly Refusal[];
  /** How many are published already, and stay as they are. */
  readonly alreadyThere: number;
  /** How many are older than was asked for. */
  readonly older: number;
};

const ENTRIES_AT_ONCE = 500;

/** What sources of alerts imported by a mapping begin with. */
export function sourcesOf({ mapping }: Mapping): string {
  return `import:${mapping}:`;
}

/** Makes alerts of new entries as publishing would: placed, checked, cleaned. What cannot be one is refused. */
export async function candidatesOf(
  app: App,
  entries: readonly Entry[],
  how: {
    readonly email: string;
    readonly language: Language;
    readonly mapping: Mapping;
    /** The sources of what is published already. */
    readonly published: ReadonlySet<string>;
    /** The first day that is wanted, YYYY-MM-DD. */
    readonly since: string | null;
    readonly progress: Progress;
  },
): Promise<Sorted> {
  const { email, language, mapping, published, since, progress } = how;
  const place = placer(app.gazetteer, entries);
  const codes = new Set<string>();
  const candidates: Candidate[] = [];
  const refused: Refusal[] = [];
  let alreadyThere = 0;
  let older = 0;
  for (const [at, entry] of entries.entries()) {
    if (at % ENTRIES_AT_ONCE === 0) await pause(progress, "Checked", at, entries.length);
    const { line, id, eventDate, type, species, countryCode, told, hasUnreadableChip } = entry;
    if (since !== null && eventDate < since) {
      older++;
      continue;
    }
    if (published.has(sourcesOf(mapping) + id)) {
      alreadyThere++;
      continue;
    }
    const placed = place(entry);
    if ("why" in placed) {
      refused.push({ line, id, why: placed.why });
      continue;
    }
    const { city, ...point } = placed;
    const given = { ...told, ...point, email, language, type, species, countryCode, eventDate };
    try {
      const { draft, removed } = await bornWithFreeCode(app, codes, {
        ...given,
        ...(city === null ? {} : { city }),
      });
      candidates.push({ line, id, draft, isCleaned: removed.length > 0, hasUnreadableChip });
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== "bad_input") throw error;
      refused.push({ line, id, why: inColumns(error, mapping) });
    }
  }
  progress.clear();
  return { candidates, refused, alreadyThere, older };
}

function bornWithFreeCode(
  app: App,
  taken: Set<string>,
  given: Readonly<Record<string, unknown>>,
): Promise<Birth> {
  const input = parse(publishInput, given);
  return withFreeCode(
    app.store,
    taken,
    () => birth(input, app.clock(), app),
    ({ draft }) => draft.shortCode,
  );
}

/** What is wrong, with the table's names for the fields. */
function inColumns({ fields, message }: Fault, mapping: Mapping): string {
  if (fields.length === 0) return message.replace(/\.$/, "");
  return fields.map((wrong) => `${columnBehind(wrong.field, mapping)} ${wrong.message}`).join("; ");
}

/** Shows how far it got, and lets a Ctrl-C be heard. */
async function pause(progress: Progress, did: string, done: number, all: number): Promise<void> {
  progress.show(`${did} ${counted(done)} of ${counted(all)}`);
  await Bun.sleep(0);
}

/** Publishes candidates in batches, each once by its source. */
export async function publishAll(
  app: App,
  candidates: readonly Candidate[],
  how: {
    readonly email: string;
    readonly language: Language;
    /** What sources begin with. */
    readonly sources: string;
    readonly links: Links;
    readonly file: LinksFile | null;
    readonly stopped: AbortSignal;
    readonly progress: Progress;
  },
) {
  const outcome = { lost: 0, found: 0, cleaned: 0, isWhole: true };
  for (let done = 0; done < candidates.length; done += ENTRIES_AT_ONCE) {
    await pause(how.progress, "Published", done, candidates.length);
    if (how.stopped.aborted) {
      outcome.isWhole = false;
      break;
    }
    const batch = candidates.slice(done, done + ENTRIES_AT_ONCE);
    const bulk = batch.map((candidate) => bulkAlert(app, candidate, how));
    const added = new Set(await app.service.addAlerts(bulk));
    const fresh = bulk.filter(({ source }) => added.has(source));
    how.file?.add(fresh.map((one) => linksOf(app, one, how)));
    for (const { draft } of fresh) outcome[draft.type]++;
    outcome.cleaned += batch.filter(
      ({ isCleaned }, at) => isCleaned && added.has(bulk[at]!.source),
    ).length;
  }
  how.progress.clear();
  return outcome;
}

function bulkAlert(
  app: App,
  { id, draft }: Candidate,
  how: { readonly email: string; readonly language: Language; readonly sources: string },
) {
  return {
    draft,
    ownerEmail: how.email,
    language: how.language,
    source: how.sources + id,
    expiresAt: app.clock() + lifeMs(draft.type, draft.species),
    link: newLink(app, "manage", draft.id),
    announce: true,
  } satisfies BulkAlert;
}

function linksOf(
  { vault }: App,
  { source, draft, link }: ReturnType<typeof bulkAlert>,
  { sources, links }: { readonly sources: string; readonly links: Links },
): [string, string, string] {
  const token = vault.unseal(link.sealed);
  if (token === null) throw new Error("a link that was just sealed cannot be read");
  return [source.slice(sources.length), links.alert(draft.slug), links.manage(token)];
}
