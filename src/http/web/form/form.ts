import type { Context } from "hono";
import { badInput } from "../../../core/input.ts";
import { Fault } from "../../../core/fault.ts";
import type { FormEntry, UploadedFile } from "../../../core/photos/photo-files.ts";
import type { PageMessages } from "../../../messages/messages.ts";

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** Values of a submitted form: known fields only, line breaks as `\n`. */
export type FormValues = Readonly<Record<string, string>>;

/** Error of a submitted form, shown above it. */
export type FormError = Pick<Fault, "code" | "why" | "fields">;

/** Reads a posted form. Throws `bad_type`, and `bad_input` for a field that is given twice or holds a file. */
export async function readForm(c: Context, known: readonly string[]): Promise<FormValues> {
  const entries = await entriesOf(c);
  return singleValues(entries.filter(([name]) => known.includes(name)));
}

/** Values of one field of a posted form, such as checkboxes. Throws as `readForm` does. */
export async function readChoices(c: Context, name: string): Promise<readonly string[]> {
  const entries = await entriesOf(c);
  return entries.flatMap(([field, value]) =>
    field === name && typeof value === "string" ? [value] : [],
  );
}

/** Form with photos: its values, the photos stored before, and the uploaded files. */
export type PhotoForm = {
  readonly values: FormValues;
  /** Values of the fields named `photo`: tickets and names of stored photos, in order. */
  readonly kept: readonly string[];
  readonly files: readonly UploadedFile[];
};

/** Name of the field with the idempotency key, which the script draft.ts adds. */
export const IDEMPOTENCY_KEY = "idempotencyKey";
/** Name of the file field. */
export const PHOTO_FILES = "photos";
/** Name of the fields for photos stored before. */
export const PHOTO_KEPT = "photo";

/** Reads a posted form with photos. Throws as `readForm` does. */
export async function readPhotoForm(c: Context, known: readonly string[]): Promise<PhotoForm> {
  const entries = await entriesOf(c);
  const files = entries.flatMap(([name, value]) =>
    // Browsers send an empty file without a name if none was chosen.
    name === PHOTO_FILES && typeof value !== "string" && (value.size > 0 || value.name !== "")
      ? [value]
      : [],
  );
  const kept = entries.flatMap(([name, value]) =>
    name === PHOTO_KEPT && typeof value === "string" ? [value] : [],
  );
  return { values: singleValues(entries.filter(([name]) => known.includes(name))), kept, files };
}

/**
 * Reads what is posted to a link whose token alone is the right to act: a form, JSON with the same names, or anything else,
 * which counts as an empty form. Throws as `readForm` does for fields with several values.
 */
export async function readAnyBody(c: Context, known: readonly string[]): Promise<PhotoForm> {
  const type = c.req.header("Content-Type") ?? "";
  try {
    if (!JSON_TYPE.test(type)) return await readPhotoForm(c, known);
    return { values: valuesOf(await c.req.json(), known), kept: [], files: [] };
  } catch (error) {
    const isUnreadable =
      error instanceof Fault
        ? error.why?.reason === "forms_only" || error.why?.reason === "form_broken"
        : error instanceof SyntaxError;
    if (isUnreadable) return { values: {}, kept: [], files: [] };
    throw error;
  }
}

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i;

/** Known members of a JSON object as form values. */
function valuesOf(body: unknown, known: readonly string[]): FormValues {
  if (typeof body !== "object" || body === null) return {};
  const members = Object.entries(body).filter(
    ([name, value]) => known.includes(name) && value !== null,
  );
  return Object.fromEntries(
    members.map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
}

async function entriesOf(c: Context): Promise<readonly FormEntry[]> {
  // A multipart form has been read before.
  const form: readonly FormEntry[] | Fault | undefined = c.get("form");
  if (form instanceof Fault) throw form;
  if (form !== undefined) return form;
  if (!FORM_TYPE.test(c.req.header("Content-Type") ?? ""))
    throw new Fault("bad_type", { reason: "forms_only" });
  return [...new URLSearchParams(await c.req.text())];
}

/** Known query parameters, as a GET form sends them. */
export function readQuery(c: Context, known: readonly string[]): FormValues {
  const values = Object.entries(c.req.queries());
  const pairs = values.flatMap(([name, values]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return singleValues(pairs.filter(([name]) => known.includes(name)));
}

/** Values without the empty fields. */
export function withoutEmpty(values: FormValues): FormValues {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ""));
}

/** Values without those of some names. */
export function without(values: FormValues, ...names: readonly string[]): FormValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}

function singleValues(entries: readonly FormEntry[]): FormValues {
  const values: Record<string, string> = {};
  for (const [field, value] of entries) {
    if (typeof value !== "string") throw badInput([{ field, reason: { kind: "text" } }]);
    if (Object.hasOwn(values, field)) throw badInput([{ field, reason: { kind: "twice" } }]);
    values[field] = value.replace(/\r\n?/g, "\n");
  }
  return values;
}

/**
 * Attributes for the script `draft`, which keeps a form on the device under a name until it has arrived; the private fields
 * in its tab only, until the form was sent in vain.
 */
export function draftAttributes(
  name: string,
  privateFields: readonly string[],
  { publish: { draft } }: PageMessages,
) {
  return {
    "data-draft": name,
    "data-private": privateFields.join(" "),
    "data-restored": draft.restored,
    "data-forget": draft.forget,
    "data-sending": draft.sending,
    "data-offline": draft.offline,
    "data-busy": draft.busy,
    "data-failed": draft.failed,
  } as const;
}
