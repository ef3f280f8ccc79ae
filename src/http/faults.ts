import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { z } from "zod";
import { Fault, type FaultCode } from "../core/fault.ts";
import { snakeCase } from "./api/field-names.ts";

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

/** Problem details (RFC 9457). */
export const problemSchema = z.object({
  type: z.literal("about:blank"),
  status: z.number().int().describe("HTTP status"),
  title: z.string().describe("Meaning of the status"),
  detail: z.string().describe("Description of the problem"),
  errors: z
    .array(z.object({ field: z.string(), message: z.string() }))
    .optional()
    .describe("For bad input: each invalid field and what is required of it"),
});

/** HTTP status of a fault code. */
export function statusOf(code: FaultCode): ContentfulStatusCode {
  return STATUS[code].status;
}

/** Responds with problem details. Anything but a `Fault` is a bug: 500 without its message. */
export function problem(c: Context, error: unknown): Response {
  if (!(error instanceof Fault))
    return send(c, {
      status: 500,
      title: "Internal server error",
      detail: "Something went wrong on the server. The error was logged.",
    });
  if (error.retryAfterSeconds !== null) c.header("Retry-After", String(error.retryAfterSeconds));
  const errors = error.fields.map(({ field, message }) => ({ field: snakeCase(field), message }));
  return send(c, {
    ...STATUS[error.code],
    detail: detailOf(error),
    ...(errors.length > 0 ? { errors } : {}),
  });
}

/** Description of a fault for programs and their developers, with fields in snake_case. */
export function detailOf({ fields, message }: Fault): string {
  if (fields.length === 0) return message;
  return fields.map(({ field, message: text }) => `${snakeCase(field)} ${text}.`).join(" ");
}

function send(
  c: Context,
  problem: Omit<z.infer<typeof problemSchema>, "type"> & { readonly status: ContentfulStatusCode },
): Response {
  c.header("Content-Type", "application/problem+json");
  c.header("Cache-Control", "no-store");
  const body: z.infer<typeof problemSchema> = { type: "about:blank", ...problem };
  return c.body(JSON.stringify(body), problem.status);
}
