import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { z } from "zod";
import { Fault, type FaultCode } from "../core/fault.ts";
import { snakeCase } from "./wire.ts";

const STATUS: Readonly<
  Record<FaultCode, { readonly status: ContentfulStatusCode; readonly title: string }>
> = {
  bad_input: { status: 400, title: "Bad request" },
  forbidden: { status: 403, title: "Forbidden" },
  not_found: { status: 404, title: "Not found" },
  bad_method: { status: 405, title: "Method not allowed" },
  not_acceptable: { status: 406, title: "Not acceptable" },
  conflict: { status: 409, title: "Conflict" },
  gone: { status: 410, title: "Gone" },
  too_large: { status: 413, title: "Too large" },
  bad_type: { status: 415, title: "Unsupported media type" },
  too_many: { status: 429, title: "Too many requests" },
  unavailable: { status: 503, title: "Service unavailable" },
};

/** Problem details as they are sent. */
export const problemSchema = z.object({
  type: z.literal("about:blank"),
  status: z.number().int().describe("The HTTP status"),
  title: z.string().describe("What the status means"),
  detail: z.string().describe("What went wrong, in a sentence"),
  errors: z
    .array(z.object({ field: z.string(), message: z.string() }))
    .optional()
    .describe("For bad input: each field that is wrong, and what would mend it"),
});

/** The HTTP status of a fault's code. */
export function statusOf(code: FaultCode): ContentfulStatusCode {
  return STATUS[code].status;
}

/** An answer in RFC 9457 problem details. Anything but a `Fault` is a bug: 500 without inner words. */
export function problem(c: Context, error: unknown): Response {
  if (!(error instanceof Fault)) {
    return problemBody(c, {
      status: 500,
      title: "Internal server error",
      detail: "Something went wrong here. It has been noted.",
    });
  }
  if (error.retryAfterSeconds !== null) c.header("Retry-After", String(error.retryAfterSeconds));
  const errors = error.fields.map(({ field, message }) => ({ field: snakeCase(field), message }));
  return problemBody(c, {
    ...STATUS[error.code],
    detail: detailOf(error),
    ...(errors.length > 0 ? { errors } : {}),
  });
}

/** What went wrong, in a sentence for programs and those who write them: fields in the wire's case. */
export function detailOf({ fields, message }: Fault): string {
  if (fields.length === 0) return message;
  return `${fields.map((one) => `${snakeCase(one.field)} ${one.message}`).join("; ")}.`;
}

function problemBody(
  c: Context,
  about: Omit<z.infer<typeof problemSchema>, "type"> & { readonly status: ContentfulStatusCode },
): Response {
  c.header("Content-Type", "application/problem+json");
  c.header("Cache-Control", "no-store");
  const body: z.infer<typeof problemSchema> = { type: "about:blank", ...about };
  return c.body(JSON.stringify(body), about.status);
}
