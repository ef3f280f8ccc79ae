import { CAPS, FACTORS, formatRate, QUOTAS } from "../../src/core/caps.ts";
import { SETTINGS } from "../../src/settings/setting-list.ts";

// `bun run limits` writes docs/limits.md from `src/core/caps.ts`: the values, and the comments above them.

const INTRODUCTION = `# Limits

Every limit: whom it counts, what happens beyond it and, where strangers could try, why it cannot be turned against somebody. A client is an IPv4 address or an IPv6 /64, a network an IPv4 /24 or an IPv6 /48; a mailbox is counted in all its spellings unless it says otherwise. 429 and 503 tell when to try again. \`test/abuse\` fills them in somebody else's name. This file is written by \`bun run limits\`.
`;

/** The document, from the text of `src/core/caps.ts`. */
export function limitsDocument(source: string): string {
  const groups = [
    ["Settings", settings()],
    ["Within a time", listed(source, CAPS, (cap) => formatRate(cap))],
    ["At a time", listed(source, QUOTAS, count)],
    ["Parts of other limits", listed(source, FACTORS, (factor) => `${factor} times`)],
  ] as const;
  return [
    INTRODUCTION,
    ...groups.map(([title, lines]) => `## ${title}\n\n${lines.join("\n")}\n`),
  ].join("\n");
}

function settings(): string[] {
  return SETTINGS.filter(({ name }) => name.startsWith("LIMIT_")).map(
    ({ name, default: value, meaning }) =>
      `- \`${name}\`, ${value}: ${meaning.replace(/: (number.*)$/, " ($1)")}. Beyond it 429.`,
  );
}

function listed<Value>(
  source: string,
  limits: Readonly<Record<string, Value>>,
  format: (value: Value) => string,
): string[] {
  return Object.entries(limits).map(
    ([name, value]) => `- \`${name}\`, ${format(value)}: ${commentAbove(source, name)}`,
  );
}

/** Comment above a value. Throws if there is none. */
function commentAbove(source: string, name: string): string {
  const lines = source.slice(0, source.indexOf(`\n  ${name}: `)).split("\n");
  const start = lines.findLastIndex((line) => line.startsWith("  /**"));
  const comment = lines.slice(start);
  if (!comment.at(-1)?.endsWith("*/")) throw new Error(`${name} has no comment`);
  return comment
    .map((line) => line.replace(/^ *(?:\/\*\*|\*\/|\*) ?| *\*\/$/g, "").trim())
    .filter(Boolean)
    .join(" ");
}

function count(number: number): string {
  const mib = number / 1024 / 1024;
  return Number.isInteger(mib) ? `${mib} MiB` : number.toLocaleString("en");
}

if (import.meta.main) {
  const source = await Bun.file("src/core/caps.ts").text();
  await Bun.write("docs/limits.md", limitsDocument(source));
}
