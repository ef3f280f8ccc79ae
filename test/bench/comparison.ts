import { rmSync } from "node:fs";
import { join } from "node:path";
import { serve } from "../support/process.ts";
import { BASE_URL, scratch } from "./alerts.ts";
import type { ContenderName, Order, Reply } from "./contender.ts";
import { agree } from "./agreement.ts";
import type { Effort } from "./http.ts";
import type { Peer } from "./peers/peer.ts";
import { API, type Kind, pathOf, type Question } from "./questions.ts";
import { type Times, timesOver } from "./times.ts";
import { get, load, medianRun, type Run, scriptOf, type Server } from "./wrk.ts";

/** Ours and its peers on the same alerts and questions, in turns. A peer that cannot be asked has no figure. */
export type Comparison = {
  readonly names: readonly ContenderName[];
  /** Questions whose answers were compared, and found the same. */
  readonly agreed: number;
  readonly times: readonly (Pick<Kind, "radiusKm" | "filter"> & { readonly by: By<Times> })[];
  readonly loads: readonly { readonly mix: string; readonly by: By<Run> }[];
};
type By<Figure> = Partial<Record<ContenderName, Figure>>;

/** The kinds of question that are put to everyone. */
const FILTERS = ["no filter", "species", "frequent word", "rare word", "deep page"];
/** Questions of one kind whose answers are compared. */
const COMPARED = 15;
/** A contender is asked questions of one kind in one round for so long, or so many of them. */
const SECONDS = 0.4;
const QUESTIONS = 60;

/** Runs everyone on a data folder. Throws where two answers differ. Without `effort` nobody is put under load. */
export async function compare(
  folder: string,
  peers: readonly Peer[],
  allKinds: readonly Kind[],
  rounds: number,
  effort: Effort | null,
  say: (line: string) => void,
): Promise<Comparison> {
  const kinds = allKinds.filter(({ filter }) => FILTERS.includes(filter));
  await using opened = new AsyncDisposableStack();
  const others: Contender[] = [];
  for (const peer of peers) {
    say(`loading ${peer.title}`);
    const running = await peer.start(folder);
    opened.defer(running.stop);
    for (const name of peer.names) {
      const contender = await open(name, running.where, peer.knowsWords);
      opened.defer(contender.stop);
      others.push(contender);
    }
  }
  const ours = await open("pet-alert", folder, true);
  opened.defer(ours.stop);
  const everyone = [ours, ...others];
  say("comparing answers");
  const agreed = await compareAnswers(ours, others, kinds);
  say("timing");
  const times = await timeAll(everyone, kinds, rounds);
  // The real program takes the place of the one in process: a data folder has one holder.
  await ours.stop();
  const loads = effort === null ? [] : await loadAll(folder, others, kinds, effort, say);
  return { names: everyone.map(({ name }) => name), agreed, times, loads };
}

async function compareAnswers(
  ours: Contender,
  others: readonly Contender[],
  kinds: readonly Kind[],
): Promise<number> {
  const questions = kinds.flatMap((kind) => kind.questions.slice(0, COMPARED));
  const expected = await ours.answers(questions);
  for (const other of others) {
    const asked = questions.flatMap((question, nth) =>
      other.canAnswer(question) ? [{ question, ours: expected[nth]! }] : [],
    );
    const answers = await other.answers(asked.map(({ question }) => question));
    asked.forEach(({ question, ours: own }, nth) => {
      if (!agree(own, answers[nth]!, question))
        throw new Error(
          `${other.name} answers ${pathOf(question)} with\n${answers[nth]}\nwhere ours says\n${own}`,
        );
    });
  }
  return questions.length;
}

async function timeAll(
  everyone: readonly Contender[],
  kinds: readonly Kind[],
  rounds: number,
): Promise<Comparison["times"]> {
  const rows = kinds.map(({ radiusKm, filter, questions }) => ({
    radiusKm,
    filter,
    questions,
    by: new Map<Contender, number[][]>(
      everyone
        .filter((one) => questions.every((question) => one.canAnswer(question)))
        .map((one) => [one, []]),
    ),
  }));
  // The first round warms everyone up.
  for (let round = 0; round <= rounds; round++) {
    for (const { questions, by } of rows) {
      for (const [contender, results] of by) {
        const times = await contender.times(questions);
        if (round > 0) results.push(times);
      }
    }
  }
  return rows.map(({ radiusKm, filter, by }) => ({
    radiusKm,
    filter,
    by: Object.fromEntries([...by].map(([{ name }, results]) => [name, timesOver(results)])),
  }));
}

