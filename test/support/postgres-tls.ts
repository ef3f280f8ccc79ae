import { SQL } from "bun";
import { chmodSync, chownSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { NOBODY, POSTGRES, startServer } from "./postgres.ts";
import { freePort, until } from "./process.ts";
import { isRoot, missingProgram, PROGRAMS, testsUnlessMissing } from "./system-programs.ts";

/** `describe`, `test` and hooks of tests that need PostgreSQL with certificates. */
export const postgresTlsTests = testsUnlessMissing(
  missingProgram(POSTGRES),
  missingProgram(PROGRAMS.openssl),
);

/** User who owns the database and is let in with TLS only. */
export const OWNER = { name: "owner", password: "p@ss/w:rd#?%&=+ 'é\"\\" };
/** User who is let in with a certificate only. */
const CERTIFIED = "certified";
const DATABASE = "pets";

/** Certificates that the server can have, by the reason for which a client may refuse them. */
export const CERTIFICATES = ["good", "other-name", "other-authority", "expired"] as const;
export type Certificate = (typeof CERTIFICATES)[number];

/** A server as a provider runs it: reached by TCP, with a certificate of the provider's own authority. */
export async function startTlsServer() {
  const port = await freePort();
  const { admin, folder, socket, rules } = await startServer(port);
  const files = makeCertificates(folder);
  /** Rules for the owner, who is let in with TLS only (`hostssl`), or with and without. */
  const writeRules = (kind: "hostssl" | "host") =>
    writeFileSync(
      rules,
      `local all all trust
hostssl all ${CERTIFIED} all cert
${kind} all ${OWNER.name} all scram-sha-256
`,
    );
  writeRules("hostssl");
  for (const statement of [
    `create role ${OWNER.name} login password '${OWNER.password.replaceAll("'", "''")}'`,
    `create role ${CERTIFIED} login in role ${OWNER.name}`,
    `create database ${DATABASE} owner ${OWNER.name}`,
    `alter system set ssl_ca_file = '${files.authority}'`,
  ])
    await admin.unsafe(statement);
  /** Changes settings, and waits until connections that are made from then on have them. */
  async function set(settings: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, value] of Object.entries(settings))
      await admin.unsafe(`alter system set ${name} = '${value}'`);
    await admin.unsafe("select pg_reload_conf()");
    await until(async () => {
      const client = new SQL({
        adapter: "postgres",
        path: socket,
        username: "tests",
        database: DATABASE,
        max: 1,
      });
      const rows = await client.unsafe<{ name: string; setting: string }[]>(
        "select name, setting from pg_settings",
      );
      await client.close();
      return Object.entries(settings).every(([name, value]) =>
        rows.some((row) => row.name === name && row.setting === value),
      );
    });
  }
  const login = `${OWNER.name}:${encodeURIComponent(OWNER.password)}`;
  return {
    admin,
    socket,
    port,
    database: DATABASE,
    ...files,
    /** URL of the database: `url("?sslmode=require")`. */
    url: (parameters: string, host = `localhost:${port}`) =>
      `postgres://${login}@${host}/${DATABASE}${parameters}`,
    /** URL with a user who needs the certificate of a client. */
    certifiedUrl: (parameters: string) =>
      `postgres://${CERTIFIED}@localhost:${port}/${DATABASE}${parameters}`,
    /** Gives the server another certificate. */
    present: (certificate: Certificate) =>
      set({
        ssl: "on",
        ssl_cert_file: join(folder, `${certificate}.crt`),
        ssl_key_file: join(folder, `${certificate}.key`),
      }),
    set,
    endTls: () => set({ ssl: "off" }),
    async letIn(kind: "hostssl" | "host"): Promise<void> {
      writeRules(kind);
      await set({});
    },
    /** Ends all connections to the database. */
    async cut(): Promise<void> {
      await admin.unsafe(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${DATABASE}'`,
      );
    },
  };
}

/** Makes two authorities, a certificate for each case, and one of a client. */
function makeCertificates(folder: string) {
  const path = (name: string) => join(folder, name);
  const here = "subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1";
  for (const authority of ["provider", "another"])
    openssl(
      `req -x509 ${NEW_KEY} -days 2 -subj /CN=${authority}`,
      ["-keyout", path(`${authority}.key`)],
      ["-out", path(`${authority}.crt`)],
    );
  const sign = (name: string, authority: string, days: number, names: string) => {
    openssl(
      `req ${NEW_KEY} -subj /CN=${name}`,
      ["-keyout", path(`${name}.key`)],
      ["-out", path(`${name}.csr`)],
    );
    writeFileSync(path(`${name}.names`), names);
    openssl(
      `x509 -req -CAcreateserial -days ${days}`,
      ["-in", path(`${name}.csr`)],
      ["-CA", path(`${authority}.crt`), "-CAkey", path(`${authority}.key`)],
      ["-extfile", path(`${name}.names`)],
      ["-out", path(`${name}.crt`)],
    );
  };
  sign("good", "provider", 2, here);
  sign("other-name", "provider", 2, "subjectAltName=DNS:db.example.org");
  sign("other-authority", "another", 2, here);
  sign("expired", "provider", -1, here);
  sign(CERTIFIED, "provider", 2, "extendedKeyUsage=clientAuth");
  for (const name of [...CERTIFICATES, "provider"]) {
    chmodSync(path(`${name}.key`), 0o600);
    // PostgreSQL refuses keys of others.
    if (isRoot()) chownSync(path(`${name}.key`), NOBODY.uid, NOBODY.gid);
  }
  return {
    authority: path("provider.crt"),
    otherAuthority: path("another.crt"),
    certificate: path("good.crt"),
    key: path("good.key"),
    clientCertificate: path(`${CERTIFIED}.crt`),
    clientKey: path(`${CERTIFIED}.key`),
  };
}

const NEW_KEY = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes";

function openssl(command: string, ...options: readonly (readonly string[])[]): void {
  const made = Bun.spawnSync(["openssl", ...command.split(" "), ...options.flat()]);
  if (!made.success) throw new Error(`no certificate: ${made.stderr}`);
}
