import { readConfig } from "../../src/settings/config.ts";
import { start } from "../../src/start.ts";
import { BASE_URL } from "./alerts.ts";
import { connect } from "./peers/all.ts";
import type { PeerConnection, PeerName } from "./peers/peer.ts";
import { API, pathOf, type Question } from "./questions.ts";

/**
 * One contender in a process of its own, so that none warms or burdens another: `contender.ts NAME WHERE`. It is asked
 * in process, by the orders of its parent, and over HTTP on a free port, where every contender but ours stands behind
 * the same small server. Ours is the app itself, its door included, on a data folder.
 */
export type ContenderName = PeerName | "pet-alert";

/** What a parent asks of it, one at a time. */
export type Order =
  /** The times of the questions one by one, in ms, over and over until `seconds` are over or `most` were asked. */
  | {
      readonly kind: "time";
      readonly questions: readonly Question[];
      readonly seconds: number;
      readonly most: number;
    }
  | { readonly kind: "answer"; readonly questions: readonly Question[] };
export type Reply =
  | { readonly kind: "ready"; readonly port: number }
  | { readonly kind: "times"; readonly times: readonly number[] }
  /** The bodies of the answers. */
  | { readonly kind: "answers"; readonly answers: readonly string[] };

const ASKED_MIN = 5;

if (import.meta.main) {
  const [name, where] = Bun.argv.slice(2) as [ContenderName, string];
  const connection = name === "pet-alert" ? await connectOurs(where) : connect(name, where);
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    development: false,
    async fetch(request) {
      return new Response(await connection.answer(questionOf(request.url)), {
        headers: { "Content-Type": "application/json" },
      });
    },
  });
  process.on("message", (order: Order) => {
    void carriedOut(order, connection).then(reply);
  });
  // The parent is gone.
  process.on("disconnect", () => process.exit());
  reply({ kind: "ready", port: server.port ?? 0 });
}

function reply(message: Reply): void {
  process.send?.(message);
}

async function carriedOut(order: Order, connection: PeerConnection): Promise<Reply> {
  const { questions } = order;
  switch (order.kind) {
    case "answer":
      return { kind: "answers", answers: await oneByOne(questions, connection.answer) };
    case "time":
      return { kind: "times", times: await timed(questions, connection, order) };
  }
}

async function oneByOne<In, Out>(items: readonly In[], ask: (item: In) => Promise<Out>) {
  const answers: Out[] = [];
  for (const item of items) answers.push(await ask(item));
  return answers;
}

async function timed(
  questions: readonly Question[],
  { answer }: PeerConnection,
  { seconds, most }: { readonly seconds: number; readonly most: number },
): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + 1000 * seconds;
  while (times.length < ASKED_MIN || (times.length < most && performance.now() < end)) {
    const question = questions[times.length % questions.length]!;
    const before = performance.now();
    await answer(question);
    times.push(performance.now() - before);
  }
  return times;
}

/** The whole app without a network. */
async function connectOurs(dataDir: string): Promise<PeerConnection> {
  const config = readConfig({ DATA_DIR: dataDir, BASE_URL, LIMIT_READ: "off", BACKUP_KEEP: "off" });
  const app = await start(config);
  return {
    async answer(question) {
      const response = await app.fetch(new Request(BASE_URL + API + pathOf(question)), "127.0.0.1");
      return response.text();
    },
    close: app.stop,
  };
}

const NUMBERS = new Map([
  ["lat", "lat"],
  ["lng", "lng"],
  ["radius_km", "radiusKm"],
]);

/** The question of an address, without a check: what asks is the bench. */
function questionOf(address: string): Question {
  const given = new URL(address).searchParams;
  const parts = [...given].map(([name, value]) => {
    const known = NUMBERS.get(name);
    return known === undefined ? [name, value] : [known, Number(value)];
  });
  return Object.fromEntries(parts);
}
