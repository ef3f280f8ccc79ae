import { SQL } from "bun";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createPostgresStore } from "../../db/postgres/store.ts";
import { DAY_MS, MINUTE_MS } from "../../src/core/duration.ts";
import { snap } from "../../src/values/point.ts";
import { createSecrets } from "../../src/ops/secrets.ts";
import { systemClock } from "../../src/start.ts";
import { makeBulk, makeDraft } from "../support/make.ts";
import { createDatabase, type TestDatabase } from "../support/postgres.ts";
import { freePort, scratchFolder } from "../support/process.ts";
import { createBucket } from "../support/s3.ts";

const USAGE = `Usage: bun run bench:zone-emails [--zones N] [--nodes N] [--seconds N]

One alert under many zones: how many zone emails a second several nodes on one PostgreSQL database send to a mail
server that takes all of them at once. Nodes, database and mail server are processes on this machine.

  --zones    zones over the alert, each of a mailbox of its own [100000]
  --nodes    nodes [3]
  --seconds  most seconds after the first email [60]`;

const RADIUS_KM = 10;
const PLACE = snap(48.8566, 2.3522);
const ZONES_PER_INSERT = 5_000;

const { values: options } = parseArgs({
  options: {
    zones: { type: "string", default: "100000" },
    nodes: { type: "string", default: "3" },
    seconds: { type: "string", default: "60" },
    help: { type: "boolean", default: false },
  },
});
if (options.help) {
  console.log(USAGE);
  process.exit(0);
}
const zones = Number(options.zones);

const folder = scratchFolder();
const key = new Uint8Array(32).fill(7);
const keyFile = join(folder.path, "secret.key");
writeFileSync(keyFile, key, { mode: 0o600 });
const database = await createDatabase();
const bucket = await createBucket();
const mail = startSink();
await fill(database);

const nodes: ReturnType<typeof Bun.spawn>[] = [];
for (let nth = 0; nth < Number(options.nodes); nth++) {
  const port = await freePort();
  nodes.push(
    Bun.spawn([process.execPath, "src/main.ts", "serve"], {
      cwd: join(import.meta.dir, "../.."),
      env: {
        PATH: process.env["PATH"] ?? "",
        DATABASE_URL: database.url,
        S3_URL: bucket.url,
        SECRET_KEY_FILE: keyFile,
        SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
        MAIL_FROM: "pets@example.org",
        PORT: String(port),
        BASE_URL: `http://127.0.0.1:${port}`,
      },
      stdout: "ignore",
      stderr: "inherit",
    }),
  );
  while (!(await isReady(port))) await Bun.sleep(100);
}

const store = createPostgresStore(await database.open(1));
const now = systemClock();
const draft = makeDraft({ point: PLACE, eventDate: new Date(now).toISOString().slice(0, 10) });
// Published a minute ago, so that no email waits for further alerts.
const published = { publishedAt: now - MINUTE_MS, expiresAt: now + 30 * DAY_MS };
await store.addAlerts([makeBulk({ draft, announce: true, ...published })], now);
const end = performance.now() + Number(options.seconds) * 1_000;
while (mail.times.length < zones && performance.now() < end) await Bun.sleep(200);

const { times } = mail;
const first = times[0] ?? Number.NaN;
const seconds = ((times.at(-1) ?? Number.NaN) - first) / 1_000;
console.table([
  {
    zones,
    nodes: nodes.length,
    emails: times.length,
    seconds: Math.round(seconds),
    "emails a second": Math.round(times.length / seconds),
    twice: times.length - mail.readers.size,
  },
]);
for (const node of nodes) node.kill("SIGTERM");
await Promise.all(nodes.map(({ exited }) => exited));
await store.close();
mail.stop();
folder.forget();
process.exit(0);

/** Straight into the tables: asking for each and confirming it takes hours. */
async function fill({ socket, name }: TestDatabase): Promise<void> {
  const client = new SQL({
    adapter: "postgres",
    path: socket,
    username: "tests",
    database: name,
    max: 1,
  });
  const secrets = createSecrets(key);
  for (let from = 0; from < zones; from += ZONES_PER_INSERT) {
    const rows = Array.from({ length: Math.min(ZONES_PER_INSERT, zones - from) }, (_, at) => {
      const nth = from + at + 1;
      const id = `zone-${nth}`;
      // Around the place, so that each circle holds it and no two boxes are alike.
      const lat = PLACE.lat + ((nth % 100) - 50) / 1_000;
      const point = snap(lat, PLACE.lng + ((Math.floor(nth / 100) % 100) - 50) / 1_000);
      return {
        id,
        ...point,
        email: `reader${nth}@example${nth % 50}.org`,
        revision: nth,
        hash: secrets.tokenHash(id),
        sealed: secrets.seal("unsubscribe", id),
      };
    });
    const listed = `json_to_recordset($1::text::json) as r(id text, lat float8, lng float8, email text, revision bigint, hash text, sealed text)`;
    const json = JSON.stringify(rows);
    await client.unsafe(
      `insert into zone (id, lat, lng, radius_km, email, language, created_at, revision)
       select id, lat, lng, ${RADIUS_KM}, email, 'en', ${systemClock()}, revision from ${listed}`,
      [json],
    );
    await client.unsafe(
      `insert into link (token_hash, purpose, subject, sealed)
       select hash, 'unsubscribe', 'zone:' || id, sealed from ${listed}`,
      [json],
    );
  }
  await client.unsafe(`update counter set revision = ${zones}`);
  await client.unsafe("analyze");
  await client.close();
}

async function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Mail server that takes every email without looking at it. */
function startSink() {
  const times: number[] = [];
  const readers = new Set<string>();
  type Session = { text: string; reader: string; isBody: boolean };
  const server = Bun.listen<Session>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(socket) {
        socket.data = { text: "", reader: "", isBody: false };
        socket.write("220 sink\r\n");
      },
      data(socket, bytes) {
        const session = socket.data;
        session.text += bytes.toString("latin1");
        for (;;) {
          const mark = session.isBody ? "\r\n.\r\n" : "\r\n";
          const at = session.text.indexOf(mark);
          if (at < 0) return;
          const said = session.text.slice(0, at);
          session.text = session.text.slice(at + mark.length);
          if (session.isBody) {
            readers.add(session.reader);
            times.push(performance.now());
            session.isBody = false;
          }
          if (/^rcpt to/i.test(said)) session.reader = said;
          if (/^data/i.test(said)) session.isBody = true;
          socket.write(
            session.isBody ? "354 go on\r\n" : /^quit/i.test(said) ? "221 bye\r\n" : "250 ok\r\n",
          );
        }
      },
    },
  });
  return { port: server.port, times, readers, stop: () => server.stop(true) };
}
