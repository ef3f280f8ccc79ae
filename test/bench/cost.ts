/** A line of the plot: what an answer costs one contender at each size. */
export type CostLine = {
  readonly name: string;
  readonly isOurs: boolean;
  readonly points: readonly { readonly alerts: number; readonly ms: number }[];
};

/** Cost against size as SVG, both on logarithmic scales; it follows the reader's light or dark. */
export function costPlot(title: string, lines: readonly CostLine[]): string {
  const points = lines.flatMap((line) => line.points);
  const x = scale(
    points.map(({ alerts }) => alerts),
    LEFT,
    LEFT + PLOT_WIDTH,
  );
  const y = scale(
    points.map(({ ms }) => ms),
    TOP + PLOT_HEIGHT,
    TOP,
  );
  const names = apart(
    lines.map(({ points: line }) => y.at(line.at(-1)?.ms ?? 1)),
    LINE_HEIGHT,
  );
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" font-family="system-ui, sans-serif" font-size="13">`,
    `<title>${title}</title>`,
    `<style>${STYLE}</style>`,
    `<rect class="paper" width="${WIDTH}" height="${HEIGHT}" rx="6"/>`,
    text(LEFT, 22, title, "start"),
    ...y.tens.flatMap((ms) => [
      `<line class="grid" x1="${LEFT}" x2="${LEFT + PLOT_WIDTH}" y1="${fixed(y.at(ms))}" y2="${fixed(y.at(ms))}"/>`,
      text(LEFT - 8, y.at(ms) + 4, `${ms} ms`, "end"),
    ]),
    ...x.tens.flatMap((alerts) => [
      `<line class="grid" y1="${TOP}" y2="${TOP + PLOT_HEIGHT}" x1="${fixed(x.at(alerts))}" x2="${fixed(x.at(alerts))}"/>`,
      text(x.at(alerts), TOP + PLOT_HEIGHT + 20, alerts.toLocaleString("en"), "middle"),
    ]),
    text(LEFT + PLOT_WIDTH / 2, HEIGHT - 10, "active alerts", "middle"),
    ...lines.flatMap((line, nth) => drawn(line, nth, names[nth]!)),
    "</svg>",
  ].join("\n")}\n`;

  function drawn({ name, isOurs, points: line }: CostLine, nth: number, nameAt: number): string[] {
    const look = isOurs ? "ours" : `peer${nth % PEER_LOOKS}`;
    const places = line.map(({ alerts, ms }) => [fixed(x.at(alerts)), fixed(y.at(ms))] as const);
    return [
      `<polyline class="line ${look}" points="${places.map((place) => place.join(",")).join(" ")}"/>`,
      ...places.map(
        ([cx, cy], which) =>
          `<circle class="dot ${look}" cx="${cx}" cy="${cy}" r="${isOurs ? 5 : 4}"><title>${name}: ${digits(line[which]!.ms)} ms</title></circle>`,
      ),
      `<text class="label ${look}" x="${LEFT + PLOT_WIDTH + 12}" y="${fixed(nameAt + 4)}">${name}, ${digits(line.at(-1)?.ms ?? 0)} ms</text>`,
    ];
  }
}

const LEFT = 74;
const TOP = 40;
const PLOT_WIDTH = 360;
const PLOT_HEIGHT = 300;
const WIDTH = LEFT + PLOT_WIDTH + 236;
const HEIGHT = TOP + PLOT_HEIGHT + 56;
const LINE_HEIGHT = 18;
const PEER_LOOKS = 5;

/** Colours that keep their contrast on white and on near-black (3:1 and more); peers are told apart by dashes too. */
const STYLE = [
  ".paper{fill:#fff}.grid{stroke:#e5e7eb}text{fill:#1f2937}.line{fill:none;stroke-width:2}",
  ".ours{stroke:#c2410c;fill:#c2410c}.line.ours{stroke-width:3.5;fill:none}",
  ".peer0,.peer1{stroke:#2563eb;fill:#2563eb}.peer2{stroke:#2563eb;fill:#2563eb;stroke-dasharray:5 4}",
  ".peer3{stroke:#047857;fill:#047857}.peer4{stroke:#7c3aed;fill:#7c3aed}.line{fill:none}.dot,.label{stroke:none}",
  "@media (prefers-color-scheme:dark){.paper{fill:#0d1117}.grid{stroke:#30363d}text{fill:#e6edf3}",
  ".ours{stroke:#fb923c;fill:#fb923c}.peer0,.peer1,.peer2{stroke:#60a5fa;fill:#60a5fa}",
  ".peer3{stroke:#34d399;fill:#34d399}.peer4{stroke:#c4b5fd;fill:#c4b5fd}.line,.line.ours{fill:none}.dot,.label{stroke:none}}",
].join("");

/** A logarithmic scale over whole tens that hold all values. */
function scale(values: readonly number[], from: number, to: number) {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  return {
    at: (value: number) => from + ((Math.log10(value) - low) / (high - low)) * (to - from),
    tens: Array.from({ length: high - low + 1 }, (_, nth) => Number(`1e${low + nth}`)),
  };
}

/** Places moved down as far as it takes that none lies within `distance` of another. */
function apart(places: readonly number[], distance: number): number[] {
  const moved = [...places];
  let last = -Infinity;
  for (const nth of places.map((_, at) => at).sort((a, b) => places[a]! - places[b]!)) {
    moved[nth] = Math.max(places[nth]!, last + distance);
    last = moved[nth]!;
  }
  return moved;
}

function text(left: number, top: number, words: string, anchor: "start" | "middle" | "end") {
  return `<text x="${fixed(left)}" y="${fixed(top)}" text-anchor="${anchor}">${words}</text>`;
}

function digits(ms: number): string {
  return ms.toPrecision(2).includes("e") ? ms.toFixed(0) : ms.toPrecision(2);
}

function fixed(number: number): string {
  return number.toFixed(1);
}
