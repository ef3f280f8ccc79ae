import { describe, expect, test } from "bun:test";
import { readConfig } from "../../src/settings/config.ts";
import type { MailServer } from "../../src/settings/mail.ts";
import { misspeltSettings, SETTINGS } from "../../src/settings/setting-list.ts";
import { readBucketAddress } from "../../src/settings/bucket-address.ts";
import { fc } from "../support/seed.ts";

describe("settings", () => {
  test("all have defaults: nothing needs to be set", () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: "0.0.0.0",
      baseUrl: "http://localhost:3000",
      dataDir: "./data",
      backupKeep: 3,
      smtp: null,
      trustProxy: 0,
      rates: {
        publish: { max: 5, windowMs: 3_600_000 },
        message: { max: 20, windowMs: 3_600_000 },
        zone: { max: 10, windowMs: 3_600_000 },
      },
      limitRead: { max: 300, windowMs: 60_000 },
      logRequests: "errors",
      metricsPublic: false,
    });
    expect(readConfig({}).sharedNetworks).toHaveLength(3);
  });

  test("an empty one is an unset one, but SHARED_EGRESS can be emptied", () => {
    expect(readConfig({ PORT: "", BASE_URL: " " }).baseUrl).toBe("http://localhost:3000");
    expect(readConfig({ SHARED_EGRESS: "" }).sharedNetworks).toEqual([]);
  });

  test("the port is part of the default address, and a slash at the end of an address goes", () => {
    expect(readConfig({ PORT: "8080" }).baseUrl).toBe("http://localhost:8080");
    expect(readConfig({ BASE_URL: "https://example.org/pets/" }).baseUrl).toBe(
      "https://example.org/pets",
    );
    expect(readConfig({ BASE_URL: "https://pets.example.org/" }).baseUrl).toBe(
      "https://pets.example.org",
    );
  });

  test.each([
    ["PORT", "0"],
    ["PORT", "3000abc"],
    ["BASE_URL", "pets.example.org"],
    ["BASE_URL", "https://pets.example.org//sub"],
    ["BASE_URL", "https://user@pets.example.org"],
    ["BASE_URL", `https://${"a".repeat(60)}.${"b".repeat(60)}.example`],
    ["SMTP_URL", "mail.example.org:587"],
    ["SMTP_URL", "smtp://"],
    ["SMTP_URL", "smtp:mail.example.org"],
    ["MAIL_FROM", "Pet <a@example.org>\r\nBcc: b@example.org"],
    ["MAIL_FROM", "Pet\tAlert <a@example.org>"],
    ["MAIL_FROM", "<@example.org>"],
    ["MAIL_FROM", "a@example.org, b@example.org"],
    ["BOUNCE_ADDRESS", "bounces+x@example.org"],
    ["BOUNCE_ADDRESS", `${"b".repeat(22)}@example.org`],
    ["REPLY_ADDRESS", "reply@example.org"],
    ["AUTHSERV_ID", "mx.example.org"],
    ["IMAP_URL", "https://me:hunter2@mail.example.org"],
    ["IMAP_URL", "imaps://mail.example.org/INBOX"],
    ["IMAP_URL", "imaps://me:hunter%2@mail.example.org/INBOX"],
    ["DKIM_DOMAIN", "example.org"],
    ["TRUST_PROXY", "yes"],
    ["SITE_NAME", "x".repeat(61)],
    ["OPERATOR_NAME", "Refuge\nnext line"],
    ["OPERATOR_CONTACT", "a@example.org"],
    ["OPERATOR_CONTACT", "https://me:hunter2@refuge.example"],
    ["OPERATOR_CONTACT", `https://refuge.example/${"x".repeat(200)}`],
    ["OPERATOR_ADDRESS", "1 rue du Parc, Lyon"],
    ["OPERATOR_ADDRESS", "x".repeat(301)],
    ["LIMIT_PUBLISH", "5"],
    ["LIMIT_MESSAGE", "5/d"],
    ["LIMIT_READ", "many"],
    ["SHARED_EGRESS", "160.79.104.0/33"],
    ["ALLOWED_ORIGINS", "https://app.example.org/path"],
    ["LOG_REQUESTS", "all"],
    ["METRICS_PUBLIC", "yes"],
    ["METRICS_TOKEN", "hunter2 hunter2 hunter2 hunter2"],
    ["METRICS_TOKEN", "hunter2".repeat(30)],
  ])("a bad %s (%s) stops the start with one sentence that names a setting", (name, value) => {
    const words = () => readConfig({ [name]: value });

    expect(words).toThrow(/^The setting [A-Z_]+ .*\.$/);
    expect(words).toThrow(name.startsWith("DKIM") ? "DKIM_" : name);
  });

  test("the error about a bad mailbox does not repeat its password, and a mailbox needs an address for bounces", () => {
    const IMAP_URL = "imaps://me:hunter2@mail.example.org/INBOX";
    const BOUNCE_ADDRESS = "Bounces@example.org";
    expect(() => readConfig({ IMAP_URL: IMAP_URL.replace("imaps", "imasp") })).not.toThrow(
      "hunter2",
    );
    expect(() => readConfig({ IMAP_URL })).toThrow("BOUNCE_ADDRESS");
    expect(readConfig({ BOUNCE_ADDRESS, IMAP_URL })).toMatchObject({
      bounceAddress: "bounces@example.org",
      imap: { host: "mail.example.org", port: 993, user: "me", path: "INBOX" },
    });
  });

  test.each(SETTINGS.map(({ name }) => name))(
    "%s in quotation marks, as docker --env-file hands it on, stops the start",
    (name) => {
      for (const value of ['"hunter2"', "'hunter2'", ' "hunter2 hunter2" ', '""']) {
        const words = () => readConfig({ [name]: value });

        expect(words).toThrow(
          `The setting ${name} must be written without the quotation marks around its value.`,
        );
      }
    },
  );

  test.each(['"/data', '/data"', "“/data”", "'./data", "/data # all of it"])(
    "no folder gets the name %s",
    (value) => {
      for (const name of ["DATA_DIR", "CONFIG_DIR"])
        expect(() => readConfig({ [name]: value })).toThrow(
          `The setting ${name} must be the path of a folder, without quotation marks`,
        );
    },
  );

  test("quotation marks within a value stay", () => {
    expect(readConfig({ SITE_NAME: 'Refuge "Mina"', DATA_DIR: "/srv/pets'data#2" })).toMatchObject({
      siteName: 'Refuge "Mina"',
      dataDir: "/srv/pets'data#2",
    });
    expect(readConfig({ MAIL_FROM: '"Mina" <pets@example.org>' }).sender).toEqual({
      name: "Mina",
      address: "pets@example.org",
      host: "example.org",
    });
  });

  test.each([
    { BASE_URL: "https://me:hunter2@pets.example.org" },
    { MAIL_FROM: "smtp://me:hunter2@mail.example.org" },
    { TILE_URL: "https://me:hunter2@tiles.example.org/{z}" },
    { METRICS_TOKEN: "hunter2" },
    { BACKUP_COPY_KEY: "age-secret-key-1hunter2" },
    { BACKUP_COPY_URL: "s3://a:b@s3.example.org/bucket", BACKUP_COPY_KEY: "hunter2" },
    { BACKUP_COPY_URL: "https://me:hunter2@backup.example.org" },
    {
      DKIM_DOMAIN: "example.org",
      DKIM_SELECTOR: "mail",
      DKIM_KEY_FILE: "-----BEGIN PRIVATE KEY-----hunter2",
    },
  ])("no error repeats a password: %o", (settings) => {
    expect(() => readConfig(settings)).toThrow(/^The setting [A-Z_]+ .*\.$/);
    expect(() => readConfig(settings)).not.toThrow(/hunter2/);
  });

  test("replies by email need a mailbox, the name of its mail server, and an address of their own", () => {
    const IMAP_URL = "imaps://me:hunter2@mail.example.org/INBOX";
    const REPLY_ADDRESS = "Reply@example.org";
    const AUTHSERV_ID = "mx.example.org";
    const all = { IMAP_URL, REPLY_ADDRESS, AUTHSERV_ID };
    expect(readConfig(all).replies).toEqual({
      address: "reply@example.org",
      authservId: AUTHSERV_ID,
    });
    expect(readConfig({}).replies).toBeNull();
    expect(() => readConfig({ ...all, IMAP_URL: "" })).toThrow("IMAP_URL");
    expect(() => readConfig({ ...all, AUTHSERV_ID: "" })).toThrow("requires AUTHSERV_ID");
    expect(() => readConfig({ ...all, AUTHSERV_ID: "mx example" })).toThrow("AUTHSERV_ID must be");
    expect(() => readConfig({ ...all, BOUNCE_ADDRESS: "reply@example.org" })).toThrow("the same");
  });

  test("name the operator with a mailbox or a page as the contact", () => {
    const operator = (OPERATOR_CONTACT: string) =>
      readConfig({ OPERATOR_NAME: " Refuge ", OPERATOR_CONTACT }).operator;

    expect(readConfig({}).operator).toBeNull();
    expect(operator("")).toEqual({ name: "Refuge", contact: null, address: null });
    expect(operator("Contact@Refuge.Example")?.contact).toEqual({
      kind: "email",
      address: "Contact@refuge.example",
    });
    expect(operator("https://refuge.example")?.contact).toEqual({
      kind: "page",
      address: "https://refuge.example/",
    });
  });
});

