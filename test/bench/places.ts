import { createGeocoder } from "../../src/core/geocoder.ts";
import { distanceKm } from "../../src/core/place.ts";
import { openGazetteer } from "../../src/geo/gazetteer.ts";
import { openPostcodes } from "../../src/geo/postcodes.ts";
import blind from "./places-blind.json" with { type: "json" };
import rows from "./places.json" with { type: "json" };

/**
 * Share of places that the geocoder finds: `bun run bench:places [--wrong] [--blind]`. places.json has 300 texts as people write
 * them in ten countries, with positions written from memory by somebody who had not seen the gazetteer. A text is right
 * if its first answer lies within the row's distance; "suggested" if the place is among the similar names of an
 * unknown one; "city" if only the city around was found and the answer says so.
 * places-blind.json, read with `--blind`, has 68 more that the rules were never adjusted to.
 * Prints the share with and without the table of postcodes and villages, and the time of a text.
 */
const texts = Bun.argv.includes("--blind") ? blind : rows;
const gazetteers = {
  "towns alone": await openGazetteer({ postcodes: () => [], villages: () => [] }),
  "with postcodes and villages": await openGazetteer(openPostcodes()),
};

for (const [name, gazetteer] of Object.entries(gazetteers)) {
  const geocoder = createGeocoder({ gazetteer });
  const took: number[] = [];
  const answers = texts.map((row) => {
    const began = performance.now();
    const located = geocoder.locate({ place: row.text, country: row.country ?? undefined });
    took.push(performance.now() - began);
    return { row, located, verdict: verdictOf(row, located) };
  });
  const share = (of: typeof answers) =>
    `${of.filter(({ verdict }) => verdict === "right").length} of ${of.length}`;
  console.log(`\n${name}: ${share(answers)} right`);
  for (const verdict of ["city", "suggested", "unknown", "wrong"])
    console.log(`  ${verdict}: ${answers.filter((one) => one.verdict === verdict).length}`);
  for (const [kind, of] of Map.groupBy(answers, ({ row }) => row.kind))
    console.log(`  ${kind}: ${share(of)}`);
  const sorted = took.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(part * (sorted.length - 1))]!.toFixed(2);
  console.log(`  time of a text: median ${at(0.5)} ms, 99% within ${at(0.99)} ms`);
  if (Bun.argv.includes("--wrong"))
    for (const { row, located, verdict } of answers)
      if (verdict !== "right")
        console.log(
          `    ${verdict}: ${row.text} (${row.country}) -> ${JSON.stringify(located?.kind === "known" ? { ...located.town, unread: located.unread } : null)}`,
        );
}

function verdictOf(
  row: (typeof rows)[number],
  located: ReturnType<ReturnType<typeof createGeocoder>["locate"]>,
): "right" | "city" | "suggested" | "unknown" | "wrong" {
  if (located?.kind === "unknown")
    return located.alike.some(({ point }) => distanceKm(point, row) <= row.km)
      ? "suggested"
      : "unknown";
  if (located === null) return "unknown";
  if (distanceKm(located.point, row) <= row.km) return "right";
  return located.unread === null ? "wrong" : "city";
}
