import { afterEach, beforeEach, expect } from "bun:test";
import { listen, notificationsArrive } from "../../db/postgres/feed.ts";
import { openPostgres } from "../../db/postgres/open.ts";
import { createPostgresStore } from "../../db/postgres/store.ts";
import { readDatabaseUrl } from "../../src/settings/database.ts";
import { weakened } from "../chaos/weakened.ts";
import { pgbouncerTests, startTlsPooler } from "../support/pgbouncer.ts";
import {
  type Certificate,
  OWNER,
  postgresTlsTests,
  startTlsServer,
} from "../support/postgres-tls.ts";
import { FROM_SOURCES, run, scratchFolder, serve, until } from "../support/process.ts";
import { createBucket } from "../support/s3.ts";
import { atNight } from "../support/nightly.ts";

const { describe, test } = postgresTlsTests;

type Server = Awaited<ReturnType<typeof startTlsServer>>;

let started: Promise<Server> | undefined;
let server: Server;
beforeEach(async () => {
  server = await (started ??= startTlsServer());
  await server.present("good");
  await server.letIn("hostssl");
});
afterEach(() => server.cut());

const NAME = "is for another name than its host";
const AUTHORITY = "comes from an authority that is not trusted here";
const EXPIRED = "has expired";
const TLS = "TLSv1.3";
const SILENT = "does not answer";
const NO_TLS = "offers no TLS, which sslmode asks for";

/** TLS or "clear" for a database that opens, or else the sentence for the operator. */
async function outcomeOf(address: string, open = openPostgres): Promise<string> {
  const outcome = await attempt(address, open);
  // On a busy machine a server can take longer than a node waits for it.
  return outcome.includes(SILENT) ? attempt(address, open) : outcome;
}

async function attempt(address: string, open: typeof openPostgres): Promise<string> {
  try {
    const pool = await open(readDatabaseUrl(address, {}).databaseUrl, 1);
    const [row] = await pool.use((connection) =>
      connection.unsafe<{ version: string | null }[]>(
        "select version from pg_stat_ssl where pid = pg_backend_pid()",
      ),
    );
    await pool.close();
    return row?.version ?? "clear";
  } catch (error) {
    const sentence = String(error);
    expect(sentence).toStartWith("Fault: ");
    expect(sentence).not.toContain(OWNER.password);
    expect(sentence).not.toContain(encodeURIComponent(OWNER.password));
    return sentence;
  }
}

/** Parameters that name the provider's authority. */
const trusting = (sslMode: string) => `?sslmode=${sslMode}&sslrootcert=${server.authority}`;

/** Outcome of each way to encrypt, with the parameters that `parametersOf` gives for it. */
const outcomes = async (parametersOf: (sslMode: string) => string) => {
  const found: Record<string, string> = {};
  for (const sslMode of ["prefer", "require", "verify-ca", "verify-full"])
    found[sslMode] = await outcomeOf(server.url(parametersOf(sslMode)));
  return found;
};

