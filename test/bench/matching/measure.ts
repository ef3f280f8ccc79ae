/** Scored pair. */
export type Pair = { readonly score: number; readonly isSame: boolean };

/** Rank of a lost animal's true find among all finds; ties count as their chance to come first. */
export type Rank = { readonly better: number; readonly tied: number };

export type Measures = {
  /** Share of the lost animals with a find that have it among the first 1, 5, 10. */
  readonly recallAt: readonly (readonly [k: number, recall: number])[];
  readonly precisionAt40: number;
  /** Share of all true pairs that score 40 and more. */
  readonly recallAt40: number;
  readonly calibrationError: number;
  readonly bins: readonly Bin[];
};

/** Bin of ten points: mean score and share of true pairs, both in percent. */
export type Bin = {
  readonly from: number;
  readonly pairs: number;
  readonly meanScore: number;
  readonly truePercent: number;
};

export function measures(
  pairs: readonly Pair[],
  ranks: readonly Rank[],
  truePairs: number,
): Measures {
  const high = pairs.filter(({ score }) => score >= 40);
  const highTrue = high.filter(({ isSame }) => isSame).length;
  const bins = binsOf(pairs);
  const counted = bins.reduce((sum, bin) => sum + bin.pairs, 0);
  const gap = bins.reduce(
    (sum, bin) => sum + bin.pairs * Math.abs(bin.meanScore - bin.truePercent),
    0,
  );
  return {
    recallAt: [1, 5, 10].map((k) => [k, mean(ranks.map((one) => chanceAmong(k, one)))]),
    precisionAt40: high.length === 0 ? Number.NaN : highTrue / high.length,
    recallAt40: highTrue / truePairs,
    calibrationError: gap / counted / 100,
    bins,
  };
}

function chanceAmong(k: number, { better, tied }: Rank): number {
  return Math.min(1, Math.max(0, (k - better) / (tied + 1)));
}

/** Bins from 10, for the expected calibration error: the pairs below are too many to matter and are not shown. */
function binsOf(pairs: readonly Pair[]): Bin[] {
  return [10, 20, 30, 40, 50, 60, 70, 80, 90].flatMap((from) => {
    const inside = pairs.filter(({ score }) => score >= from && (score < from + 10 || from === 90));
    if (inside.length === 0) return [];
    return [
      {
        from,
        pairs: inside.length,
        meanScore: mean(inside.map(({ score }) => score)),
        truePercent: 100 * mean(inside.map(({ isSame }) => Number(isSame))),
      },
    ];
  });
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
