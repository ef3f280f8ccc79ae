import type { Bin } from "./measure.ts";

const SIDE = 320;
const MARGIN = 48;

/** A reliability diagram as SVG: what scores said against what was so; on the diagonal they are one. */
export function reliabilityDiagram(bins: readonly Bin[]): string {
  const x = (percent: number) => (MARGIN + (percent / 100) * SIDE).toFixed(1);
  const y = (percent: number) => (MARGIN + SIDE - (percent / 100) * SIDE).toFixed(1);
  const most = Math.max(...bins.map((bin) => bin.pairs));
  const dots = bins.map((bin) => {
    const radius = (4 + 8 * Math.sqrt(bin.pairs / most)).toFixed(1);
    return `<circle cx="${x(bin.meanScore)}" cy="${y(bin.truePercent)}" r="${radius}" fill="#1b58a9" fill-opacity="0.8"/>`;
  });
  const ticks = [0, 20, 40, 60, 80, 100].flatMap((percent) => [
    `<text x="${x(percent)}" y="${MARGIN + SIDE + 18}" text-anchor="middle">${percent}</text>`,
    `<text x="${MARGIN - 8}" y="${Number(y(percent)) + 4}" text-anchor="end">${percent}</text>`,
  ]);
  const size = SIDE + 2 * MARGIN;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size}" height="${size}" font-family="sans-serif" font-size="12">`,
    `<title>Score against share of true pairs</title>`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    `<rect x="${MARGIN}" y="${MARGIN}" width="${SIDE}" height="${SIDE}" fill="none" stroke="#888"/>`,
    `<line x1="${x(0)}" y1="${y(0)}" x2="${x(100)}" y2="${y(100)}" stroke="#888" stroke-dasharray="4 4"/>`,
    ...dots,
    ...ticks,
    `<text x="${MARGIN + SIDE / 2}" y="${size - 10}" text-anchor="middle">score</text>`,
    `<text x="14" y="${MARGIN + SIDE / 2}" text-anchor="middle" transform="rotate(-90 14 ${MARGIN + SIDE / 2})">same animal, percent</text>`,
    `</svg>`,
    "",
  ].join("\n");
}
