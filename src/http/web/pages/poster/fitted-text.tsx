/** @jsxImportSource hono/jsx */
/** Text stretched to the full width of its box, whatever the font. */
export function Fitted({ text, class: name }: { text: string; class: string }) {
  const width = widthOf(text) * LETTER;
  const hasTails = text !== text.toUpperCase() || text.includes("/");
  return (
    <svg class={name} viewBox={`0 0 ${width.toFixed(1)} ${hasTails ? 104 : 80}`} role="img">
      <title>{text}</title>
      <text
        y={hasTails ? 78 : 76}
        font-size={LETTER}
        textLength={width.toFixed(1)}
        lengthAdjust="spacingAndGlyphs"
      >
        {text}
      </text>
    </svg>
  );
}
const LETTER = 100;

/** Rotated lines of a tear-off strip, each as large as its length allows; the last one is the largest. */
export function Strip({ lines }: { lines: readonly [string, string, string] }) {
  return (
    <svg viewBox={`0 0 ${STRIP.width} ${STRIP.height}`}>
      <g transform={`translate(0 ${STRIP.height}) rotate(-90)`}>
        {lines.map((line, at) => {
          const { y, size } = STRIP.lines[at]!;
          const fits = STRIP.written / widthOf(line);
          return (
            <text
              x={STRIP.height / 2}
              y={y}
              text-anchor="middle"
              font-size={Math.min(size, fits).toFixed(1)}
              {...(fits < size
                ? { textLength: String(STRIP.written), lengthAdjust: "spacingAndGlyphs" }
                : {})}
            >
              {line}
            </text>
          );
        })}
      </g>
    </svg>
  );
}

/** In tenths of a millimetre, as an A4 sheet prints them. */
const STRIP = {
  width: 220,
  height: 480,
  written: 440,
  lines: [
    { y: 58, size: 42 },
    { y: 116, size: 42 },
    { y: 190, size: 72 },
  ],
} as const;

/** Estimated width of a text in a bold sans serif, in ems; SVG stretches the rest. */
function widthOf(text: string): number {
  const ems = [...text].map((letter) => {
    if (/[ .,:;'’ijlI/|[\]()]/.test(letter)) return 0.33;
    if (/[MWmw@]/.test(letter)) return 0.9;
    // Chinese, Japanese and Korean letters and emoji fill a square.
    if (
      /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uff00-\uff60]|\p{Emoji_Presentation}/u.test(letter)
    )
      return 1;
    return /\p{Lu}/u.test(letter) ? 0.7 : 0.58;
  });
  return Math.max(
    1,
    ems.reduce((sum, em) => sum + em, 0),
  );
}
