import { Database } from "bun:sqlite";
import { join } from "node:path";
import { connect, type Socket } from "node:net";
import { DATABASE_FILE } from "../../db/sqlite/open.ts";
import { EMAIL_SECONDS_MAX, holdsWithin, scratchFolder, serve, until } from "../support/process.ts";
import { callTool } from "./client.ts";
import { formatNumber, partOf, type Fault } from "./fault.ts";
import { createFailingMailServer } from "./failing-mail-server.ts";

const STOPS = partOf(20);
const REQUESTS = 50;
/** An email is in transit at every fifth stop. */
const STOPS_PER_EMAIL = 5;
/** Liveness: it has ended by then. */
const END_SECONDS_MAX = 60;

export const stopping: Fault = {
  name: "SIGTERM with requests in flight",
  promise:
    "On SIGTERM it answers every request it has begun to read, releases its emails, exits with 0, and starts again",
  async run(say) {
    const { answered, failures } = await stopOften(say);
    return {
      tried: `${STOPS} stops with ${REQUESTS} requests in flight each`,
      lost: `${STOPS * REQUESTS - answered} of ${formatNumber(STOPS * REQUESTS)} answers`,
      failures,
    };
  },
};

async function stopOften(say: (line: string) => void) {
  const folder = scratchFolder();
  const server = await createFailingMailServer();
  const failures: string[] = [];
  let answered = 0;
  let emails = 0;
  let held = 0;
  for (let stop = 0; stop < STOPS; stop += 1) {
    const hasEmail = stop % STOPS_PER_EMAIL === 0;
    // Delays its answer about the recipient, so that an email is in transit at the stop.
    const thought = Promise.withResolvers<string>();
    server.behavior = hasEmail ? { recipient: () => thought.promise } : {};
    const settings = { SMTP_URL: server.url, LIMIT_SUBSCRIBE: "off", LIMIT_PUBLISH: "off" };
    const served = await serve(folder.path, settings);
    if (hasEmail) {
      const recipients = server.recipients.length;
      const email = `reader-${stop}@example.org`;
      await callTool(served.fetch, "subscribe_zone", { lat: 45.77, lng: 4.83, email });
      await holdsWithin(EMAIL_SECONDS_MAX, () => server.recipients.length > recipients);
      emails += 1;
    }

    const port = Number(new URL(served.baseUrl).port);
    const requests = await Promise.all(
      Array.from({ length: REQUESTS }, (_, at) => halfASearch(port, at)),
    );
    // With the first of these answered all connections are accepted; with the second, what they sent before is read.
    for (const path of ["/healthz", "/healthz"]) await (await served.fetch(path)).text();
    served.child.kill("SIGTERM");
    await until(() => refusesConnections(port));
    const answers = await Promise.all(requests.map((request) => request.finish()));
    answered += answers.filter((answer) => answer.includes('"alerts"')).length;
    const ended = await Promise.race([
      served.child.exited,
      Bun.sleep(END_SECONDS_MAX * 1_000).then(() => "never"),
    ]);
    if (ended !== 0) failures.push(`it ended with ${ended}`);
    if (served.errors().includes('"bug"')) failures.push("a bug was logged");
    thought.resolve("250 ok");
    const leased = leasedEmails(folder.path);
    if (leased > 0) failures.push(`${leased} emails were held beyond the end`);
    held += leased;
    if (stop % 5 === 4) say(`${stop + 1} stops, ${formatNumber(answered)} answers`);
  }
  if (answered < STOPS * REQUESTS)
    failures.push(`${STOPS * REQUESTS - answered} of ${STOPS * REQUESTS} requests had no answer`);

  server.behavior = {};
  const again = await serve(folder.path, { SMTP_URL: server.url });
  const ready = await again.fetch("/readyz");
  if (ready.status !== 200) failures.push(`the next start is not ready: ${ready.status}`);
  const arrived = await holdsWithin(
    EMAIL_SECONDS_MAX,
    () => server.accepted.length >= emails - held,
  );
  if (!arrived)
    failures.push(`${emails - server.accepted.length} of ${emails} emails did not go out`);
  await again.stop();
  server.close();
  folder.forget();
  return { answered, failures };
}

/** True once the program no longer listens: it has begun to stop. */
async function refusesConnections(port: number): Promise<boolean> {
  try {
    const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } });
    socket.terminate();
    return false;
  } catch {
    return true;
  }
}

/** A tool call of which the head and half of the body are sent. */
async function halfASearch(port: number, number: number) {
  const call = { name: "search_alerts", arguments: { limit: 1, query: `pet ${number}` } };
  const body = JSON.stringify({ jsonrpc: "2.0", id: number, method: "tools/call", params: call });
  const half = Math.floor(body.length / 2);
  const socket = connect(port, "127.0.0.1");
  const ended = heardUntilClosed(socket);
  await new Promise<void>((resolve) => socket.once("connect", () => resolve()));
  const head = [
    "POST /api/mcp HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "Connection: close",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n${body.slice(0, half)}`);
  return {
    /** Sends the rest; gives all that was answered until the connection ended. */
    finish(): Promise<string> {
      socket.write(body.slice(half));
      return ended;
    },
  };
}

function heardUntilClosed(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let heard = "";
    socket.on("data", (bytes) => (heard += bytes.toString()));
    // Cut off or refused: what was heard is all there is.
    socket.on("error", () => resolve(heard));
    socket.on("close", () => resolve(heard));
  });
}

/** Emails that wait for a time yet to come. */
function leasedEmails(folder: string): number {
  const database = new Database(join(folder, DATABASE_FILE), { readonly: true });
  const row = database
    .query<{ emails: number }, [number]>(
      "SELECT count(*) AS emails FROM outbox WHERE state = 'waiting' AND due_at > ?",
    )
    .get(Date.now());
  database.close();
  return row?.emails ?? 0;
}
