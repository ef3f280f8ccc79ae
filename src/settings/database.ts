import { type Environment, invalid, parseSecretUrl, PERCENT_ENCODED } from "./setting-list.ts";

/**
 * Reads DATABASE_URL. Its `sslmode` is the one of the URL, of PGSSLMODE, or `prefer`; a file of authorities makes it
 * `verify-full`, unless it is `verify-ca`. Throws `bad_input` with one sentence, without the value because it may hold a
 * password.
 */
export function readDatabaseUrl(text: string, env: Environment) {
  const url = parseSecretUrl(text);
  const isDatabase =
    url !== null &&
    /^postgres(ql)?:$/.test(url.protocol) &&
    !url.hostname.includes(",") &&
    url.pathname.length > 1 &&
    url.hash === "";
  if (!isDatabase)
    throw invalid(
      "DATABASE_URL",
      `must look like postgres://user:password@db.example.org/name, with one host, and ${PERCENT_ENCODED}`,
    );
  refuseUnknownParameters(url.searchParams);
  // PostgreSQL's own programs read PGSSLMODE too. The default must not weaken what an operator set for all of them.
  const asked = url.searchParams.get("sslmode") ?? (env["PGSSLMODE"] || "prefer");
  refuseUnless(SSL_MODES, "sslmode", asked);
  const isRaised = url.searchParams.has("sslrootcert") && asked !== "verify-ca";
  const sslMode = isRaised ? "verify-full" : asked;
  url.searchParams.set("sslmode", sslMode);
  const channelBinding = url.searchParams.get("channel_binding") ?? "disable";
  refuseUnless(CHANNEL_BINDINGS, "channel_binding", channelBinding);
  return {
    /** With its password and the `sslmode` that applies. */
    databaseUrl: url.href,
    /** True if a certificate or channel binding proves that it is the right server. */
    isServerVerified: sslMode.startsWith("verify-") || channelBinding === "require",
  };
}

/** Ways to encrypt a connection to PostgreSQL that the driver knows. */
const SSL_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"];
const CHANNEL_BINDINGS = ["disable", "prefer", "require"];

/** Parameters that the driver follows. It would ignore others, or hand them to the server, which refuses them. */
const PARAMETERS = [
  "sslmode",
  "sslrootcert",
  "sslcert",
  "sslkey",
  "channel_binding",
  "host",
  "application_name",
  "options",
];

function refuseUnknownParameters(given: URLSearchParams): void {
  const seen: string[] = [];
  for (const [name, value] of given) {
    if (!PARAMETERS.includes(name))
      throw invalid(
        "DATABASE_URL",
        `may have these parameters: ${PARAMETERS.join(", ")}; not "${name}"`,
      );
    if (value === "" || seen.includes(name))
      throw invalid("DATABASE_URL", `must name each parameter once, with a value: see "${name}"`);
    seen.push(name);
  }
}

function refuseUnless(choices: readonly string[], parameter: string, value: string): void {
  if (!choices.includes(value))
    throw invalid(
      "DATABASE_URL",
      `must have one of these after ${parameter}=: ${choices.join(", ")}; not "${value}"`,
    );
}
