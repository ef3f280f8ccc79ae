import { expect, test } from "bun:test";
import { openGazetteer } from "../../src/places/gazetteer.ts";
import { prepare } from "../../src/matching/fields.ts";
import { score } from "../../src/matching/score.ts";
import { createStatistics } from "../../src/matching/statistics.ts";
import { catWith } from "../support/subject.ts";

// The worked example of docs/matching.md: step by step from the ratios of the fields, and by the engine.

const LYON = { lat: 45.76, lng: 4.84 };
const LOOKS = { color: "grey tabby", size: "small", sex: "female", age: "adult" } as const;
const { peoplePerKm2 } = await openGazetteer();
const statistics = createStatistics(peoplePerKm2, 30);
const lost = catWith({ ...LOOKS, point: LYON, eventDate: "2026-05-01" });
const found = catWith({
  ...LOOKS,
  point: LYON,
  type: "found",
  eventDate: "2026-05-02",
  publishedAt: 1,
});
statistics.density.add(found);
const match = score(prepare(lost), prepare(found), statistics.context)!;

const KM_PER_DEGREE = 111.195;
const WIDTHS = [0.18, 0.05, 0.01].map((side) => 3 * side * KM_PER_DEGREE);

test("a stranger gets the score of docs/matching.md by hand", async () => {
  const ratios = match.reasons.map(({ field, weight }) => [field, Math.exp(weight)] as const);
  const ratioOf = (name: string) => ratios.find(([field]) => field === name)![1];
  const evidence = ratios.reduce((product, [, ratio]) => product * ratio, 1);

  const people = WIDTHS.map((km) => peoplePerKm2(LYON, km / Math.sqrt(2 * Math.PI)));
  const expected = WIDTHS.map((km, nth) => ((people[nth]! * km ** 2 * 5) / 1000 / 365) * 30);
  const coverages = expected.reduce<number[]>(
    (known, finds) => [...known, 1 / (finds + 1 / (known.at(-1) ?? 1))],
    [],
  );
  const perDay = (people[2]! * 5) / 1000 / 365;
  const area = Math.PI * 30 ** 2 * 123;
  const apart = 0.4 * coverages[1]!;
  const chanceWith = (posted: number, rivals: number) => {
    const lookalikes = 0.2 * posted * ratioOf("distance") * ratioOf("coat");
    const odds = (posted * evidence) / (rivals + lookalikes);
    return odds / (1 + odds);
  };
  const rivalsApart = perDay * coverages[2]! * area;
  const together = [0.01, 0.03, 0.1, 0.3].map((p) =>
    chanceWith(p, perDay * Math.max(coverages[2]!, p / 10) * area),
  );
  const alone = chanceWith(apart, rivalsApart);
  const sum = 0.6 * alone + 0.1 * together.reduce((total, one) => total + one, 0);
  const rows = [
    ["ratios", ratios.map(([field, ratio]) => `${field} ${ratio.toPrecision(3)}`).join(", ")],
    ["evidence, their product", evidence.toPrecision(3)],
    ["people per km² within 60, 17 and 3 km", people.map((one) => one.toFixed(0)).join(", ")],
    ["finds expected in 30 days", expected.map((one) => one.toPrecision(3)).join(", ")],
    ["coverage, no other find posted", coverages.map((one) => one.toPrecision(2)).join(", ")],
    ["finds a day and km²", perDay.toPrecision(3)],
    ["rivals, apart", rivalsApart.toPrecision(3)],
    ["p and chance, apart", `${apart.toPrecision(2)}, ${alone.toFixed(3)}`],
    ["chances, together", together.map((one) => one.toFixed(3)).join(", ")],
    ["score", `${Math.round(100 * sum)}`],
  ];

  expect(Math.round(100 * sum)).toBe(match.score);
  const page = (await Bun.file("docs/matching.md").text()).replace(/ +\|/g, " |");
  for (const row of rows) expect(page).toContain(`| ${row.join(" | ")} |`);
});

test("the page has at most 8 kB, without what only aligns its tables", async () => {
  const page = (await Bun.file("docs/matching.md").text()).replace(/ {2,}/g, " ");

  expect(page.replace(/-{4,}/g, "---").length).toBeLessThanOrEqual(8_192);
});
