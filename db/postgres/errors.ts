import { Fault } from "../../src/core/fault.ts";
import { codeOf } from "../../src/ops/fs.ts";

/** No answer in time. */
export class Unanswered extends Error {
  override readonly name = "Unanswered";
}

/** True if work that failed with this error may succeed when it is repeated. */
export function isRetryable(error: unknown): boolean {
  return isLost(error) || CONFLICTS.includes(stateOf(error));
}

/** Serialization failure and deadlock (<https://www.postgresql.org/docs/15/errcodes-appendix.html>). */
const CONFLICTS = ["40001", "40P01"];

/** True if the connection is of no more use, or its server takes no writes just now: it stops, starts or is a standby. */
export function isLost(error: unknown): boolean {
  const cause = causeOf(error);
  return (
    cause instanceof Unanswered ||
    tlsCodeOf(error) !== "" ||
    /^ERR_POSTGRES_(CONNECTION|IDLE_TIMEOUT|LIFETIME_TIMEOUT)/.test(codeOf(cause)) ||
    LOST.test(stateOf(error))
  );
}

/** Connection errors, too many connections, shutdown, standby, and the server's own time limits. */
const LOST = /^(08...|53300|57P0[1-5]|57014|25006|25P03)$/;

/** Code of an error of TLS, such as `CERT_HAS_EXPIRED`; empty for others. */
export function tlsCodeOf(error: unknown): string {
  const code = codeOf(causeOf(error));
  return TLS.test(code) ? code : "";
}

/** Errors of the driver, and those of verifying a certificate (<https://nodejs.org/api/tls.html#x509-certificate-error-codes>). */
const TLS =
  /^(ERR_POSTGRES_(TLS|CHANNEL_BINDING)|ERR_(TLS|SSL)_|ERR_BORINGSSL$|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_(CA|PURPOSE)$|HOSTNAME_MISMATCH$|PATH_LENGTH_EXCEEDED$|EPROTO$)/;

/** SQLSTATE of an error that the server reported; empty for others. */
export function stateOf(error: unknown): string {
  const cause = causeOf(error);
  const state = cause instanceof Error && "errno" in cause ? cause.errno : "";
  return typeof state === "string" ? state : "";
}

/** Turns an error after which the caller may try again into a `Fault`. */
export function toFault(error: unknown): unknown {
  const isTransient = isRetryable(error) || SHORT_OF_RESOURCES.test(stateOf(error));
  return isTransient ? new Fault("unavailable", UNAVAILABLE, { retryAfterSeconds: 60 }) : error;
}

/** Disk or memory full, a lock that could not be had, and errors of the disk. */
const SHORT_OF_RESOURCES = /^(53...|55P03|58...)$/;
const UNAVAILABLE = "The database does not answer just now. Please try again in a minute.";

/** Error of the driver, which drizzle wraps. */
export function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}
