import type { Bin } from "./measure.ts";

/** Reliability diagram as SVG: share of true pairs by score, with a point for each bin and a line for each city. */
export function reliabilityDiagram(
  cities: readonly { readonly name: string; readonly bins: readonly Bin[] }[],
  pooled: readonly Bin[],
): string {
  const pairs = pooled.reduce((sum, bin) => sum + bin.pairs, 0);
  const bars = pooled.map(({ from, pairs: count }) => {
    const height = (BAR_HEIGHT_MAX * count) / Math.max(...pooled.map((bin) => bin.pairs));
    return `<rect x="${x(from) + 1}" y="${fixed(y(0) - height)}" width="${SIDE / 10 - 2}" height="${fixed(height)}" fill="#e3e8ee"/>`;
  });
  const ticks = [0, 20, 40, 60, 80, 100].flatMap((percent) => [
    `<line x1="${x(percent)}" y1="${y(0)}" x2="${x(percent)}" y2="${y(100)}" stroke="#eee"/>`,
    `<line x1="${x(0)}" y1="${y(percent)}" x2="${x(100)}" y2="${y(percent)}" stroke="#eee"/>`,
    text(x(percent), y(0) + 18, `${percent}`, "middle"),
    text(x(0) - 8, y(percent) + 4, `${percent}`, "end"),
  ]);
  const lines = cities.map(({ bins }, nth) => polyline(bins, COLORS[nth % COLORS.length]!, 1.2));
  const legend = cities.map(({ name }, nth) => {
    const at = y(100) + 22 + 18 * nth;
    const color = COLORS[nth % COLORS.length]!;
    return `<line x1="${x(3)}" y1="${at - 4}" x2="${x(8)}" y2="${at - 4}" stroke="${color}" stroke-width="2"/>${text(x(10), at, name, "start")}`;
  });
  const dots = pooled.map(
    (bin) =>
      `<circle cx="${x(bin.meanScore)}" cy="${y(bin.truePercent)}" r="4.5" fill="#1f2937"><title>score ${fixed(bin.meanScore)}: ${fixed(bin.truePercent)}% of ${bin.pairs} pairs</title></circle>`,
  );
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" font-family="system-ui, sans-serif" font-size="12">`,
    `<title>Reliability of match scores: of the pairs with a score, how many are the same animal</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    ...ticks,
    ...bars,
    `<line x1="${x(0)}" y1="${y(0)}" x2="${x(100)}" y2="${y(100)}" stroke="#9ca3af" stroke-dasharray="4 4"/>`,
    ...lines,
    polyline(pooled, "#1f2937", 2.2),
    ...dots,
    ...legend,
    text(x(50), HEIGHT - 8, "score, percent", "middle"),
    `<g transform="rotate(-90 14 ${y(50)})">${text(14, y(50), "same animal, percent of pairs", "middle")}</g>`,
    text(x(100), y(3), `bars: share of the ${pairs} pairs with 10 and more`, "end"),
    "</svg>",
  ].join("\n")}\n`;
}

const SIDE = 400;
const LEFT = 52;
const TOP = 16;
const WIDTH = LEFT + SIDE + 20;
const HEIGHT = TOP + SIDE + 48;
const BAR_HEIGHT_MAX = 90;
const COLORS = ["#2563eb", "#dc2626", "#059669", "#d97706"];

function x(percent: number): number {
  return Number(fixed(LEFT + (SIDE * percent) / 100));
}

function y(percent: number): number {
  return Number(fixed(TOP + SIDE - (SIDE * percent) / 100));
}

function polyline(bins: readonly Bin[], color: string, width: number): string {
  const points = bins.map((bin) => `${x(bin.meanScore)},${y(bin.truePercent)}`).join(" ");
  return `<polyline points="${points}" fill="none" stroke="${color}" stroke-width="${width}"/>`;
}

function text(
  left: number,
  top: number,
  words: string,
  anchor: "start" | "middle" | "end",
): string {
  return `<text x="${left}" y="${top}" text-anchor="${anchor}" fill="#374151">${words}</text>`;
}

function fixed(number: number): string {
  return number.toFixed(1);
}
