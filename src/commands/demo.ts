import { readConfig } from "../config.ts";
import { lifetimeMs, shortCode, slugOf } from "../core/alerts/alert.ts";
import { createLinks } from "../core/urls.ts";
import { type App, start } from "../start.ts";
import { type Command, UsageError, readArguments, type CommandContext } from "./command.ts";
import { type Area, findArea } from "./demo/area.ts";
import { type DemoAlert, generateAlerts } from "./demo/generate.ts";
import { randomFrom } from "./demo/random.ts";
import { withUniqueCode } from "./unique-code.ts";
import { formatNumber, createProgress, plural } from "./terminal.ts";
import type { BulkAlert } from "../core/store/alerts.ts";

const COUNT_DEFAULT = 300;
const COUNT_MAX = 1_000_000;
const BATCH_SIZE = 1_000;
const SEARCH_RADIUS_KM = 10;

const USAGE = "Usage: pet-alert demo PLACE [--count N] [--seed S]";

export const demo: Command = {
  name: "demo",
  summary: "fills the data folder with made-up alerts around a place, to try out the software",
  help: [
    USAGE,
    "",
    "Adds made-up lost and found animals around a town (Lyon; Lyon, FR; New York), or over the whole `world`.",
    "Each says that it is made up. They have no owner, and no emails are sent.",
    "The same place and seed always give the same alerts, so running it again adds no duplicates.",
    "",
    `  --count N  number of alerts, 1 to ${formatNumber(COUNT_MAX)} [${COUNT_DEFAULT}]`,
    "  --seed S   letters, digits and hyphens; another seed gives other animals [none]",
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
      const result = await fill(app, { area, seed, count: options.count }, context);
      context.print(report(result, area, options.count, config.baseUrl));
      return result.isComplete ? 0 : 1;
    } finally {
      await app.stop();
    }
  },
};

type DemoOptions = { readonly place: string; readonly count: number; readonly seed: string | null };

function readOptions(args: readonly string[]): DemoOptions {
  const { positionals, values } = readArguments(
    args,
    { count: { type: "string" }, seed: { type: "string" } },
    USAGE,
  );
  // Several arguments are one name: demo New York.
  const place = positionals.join(" ").trim();
  if (place === "") throw new UsageError("demo needs the name of a place.", USAGE);
  const text = values.count ?? String(COUNT_DEFAULT);
  const count = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > COUNT_MAX)
    throw new UsageError(
      `--count must be a whole number from 1 to ${formatNumber(COUNT_MAX)}, not "${text}".`,
    );
  if (values.seed !== undefined && !/^[\w-]{1,40}$/.test(values.seed))
    throw new UsageError("--seed takes at most 40 letters, digits and hyphens.");
  return { place, count, seed: values.seed ?? null };
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
  options: { readonly area: Area; readonly seed: string; readonly count: number },
  context: CommandContext,
): Promise<FillResult> {
  const { area, seed, count } = options;
  const now = app.clock();
  const random = randomFrom(seed);
  const alerts = generateAlerts({ random, area, gazetteer: app.gazetteer, now });
  const progress = createProgress(context.isTerminal);
  let added = 0;
  let slug: string | null = null;
  for (let done = 0; done < count; done += BATCH_SIZE) {
    if (context.stopped.aborted) return { added, slug, isComplete: false };
    const codes = new Set<string>();
    const batch: BulkAlert[] = [];
    for (let nth = done + 1; nth <= Math.min(done + BATCH_SIZE, count); nth++)
      batch.push(await bulkAlert(app, alerts.next().value, `demo:${seed}:${nth}`, now, codes));
    const fresh = new Set(await app.service.addAlerts(batch));
    added += fresh.size;
    slug ??= batch.find(({ source }) => fresh.has(source))?.draft.slug ?? null;
    progress.show(`${formatNumber(done + batch.length)} of ${formatNumber(count)}`);
    // Lets signals be handled.
    await Bun.sleep(0);
  }
  progress.clear();
  return { added, slug, isComplete: true };
}

async function bulkAlert(
  { dice, store }: App,
  { about, point, lifeLeft }: DemoAlert,
  source: string,
  now: number,
  codesTaken: Set<string>,
): Promise<BulkAlert> {
  const code = await withUniqueCode(
    store,
    codesTaken,
    () => shortCode((count) => dice.bytes(count)),
    (drawn) => drawn,
  );
  return {
    draft: {
      id: dice.id(),
      slug: slugOf(about, code),
      shortCode: code,
      ...about,
      point,
      photos: [],
      chipHash: null,
      goesOutside: null,
    },
    ownerEmail: null,
    language: "en",
    source,
    expiresAt: Math.round(now + lifetimeMs(about.type, about.species) * lifeLeft),
    link: null,
    announce: false,
  };
}

function report(
  { added, slug, isComplete }: FillResult,
  area: Area,
  count: number,
  baseUrl: string,
) {
  const links = createLinks(baseUrl);
  const where =
    area.centre === null
      ? `over ${area.label}`
      : `around ${area.label} (${area.centre.lat}, ${area.centre.lng})`;
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
