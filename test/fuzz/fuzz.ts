import fc from "fast-check";
import { toCurl, type FuzzResponse, type FuzzRequest, fillPlaceholders } from "./request.ts";
import { anyRequest, fuzzedRoutes, type Route } from "./routes.ts";
import { createResponseCheck } from "./response-check.ts";
import type { FuzzedService } from "./service.ts";
import { createKnownValues, simulateActivity } from "./activity.ts";

/** What became of a run. */
export type Report = {
  readonly sent: number;
  /** How often each route was asked, by the status of its answers. */
  readonly seen: Readonly<Record<string, Readonly<Record<number, number>>>>;
  /** In sentences; empty: all is well. */
  readonly errors: readonly string[];
};

export type Run = {
  readonly service: FuzzedService;
  readonly routes: readonly Route[];
  readonly requests: number;
  readonly seed: number;
  /** How many requests are sent between one round and the next. */
  readonly activityEvery: number;
  readonly say: (line: string) => void;
};

/** How often a failure is tried smaller. */
const SHRINKS_MAX = 300;
const PROGRESS_EVERY = 20_000;

/** Sends so many requests to one service and looks at every answer. Ends at the first fault, made as small as it can be. */
export async function fuzz({
  service,
  routes,
  requests,
  seed,
  activityEvery,
  say,
}: Run): Promise<Report> {
  const { doors, unknown } = fuzzedRoutes(routes);
  const kinds = new Map(doors.map(({ route, kind }) => [route, kind]));
  const seen: Record<string, Record<number, number>> = {};
  const known = createKnownValues();
  const description = await service.send({
    route: "",
    method: "GET",
    target: "/api/openapi.json",
    headers: [],
    body: null,
    from: null,
  });
  const check = createResponseCheck(JSON.parse(description.body), known.ownerOf);
  let sent = 0;
  let rounds = 0;
  /** The last request that showed a fault: as fast-check tries smaller ones, the smallest. */
  let smallest: { readonly request: FuzzRequest; readonly errors: readonly string[] } | null = null;

  const faultsAfter = async (
    request: FuzzRequest,
  ): Promise<{ answer: FuzzResponse | null; errors: string[] }> => {
    try {
      const answer = await service.send(request);
      const counts = (seen[request.route] ??= {});
      counts[answer.status] = (counts[answer.status] ?? 0) + 1;
      const errors = check.response(request, kinds.get(request.route) ?? null, answer);
      return { answer, errors: [...errors, ...service.logged().flatMap(check.log)] };
    } catch (error) {
      return { answer: null, errors: [`no answer: ${stackOf(error)}`] };
    }
  };
  const send = async (request: FuzzRequest): Promise<FuzzResponse> => {
    const { answer, errors } = await faultsAfter(request);
    if (answer === null || errors.length > 0) {
      smallest = { request, errors };
      throw new Error(errors.join("\n"));
    }
    known.learn(request, answer);
    return answer;
  };
  const live = async () => {
    const emails = await simulateActivity(service, known, send, (rounds += 1));
    const errors = emails.flatMap(check.email);
    if (errors.length > 0) throw new Error(errors.join("\n"));
  };

  /** What was found, and the smallest request that shows it, to be pasted into a shell. */
  const inWords = (error: unknown): string[] => {
    if (smallest === null) return [stackOf(error)];
    return [...smallest.errors, toCurl(smallest.request, service.baseUrl)];
  };
  try {
    await live();
  } catch (error) {
    return { sent, seen, errors: inWords(error) };
  }
  const details = await fc.check(
    fc.asyncProperty(fc.limitShrink(anyRequest(doors), SHRINKS_MAX), async (request) => {
      sent += 1;
      if (sent % activityEvery === 0) await live();
      if (sent % PROGRESS_EVERY === 0) say(`${sent} requests`);
      await send(fillPlaceholders(request, known.pick));
    }),
    { numRuns: requests, seed },
  );
  const strangers = unknown.map((route) => `nobody has said what to request of ${route}`);
  return {
    sent,
    seen,
    errors: [...(details.failed ? inWords(details.errorInstance) : []), ...strangers],
  };
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Routes that never went well, however often they were asked. */
export function routesWithoutSuccess(routes: readonly Route[], { seen }: Report): string[] {
  const names = fuzzedRoutes(routes).doors.map(({ route }) => route);
  return names.filter(
    (route) => !Object.keys(seen[route] ?? {}).some((status) => Number(status) < 400),
  );
}
