import type { Context } from "hono";
import { badInput } from "../../core/input.ts";
import { Fault } from "../../core/fault.ts";

const FORM_TYPE = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(?:;|$)/i;

/** What a form was sent with: known fields only, line ends as `\n`. */
export type Given = Readonly<Record<string, string>>;

/** What is wrong with a form that was sent, to be shown above it. */
export type Trouble = Pick<Fault, "code" | "why" | "fields">;

/**
 * Reads a posted form. Another site must not send it: browsers tell where a form came from. Throws `forbidden`,
 * `bad_type`, and `bad_input` for a field that is given twice or holds a file.
 */
export async function readForm(c: Context, known: readonly string[]): Promise<Given> {
  refuseCrossSite(c);
  return readFormFromAnywhere(c, known);
}

/** A form with pictures: what stands in its fields, the pictures kept before, and the files that came along. */
export type PhotoForm = {
  readonly given: Given;
  /** Values of the fields named `photo`: names of kept pictures, in order. */
  readonly kept: readonly string[];
  readonly files: readonly File[];
};

/** The field pictures are chosen in. */
export const PHOTO_FILES = "photos";
/** The fields that name pictures kept before. */
export const PHOTO_KEPT = "photo";

/** Reads a posted form with pictures. Throws as `readForm` does. */
export async function readPhotoForm(c: Context, known: readonly string[]): Promise<PhotoForm> {
  refuseCrossSite(c);
  const entries = await entriesOf(c);
  const files = entries.flatMap(([name, value]) =>
    // A browser sends an empty file where none was chosen; Bun reads its empty name as none at all.
    name === PHOTO_FILES && value instanceof File && (value.size > 0 || Boolean(value.name))
      ? [value]
      : [],
  );
  const kept = entries.flatMap(([name, value]) =>
    name === PHOTO_KEPT && typeof value === "string" ? [value] : [],
  );
  return { given: single(entries.filter(([name]) => known.includes(name))), kept, files };
}

/** As `readForm`, for the one address that mail programs post to. */
export async function readFormFromAnywhere(c: Context, known: readonly string[]): Promise<Given> {
  const entries = await entriesOf(c);
  return single(entries.filter(([name]) => known.includes(name)));
}

function refuseCrossSite(c: Context): void {
  const site = c.req.header("Sec-Fetch-Site");
  // A sibling of our own subdomain is another site, too: its forms come with our cookies.
  const isOther =
    site === undefined ? isOfOtherOrigin(c) : ["cross-site", "same-site"].includes(site);
  if (isOther) throw new Fault("forbidden", { reason: "other_site" });
}

/** Old browsers, and all of them over plain http, tell no more than the origin; of our own pages, "null". */
function isOfOtherOrigin(c: Context): boolean {
  const origin = c.req.header("Origin") ?? "null";
  return origin !== "null" && URL.parse(origin)?.host !== URL.parse(c.req.url)?.host;
}

async function entriesOf(c: Context): Promise<[string, unknown][]> {
  const type = c.req.header("Content-Type") ?? "";
  const kind = FORM_TYPE.exec(type)?.[1]?.toLowerCase();
  if (kind === undefined) throw new Fault("bad_type", { reason: "forms_only" });
  return kind === "multipart/form-data"
    ? multipart(c, type)
    : [...new URLSearchParams(await c.req.text())];
}

/** The known parameters of the address, as a form sent by GET gives them. */
export function readQuery(c: Context, known: readonly string[]): Given {
  const given = Object.entries(c.req.queries());
  const pairs = given.flatMap(([name, values]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return single(pairs.filter(([name]) => known.includes(name)));
}

/** Without the fields that were left empty. */
export function filled(given: Given): Given {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value.trim() !== ""));
}

/** No form of ours has so many. All callers wait while parts are read, and 8 MB can hold 100,000. */
const PARTS_MAX = 200;
const BOUNDARY = /;\s*boundary="?([\w'()+,./:=?-]{1,70})"?\s*(?:;|$)/i;

async function multipart(c: Context, type: string): Promise<[string, unknown][]> {
  const boundary = BOUNDARY.exec(type)?.[1];
  const bytes = Buffer.from(await c.req.arrayBuffer());
  // One stands before each part, and one at the end.
  if (boundary === undefined || holdsMoreThan(PARTS_MAX + 1, `--${boundary}`, bytes))
    throw new Fault("bad_input", { reason: "form_broken" });
  try {
    // By the boundary that was counted, however its line is written.
    const headers = { "Content-Type": `multipart/form-data; boundary="${boundary}"` };
    return [...(await new Response(bytes, { headers }).formData())];
  } catch {
    throw new Fault("bad_input", { reason: "form_broken" });
  }
}

function holdsMoreThan(most: number, text: string, bytes: Buffer): boolean {
  let count = 0;
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + text.length)) {
    count += 1;
    if (count > most) return true;
  }
  return false;
}

function single(entries: readonly (readonly [string, unknown])[]): Given {
  const given: Record<string, string> = {};
  for (const [field, value] of entries) {
    if (typeof value !== "string") throw badInput([{ field, reason: { kind: "text" } }]);
    if (Object.hasOwn(given, field)) throw badInput([{ field, reason: { kind: "twice" } }]);
    given[field] = value.replace(/\r\n?/g, "\n");
  }
  return given;
}
