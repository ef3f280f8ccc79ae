/** Kind of animal: a breed, or several that people do not distinguish. */
export type AnimalKind = {
  readonly key: string;
  /** Number of purebred animals, and of animals mixed with another kind. */
  readonly pure: number;
  readonly mixed: number;
  /** Names, the most frequent first. */
  readonly words: readonly string[];
  /** Keys of the kinds it is mistaken for. */
  readonly like: readonly string[];
  /** Percent small, medium, large, very large. */
  readonly sizes: readonly number[];
  /** Coats (keys of `PHRASES`) by weight. */
  readonly coats: readonly (readonly [coat: string, weight: number])[];
};

/** Parses a table with one kind per line: `key pure mixed | words | like | sizes | coats`. */
export function kindsOf(table: string): AnimalKind[] {
  return table.trim().split("\n").map(kindIn);
}

function kindIn(line: string): AnimalKind {
  const [counts = "", words = "", like = "", sizes = "", coats = ""] = line.trim().split(" | ");
  const [key = "", pure, mixed] = counts.split(" ");
  return {
    key,
    pure: Number(pure),
    mixed: Number(mixed),
    words: words.split(", "),
    like: like.split(" "),
    sizes: sizes.split(" ").map(Number),
    coats: coats.split(", ").map((entry) => {
      const [coat = "", weight] = entry.split(" ");
      return [coat, Number(weight)] as const;
    }),
  };
}