describe("the bucket", () => {
  test("is read with its key, its region and the characters that an address cannot hold", () => {
    expect(readBucketAddress("s3://KEY:a%2Fb%2Bc@s3.example.org/pets?region=eu-west-3")).toEqual({
      endpoint: "https://s3.example.org",
      bucket: "pets",
      region: "eu-west-3",
      accessKeyId: "KEY",
      secretAccessKey: "a/b+c",
    });
  });

  test.each([
    ["localhost:9000", "http://localhost:9000"],
    ["[::1]:9000", "http://[::1]:9000"],
    ["s3.example.org:9000", "https://s3.example.org:9000"],
    ["127.0.0.1.example.org", "https://127.0.0.1.example.org"],
  ])("is reached without encryption on this machine only: %s", (host, endpoint) => {
    expect(readBucketAddress(`s3://KEY:SECRET@${host}/pets`)).toMatchObject({
      endpoint,
      region: "us-east-1",
    });
  });

  test.each([
    "https://KEY:hunter2@s3.example.org/pets",
    "s3://s3.example.org/pets",
    "s3://KEY:hunter2@s3.example.org",
    "s3://KEY:hunter2@s3.example.org/pets/photos",
    "s3://KEY:hunter2@s3.example.org/Pets",
    "s3://KEY:hunter2@s3.example.org/pets?reqion=eu-west-3",
    "s3://KEY:hunter2/x@s3.example.org/pets",
    "s3://KEY:hunter2%2@s3.example.org/pets",
  ])("of a wrong address is refused, and its secret is not repeated: %s", (text) => {
    expect(() => readBucketAddress(text)).toThrow(/^The setting S3_URL must look like .*\.$/);
    expect(() => readBucketAddress(text)).not.toThrow("hunter2");
  });
});