describe("a database that is reached with TLS", () => {
  test("is used by a user who owns it and is no superuser, also without an sslmode", async () => {
    expect(await outcomeOf(server.url(""))).toBe(TLS);
    expect(await outcomeOf(server.url("?sslmode=allow"))).toBe(TLS);
    expect(await outcomeOf(server.url("?sslmode=disable"))).toContain(
      "does that line ask for TLS (sslmode)",
    );
  });

  const [refusedName, unknown, late, noTls] = [NAME, AUTHORITY, EXPIRED, NO_TLS].map((words) =>
    expect.stringContaining(words),
  );
  const named = (sslMode: string) => `?sslmode=${sslMode}`;
  // Outcomes of prefer, require, verify-ca and verify-full.
  test.each<[string, Certificate | null, (sslMode: string) => string, readonly unknown[]]>([
    ["of an authority that sslrootcert names", "good", trusting, [TLS, TLS, TLS, TLS]],
    ["of an unknown authority", "good", named, [TLS, TLS, unknown, unknown]],
    ["of another authority", "other-authority", trusting, [unknown, unknown, unknown, unknown]],
    ["for another name", "other-name", trusting, [refusedName, refusedName, TLS, refusedName]],
    ["that has expired", "expired", trusting, [late, late, late, late]],
    ["and no TLS", null, named, ["clear", noTls, noTls, noTls]],
  ])("with a certificate %s is refused where it is verified", async (_, certificate, of, all) => {
    if (certificate === null) {
      await server.endTls();
      await server.letIn("host");
    } else await server.present(certificate);

    expect<unknown>(Object.values(await outcomes(of))).toEqual([...all]);
  });

  test("whose server speaks only versions of TLS that are no longer safe is refused", async () => {
    await server.set({ ssl_min_protocol_version: "TLSv1", ssl_max_protocol_version: "TLSv1.1" });
    try {
      expect(await outcomeOf(server.url("?sslmode=require"))).toContain(
        "No TLS connection to the server of DATABASE_URL can be made",
      );
    } finally {
      await server.set({ ssl_min_protocol_version: "TLSv1.2", ssl_max_protocol_version: "" });
    }
  });

  test("and whose files cannot be used is refused", async () => {
    const of = (file: string, name = "sslrootcert") =>
      outcomeOf(server.url(`?sslmode=verify-full&${name}=${file}`));

    expect(await of("/nowhere/ca.pem")).toContain(
      "The file /nowhere/ca.pem, which sslrootcert in DATABASE_URL names, cannot be read (ENOENT).",
    );
    expect(await of("/tmp")).toContain("cannot be read (EISDIR)");
    expect(await of("/nowhere/key.pem", "sslkey")).toContain("which sslkey in DATABASE_URL names");
    expect(await of("/etc/passwd")).toContain("holds no certificate or key in PEM format");
  });

  test("is verified although NODE_TLS_REJECT_UNAUTHORIZED=0 is set for something else", async () => {
    const copy = await weakened({
      module: "db/postgres/connection.ts",
      name: "optionsOf",
      instead: '(url) => ({ adapter: "postgres", url })',
    });
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    try {
      const url = server.url("?sslmode=verify-full");
      const { openPostgres: openWithout } =
        await copy.load<typeof import("../../db/postgres/open.ts")>("db/postgres/open.ts");

      expect(await outcomeOf(url)).toContain(AUTHORITY);
      expect(await outcomeOf(url, openWithout)).toBe(TLS);
    } finally {
      delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
      copy.remove();
    }
  });

  test("can ask for channel binding, which a relay that ends TLS cannot give", async () => {
    const bound = "?sslmode=require&channel_binding=require";
    expect(await outcomeOf(server.url(bound))).toBe(TLS);

    await server.endTls();
    await server.letIn("host");
    expect(await outcomeOf(server.url("?sslmode=prefer&channel_binding=require"))).toContain(
      "offers no channel binding",
    );
  });

  test("can ask for a certificate instead of a password", async () => {
    const { clientCertificate, clientKey } = server;
    const files = `&sslcert=${clientCertificate}&sslkey=${clientKey}`;

    expect(await outcomeOf(server.certifiedUrl(trusting("verify-full") + files))).toBe(TLS);
    expect(await outcomeOf(server.certifiedUrl(trusting("verify-full")))).toContain(
      "a certificate (sslcert)",
    );
  });

  test("is waited on for changes with TLS, too", async () => {
    await server.letIn("host");
    const url = server.url(trusting("verify-full"));
    expect(await notificationsArrive(url)).toBe(true);
    const end = await listen(url, () => {});
    const pool = await openPostgres(url, 2);
    try {
      const connections = await server.admin.unsafe<{ query: string; ssl: boolean }[]>(
        `select query, ssl from pg_stat_activity join pg_stat_ssl using (pid) where usename = '${OWNER.name}'`,
      );
      expect(connections.some(({ query }) => query.toLowerCase().includes("listen"))).toBe(true);
      expect(connections.every(({ ssl }) => ssl)).toBe(true);
    } finally {
      await pool.close();
      await end();
    }
  });

  atNight(test)("whose certificate expires does not answer until it is renewed", async () => {
    const store = createPostgresStore(await openPostgres(server.url(trusting("verify-full")), 2));
    try {
      await server.present("expired");
      await server.cut();
      const asked = await store.alive().catch((error: unknown) => error);
      expect(asked).toMatchObject({ code: "unavailable", retryAfterSeconds: 60 });

      await server.present("good");
      await store.alive();
    } finally {
      await store.close();
    }
  });
});

