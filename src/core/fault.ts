import { faultInEnglish, type FaultReason, type FieldReason } from "./fault-sentences.ts";

/** Error codes for callers. Each adapter maps them to its protocol's status. */
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

/** Invalid field of the input; the message is its reason in English, to follow the field's name. */
export type FieldFault = {
  readonly field: string;
  readonly reason: FieldReason;
  readonly message: string;
};

/**
 * Expected error, the only one whose message a caller may see. Any other error is a bug: logged in full, and shown as an
 * internal error. A reason is translated for people; for a fault with a mere English sentence they see a general message
 * for the code. `fields` is set for `bad_input` only, `retryAfterSeconds` for `too_many` and `unavailable` only.
 */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly code: FaultCode;
  /** Null for an English sentence, and for `bad_input`. */
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
