import { readConfig } from "../settings/config.ts";
import { slugOf } from "../core/alerts/alert.ts";
import { lifetimeMs } from "../core/alerts/lifetime.ts";
import { newNames } from "../core/alerts/new-names.ts";
import { createLinks } from "../core/urls.ts";
import { type App, start } from "../start.ts";
import { rasterize } from "../photos/rasterizer.ts";
import { type Command, UsageError, readArguments, type CommandContext } from "./shell/command.ts";
import { type Area, findArea } from "./demo/area.ts";
import { type DemoAlert, generateAlerts } from "./demo/generate.ts";
import { demoPicture } from "./demo/picture.ts";
import { randomFrom } from "./demo/random.ts";
import { formatNumber, plural } from "../text/terminal-text.ts";
import { createProgress } from "./shell/terminal.ts";
import type { BulkAlert } from "../core/tables/imported-alert.ts";

const COUNT_DEFAULT = 300;
const COUNT_MAX = 1_000_000;
const BATCH_SIZE = 1_000;
/** Alerts with pictures. Drawing one takes about a tenth of a second. */
const PICTURED_DEFAULT = 48;
const PICTURED_MAX = 10_000;
const SEARCH_RADIUS_KM = 10;

const USAGE = "Usage: pet-alert demo PLACE [--count N] [--pictures N] [--seed S]";

export const demo: Command = {
  name: "demo",
  summary: "fills the data folder with made-up alerts around a place, to try out the software",
  help: [
    USAGE,
    "",
    "Adds made-up lost and found animals around a town (Lyon; Lyon, FR; New York), or over the whole `world`.",
    "Each says that it is made up, in the language of its country if the software speaks it. Some were seen, and some are",
    "home again. They have no owner, and no emails are sent.",
    "The same place and seed always give the same alerts, so running it again adds no duplicates.",
    "",
    `  --count N     number of alerts, 1 to ${formatNumber(COUNT_MAX)} [${COUNT_DEFAULT}]`,
    `  --pictures N  how many of them, the newest ones, have drawn pictures, 0 to ${formatNumber(PICTURED_MAX)} [${PICTURED_DEFAULT}]`,
    "  --seed S      letters, digits and hyphens; another seed gives other animals [none]",
    "",
    "Uses the data folder DATA_DIR, which no running service may be using. The links it prints begin with BASE_URL, or with",
    "http://localhost and PORT if BASE_URL is not set: use the same settings as the service.",
  ].join("\n"),
  async run(args, context) {
    const options = readOptions(args);
    const config = readConfig(context.env);
    const app = await start(config);
    try {
      const area = findArea(app.gazetteer, options.place);
      const seed = [area.label, ...(options.seed === null ? [] : [options.seed])].join("/");
      const { count, pictured } = options;
      const result = await fill(app, { area, seed, count, pictured }, context);
      context.print(report(result, area, count, config.baseUrl));
      return result.isComplete ? 0 : 1;
    } finally {
      await app.stop();
    }
  },
};

type DemoOptions = {
  readonly place: string;
  readonly count: number;
  readonly pictured: number;
  readonly seed: string | null;
};

function readOptions(args: readonly string[]): DemoOptions {
  const { positionals, values } = readArguments(
    args,
    { count: { type: "string" }, pictures: { type: "string" }, seed: { type: "string" } },
    USAGE,
  );
  // Several arguments are one name: demo New York.
  const place = positionals.join(" ").trim();
  if (place === "") throw new UsageError("demo needs the name of a place.", USAGE);
  const count = readNumber("count", values.count, { min: 1, max: COUNT_MAX }) ?? COUNT_DEFAULT;
  const pictured =
    readNumber("pictures", values.pictures, { min: 0, max: PICTURED_MAX }) ?? PICTURED_DEFAULT;
  if (values.seed !== undefined && !/^[\w-]{1,40}$/.test(values.seed))
    throw new UsageError("--seed takes at most 40 letters, digits and hyphens.");
  return { place, count, pictured, seed: values.seed ?? null };
}

/** Value of an option, or null if it was not given. */
function readNumber(
  name: string,
  text: string | undefined,
  { min, max }: { readonly min: number; readonly max: number },
): number | null {
  if (text === undefined) return null;
  const number = /^\d{1,7}$/.test(text) ? Number(text) : -1;
  if (number >= min && number <= max) return number;
  throw new UsageError(
    `--${name} must be a whole number from ${min} to ${formatNumber(max)}, not "${text}".`,
  );
}

type FillResult = {
  readonly added: number;
  /** Slug of one of the added alerts. */
  readonly slug: string | null;
  /** False when the command was stopped. */
  readonly isComplete: boolean;
};

