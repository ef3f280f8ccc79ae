import { join } from "node:path";
import { openDatabase } from "../../db/sqlite/open.ts";
import { readConfig } from "../../src/settings/config.ts";
import { DAY_MS, MINUTE_MS } from "../../src/core/duration.ts";
import { snap } from "../../src/values/point.ts";
import { createZoneIndex } from "../../src/search/zone-index.ts";
import { memoryTransport } from "../support/memory-transport.ts";
import { start, systemClock } from "../../src/start.ts";
import { openVault } from "../support/secrets.ts";
import { makeBulk, makeDraft } from "../support/make.ts";
import { scratchFolder } from "../support/process.ts";
import { type Pause, watchPauses } from "./pauses.ts";

/**
 * What it costs when many zones hear of one alert: `bun test/bench/zones.ts [ZONES]`. All zones overlap one point. While
 * the service ticks as it does every second, the longest time that a request would have waited is noted.
 */

const TICKS = 40;
const LOOKS = 20;
const RADIUS_KM = 10;
const PLACE = snap(48.8566, 2.3522);

export type ZoneFigures = {
  readonly zones: number;
  /** Until the service has read all zones, in milliseconds. */
  readonly startMs: number;
  /** Median time to find all the zones that cover the point. */
  readonly coveringMs: number;
  /** The longest time the event loop was held up in one tick; the median tick. */
  readonly longestPauseMs: number;
  /** The most processor time between two turns of the event loop: a busy machine makes pauses longer, not this. */
  readonly longestWorkMs: number;
  readonly medianTickMs: number;
  /** Emails written into the outbox in all ticks, and how many ticks there were. */
  readonly emails: number;
  readonly ticks: number;
};

export async function benchZones(zones: number): Promise<ZoneFigures> {
  const folder = scratchFolder();
  const dataDir = join(folder.path, "data");
  fill(dataDir, zones);

  const before = performance.now();
  const config = readConfig({ DATA_DIR: dataDir });
  const app = await start(config, { transport: memoryTransport() });
  const startMs = performance.now() - before;
  const day = new Date(systemClock()).toISOString().slice(0, 10);
  const expiresAt = systemClock() + 30 * DAY_MS;
  const draft = makeDraft({ point: PLACE, eventDate: day });
  await app.service.alerts.add([makeBulk({ draft, expiresAt })]);

  // What the start left for the first turn of the event loop is not the tick's.
  await new Promise((resolve) => setImmediate(resolve));
  const ticks: number[] = [];
  const watched: Pause[] = [];
  for (let nth = 0; nth < TICKS; nth++) {
    const watch = watchPauses();
    const began = performance.now();
    // An email waits for further alerts.
    await app.service.tick(systemClock() + MINUTE_MS);
    ticks.push(performance.now() - began);
    watched.push(watch.longest());
  }
  await app.stop();
  const emails = emailsIn(dataDir);
  folder.forget();
  return {
    zones,
    startMs,
    coveringMs: coveringMs(zones),
    longestPauseMs: Math.max(...watched.map(({ pauseMs }) => pauseMs)),
    longestWorkMs: Math.max(...watched.map(({ workMs }) => workMs)),
    medianTickMs: median(ticks),
    emails,
    ticks: TICKS,
  };
}

/** Straight into the tables: asking for each and confirming it takes hours. */
function fill(dataDir: string, zones: number): void {
  const database = openDatabase(dataDir);
  const secrets = openVault(dataDir);
  const now = systemClock();
  const addZone = database.sqlite.query(
    `insert into zone (id, lat, lng, radius_km, email, language, created_at, revision)
     values (?, ?, ?, ?, ?, 'en', ?, ?)`,
  );
  const addLink = database.sqlite.query(
    "insert into link (token_hash, purpose, subject, sealed) values (?, 'unsubscribe', ?, ?)",
  );
  database.sqlite.transaction(() => {
    for (let nth = 1; nth <= zones; nth++) {
      const id = `zone-${nth}`;
      // Around the place, so that each circle holds it and no two boxes are alike.
      const lat = PLACE.lat + ((nth % 100) - 50) / 1000;
      const point = snap(lat, PLACE.lng + ((Math.floor(nth / 100) % 100) - 50) / 1000);
      addZone.run(id, point.lat, point.lng, RADIUS_KM, `reader${nth}@example.org`, now, nth);
      addLink.run(secrets.tokenHash(id), `zone:${id}`, secrets.seal("unsubscribe", id));
    }
    database.sqlite.run("update counter set revision = ?", [zones]);
  })();
  database.close();
}

function emailsIn(dataDir: string): number {
  const database = openDatabase(dataDir);
  const row = database.sqlite.query<{ emails: number }, []>("select count(*) emails from outbox");
  const emails = row.get()?.emails ?? 0;
  database.close();
  return emails;
}

function coveringMs(zones: number): number {
  const index = createZoneIndex();
  index.apply(
    Array.from({ length: zones }, (_, nth) => ({
      kind: "put",
      zone: {
        id: `zone-${nth}`,
        point: PLACE,
        radiusKm: RADIUS_KM,
        species: null,
        type: null,
        frequency: "at_once",
      },
    })),
  );
  return median(
    Array.from({ length: LOOKS }, () => {
      const began = performance.now();
      Array.from(index.covering(PLACE, "cat", "lost"));
      return performance.now() - began;
    }),
  );
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

if (import.meta.main) console.table([await benchZones(Number(Bun.argv[2] ?? 100_000))]);
