/** How long questions of one kind take, in ms. */
export type Times = { readonly p50: number; readonly p99: number };

/**
 * From the times of the same questions in several rounds: each question counts with its median, so that what else the
 * machine did in one round does not. A round may have got through fewer questions than another.
 */
export function timesOver(rounds: readonly (readonly number[])[]): Times {
  const most = Math.max(0, ...rounds.map((times) => times.length));
  const perQuestion = Array.from({ length: most }, (_, nth) =>
    median(rounds.flatMap((times) => times[nth] ?? [])),
  );
  return { p50: quantile(perQuestion, 0.5), p99: quantile(perQuestion, 0.99) };
}

export function median(figures: readonly number[]): number {
  return quantile(figures, 0.5);
}

/** The least figure that this share of them does not pass; NaN of none. */
function quantile(figures: readonly number[], share: number): number {
  return figures.toSorted((a, b) => a - b)[Math.ceil(share * figures.length) - 1] ?? Number.NaN;
}
