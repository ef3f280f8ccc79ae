/** A kind of animal: a breed, or several that people see as one. */
export type Kind = {
  readonly key: string;
  /** Animals of this kind alone, and animals of this kind with another. */
  readonly pure: number;
  readonly mixed: number;
  /** What it is called; the first most often. */
  readonly words: readonly string[];
  /** Keys of the kinds it is taken for. */
  readonly like: readonly string[];
  /** Percent small, medium, large, very large. */
  readonly sizes: readonly number[];
  /** Coats (keys of `PHRASES`) by weight. */
  readonly coats: readonly (readonly [coat: string, weight: number])[];
};

/** Reads a table: one kind a line, `key pure mixed | words | like | sizes | coats`. */
export function kindsOf(table: string): Kind[] {
  return table.trim().split("\n").map(kindIn);
}

function kindIn(line: string): Kind {
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