describe("a URL with a password in it", () => {
  const BUCKET = {
    DATABASE_URL: "postgres://me:x@db.example.org/pets",
    SECRET_KEY_FILE: "/secret.key",
    SMTP_URL: "smtp://mail.example.org",
  };
  const serverOf = (server: MailServer | null) => `${server?.host}:${server?.port}`;
  /** Settings with a password, by the setting, and the address that the program takes from them. */
  const URLS: Readonly<
    Record<string, (password: string) => { settings: Record<string, string>; read: () => unknown }>
  > = {
    SMTP_URL: (password) => {
      const url = `smtp://bob:${password}@mail.example.org:587`;
      const settings = { SMTP_URL: url };
      return { settings, read: () => serverOf(readConfig(settings).smtp) };
    },
    IMAP_URL: (password) => {
      const url = `imaps://bob:${password}@mail.example.org:587/Pets`;
      const settings = { IMAP_URL: url, BOUNCE_ADDRESS: "bounces@example.org" };
      return { settings, read: () => serverOf(readConfig(settings).imap) };
    },
    DATABASE_URL: (password) => {
      const url = `postgres://bob:${password}@mail.example.org:587/pets`;
      const settings = { ...BUCKET, DATABASE_URL: url, S3_URL: "s3://KEY:x@s3.example.org/pets" };
      return {
        settings,
        read: () => new URL(readConfig(settings).cluster?.databaseUrl ?? "").host,
      };
    },
    S3_URL: (password) => {
      const settings = { ...BUCKET, S3_URL: `s3://bob:${password}@mail.example.org:587/pets` };
      return { settings, read: () => readConfig(settings).cluster?.bucket.endpoint };
    },
    BACKUP_COPY_URL: (password) => {
      const settings = { BACKUP_COPY_URL: `s3://bob:${password}@mail.example.org:587/pets` };
      return { settings, read: () => JSON.stringify(readConfig(settings).backupCopy?.target) };
    },
  };

  test.each(Object.keys(URLS))("leads to its host or is refused in a sentence: %s", (name) => {
    const signs = fc.constantFrom(
      ..."/#?%@:&=+\\[]^| \"'".split(""),
      "12",
      "34",
      "qq",
      "zz",
      "%2F",
    );
    fc.assert(
      fc.property(fc.array(signs, { minLength: 1, maxLength: 8 }), (parts) => {
        const password = parts.join("");
        const { settings, read } = URLS[name]!(password);
        try {
          readConfig(settings);
        } catch (error) {
          const said = String(error);
          expect(said).toContain(`The setting ${name} must look like`);
          expect(said).toContain("%2F for /, %23 for #, %3F for ?, %25 for %");
          for (const part of ["12", "34", "qq", "zz"]) expect(said).not.toContain(part);
          return;
        }
        expect(String(read())).toContain("mail.example.org:587");
      }),
      { numRuns: 2_000 },
    );
  });

  test("keeps each sign of a password that is percent-encoded, and an @ as it is", () => {
    const secretOf = (password: string) =>
      readConfig(URLS["S3_URL"]!(password).settings).cluster?.bucket.secretAccessKey;

    expect(secretOf("%2F%23%3F%25%40%22")).toBe('/#?%@"');
    expect(secretOf("p@ss")).toBe("p@ss");
  });
});

