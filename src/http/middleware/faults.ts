import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { z } from "zod";
import { Fault, type FaultCode } from "../../core/fault.ts";
import { snakeCase } from "./field-names.ts";

type Problem = {
  readonly status: ContentfulStatusCode;
  readonly title: string;
  /** Cause, and what a program can do, for the API reference. */
  readonly meaning: string;
};
/** Codes of problems that programs get, each explained in the API reference. */
const STATUS: Readonly<Record<FaultCode | "internal_error", Problem>> = {
  bad_input: {
    status: 400,
    title: "Bad request",
    meaning: "The request has parameters that are missing or not valid; errors names each of them.",
  },
  forbidden: {
    status: 403,
    title: "Forbidden",
    meaning:
      "This address does not accept requests from there, for example from a page of another site.",
  },
  not_found: {
    status: 404,
    title: "Not found",
    meaning: "There is nothing at this address, or no alert by that name.",
  },
  bad_method: {
    status: 405,
    title: "Method not allowed",
    meaning: "The address exists, but not for this method; Allow names those it has.",
  },
  not_acceptable: {
    status: 406,
    title: "Not acceptable",
    meaning: "The response is not available in any of the types in Accept.",
  },
  conflict: {
    status: 409,
    title: "Conflict",
    meaning: "The alert does not allow this in its present state.",
  },
  gone: { status: 410, title: "Gone", meaning: "The alert was removed. It will not come back." },
  too_large: { status: 413, title: "Too large", meaning: "The request is too large." },
  bad_type: {
    status: 415,
    title: "Unsupported media type",
    meaning: "The body of the request has a type that is not accepted here.",
  },
  too_many: {
    status: 429,
    title: "Too many requests",
    meaning: "The limit is used up. Retry-After says how many seconds to wait.",
  },
  unavailable: {
    status: 503,
    title: "Service unavailable",
    meaning:
      "The service cannot answer at the moment. Try again, after Retry-After if it is given.",
  },
  internal_error: {
    status: 500,
    title: "Internal server error",
    meaning: "Something went wrong on the server, which has logged it. Trying again may help.",
  },
};
/** Codes with their statuses. */
export const PROBLEMS = Object.entries(STATUS).map(([code, about]) => ({ code, ...about }));

/** Problem details (RFC 9457). */
export const problemSchema = z.object({
  type: z
    .string()
    .describe("Address of its explanation in the API reference, which ends in its code"),
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

/**
 * Responds with problem details. Anything but a `Fault` is a bug: 500 without its message. `docs` is the address of the API
 * reference, null where there is none.
 */
export function problem(c: Context, error: unknown, docs: string | null): Response {
  if (!(error instanceof Fault))
    return send(c, docs, "internal_error", {
      detail: "Something went wrong on the server. The error was logged.",
    });
  if (error.retryAfterSeconds !== null) c.header("Retry-After", String(error.retryAfterSeconds));
  const errors = error.fields.map(({ field, message }) => ({ field: snakeCase(field), message }));
  return send(c, docs, error.code, {
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
  docs: string | null,
  code: keyof typeof STATUS,
  details: Pick<z.infer<typeof problemSchema>, "detail" | "errors">,
): Response {
  c.header("Content-Type", "application/problem+json");
  c.header("Cache-Control", "no-store");
  const { status, title } = STATUS[code];
  const type = docs === null ? "about:blank" : `${docs}#${code}`;
  const body: z.infer<typeof problemSchema> = { type, status, title, ...details };
  return c.body(JSON.stringify(body), status);
}
