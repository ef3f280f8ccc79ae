import { readConfig } from "../config.ts";
import { lifeMs, shortCode, slugOf } from "../core/alert.ts";
import { createLinks } from "../core/links.ts";
import type { BulkAlert } from "../core/store.ts";
import { type App, start } from "../start.ts";
import { type Command, Misuse, readArguments, type Surroundings } from "./command.ts";
import { type Area, areaNamed } from "./demo/area.ts";
import { type MadeUp, madeUpAlerts } from "./demo/made-up.ts";
import { randomFrom } from "./demo/random.ts";
import { withFreeCode } from "./free-code.ts";
import { counted, createProgress, many } from "./progress.ts";

const COUNT_DEFAULT = 300;
const COUNT_MAX = 1_000_000;
const ALERTS_AT_ONCE = 1_000;
const RADIUS_KM_SHOWN = 10;

const USAGE = "Usage: pet-alert demo PLACE [--count N] [--seed S]";

export const demo: Command = {
  name: "demo",
  summary: "fills the data folder with made-up alerts around a place, for trying the software",
  help: [
    USAGE,
    "",
    "Adds made-up lost and found animals around a town (Lyon; Lyon, FR; New York), or over the whole `world`.",
    "They say that they are made up, nobody owns them, and nobody is written to.",
    "The same place and seed always give the same ones: running it again adds nothing twice.",
    "",
    `  --count N  how many, 1 to ${counted(COUNT_MAX)} [${COUNT_DEFAULT}]`,
    "  --seed S   other animals for another word: letters, digits and hyphens [none]",
    "",
    "DATA_DIR names the data folder; no server may be using it. The addresses it prints begin with BASE_URL, or",
    "with http://localhost and PORT where that is unset: give it the settings of the server.",
  ].join("\n"),
  async run(args, around) {
    const wish = readWish(args);
    const config = readConfig(around.env);
    const app = await start(config);
    try {
      const area = areaNamed(app.gazetteer, wish.place);
      const seed = [area.label, ...(wish.seed === null ? [] : [wish.seed])].join("/");
      const outcome = await fill(app, { area, seed, count: wish.count }, around);
      around.say(report(outcome, area, wish.count, config.baseUrl));
      return outcome.isWhole ? 0 : 1;
    } finally {
      await app.stop();
    }
  },
};

type Wish = { readonly place: string; readonly count: number; readonly seed: string | null };

function readWish(args: readonly string[]): Wish {
  const { positionals, values } = readArguments(
    args,
    { count: { type: "string" }, seed: { type: "string" } },
    USAGE,
  );
  // Several words are one name: demo New York.
  const place = positionals.join(" ").trim();
  if (place === "") throw new Misuse("demo needs the name of a place.", USAGE);
  const given = values.count ?? String(COUNT_DEFAULT);
  const count = /^\d{1,7}$/.test(given) ? Number(given) : 0;
  if (count < 1 || count > COUNT_MAX)
    throw new Misuse(
      `--count must be a whole number from 1 to ${counted(COUNT_MAX)}, not "${given}".`,
    );
  if (values.seed !== undefined && !/^[\w-]{1,40}$/.test(values.seed))
    throw new Misuse("--seed takes at most 40 letters, digits and hyphens.");
  return { place, count, seed: values.seed ?? null };
}

type Outcome = {
  readonly added: number;
  /** The page of one that was added. */
  readonly slug: string | null;
  /** False when it was stopped on the way. */
  readonly isWhole: boolean;
};

async function fill(
  app: App,
  wish: { readonly area: Area; readonly seed: string; readonly count: number },
  around: Surroundings,
): Promise<Outcome> {
  const { area, seed, count } = wish;
  const now = app.clock();
  const random = randomFrom(seed);
  const alerts = madeUpAlerts({ random, area, gazetteer: app.gazetteer, now });
  const progress = createProgress(around.isTerminal);
  let added = 0;
  let slug: string | null = null;
  for (let done = 0; done < count; done += ALERTS_AT_ONCE) {
    if (around.stopped.aborted) return { added, slug, isWhole: false };
    const codes = new Set<string>();
    const batch: BulkAlert[] = [];
    for (let nth = done + 1; nth <= Math.min(done + ALERTS_AT_ONCE, count); nth++)
      batch.push(await bulkAlert(app, alerts.next().value, `demo:${seed}:${nth}`, now, codes));
    const fresh = new Set(await app.service.addAlerts(batch));
    added += fresh.size;
    slug ??= batch.find(({ source }) => fresh.has(source))?.draft.slug ?? null;
    progress.show(`${counted(done + batch.length)} of ${counted(count)}`);
    // Lets a Ctrl-C be heard.
    await Bun.sleep(0);
  }
  progress.clear();
  return { added, slug, isWhole: true };
}

async function bulkAlert(
  { dice, store }: App,
  { about, point, lifeLeft }: MadeUp,
  source: string,
  now: number,
  codesTaken: Set<string>,
): Promise<BulkAlert> {
  const code = await withFreeCode(
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
    },
    ownerEmail: null,
    language: "en",
    source,
    expiresAt: Math.round(now + lifeMs(about.type, about.species) * lifeLeft),
    link: null,
    announce: false,
  };
}

function report({ added, slug, isWhole }: Outcome, area: Area, count: number, baseUrl: string) {
  const links = createLinks(baseUrl);
  const where =
    area.centre === null
      ? `over ${area.label}`
      : `around ${area.label} (${area.centre.lat}, ${area.centre.lng})`;
  const circle =
    area.centre === null
      ? ""
      : `&lat=${area.centre.lat}&lng=${area.centre.lng}&radius_km=${RADIUS_KM_SHOWN}`;
  const whatHappened = !isWhole
    ? `Stopped: ${many(added, "made-up alert was", "made-up alerts were")} added ${where}. Run it again for the rest.`
    : added === 0
      ? `Nothing was added: ${many(count, "made-up alert", "made-up alerts")} ${where} had been added before.`
      : `Added ${many(added, "alert", "alerts")} ${where}. Each says that it is made up.` +
        (added < count ? ` ${many(count - added, "was", "were")} there already.` : "");
  return [
    ...(area.guessedFrom === null
      ? []
      : [`No place is called "${area.guessedFrom}": ${area.label} was taken.`]),
    whatHappened,
    ...(slug === null ? [] : [`  one of them  ${links.alert(slug)}`]),
    `  a search     ${links.api}/alerts?species=cat${circle}`,
    `Start the service to see them: pet-alert, or in a clone npx --yes bun@${Bun.version} run start`,
  ].join("\n");
}
