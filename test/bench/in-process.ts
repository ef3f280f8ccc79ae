import { cpSync, rmSync } from "node:fs";
import type { SearchInput } from "../../src/core/alerts/search.ts";
import { readConfig } from "../../src/settings/config.ts";
import { randomFrom } from "../../src/commands/demo/random.ts";
import { createZoneIndex } from "../../src/search/zone-index.ts";
import { type App, start } from "../../src/start.ts";
import { alertMaker, BASE_URL, PUBLISHED_FROM, PUBLISHED_UNTIL, scratch } from "./alerts.ts";
import { type Kind, PAGE, type Question } from "./questions.ts";
import { type Times, timesOver } from "./times.ts";
import type { Gazetteer } from "../../src/places/town.ts";
import type { ZoneChange } from "../../src/search/indexes.ts";
import type { BulkAlert } from "../../src/core/tables/imported-alert.ts";

/**
 * What the verbs cost without a network, in a process of their own: `in-process.ts FOLDER KINDS ROUNDS` asks the
 * questions of a file and writes `InProcess` as JSON. The folder stays as it is.
 */
export type InProcess = {
  readonly searches: readonly SearchRow[];
  readonly verbs: readonly VerbRow[];
};

/** One kind of question. */
export type SearchRow = Pick<Kind, "radiusKm" | "filter"> & {
  /** The whole verb: the alerts themselves, as the public may see them. */
  readonly verb: Times;
};
export type VerbRow = Times & { readonly name: string };

const MATCHES_ASKED = 200;
const ZONES_ASKED = 1_000;
const ALERTS_PER_ZONE = 10;
const ZONE_RADII_KM = [2, 5, 5, 5, 10, 25, 50];
const INSERTS = 200;
const BATCHES = 20;
const BATCH = 1_000;

if (import.meta.main) {
  const [folder = "", kinds = "", rounds] = Bun.argv.slice(2);
  const measured = await inProcess(folder, await Bun.file(kinds).json(), Number(rounds));
  console.log(JSON.stringify(measured));
  process.exit(0);
}

async function inProcess(
  folder: string,
  kinds: readonly Kind[],
  rounds: number,
): Promise<InProcess> {
  const copy = scratch(`copy-${process.pid}`);
  cpSync(folder, copy, { recursive: true });
  const config = readConfig({ DATA_DIR: copy, BASE_URL, LIMIT_READ: "off", BACKUP_KEEP: "off" });
  const app = await start(config);
  try {
    const searches = await measureSearches(app, kinds, rounds);
    // As with searches, the first round warms up; with others, so that nothing asked for has been read.
    for (const alert of await someIds(app, "warm-up")) await app.service.matches.find({ alert });
    const ids = await someIds(app, "ids");
    const verbs = [
      {
        name: "matches of one alert",
        ...timesOver([await clockedVerb(ids, (alert) => app.service.matches.find({ alert }))]),
      },
      measureZones(
        app.gazetteer,
        Math.round((await app.service.state()).activeAlerts / ALERTS_PER_ZONE),
      ),
      ...(await measureInserts(app)),
    ];
    return { searches, verbs };
  } finally {
    await app.stop();
    rmSync(copy, { recursive: true, force: true });
  }
}

async function measureSearches(
  app: App,
  kinds: readonly Kind[],
  rounds: number,
): Promise<SearchRow[]> {
  const rows = kinds.map((kind) => ({
    ...kind,
    inputs: kind.questions.map(inputOf),
    verb: [] as number[][],
  }));
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const row of rows) {
      const verbTimes = await clockedVerb(row.inputs, (input) => app.service.alerts.search(input));
      if (round === 0) continue;
      row.verb.push(verbTimes);
    }
  }
  return rows.map(({ radiusKm, filter, verb }) => ({
    radiusKm,
    filter,
    verb: timesOver(verb),
  }));
}

function inputOf({ q, ...rest }: Question): SearchInput {
  return { ...rest, ...(q === undefined ? {} : { query: q }), limit: PAGE } as SearchInput;
}

/** Ids of alerts from all over the folder. */
async function someIds({ store }: App, seed: string): Promise<string[]> {
  const random = randomFrom(seed);
  const ids: string[] = [];
  while (ids.length < MATCHES_ASKED) {
    const time = PUBLISHED_FROM + random.next() * (PUBLISHED_UNTIL - PUBLISHED_FROM);
    ids.push(...(await store.alertsAfter(Math.floor(time), 1)).map(({ id }) => id));
  }
  return ids;
}

/** Which zones hear of an alert, where as many people as publish alerts live. */
function measureZones(gazetteer: Gazetteer, count: number): VerbRow {
  const random = randomFrom("zones");
  const somewhere = () => gazetteer.draw(random.next()).point;
  const zones = Array.from({ length: count }, (_, nth): ZoneChange => {
    const radiusKm = random.of(ZONE_RADII_KM);
    const filters = { species: null, type: null, frequency: "at_once" } as const;
    return { kind: "put", zone: { id: String(nth), point: somewhere(), radiusKm, ...filters } };
  });
  const index = createZoneIndex();
  index.apply(zones);
  const points = Array.from({ length: ZONES_ASKED }, somewhere);
  const times = clocked(points, (point) => [...index.covering(point, "cat", "lost")]);
  return { name: "zones over a point", ...timesOver([times]) };
}

/** One alert at a time, as people publish them, then many at once: on disk and in the index when it is done. */
async function measureInserts(app: App): Promise<VerbRow[]> {
  const make = alertMaker(app.gazetteer, "inserts");
  const add = (alerts: readonly BulkAlert[]) => app.service.alerts.add(alerts);
  const ones = await fresh(app, make, INSERTS);
  const one = await clockedVerb(ones, (alert) => add([alert]));
  const batches: BulkAlert[][] = [];
  for (let nth = 0; nth < BATCHES; nth++) batches.push(await fresh(app, make, BATCH));
  const each = (await clockedVerb(batches, add)).map((ms) => ms / BATCH);
  return [
    { name: "insert one alert", ...timesOver([one]) },
    { name: "insert, each of 1,000 at once", ...timesOver([each]) },
  ];
}

/** So many alerts whose short codes nobody has. */
async function fresh(app: App, make: (now: number) => BulkAlert, count: number) {
  const alerts: BulkAlert[] = [];
  while (alerts.length < count) {
    const alert = make(app.clock());
    if (!(await app.service.alerts.isShortCodeTaken(alert.draft.shortCode))) alerts.push(alert);
  }
  return alerts;
}

function clocked<Item>(items: readonly Item[], ask: (item: Item) => unknown): number[] {
  return items.map((item) => {
    const before = performance.now();
    ask(item);
    return performance.now() - before;
  });
}

async function clockedVerb<Item>(
  items: readonly Item[],
  ask: (item: Item) => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = [];
  for (const item of items) {
    const before = performance.now();
    await ask(item);
    times.push(performance.now() - before);
  }
  return times;
}
