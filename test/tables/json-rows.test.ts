import { describe, expect, test } from "bun:test";
import { randomFrom } from "../../src/commands/demo/random.ts";
import { SEED } from "../support/seed.ts";
import { Fault } from "../../src/core/fault.ts";
import { jsonRows } from "../../src/tables/json-rows.ts";

const random = randomFrom(`json rows ${SEED}`);
const TRIES = 2_000;

/** Rows of a text that comes in pieces of random lengths; null if it is refused. */
async function rowsOf(text: string): Promise<unknown[] | null> {
  const pieces = async function* () {
    for (let at = 0; at < text.length;) {
      const length = 1 + random.below(12);
      yield text.slice(at, at + length);
      at += length;
    }
  };
  try {
    return await Array.fromAsync(jsonRows("The table", pieces()));
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}

/** Rows that the runtime's parser reads from a whole text; null unless it is a list of objects. */
function parsed(text: string): unknown[] | null {
  try {
    const list: unknown = JSON.parse(text);
    const isRow = (one: unknown) => typeof one === "object" && one !== null && !Array.isArray(one);
    return Array.isArray(list) && list.every(isRow) ? list : null;
  } catch {
    return null;
  }
}

const TEXTS = ["", "a", '"', "\\", "[", "]", "{", "}", ",", ":", "é", "\n", '\\"', "]}"];
const pick = <Value>(values: readonly Value[]) => values[random.below(values.length)]!;

function value(depth: number): unknown {
  const kind = random.below(depth > 2 ? 4 : 6);
  if (kind < 2) return `${pick(TEXTS)}${pick(TEXTS)}`;
  if (kind === 2) return random.below(1_000) / 8;
  if (kind === 3) return pick([null, true, false]);
  if (kind === 4) return Array.from({ length: random.below(3) }, () => value(depth + 1));
  return row(depth + 1);
}

function row(depth = 0): object {
  const names = Array.from({ length: random.below(4) }, (_, nth) => `${pick(TEXTS)}${nth}`);
  return Object.fromEntries(names.map((name) => [name, value(depth)]));
}

const table = () => Array.from({ length: random.below(4) }, () => row());
const written = () => JSON.stringify(table(), null, pick([0, 1, "\t"]));

describe("rows of a JSON list", () => {
  test("are those of JSON.parse, wherever the text is cut", async () => {
    for (let nth = 0; nth < TRIES; nth++) {
      const text = ` ${written()}\n`;
      expect(await rowsOf(text)).toEqual(JSON.parse(text));
    }
  });

  test("are refused if JSON.parse refuses the text, and no others", async () => {
    let refused = 0;
    for (let nth = 0; nth < TRIES; nth++) {
      const text = written();
      const at = 1 + random.below(text.length);
      const damaged = text.slice(0, at) + pick([...TEXTS, " "]) + text.slice(at + random.below(3));
      const rows = parsed(damaged);
      refused += rows === null ? 1 : 0;
      expect({ damaged, rows: await rowsOf(damaged) }).toEqual({ damaged, rows });
    }
    expect(refused).toBeGreaterThan(TRIES / 4);
    expect(refused).toBeLessThan(TRIES);
  });

  test("are refused before the rest of the text has come", async () => {
    let pieces = 0;
    const text = async function* () {
      for (const piece of ['[{"a": 1}, {"a"', ": }, ", '{"a": 2}, ', '{"a": 3}]']) {
        pieces += 1;
        yield piece;
      }
    };

    await expect(Array.fromAsync(jsonRows("The table", text()))).rejects.toThrow("not valid JSON");
    expect(pieces).toBe(2);
  });

  test.each(["[{}}", "[{}]]", "[{}][{}]", "[{},]", "[,{}]", "[{}", "[1]", "[[]]", "[null]"])(
    "are refused in %s",
    async (text) => expect(await rowsOf(text)).toBeNull(),
  );
});
