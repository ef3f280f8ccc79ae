import { type AlertDraft, type Language, lifeMs } from "../../core/alert.ts";
import { Fault } from "../../core/fault.ts";
import { parse } from "../../core/input.ts";
import type { Links } from "../../core/links.ts";
import { newLink } from "../../core/private-link.ts";
import { type Birth, birth, publishInput } from "../../core/publication.ts";
import type { BulkAlert } from "../../core/store.ts";
import type { App } from "../../start.ts";
import { counted, type Progress } from "../progress.ts";
import type { Entry } from "./entry.ts";
import type { LinksFile } from "./links-file.ts";
import { placer } from "./placing.ts";
import type { Refusal } from "./reading.ts";

/** An entry that can be published. */
export type Candidate = {
  readonly id: string;
  readonly draft: AlertDraft;
  /** Whether contact details were taken out of its text. */
  readonly isCleaned: boolean;
};

const ENTRIES_AT_ONCE = 500;

/** Makes alerts of entries as publishing would: placed, checked, cleaned. What cannot be one is refused. */
export async function candidatesOf(
  app: App,
  entries: readonly Entry[],
  owner: { readonly email: string; readonly language: Language },
  progress: Progress,
): Promise<{ readonly candidates: readonly Candidate[]; readonly refused: readonly Refusal[] }> {
  const place = placer(app.gazetteer, entries);
  const codes = new Set<string>();
  const candidates: Candidate[] = [];
  const refused: Refusal[] = [];
  for (const [at, entry] of entries.entries()) {
    if (at % ENTRIES_AT_ONCE === 0) await pause(progress, "Checked", at, entries.length);
    const { line, id, type, species, countryCode, told } = entry;
    const placed = place(entry);
    if ("why" in placed) {
      refused.push({ line, why: placed.why });
      continue;
    }
    const { city, ...point } = placed;
    const given = { ...told, ...point, ...owner, type, species, countryCode };
    try {
      const { draft, removed } = bornWithFreeCode(app, codes, {
        ...given,
        ...(city === null ? {} : { city }),
      });
      candidates.push({ id, draft, isCleaned: removed.length > 0 });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      refused.push({ line, why: error.message.replace(/\.$/, "") });
    }
  }
  progress.clear();
  return { candidates, refused };
}

function bornWithFreeCode(
  app: App,
  taken: Set<string>,
  given: Readonly<Record<string, unknown>>,
): Birth {
  const input = parse(publishInput, given);
  for (;;) {
    const born = birth(input, app.clock(), app);
    const { shortCode } = born.draft;
    if (taken.has(shortCode) || app.store.codeTaken(shortCode)) continue;
    taken.add(shortCode);
    return born;
  }
}

/** Shows how far it got, and lets a Ctrl-C be heard. */
async function pause(progress: Progress, did: string, done: number, all: number): Promise<void> {
  progress.show(`${did} ${counted(done)} of ${counted(all)}`);
  await Bun.sleep(0);
}

/** Publishes candidates in batches, each once by its source. Already published ones stay as they are. */
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
  const outcome = { lost: 0, found: 0, alreadyThere: 0, cleaned: 0, isWhole: true };
  for (let done = 0; done < candidates.length; done += ENTRIES_AT_ONCE) {
    await pause(how.progress, "Published", done, candidates.length);
    if (how.stopped.aborted) {
      outcome.isWhole = false;
      break;
    }
    const batch = candidates.slice(done, done + ENTRIES_AT_ONCE);
    const bulk = batch.map((candidate) => bulkAlert(app, candidate, how));
    const added = new Set(app.service.addAlerts(bulk));
    const fresh = bulk.filter(({ source }) => added.has(source));
    how.file?.add(fresh.map((one) => linksOf(app, one, how)));
    outcome.alreadyThere += batch.length - fresh.length;
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
    source: `${how.sources}:${id}`,
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
  return [source.slice(sources.length + 1), links.alert(draft.slug), links.manage(token)];
}
