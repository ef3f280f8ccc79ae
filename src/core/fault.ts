/** What went wrong, as callers may know it. Doors turn each code into their own protocol's status. */
export type FaultCode =
  | "bad_input"
  | "forbidden"
  | "not_found"
  | "bad_method"
  | "not_acceptable"
  | "conflict"
  | "gone"
  | "too_large"
  | "bad_type"
  | "too_many"
  | "unavailable";

/** One field of bad input and what would mend it. */
export type FieldFault = { field: string; message: string };

/**
 * The one error whose words a caller may see. Anything else thrown is a bug: logged whole, shown as nothing.
 * `fields` is set for `bad_input` only, `retryAfterSeconds` for `too_many` and `unavailable` only.
 */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly code: FaultCode;
  readonly fields: readonly FieldFault[];
  readonly retryAfterSeconds: number | null;

  constructor(
    code: FaultCode,
    message: string,
    more: { fields?: readonly FieldFault[]; retryAfterSeconds?: number } = {},
  ) {
    super(message);
    this.code = code;
    this.fields = more.fields ?? [];
    this.retryAfterSeconds = more.retryAfterSeconds ?? null;
  }
}
