import { motherCountry } from "../../src/places/country-names.ts";
import { createGeocoder, type Located } from "../../src/places/geocoder.ts";
import { distanceKm, type Point } from "../../src/values/point.ts";
import { openGazetteer } from "../../src/places/gazetteer.ts";
import { openPostcodes } from "../../src/places/postcode-table.ts";
import asked from "./places-asked.json" with { type: "json" };
import more from "./places-more.json" with { type: "json" };
import rows from "./places.json" with { type: "json" };

/**
 * Share of places that the geocoder finds: `bun run bench:places [--wrong]`. Every list has texts as people write them, each
 * with the country of its reader, and with positions written from memory by somebody who had not seen the data:
 * places.json 300 of ten countries; places-more.json 68 more; places-asked.json 100 quarters,
 * postcodes of 40 countries, namesakes and names in other scripts, of which those with `ask` must be asked about.
 *
 * A text is right if its first answer, or the first place that a question offers, lies within the row's distance; one that
 * must be asked about if it is, and the row's place is offered. Otherwise the place is "offered" later in the question or
 * among similar names, or only the "city" around it was found and the answer says so, or it is "unknown", or "wrong".
 * Prints the shares, places of other countries that were taken without a question, and the time of a text.
 */
type Row = {
  readonly text: string;
  readonly country: string | null;
  readonly kind: string;
  readonly lat?: number;
  readonly lng?: number;
  readonly km?: number;
  readonly ask?: boolean;
};
const LISTS: Readonly<Record<string, readonly Row[]>> = {
  "300": rows,
  "68 more": more,
  "100 asked": asked,
};
const VERDICTS = ["right", "right, asked", "offered", "city", "unknown", "wrong"] as const;
type Verdict = (typeof VERDICTS)[number];

const gazetteers = {
  "towns alone": await openGazetteer({ postcodes: () => [], villages: () => [] }),
  "with postcodes and villages": await openGazetteer(openPostcodes()),
};
for (const [name, gazetteer] of Object.entries(gazetteers)) {
  const { locate } = createGeocoder({ gazetteer });
  for (const [list, texts] of Object.entries(LISTS)) {
    const took: number[] = [];
    const answers = texts.map((row) => {
      const began = performance.now();
      const located = locate({ place: row.text, country: row.country ?? undefined });
      took.push(performance.now() - began);
      return { row, located, verdict: verdictOf(row, located) };
    });
    const isRight = ({ verdict }: { readonly verdict: Verdict }) => verdict.startsWith("right");
    const share = (of: typeof answers) => `${of.filter(isRight).length} of ${of.length}`;
    console.log(`\n${list}, ${name}: ${share(answers)} right`);
    for (const verdict of VERDICTS)
      console.log(`  ${verdict}: ${answers.filter((one) => one.verdict === verdict).length}`);
    for (const [kind, of] of Map.groupBy(answers, ({ row }) => row.kind))
      console.log(`    ${kind}: ${share(of)}`);
    const abroad = answers.filter(({ row, located }) => isTakenAbroad(row, located));
    console.log(`  taken abroad without a question: ${abroad.length}`);
    for (const { row } of abroad) console.log(`    ${row.text} (${row.country})`);
    const sorted = took.toSorted((a, b) => a - b);
    const at = (part: number) => sorted[Math.floor(part * (sorted.length - 1))]!.toFixed(2);
    console.log(`  time of a text: median ${at(0.5)} ms, 99% within ${at(0.99)} ms`);
    if (Bun.argv.includes("--wrong"))
      for (const { row, located, verdict } of answers)
        if (verdict !== "right")
          console.log(`    ${verdict}: ${row.text} (${row.country}) -> ${shown(located)}`);
  }
}

function verdictOf(row: Row, located: Located | null): Verdict {
  if (located === null) return "unknown";
  if (located.kind === "known") {
    if (row.ask === true) return "wrong";
    if (isAt(row, located.point)) return "right";
    return located.unread === null ? "wrong" : "city";
  }
  const choices = located.kind === "ask" ? located.choices : located.alike;
  const at = choices.findIndex(({ point }) => isAt(row, point));
  if (row.ask === true && (at >= 0 || row.lat === undefined)) return "right, asked";
  if (at < 0) return "unknown";
  return at === 0 && located.kind === "ask" ? "right, asked" : "offered";
}

function isAt({ lat, lng, km = 0 }: Row, point: Point): boolean {
  return lat !== undefined && lng !== undefined && distanceKm(point, { lat, lng }) <= km;
}

/** True for a place of another country than the reader's that the text does not name. */
function isTakenAbroad({ country, kind }: Row, located: Located | null): boolean {
  return (
    country !== null &&
    kind !== "with region or country" &&
    located?.kind === "known" &&
    motherCountry(located.town.countryCode) !== motherCountry(country)
  );
}

function shown(located: Located | null): string {
  if (located === null) return "nothing";
  const towns =
    located.kind === "known"
      ? [located.town]
      : located.kind === "ask"
        ? located.choices
        : located.alike;
  const unread =
    located.kind === "known" && located.unread !== null ? `, unread ${located.unread}` : "";
  const names = towns.map(({ name, near, countryCode }) => `${name} (${near}) ${countryCode}`);
  return `${located.kind}: ${names.join("; ")}${unread}`;
}
