import type { Random } from "../../src/commands/demo/random.ts";
import { formatNumber, type Outcome, randomFor } from "../chaos/fault.ts";
import { createDatabase } from "../support/postgres.ts";
import type { Program } from "../support/process.ts";
import { openSmtpSink } from "../support/mail.ts";
import {
  acknowledged,
  checkHistory,
  emptyHistory,
  type History,
  recordRevisions,
  watchRemovals,
} from "./history.ts";
import { startLoad } from "./load.ts";
import { openQueries, type Queries, type Service, startService } from "./service.ts";

export type Run = {
  readonly failures: readonly string[];
  readonly history: History;
  /** "1,234 acknowledged writes, 2,345 emails (3 sent twice), ..." */
  readonly tried: string;
};

export type RunOptions = {
  /** Choices of the people, told apart from those of other runs. */
  readonly purpose: string;
  /** Database, by which way ever. */
  readonly url: string;
  /** Way of each node to the database, if it is another one. */
  readonly urlOf?: (node: number) => string;
  readonly smtpUrlOf?: (node: number, url: string) => string;
  readonly program?: Program | undefined;
  readonly programs?: Readonly<Record<number, Program>>;
  readonly nodes?: number;
  /** Inflicts the fault while people use the service; all nodes must run, and have been ready, when it resolves. */
  readonly inflict: (
    service: Service,
    queries: Queries,
    history: History,
  ) => Promise<readonly string[]>;
  /** Checks of its own, once the people have stopped, instead of those of the history. */
  readonly check?: (
    service: Service,
    queries: Queries,
    history: History,
    random: Random,
  ) => Promise<string[]>;
};

const SHOWN_MAX = 5;

/** Outcome of a run; `inflicted`: what was done to the nodes. */
export function outcomeOf({ tried, failures }: Run, inflicted = ""): Outcome {
  return {
    tried: [inflicted, tried].filter(Boolean).join(", "),
    lost: String(failures.length),
    failures: failures.slice(0, SHOWN_MAX),
  };
}

/** Runs on a database of its own. */
export async function onDatabase(
  options: (database: Awaited<ReturnType<typeof createDatabase>>) => RunOptions,
): Promise<Run> {
  return underLoad(options(await createDatabase()));
}

/** Runs people on several nodes while a fault is inflicted, then checks what they were told. */
export async function underLoad(options: RunOptions): Promise<Run> {
  const { purpose, url, urlOf = () => url, smtpUrlOf = (_, mail) => mail, program } = options;
  const random = randomFor(purpose);
  const history = emptyHistory();
  const load: { current: ReturnType<typeof startLoad> | null } = { current: null };
  const mail = await openSmtpSink((email) => load.current?.receive(email));
  const service = await startService({
    databaseUrl: urlOf,
    smtpUrl: (node) => smtpUrlOf(node, mail.url),
    ...(program === undefined ? {} : { program }),
    ...(options.programs === undefined ? {} : { programs: options.programs }),
    ...(options.nodes === undefined ? {} : { nodes: options.nodes }),
  });
  const queries = openQueries(url);
  const failures: string[] = [];
  let removals = { asked: 0, shown: [] as readonly string[] };
  try {
    await recordRevisions(queries);
    load.current = startLoad(history, random, () => service);
    const stopWatching = watchRemovals(history, () => service);
    failures.push(...(await options.inflict(service, queries, history)));
    await load.current.stop();
    if (options.check === undefined) {
      failures.push(...(await checkHistory(history, queries, service, random)));
      removals = await stopWatching();
    } else {
      // It may bring back what was removed.
      removals = await stopWatching();
      failures.push(...(await options.check(service, queries, history, random)));
    }
    failures.push(...removals.shown.slice(0, 1));
    failures.push(...(await service.stop()));
  } finally {
    await service.stop();
    await queries.close();
    await mail.close();
  }
  const emails = [...history.emails.values()];
  const doubled = emails.filter(({ arrivedAt }) => arrivedAt.length > 1).length;
  return {
    failures,
    history,
    tried: [
      `${formatNumber(acknowledged(history))} acknowledged writes`,
      `${formatNumber(emails.length)} emails (${doubled} sent twice)`,
      `${formatNumber(history.unanswered)} requests without success`,
      `${formatNumber(removals.asked)} searches for removed alerts`,
    ].join(", "),
  };
}
