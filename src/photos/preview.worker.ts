import { DRAWING_SIZE, drawnAnimal } from "./drawn-animal.ts";
import { rasterize } from "./rasterizer.ts";
import { type Preview, PREVIEW_PX } from "./preview-picture.ts";

// Draws pictures for link previews: on the main thread each would block requests for some 100 ms.

/** Picture drawn, or why it could not be. */
export type PreviewReport = { readonly jpeg: Uint8Array<ArrayBuffer> } | { readonly why: string };

/** Largest file that WhatsApp is known to take. */
const BYTES_MAX = 300_000;
/** JPEG qualities in the order they are tried, until the file is small enough. */
const QUALITIES = [82, 65, 45] as const;

const GROUND = "#fffaf4";
const INK = "#1f1a17";
const QUIET = "#655b54";
const TINT = "#e6f2f1";
const BAND = { lost: "#b3261e", found: "#19693d", home: "#5b4a9e" } as const;
/** Widths of a letter of the bold font in multiples of its size, a little above the averages of text and of capitals. */
const LETTER_WIDTH = 0.58;
const CAPITAL_WIDTH = 0.74;
const TEXT_LEFT = 690;
const TEXT_WIDTH = 460;

declare const self: Worker;

self.onmessage = async ({ data: preview }: MessageEvent<Preview>) => {
  const report = (message: PreviewReport) => self.postMessage(message);
  try {
    report({ jpeg: await paint(preview) });
  } catch (error) {
    report({ why: error instanceof Error ? error.message : String(error) });
  }
};

/** Photo as JPEG, no larger than its place: the rasteriser takes long for large ones. */
async function covering(photo: Uint8Array): Promise<Uint8Array> {
  const image = new Bun.Image(photo);
  const { width, height } = await image.metadata();
  const scale = Math.min(1, PREVIEW_PX.height / Math.min(width, height));
  const resized = image.resize(Math.round(width * scale), Math.round(height * scale));
  return resized.jpeg({ quality: 90 }).bytes();
}

async function paint(preview: Preview): Promise<Uint8Array<ArrayBuffer>> {
  const photo = preview.photo === null ? null : await covering(preview.photo);
  const png = await rasterize(sheet(preview, photo));
  for (const quality of QUALITIES) {
    const jpeg = await new Bun.Image(png).jpeg({ quality }).bytes();
    if (jpeg.length < BYTES_MAX) return new Uint8Array(jpeg);
  }
  throw new Error("a preview cannot be made small enough");
}

function sheet(
  { state, band, title, lines, ...animal }: Preview,
  photo: Uint8Array | null,
): string {
  const { width, height } = PREVIEW_PX;
  const picture =
    photo === null
      ? `<rect width="${height}" height="${height}" fill="${TINT}"/><g transform="scale(${height / DRAWING_SIZE})">${drawnAnimal(animal.species, animal.color)}</g>`
      : `<image width="${height}" height="${height}" preserveAspectRatio="xMidYMid slice" href="data:image/jpeg;base64,${photo.toBase64()}"/>`;
  const told = lines.map((line, at) => text(line, { y: 440 + at * 62, sizeMax: 42, fill: QUIET }));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="Noto Sans" font-weight="700">`,
    `<rect width="${width}" height="${height}" fill="${GROUND}"/>`,
    picture,
    `<rect x="${height}" width="${width - height}" height="190" fill="${BAND[state]}"/>`,
    text(band, { y: 128, sizeMax: 96, fill: "#fff" }),
    text(title, { y: 340, sizeMax: 84, fill: INK }),
    ...told,
    "</svg>",
  ].join("");
}

/** Line of text as large as fits, cut where it would be too small to read. */
function text(
  said: string,
  { y, sizeMax, fill }: { y: number; sizeMax: number; fill: string },
): string {
  const letters = [...said.replace(/\p{C}/gu, " ").trim()];
  const letterWidth = said === said.toUpperCase() ? CAPITAL_WIDTH : LETTER_WIDTH;
  const sizeMin = sizeMax / 2;
  const lettersMax = Math.floor(TEXT_WIDTH / (sizeMin * letterWidth));
  const shown = letters.length <= lettersMax ? letters : [...letters.slice(0, lettersMax - 1), "…"];
  const size = Math.min(sizeMax, TEXT_WIDTH / (shown.length * letterWidth));
  return `<text x="${TEXT_LEFT}" y="${y}" font-size="${size.toFixed(1)}" fill="${fill}">${Bun.escapeHTML(shown.join(""))}</text>`;
}
