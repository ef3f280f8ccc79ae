import type { Context } from "hono";
import { badInput } from "../../core/input.ts";
import { Fault, type FieldFault } from "../../core/fault.ts";

const FORM_TYPE = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(?:;|$)/i;

/** What a form was sent with: known fields only, line ends as `\n`. */
export type Given = Readonly<Record<string, string>>;

/** What is wrong with a form that was sent, to be shown above it. */
export type Trouble = { readonly message: string; readonly fields: readonly FieldFault[] };

/**
 * Reads a posted form. Another site must not send it: browsers tell where a form came from. Throws `forbidden`,
 * `bad_type`, and `bad_input` for a field that is given twice or holds a file.
 */
export async function readForm(c: Context, known: readonly string[]): Promise<Given> {
  if (c.req.header("Sec-Fetch-Site") === "cross-site")
    throw new Fault("forbidden", "This form was sent from another site.");
  return readFormFromAnywhere(c, known);
}

/** As `readForm`, for the one address that mail programs post to. */
export async function readFormFromAnywhere(c: Context, known: readonly string[]): Promise<Given> {
  const type = c.req.header("Content-Type") ?? "";
  const kind = FORM_TYPE.exec(type)?.[1]?.toLowerCase();
  if (kind === undefined) throw new Fault("bad_type", "This address takes forms only.");
  const entries =
    kind === "multipart/form-data"
      ? await multipart(c, type)
      : [...new URLSearchParams(await c.req.text())];
  return single(entries.filter(([name]) => known.includes(name)));
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

async function multipart(c: Context, type: string): Promise<[string, unknown][]> {
  const bytes = await c.req.arrayBuffer();
  try {
    const read = await new Response(bytes, { headers: { "Content-Type": type } }).formData();
    return [...read];
  } catch {
    throw new Fault("bad_input", "This form is broken and could not be read.");
  }
}

function single(entries: readonly (readonly [string, unknown])[]): Given {
  const given: Record<string, string> = {};
  for (const [field, value] of entries) {
    if (typeof value !== "string") throw badInput([{ field, message: "must be text" }]);
    if (Object.hasOwn(given, field))
      throw badInput([{ field, message: "is given more than once" }]);
    given[field] = value.replace(/\r\n?/g, "\n");
  }
  return given;
}