pgbouncerTests.test(
  "a pooler in session mode is used with TLS, though its host has a dead address besides",
  async () => {
    const pooler = await startTlsPooler(server, OWNER);
    try {
      // The pooler listens on 127.0.0.1; localhost is ::1 as well.
      const url = server.url(trusting("verify-full"), `localhost:${pooler.port}`);
      // The server sees the pooler's own connection, by a socket.
      expect(await outcomeOf(url)).toBe("clear");
      expect(await notificationsArrive(url)).toBe(true);
      expect(await outcomeOf(server.url("?sslmode=disable", `localhost:${pooler.port}`))).toContain(
        SILENT,
      );
    } finally {
      pooler.stop();
    }
  },
);

describe("the program", () => {
  let folder: ReturnType<typeof scratchFolder>;
  let bucket: Awaited<ReturnType<typeof createBucket>>;
  beforeEach(async () => {
    folder = scratchFolder();
    bucket = await createBucket();
    await Bun.write(`${folder.path}/secret.key`, new Uint8Array(32).fill(7));
  });
  afterEach(() => {
    bucket.stop();
    folder.forget();
  });

  const settings = (parameters: string) => ({
    DATABASE_URL: server.url(parameters),
    SECRET_KEY_FILE: `${folder.path}/secret.key`,
    S3_URL: bucket.url,
    SMTP_URL: "smtp://127.0.0.1:1",
    DATA_DIR: folder.path,
  });

  async function saidBy(command: string, parameters: string, more = {}): Promise<string> {
    const { said, errors } = await run(FROM_SOURCES, [command], {
      ...settings(parameters),
      ...more,
    });
    expect(said + errors).not.toContain(OWNER.password);
    expect(said + errors).not.toContain(encodeURIComponent(OWNER.password));
    return said + errors;
  }

  test("serves over verified connections alone", async () => {
    await server.letIn("host");
    const node = await serve(folder.path, settings(trusting("verify-full")));
    try {
      await until(async () => (await node.fetch("/readyz")).status === 200);
      const [connections] = await server.admin.unsafe<{ all: number; encrypted: number }[]>(
        `select count(*)::int as all, count(*) filter (where ssl)::int as encrypted
        from pg_stat_activity join pg_stat_ssl using (pid) where usename = '${OWNER.name}'`,
      );
      expect(connections?.all).toBeGreaterThan(1);
      expect(connections?.encrypted).toBe(connections?.all);
      expect(node.said() + node.errors()).not.toContain(encodeURIComponent(OWNER.password));
    } finally {
      await node.stop();
    }
  });

  test.each(["serve", "check"])("says on %s why a server is refused", async (command) => {
    await server.present("other-name");
    expect(await saidBy(command, trusting("verify-full"))).toContain(NAME);
    expect(await saidBy(command, "?sslmode=verify-full&schema=pets")).toContain('not "schema"');
  });

  atNight(test)(
    "trusts authorities of NODE_EXTRA_CA_CERTS, unless sslrootcert names others",
    async () => {
      const more = { NODE_EXTRA_CA_CERTS: server.authority };
      const { otherAuthority } = server;
      await (await openPostgres(server.url("?sslmode=require"), 1)).close();

      expect(await saidBy("check", "?sslmode=verify-full", more)).toContain(
        "ok    The database answers",
      );
      expect(
        await saidBy("check", `?sslmode=verify-full&sslrootcert=${otherAuthority}`, more),
      ).toContain(AUTHORITY);
    },
  );

  atNight(test)("warns on check of a server whose certificate nothing verifies", async () => {
    const pool = await openPostgres(server.url("?sslmode=require"), 1);
    const set = (statement: string) => pool.use((connection) => connection.unsafe(statement));
    // As a server on another machine would answer.
    await set("create schema answers");
    await set(
      "create function answers.inet_client_addr() returns inet language sql as $$ select '10.0.0.5'::inet $$",
    );
    await set("alter role current_user set search_path = answers, pg_catalog, public");
    try {
      const warning =
        "warn  The connection to the database is encrypted, but another server could pretend to be it.";
      expect(await saidBy("check", "?sslmode=require")).toContain(warning);
      for (const verified of [trusting("verify-ca"), "?sslmode=require&channel_binding=require"])
        expect(await saidBy("check", verified)).toContain(
          "ok    The network cannot read what is said to the database.",
        );
    } finally {
      await set("alter role current_user reset search_path");
      await set("drop schema answers cascade");
      await pool.close();
    }
  });
});
