import { type HeaderField, isMalformed, valuesOf } from "./message-header.ts";

/**
 * Decides if the mail server that received a message vouches for the domain of its author: by DMARC, or by a DKIM signature
 * of exactly that domain. Its results are in the topmost Authentication-Results field (RFC 8601), if that bears the server's
 * name (`authservId`). Fields below may have been written by the sender.
 */
export function isAuthenticated(
  fields: readonly HeaderField[],
  authservId: string,
  domain: string,
): boolean {
  const [topmost] = valuesOf(fields, "authentication-results");
  const results = topmost === undefined ? null : readResults(topmost);
  if (results === null || results.authservId !== authservId.toLowerCase()) return false;
  return results.methods.some(({ method, result, properties }) => {
    if (result !== "pass") return false;
    if (method === "dmarc") return properties.get("header.from") === domain;
    if (method !== "dkim") return false;
    const signer = properties.get("header.d") ?? properties.get("header.i")?.split("@").at(-1);
    return signer === domain;
  });
}

type Results = {
  readonly authservId: string;
  readonly methods: readonly {
    readonly method: string;
    readonly result: string;
    /** Such as `header.from`, in lower case like their values. */
    readonly properties: ReadonlyMap<string, string>;
  }[];
};

/** Null if the field has no such form, or another version of it. */
function readResults(value: string): Results | null {
  if (isMalformed(value)) return null;
  const [server = "", ...resinfo] = statementsOf(value);
  const authservId = /^(\S+)(?:\s+1)?$/.exec(server)?.[1];
  if (authservId === undefined) return null;
  const methods = resinfo.flatMap((text) => {
    const [, method, result, rest = ""] =
      /^([a-z0-9-]+)(?:\s*\/\s*1)?\s*=\s*([a-z]+)(?:\s+(.*))?$/.exec(text) ?? [];
    if (method === undefined || result === undefined) return [];
    const properties = new Map(
      [...rest.matchAll(/(?:^|\s)([a-z]+\.[a-z0-9-]+)\s*=\s*(\S+)/g)].map(
        ([, name = "", value = ""]) => [name, value],
      ),
    );
    return [{ method, result, properties }];
  });
  return { authservId, methods };
}

/** Statements of a field in lower case, without comments, which may be nested, and quotation marks. */
function statementsOf(value: string): string[] {
  const statements = [""];
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < value.length; at += 1) {
    const character = value[at]!;
    const isText = depth === 0;
    if (character === "\\") {
      at += 1;
      if (isText) statements.push(`${statements.pop()}${value[at] ?? ""}`);
    } else if (isText && character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && character === "(") depth += 1;
    else if (!isQuoted && depth > 0 && character === ")") depth -= 1;
    else if (isText && !isQuoted && character === ";") statements.push("");
    // White space and separators inside quotes must not look like a further property.
    else if (isText)
      statements.push(
        `${statements.pop()}${isQuoted && /[\s;=]/.test(character) ? "_" : character}`,
      );
  }
  return statements.map((statement) => statement.trim().toLowerCase());
}
