import fc from "fast-check";
import { type Answer, asCurl, type Ask, filledIn } from "./ask.ts";
import { anyAsk, doorsOf } from "./doors.ts";
import type { lifeInProcess, Sent } from "./life.ts";
import { createStock, season } from "./season.ts";
import { CANARY_DIGITS } from "./text.ts";

/** What two services answered, held side by side. */
export type Compared = {
  /** Answers and letters that were compared. */
  readonly answers: number;
  readonly letters: number;
  /** The first difference, and the request that showed it; null: there was none. */
  readonly difference: string | null;
};

/** Digits that put a position elsewhere in the same cell of the public grid, some 400 m off. */
const MOVED_DIGITS = "4261826085";
const SEASON_EVERY = 250;

/**
 * Sends the same requests to two services that run under one clock and with the same dice. In the second one everything
 * that is written down has its position elsewhere in its cell; nothing that is read may tell. Ends at the first
 * difference.
 */
export async function twins(
  open: typeof lifeInProcess,
  requests: number,
  seed: number,
): Promise<Compared> {
  const lives = [await open(seed), await open(seed)] as const;
  const stocks = [createStock(), createStock()] as const;
  const count = { answers: 0, letters: 0 };
  const answersSown: string[][] = [[], []];

  const sendTo = async (at: 0 | 1, ask: Ask): Promise<Answer> => {
    const sent = at === 0 || !writesPlace(ask) ? ask : moved(ask);
    const answer = await lives[at].send(sent);
    stocks[at].learn(ask, answer);
    return answer;
  };
  /** The same season in both; then all its answers and letters are compared. */
  const live = async (nth: number): Promise<string | null> => {
    const letters: (readonly Sent[])[] = [];
    for (const at of [0, 1] as const) {
      letters[at] = await season(
        lives[at],
        stocks[at],
        async (ask) => {
          const answer = await sendTo(at, ask);
          answersSown[at]?.push(shown(answer, at === 1 && writesPlace(ask)));
          return answer;
        },
        nth,
      );
    }
    const sown = answersSown.map((answers) => answers.splice(0));
    const posted = letters.map((some) => some.map(letterShown));
    count.answers += sown[0]?.length ?? 0;
    count.letters += posted[0]?.length ?? 0;
    return firstDifference(sown) ?? firstDifference(posted);
  };
  const compare = async (drawn: Ask): Promise<string | null> => {
    const shownBy: string[] = [];
    for (const at of [0, 1] as const) {
      const ask = filledIn(drawn, stocks[at].pick);
      shownBy.push(shown(await sendTo(at, ask), at === 1 && writesPlace(ask)));
    }
    count.answers += 1;
    const difference = firstDifference(shownBy.map((one) => [one]));
    return (
      difference && `${asCurl(filledIn(drawn, stocks[0].pick), lives[0].baseUrl)}\n${difference}`
    );
  };

  try {
    let difference = await live(1);
    const asks = fc.sample(anyAsk(doorsOf(lives[0].routes).doors), { numRuns: requests, seed });
    for (const [nth, ask] of asks.entries()) {
      if (difference !== null) break;
      difference = nth % SEASON_EVERY === SEASON_EVERY - 1 ? await live(nth) : await compare(ask);
    }
    return { ...count, difference };
  } finally {
    for (const life of lives) await life.end();
  }
}

/** Whether a request writes a position down. One that only searches shows its asker distances from where it stands. */
function writesPlace({ method, body }: Ask): boolean {
  return (
    method === "POST" &&
    body !== null &&
    body.includes(CANARY_DIGITS) &&
    !body.includes("search_alerts")
  );
}

function moved(ask: Ask): Ask {
  return { ...ask, body: ask.body?.replaceAll(CANARY_DIGITS, MOVED_DIGITS) ?? null };
}

/**
 * An answer as it is compared: byte for byte, but for tickets, which are sealed and so differ each time they are made.
 * A form that comes back to who sent it holds what was typed.
 */
function shown({ status, headers, body }: Answer, isTypedElsewhere: boolean): string {
  const whole = [status, ...[...headers].map((one) => one.join(": ")), "", body].join("\n");
  const plain = whole.replace(/\/waiting\/[\w-]+/g, "/waiting/…");
  return isTypedElsewhere ? plain.replaceAll(MOVED_DIGITS, CANARY_DIGITS) : plain;
}

/** nodemailer draws the marks between the parts of a message by lot. */
function letterShown({ to, whole }: Sent): string {
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
