import type { BaseColor, Coat, Pattern } from "../coat.ts";

/** The names of colours and patterns in a language; an empty pattern is one that the colours already tell. */
export type CoatNames = {
  readonly colors: Readonly<Record<BaseColor, string>>;
  readonly patterns: Readonly<Record<Pattern, string>>;
  /** Stands between two colours, blanks included. */
  readonly and: string;
};

/** "grey and white tabby". Tortie and calico are their colours' name. */
export function coatPhrase({ colors, pattern }: Coat, names: CoatNames): string {
  const patternName = pattern === null ? "" : names.patterns[pattern];
  if (pattern === "tortie" || pattern === "calico") return patternName;
  // White last, as people say it: "black and white".
  const inOrder = colors.toSorted((a, b) => Number(a === "white") - Number(b === "white"));
  const colorNames = inOrder.map((color) => names.colors[color]).join(names.and);
  return [colorNames, patternName].filter((part) => part !== "").join(" ");
}
