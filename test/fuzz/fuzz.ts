import fc from "fast-check";
import { asCurl, type Answer, type Ask, filledIn } from "./ask.ts";
import { anyAsk, doorsOf, type Route } from "./doors.ts";
import { createJudge } from "./judge.ts";
import type { Life } from "./life.ts";
import { createStock, season } from "./season.ts";

/** What became of a run. */
export type Report = {
  readonly sent: number;
  /** How often each route was asked, by the status of its answers. */
  readonly seen: ReadonlyMap<string, ReadonlyMap<number, number>>;
  /** In sentences; empty: all is well. */
  readonly faults: readonly string[];
};

export type Run = {
  readonly life: Life;
  readonly routes: readonly Route[];
  readonly requests: number;
  readonly seed: number;
  /** How many requests are sent between one season and the next. */
  readonly seasonEvery: number;
  readonly say: (line: string) => void;
};

/** How often a failure is tried smaller. */
const SHRINKS_MAX = 300;
const PROGRESS_EVERY = 20_000;

/** Sends so many requests to one service and looks at every answer. Ends at the first fault, made as small as it can be. */
export async function fuzz({
  life,
  routes,
  requests,
  seed,
  seasonEvery,
  say,
}: Run): Promise<Report> {
  const { doors, unknown } = doorsOf(routes);
  const kinds = new Map(doors.map(({ route, kind }) => [route, kind]));
  const seen = new Map<string, Map<number, number>>();
  const stock = createStock();
  const description = await life.send({
    door: "",
    method: "GET",
    target: "/api/openapi.json",
    headers: [],
    body: null,
    from: null,
  });
  const judge = createJudge(JSON.parse(description.body), stock.ownerOf);
  let sent = 0;
  let seasons = 0;
  /** The last request that showed a fault: as fast-check tries smaller ones, the smallest. */
  let smallest: { readonly ask: Ask; readonly faults: readonly string[] } | null = null;

  const faultsAfter = async (ask: Ask): Promise<{ answer: Answer | null; faults: string[] }> => {
    try {
      const answer = await life.send(ask);
      const count = seen.get(ask.door) ?? new Map<number, number>();
      seen.set(ask.door, count.set(answer.status, (count.get(answer.status) ?? 0) + 1));
      const faults = judge.answer(ask, kinds.get(ask.door) ?? null, answer);
      return { answer, faults: [...faults, ...life.logged().flatMap(judge.log)] };
    } catch (error) {
      return { answer: null, faults: [`no answer: ${stackOf(error)}`] };
    }
  };
  const send = async (ask: Ask): Promise<Answer> => {
    const { answer, faults } = await faultsAfter(ask);
    if (answer === null || faults.length > 0) {
      smallest = { ask, faults };
      throw new Error(faults.join("\n"));
    }
    stock.learn(ask, answer);
    return answer;
  };
  const live = async () => {
    const letters = await season(life, stock, send, (seasons += 1));
    const faults = letters.flatMap(judge.letter);
    if (faults.length > 0) throw new Error(faults.join("\n"));
  };

  /** What was found, and the smallest request that shows it, to be pasted into a shell. */
  const inWords = (error: unknown): string[] => {
    if (smallest === null) return [stackOf(error)];
    return [...smallest.faults, asCurl(smallest.ask, life.baseUrl)];
  };
  try {
    await live();
  } catch (error) {
    return { sent, seen, faults: inWords(error) };
  }
  const details = await fc.check(
    fc.asyncProperty(fc.limitShrink(anyAsk(doors), SHRINKS_MAX), async (ask) => {
      sent += 1;
      if (sent % seasonEvery === 0) await live();
      if (sent % PROGRESS_EVERY === 0) say(`${sent} requests`);
      await send(filledIn(ask, stock.pick));
    }),
    { numRuns: requests, seed },
  );
  const strangers = unknown.map((route) => `nobody has said what to ask of ${route}`);
  return {
    sent,
    seen,
    faults: [...(details.failed ? inWords(details.errorInstance) : []), ...strangers],
  };
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Routes that never went well, however often they were asked. */
export function neverReached(routes: readonly Route[], { seen }: Report): string[] {
  const names = doorsOf(routes).doors.map(({ route }) => route);
  return names.filter(
    (route) => ![...(seen.get(route)?.keys() ?? [])].some((status) => status < 400),
  );
}
