import { Fault } from "../core/fault.ts";
import { type OperatorText, parseOperatorTexts } from "./operator-text.ts";
import { invalid } from "./setting-list.ts";

const LOGO_BYTES_MAX = 100_000;
const LOGO_TYPES: Readonly<Record<string, string>> = {
  svg: "image/svg+xml",
  png: "image/png",
  webp: "image/webp",
};

/** Image and its media type. */
type LogoFile = { readonly bytes: Uint8Array<ArrayBuffer>; readonly mediaType: string };

/** Logo of the instance. Throws `bad_input` with a sentence for the operator. */
export async function readLogo(path: string | null): Promise<LogoFile | null> {
  if (path === null) return null;
  const mediaType = LOGO_TYPES[path.slice(path.lastIndexOf(".") + 1).toLowerCase()];
  const wrong = (what: string) => invalid("LOGO_FILE", what);
  if (mediaType === undefined) throw wrong("must name an SVG, PNG or WebP file");
  const file = Bun.file(path);
  if (!(await file.exists())) throw wrong(`names a file that does not exist: ${path}`);
  if (file.size > LOGO_BYTES_MAX) throw wrong("names a file of more than 100 KB");
  return { bytes: await file.bytes(), mediaType };
}

const LEGAL_BYTES_MAX = 64 * 1024;

/** Operator's additions to the legal pages. Throws `bad_input` with a sentence for the operator. */
export async function readOperatorTexts(path: string | null): Promise<readonly OperatorText[]> {
  if (path === null) return [];
  const wrong = (what: string) => invalid("LEGAL_FILE", what);
  const file = Bun.file(path);
  if (!(await file.exists())) throw wrong(`names a file that does not exist: ${path}`);
  if (file.size > LEGAL_BYTES_MAX) throw wrong("names a file of more than 64 KB");
  try {
    return parseOperatorTexts(new TextDecoder("utf-8", { fatal: true }).decode(await file.bytes()));
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw wrong(`names a file that cannot be read as UTF-8 text: ${path}`);
  }
}
