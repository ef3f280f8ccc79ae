import { expect, test } from "bun:test";
import { lifeInProcess } from "./fuzz/life.ts";
import { twins } from "./fuzz/twins.ts";
import { weakened } from "./faults/weakened.ts";

// Where something happened is kept to about 1 km. So of two services whose alerts, sightings and zones lie elsewhere
// inside their cells, and that are alike in all else, nobody can tell which is which.

const SEED = 20_261_121;

test("two worlds that differ only inside their cells answer 5,000 random requests, and write letters, byte for byte alike", async () => {
  const { answers, letters, difference } = await twins(lifeInProcess, 5_000, SEED);

  expect(difference).toBeNull();
  expect(answers).toBeGreaterThan(5_000);
  expect(letters).toBeGreaterThan(200);
}, 300_000);

test.each([
  ["the grid", { file: "src/core/place.ts", piece: "Math.round(lat * 100) / 100", instead: "lat" }],
  // Its points are shown nowhere: only who gets a letter tells.
  [
    "it for zones",
    { file: "src/core/asking.ts", piece: "snap(input.lat, input.lng)", instead: "input" },
  ],
])(
  "without %s they do not",
  async (_, weakening) => {
    const copy = await weakened(weakening);
    const life = await copy.load<typeof import("./fuzz/life.ts")>("test/fuzz/life.ts");

    const { difference } = await twins(life.lifeInProcess, 500, SEED);

    expect(difference).toContain("the other:");
    copy.forget();
  },
  60_000,
);
