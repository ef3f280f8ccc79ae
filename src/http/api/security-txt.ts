import type { Context } from "hono";
import { LANGUAGES } from "../../messages/languages.ts";
import { DAY_MS } from "../../core/duration.ts";
import { Fault } from "../../core/fault.ts";
import { contactUri, type Operator } from "../../settings/operator.ts";
import type { Links } from "../../core/urls.ts";
import { cacheable, sendWithEtag } from "../middleware/etag.ts";

/** Validity of the file; RFC 9116 recommends less than a year. */
const VALID_MS = 180 * DAY_MS;
const TEXT = cacheable("text/plain; charset=utf-8", "public, max-age=3600");

/** Contact for reports of vulnerabilities (RFC 9116). Throws `not_found` if the operator has named none. */
export function serveSecurityTxt(
  operator: Operator | null,
  { links, clock }: { readonly links: Links; readonly clock: () => number },
): (c: Context) => Response {
  return (c) => {
    if (operator === null || operator.contact === null)
      throw new Fault("not_found", { reason: "nothing_here" });
    // By the day, so that the text, and its ETag, stay the same for one.
    const today = Math.floor(clock() / DAY_MS) * DAY_MS;
    const lines = [
      `Contact: ${contactUri(operator.contact)}`,
      `Expires: ${new Date(today + VALID_MS).toISOString()}`,
      `Preferred-Languages: ${LANGUAGES.join(", ")}`,
      // The RFC allows https only.
      ...(links.securityTxt.startsWith("https:") ? [`Canonical: ${links.securityTxt}`] : []),
    ];
    return sendWithEtag(c, { body: `${lines.join("\n")}\n`, kind: TEXT });
  };
}
