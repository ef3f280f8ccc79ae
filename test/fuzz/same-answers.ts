import fc from "fast-check";
import { type FuzzResponse, toCurl, type FuzzRequest, fillPlaceholders } from "./request.ts";
import { anyRequest, fuzzedRoutes } from "./routes.ts";
import type { serviceInProcess, SentEmail } from "./service.ts";
import { createKnownValues, simulateActivity } from "./activity.ts";
import { CANARY_DIGITS } from "./text.ts";

/** Comparison of what two services answered. */
export type Comparison = {
  /** Number of responses and emails compared. */
  readonly answers: number;
  readonly emails: number;
  /** The first difference, and the request that showed it; null: there was none. */
  readonly difference: string | null;
};

/** Digits that put a position elsewhere in the same cell of the public grid, some 400 m off. */
const MOVED_DIGITS = "4261826085";
const ACTIVITY_EVERY = 250;
/** Metrics hold times and memory, which differ from run to run. */
const METRICS = /^\/metrics\b/;

/**
 * Sends the same requests to two services with the same clock and the same randomness. Positions written to the second
 * one are moved within their grid cell; nothing that can be read may differ. Stops at the first difference.
 */
export async function compareExactPositions(
  open: typeof serviceInProcess,
  requests: number,
  seed: number,
): Promise<Comparison> {
  const services = [await open(seed), await open(seed)] as const;
  const knownValues = [createKnownValues(), createKnownValues()] as const;
  const count = { answers: 0, emails: 0 };
  const responses: string[][] = [[], []];

  const sendTo = async (at: 0 | 1, request: FuzzRequest): Promise<FuzzResponse> => {
    const sent = at === 0 || !writesPlace(request) ? request : moved(request);
    const answer = await services[at].send(sent);
    knownValues[at].learn(request, answer);
    return answer;
  };
  /** Simulates the same activity in both and compares all responses and emails. */
  const simulateBoth = async (nth: number): Promise<string | null> => {
    const emails: (readonly SentEmail[])[] = [];
    for (const at of [0, 1] as const) {
      emails[at] = await simulateActivity(
        services[at],
        knownValues[at],
        async (request) => {
          const answer = await sendTo(at, request);
          responses[at]?.push(shown(answer, at === 1 && writesPlace(request)));
          return answer;
        },
        nth,
      );
    }
    const sown = responses.map((answers) => answers.splice(0));
    const posted = emails.map((some) => some.map(emailShown));
    count.answers += sown[0]?.length ?? 0;
    count.emails += posted[0]?.length ?? 0;
    return firstDifference(sown) ?? firstDifference(posted);
  };
  const compare = async (drawn: FuzzRequest): Promise<string | null> => {
    const shownBy: string[] = [];
    for (const at of [0, 1] as const) {
      const request = fillPlaceholders(drawn, knownValues[at].pick);
      shownBy.push(shown(await sendTo(at, request), at === 1 && writesPlace(request)));
    }
    count.answers += 1;
    const difference = firstDifference(shownBy.map((one) => [one]));
    return (
      difference &&
      `${toCurl(fillPlaceholders(drawn, knownValues[0].pick), services[0].baseUrl)}\n${difference}`
    );
  };

  try {
    let difference = await simulateBoth(1);
    const sample = fc.sample(anyRequest(fuzzedRoutes(services[0].routes).doors), {
      numRuns: requests,
      seed,
    });
    for (const [nth, request] of sample.entries()) {
      if (difference !== null) break;
      if (METRICS.test(request.target)) continue;
      difference =
        nth % ACTIVITY_EVERY === ACTIVITY_EVERY - 1
          ? await simulateBoth(nth)
          : await compare(request);
    }
    return { ...count, difference };
  } finally {
    for (const service of services) await service.end();
  }
}

/** Whether a request writes a position down. One that only searches shows its asker distances from where it stands. */
function writesPlace({ method, body }: FuzzRequest): boolean {
  return (
    method === "POST" &&
    body !== null &&
    body.includes(CANARY_DIGITS) &&
    !body.includes("search_alerts")
  );
}

/** Chip numbers stay, or a chip would differ from an equal one in a request that is sent as it is. */
function moved(request: FuzzRequest): FuzzRequest {
  return { ...request, body: request.body?.replaceAll(POSITION_DIGITS, MOVED_DIGITS) ?? null };
}
/** 985 is where made-up chip numbers begin. */
const POSITION_DIGITS = new RegExp(`(?<!985)${CANARY_DIGITS}`, "g");

/**
 * An answer as it is compared: byte for byte, but for tickets, which are sealed and so differ each time they are made.
 * A form that comes back to who sent it holds what was typed.
 */
function shown({ status, headers, body }: FuzzResponse, isTypedElsewhere: boolean): string {
  const whole = [status, ...[...headers].map((one) => one.join(": ")), "", body].join("\n");
  const plain = whole.replace(/\/waiting\/[\w-]+/g, "/waiting/…");
  return isTypedElsewhere ? plain.replaceAll(MOVED_DIGITS, CANARY_DIGITS) : plain;
}

/** nodemailer draws the marks between the parts of a message by lot. */
function emailShown({ to, whole }: SentEmail): string {
  return `${to}\n${whole.replace(/--_NmP-[\w-]+/g, "--")}`;
}

const SHOWN_AROUND = 120;

function firstDifference([ours = [], theirs = []]: readonly (readonly string[])[]): string | null {
  if (ours.length !== theirs.length)
    return `${ours.length} in one world, ${theirs.length} in the other`;
  for (const [nth, one] of ours.entries()) {
    const other = theirs[nth] ?? "";
    if (one === other) continue;
    let at = 0;
    while (one[at] === other[at]) at += 1;
    const around = (text: string) => text.slice(Math.max(0, at - SHOWN_AROUND), at + SHOWN_AROUND);
    return `one world:\n${around(one)}\nthe other:\n${around(other)}`;
  }
  return null;
}