async function fill(
  app: App,
  options: {
    readonly area: Area;
    readonly seed: string;
    readonly count: number;
    readonly pictured: number;
  },
  context: CommandContext,
): Promise<FillResult> {
  const { area, seed, count, pictured } = options;
  const now = app.clock();
  const alerts = generateAlerts({ random: randomFrom(seed), area, gazetteer: app.gazetteer, now });
  const progress = createProgress(context.isTerminal);
  let added = 0;
  let slug: string | null = null;
  for (let done = 0; done < count; done += BATCH_SIZE) {
    const codes = new Set<string>();
    const made = Array.from({ length: Math.min(BATCH_SIZE, count - done) }, (_, at) => ({
      alert: alerts.next().value,
      source: `demo:${seed}:${done + at + 1}`,
    }));
    const published = await Promise.all(
      made.map(({ source }) => app.store.importedAlerts(source, null, 1)),
    );
    const known = new Set(published.map(([first]) => first?.alert.source));
    const fresh = made
      .filter(({ source }) => !known.has(source))
      .toSorted((a, b) => a.alert.publishedAt - b.alert.publishedAt);
    const later = count - done - made.length;
    const batch: BulkAlert[] = [];
    for (const [at, { alert, source }] of fresh.entries()) {
      if (context.stopped.aborted) return { added, slug, isComplete: false };
      const isPictured = later + fresh.length - at <= pictured;
      const photos = isPictured ? await drawPictures(app, alert) : [];
      batch.push(await bulkAlert(app, alert, photos, { source, now, codesTaken: codes }));
      if (photos.length > 0)
        progress.show(`${formatNumber(done + at + 1)} of ${formatNumber(count)}`);
    }
    const sources = new Set(await app.service.alerts.add(batch));
    added += sources.size;
    slug = batch.findLast(isShowcase)?.draft.slug ?? batch.at(-1)?.draft.slug ?? slug;
    progress.show(`${formatNumber(done + made.length)} of ${formatNumber(count)}`);
    // Lets signals be handled.
    await Bun.sleep(0);
  }
  progress.clear();
  return { added, slug, isComplete: true };
}

/** True for a lost animal with photos and sightings: its page shows most of what pages can show. */
function isShowcase({ draft, sightings = [], resolvedAt }: BulkAlert): boolean {
  return (
    draft.type === "lost" &&
    draft.photos.length > 0 &&
    resolvedAt === undefined &&
    sightings.length > 0
  );
}

/** Draws and stores the pictures of an alert; returns their names. */
async function drawPictures({ photos }: App, { pictured, about, pictures }: DemoAlert) {
  const names: string[] = [];
  for (const seed of pictures) {
    const svg = demoPicture(pictured, about.type === "lost", seed);
    names.push(await photos.keep(new Blob([await rasterize(svg)]), "demo"));
  }
  return [...new Set(names)];
}

async function bulkAlert(
  app: App,
  { about, point, language, lifeLeft, publishedAt, homeAt, sightings }: DemoAlert,
  photos: readonly string[],
  { source, now, codesTaken }: { source: string; now: number; codesTaken: Set<string> },
): Promise<BulkAlert> {
  const { id, shortCode } = await newNames(app, codesTaken);
  return {
    draft: {
      id,
      slug: slugOf(about, shortCode),
      shortCode,
      ...about,
      point,
      photos,
      chipHash: null,
    },
    ownerEmail: null,
    language,
    source,
    publishedAt,
    expiresAt: Math.round(now + lifetimeMs(about.type, about.species) * lifeLeft),
    link: null,
    announce: false,
    ...(homeAt === null ? {} : { resolvedAt: homeAt }),
    sightings: sightings.map((seen) => ({
      ...seen,
      id: app.random.id(),
      alertId: id,
      networkHash: "",
      createdAt: seen.seenAt,
    })),
  };
}

function report(
  { added, slug, isComplete }: FillResult,
  area: Area,
  count: number,
  baseUrl: string,
) {
  const links = createLinks(baseUrl);
  const where = `${area.centre === null ? "over" : "around"} ${area.label}`;
  const circle =
    area.centre === null
      ? ""
      : `&lat=${area.centre.lat}&lng=${area.centre.lng}&radius_km=${SEARCH_RADIUS_KM}`;
  const summary = !isComplete
    ? `Stopped: ${plural(added, "made-up alert was", "made-up alerts were")} added ${where}. Run it again for the rest.`
    : added === 0
      ? `Nothing was added: the data folder already has ${plural(count, "made-up alert")} ${where}.`
      : `Added ${plural(added, "alert")} ${where}. Each says that it is made up.` +
        (added < count ? ` ${formatNumber(count - added)} more already existed.` : "");
  return [
    ...(area.guessedFrom === null
      ? []
      : [`There is no place called "${area.guessedFrom}", so ${area.label} was used.`]),
    summary,
    ...(slug === null ? [] : [`  one of them  ${links.alert(slug)}`]),
    `  a search     ${links.api}/alerts?species=cat${circle}`,
    `Start the service to see them: pet-alert, or in a clone npx --yes bun@${Bun.version} run start`,
  ].join("\n");
}
