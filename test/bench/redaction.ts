import { parseArgs } from "node:util";
import { redact } from "../../src/redaction/redact.ts";
import { hostileTexts } from "../redaction/hostile-texts.ts";

const USAGE = `Usage: bun run bench:redaction [--rounds N] [--shown N]

Prints the processor time of removing contact details from texts of 2,000 characters that are meant to be slow: the
slowest of them, in milliseconds. Ends with 1 if one takes longer than 5 ms.

  --rounds  calls for each text [20]
  --shown   lines [15]`;

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "20" },
    shown: { type: "string", default: "15" },
    help: { type: "boolean", default: false },
  },
});
if (options.help) {
  console.log(USAGE);
  process.exit(0);
}
const LENGTH = 2_000;
const AIM_MS = 5;
const COUNTRIES = ["FR", "US", "DK"];

const rounds = Number(options.rounds);
const measured = hostileTexts(LENGTH).flatMap((text) =>
  COUNTRIES.map((countryCode) => ({ text, countryCode, ms: processorMs(text, countryCode) })),
);
const slowest = measured.toSorted((a, b) => b.ms - a.ms);
for (const { text, countryCode, ms } of slowest.slice(0, Number(options.shown)))
  console.log(`${ms.toFixed(2)} ms  ${countryCode}  ${JSON.stringify(text.slice(0, 40))} ...`);
const late = measured.filter(({ ms }) => ms > AIM_MS);
console.log(`${measured.length} texts, ${late.length} of them over ${AIM_MS} ms`);
process.exit(late.length === 0 ? 0 : 1);

/** Median processor time of a call, after one that compiles the patterns. */
function processorMs(text: string, countryCode: string): number {
  redact(text, { countryCode });
  const times = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage();
    redact(text, { countryCode });
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)]!;
}
