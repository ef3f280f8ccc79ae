import { faultInEnglish, type FaultReason, type FieldReason } from "./fault-reason.ts";

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

/** One field of bad input and what would mend it; the message is its reason in English, to go on after the field's name. */
export type FieldFault = {
  readonly field: string;
  readonly reason: FieldReason;
  readonly message: string;
};

/**
 * The one error whose words a caller may see. Anything else thrown is a bug: logged whole, shown as nothing. Where it
 * says why by a reason, people read that in their own language; a sentence in English is for programs only, and people
 * read what the code says in general. `fields` is set for `bad_input` only, `retryAfterSeconds` for `too_many` and `unavailable` only.
 */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly code: FaultCode;
  /** Null for a sentence in English, and where the fields say why. */
  readonly why: FaultReason | null;
  readonly fields: readonly FieldFault[];
  readonly retryAfterSeconds: number | null;

  constructor(
    code: FaultCode,
    why: FaultReason | string,
    more: { fields?: readonly FieldFault[]; retryAfterSeconds?: number } = {},
  ) {
    super(typeof why === "string" ? why : faultInEnglish(why));
    this.code = code;
    this.why = typeof why === "string" ? null : why;
    this.fields = more.fields ?? [];
    this.retryAfterSeconds = more.retryAfterSeconds ?? null;
  }
}