const MIXES: readonly { readonly name: string; readonly takes: (kind: Kind) => boolean }[] = [
  {
    name: "5 km",
    takes: ({ radiusKm, filter }) => radiusKm === 5 && filter === "no filter",
  },
  {
    name: "50 and 500 km",
    takes: ({ radiusKm, filter }) =>
      (radiusKm === 50 || radiusKm === 500) && (filter === "no filter" || filter === "species"),
  },
  { name: "everything, with words", takes: () => true },
];

async function loadAll(
  folder: string,
  others: readonly Contender[],
  kinds: readonly Kind[],
  { warmUps, rounds, seconds }: Effort,
  say: (line: string) => void,
): Promise<Comparison["loads"]> {
  const program = await serve(folder, { BASE_URL });
  const script = scratch(`ask-${process.pid}.lua`);
  try {
    const ours = { name: "pet-alert" as const, server: program, canAnswer: () => true };
    const loads: { mix: string; by: By<Run> }[] = [];
    for (const { name: mix, takes } of MIXES) {
      say(`under load: ${mix}`);
      const questions = interleaved(kinds.filter(takes).map((kind) => kind.questions));
      const contenders = [ours, ...others].filter((one) => questions.every(one.canAnswer));
      await Bun.write(script, scriptOf(questions.map((one) => get(API + pathOf(one)))));
      const runs = new Map(contenders.map((contender) => [contender, [] as Run[]]));
      for (let round = -warmUps; round < rounds; round++) {
        for (const [contender, results] of runs) {
          const run = await load(contender.server, script, seconds);
          if (round >= 0) results.push(run);
        }
      }
      const by = Object.fromEntries(
        [...runs].map(([{ name }, results]) => [name, medianRun(results)]),
      );
      loads.push({ mix, by });
    }
    return loads;
  } finally {
    rmSync(script, { force: true });
    await program.stop();
  }
}

/** The first of each list, then the second of each, and so on. */
function interleaved<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const longest = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, nth) =>
    lists.flatMap((list) => list.slice(nth, nth + 1)),
  ).flat();
}

type Contender = {
  readonly name: ContenderName;
  readonly server: Server;
  readonly canAnswer: (question: Question) => boolean;
  readonly answers: (questions: readonly Question[]) => Promise<readonly string[]>;
  readonly times: (questions: readonly Question[]) => Promise<number[]>;
  readonly stop: () => Promise<void>;
};

/** Starts a contender's process and waits until it can be asked. */
async function open(name: ContenderName, where: string, knowsWords: boolean): Promise<Contender> {
  let nextReply = Promise.withResolvers<Reply>();
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "contender.ts"), name, where], {
    stdio: ["ignore", "inherit", "inherit"],
    ipc: (reply: Reply) => nextReply.resolve(reply),
    onExit: () => nextReply.reject(new Error(`${name} ended`)),
  });
  async function reply<Kind extends Reply["kind"]>(kind: Kind) {
    const answer = await nextReply.promise;
    if (answer.kind !== kind) throw new Error(`${name} answered ${answer.kind}, not ${kind}`);
    return answer as Extract<Reply, { kind: Kind }>;
  }
  function order(message: Order): void {
    nextReply = Promise.withResolvers();
    child.send(message);
  }
  const { port } = await reply("ready");
  return {
    name,
    server: { baseUrl: `http://127.0.0.1:${port}`, child },
    canAnswer: ({ q }) => knowsWords || q === undefined,
    async answers(questions) {
      order({ kind: "answer", questions });
      return (await reply("answers")).answers;
    },
    async times(questions) {
      order({ kind: "time", questions, seconds: SECONDS, most: QUESTIONS });
      return [...(await reply("times")).times];
    },
    async stop() {
      nextReply = Promise.withResolvers();
      nextReply.promise.catch(() => {});
      child.kill();
      await child.exited;
    },
  };
}