describe("copies of backups elsewhere", () => {
  const KEY = `age1${"q".repeat(58)}`;
  const S3 = "s3://KEY:hunter2@s3.example.org/pets";

  test("go to a bucket or a folder", () => {
    expect(readConfig({ BACKUP_COPY_URL: S3, BACKUP_COPY_KEY: KEY }).backupCopy).toMatchObject({
      target: { kind: "bucket", address: { bucket: "pets" } },
      publicKey: KEY,
      keepDays: 30,
    });
    expect(readConfig({ BACKUP_COPY_URL: "/mnt/pets", BACKUP_COPY_DAYS: "7" }).backupCopy).toEqual({
      target: { kind: "folder", path: "/mnt/pets" },
      publicKey: null,
      keepDays: 7,
    });
  });

  test.each([
    [{ BACKUP_COPY_URL: "pets", BACKUP_COPY_KEY: KEY }, "BACKUP_COPY_URL must be s3://KEY:SECRET@"],
    [{ BACKUP_COPY_URL: S3.replace("/pets", "") }, "BACKUP_COPY_URL must look like s3://"],
    [{ BACKUP_COPY_KEY: KEY }, "BACKUP_COPY_KEY requires BACKUP_COPY_URL"],
    [{ BACKUP_COPY_URL: S3, BACKUP_COPY_KEY: "AGE-SECRET-KEY-1HUNTER2" }, "is the private key"],
    [{ BACKUP_COPY_URL: S3, BACKUP_COPY_KEY: "ssh-rsa" }, "BACKUP_COPY_KEY must be a public key"],
    [{ BACKUP_COPY_URL: S3, BACKUP_KEEP: "off" }, "which BACKUP_KEEP turns off"],
    [{ BACKUP_COPY_URL: S3, BACKUP_COPY_DAYS: "400" }, "BACKUP_COPY_DAYS must be a whole number"],
  ])("refuse %p", (settings, sentence) => {
    expect(() => readConfig(settings)).toThrow(sentence);
    expect(() => readConfig(settings)).not.toThrow(/hunter2/i);
  });
});

describe("names that are no settings", () => {
  test.each([
    ["SMTPURL", "SMTP_URL"],
    ["BAES_URL", "BASE_URL"],
    ["ADMIN_EMIAL", "ADMIN_EMAILS"],
  ])("%s is perhaps %s", (name, meant) => {
    expect(misspeltSettings({ [name]: "x" })).toEqual([{ name, meant } as never]);
  });

  test("are ignored where they resemble no setting, are settings, or are empty", () => {
    const others = ["HOME", "PATH", "TERM", "USER", "LANG", "PWD", "SITE_URL", "XDG_DATA_DIRS"];
    const known = SETTINGS.map(({ name }) => name);
    const env = Object.fromEntries([...others, ...known].map((name) => [name, "x"]));

    expect(misspeltSettings({ ...env, PORTT: " " })).toEqual([]);
  });
});

describe("settings of a node", () => {
  const NODE = {
    DATABASE_URL: "postgres://pets:hunter2@db.example.org/pets",
    SECRET_KEY_FILE: "/etc/pet-alert/secret.key",
    SMTP_URL: "smtp://mail.example.org",
    S3_URL: "s3://KEY:hunter3@s3.example.org/pets",
  };

  test("name the database, the key and the number of connections", () => {
    expect(readConfig({ ...NODE, DATABASE_POOL: "20" })).toMatchObject({
      cluster: {
        databaseUrl: `${NODE.DATABASE_URL}?sslmode=prefer`,
        connections: 20,
        keyFile: NODE.SECRET_KEY_FILE,
        bucket: { endpoint: "https://s3.example.org", bucket: "pets" },
      },
      backupKeep: 0,
    });
    expect(readConfig({}).cluster).toBeNull();
  });

  test("name a way to encrypt the connection, as PostgreSQL's own programs read it", () => {
    const urlOf = (parameters: string, more = {}) =>
      readConfig({ ...NODE, DATABASE_URL: NODE.DATABASE_URL + parameters, ...more }).cluster
        ?.databaseUrl;
    const verified = "?sslmode=verify-full&sslrootcert=%2Fetc%2Fca.pem&channel_binding=require";

    expect(urlOf(verified)).toBe(NODE.DATABASE_URL + verified);
    expect(urlOf("", { PGSSLMODE: "verify-full" })).toEndWith("?sslmode=verify-full");
    expect(urlOf("?sslmode=require", { PGSSLMODE: "verify-full" })).toEndWith("?sslmode=require");
    expect(urlOf("?sslrootcert=ca.pem&sslmode=require")).toEndWith("=ca.pem&sslmode=verify-full");
    expect(urlOf("?sslrootcert=ca.pem&sslmode=verify-ca")).toEndWith("sslmode=verify-ca");
    expect(() => urlOf("", { PGSSLMODE: "on" })).toThrow('not "on"');
  });

  test.each(["SECRET_KEY_FILE", "SMTP_URL", "S3_URL"])("need %s", (name) => {
    expect(() => readConfig({ ...NODE, [name]: "" })).toThrow(`The setting ${name} is missing`);
  });

  test.each([
    [{ ...NODE, BACKUP_KEEP: "3" }, "BACKUP_KEEP must be off or unset with DATABASE_URL"],
    [{ ...NODE, DATABASE_POOL: "1" }, "DATABASE_POOL must be a whole number from 2 to 100"],
    [{ DATABASE_POOL: "8" }, "DATABASE_POOL goes with DATABASE_URL"],
    [{ SECRET_KEY_FILE: "/secret.key" }, "SECRET_KEY_FILE goes with DATABASE_URL"],
    [{ S3_URL: NODE.S3_URL }, "S3_URL goes with DATABASE_URL"],
    [{ ...NODE, DATABASE_URL: "mysql://me:hunter2@host/x" }, "DATABASE_URL must look like"],
    [{ ...NODE, DATABASE_URL: "postgres://me:hunter2%@host/x" }, "DATABASE_URL must look like"],
    [{ ...NODE, DATABASE_URL: "postgres://me:1#hunter2@host/x" }, "DATABASE_URL must look like"],
    [{ ...NODE, DATABASE_URL: "postgres://me:hunter2@one,two/x" }, "with one host"],
    [
      { ...NODE, DATABASE_URL: "postgres://me:hunter2@host/x?target_session_attrs=any" },
      'channel_binding, host, application_name, options; not "target_session_attrs"',
    ],
    [{ ...NODE, DATABASE_URL: "postgres://me:hunter2@host/x?SSLMODE=require" }, 'not "SSLMODE"'],
    [
      { ...NODE, DATABASE_URL: "postgres://me:hunter2@host/x?sslmode=disable&sslmode=require" },
      'DATABASE_URL must name each parameter once, with a value: see "sslmode"',
    ],
    [
      { ...NODE, DATABASE_URL: "postgres://me:hunter2@host/x?sslmode=require&sslrootcert=" },
      'DATABASE_URL must name each parameter once, with a value: see "sslrootcert"',
    ],
    [
      { ...NODE, DATABASE_URL: "postgres://me:hunter2@host/x?channel_binding=yes" },
      "one of these after channel_binding=: disable, prefer, require",
    ],
    [
      { ...NODE, DATABASE_URL: "postgres://me:hunter2@host/x?sslmode=on" },
      'DATABASE_URL must have one of these after sslmode=: disable, allow, prefer, require, verify-ca, verify-full; not "on"',
    ],
  ])("refuse %p", (settings, sentence) => {
    expect(() => readConfig(settings)).toThrow(sentence);
    expect(() => readConfig(settings)).not.toThrow("hunter2");
  });
});
