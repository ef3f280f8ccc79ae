import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import PostalMime from "postal-mime";
import type { SMTPServerOptions } from "smtp-server";
import { backup, restoreBackup } from "../../src/commands/backup.ts";
import { createCheck } from "../../src/commands/check/check.ts";
import { health } from "../../src/commands/health.ts";
import { demo } from "../../src/commands/demo.ts";
import { version } from "../../package.json" with { type: "json" };
import { closeMail, mailServer } from "../support/mail.ts";
import { freePort, serve } from "../support/process.ts";
import { DAY } from "../support/time.ts";
import { createWorld } from "../support/world.ts";
import { openShell, type Shell } from "./shell.ts";

const DOMAIN = "pets.example.org";
const ADVICE = "\n      ";

let shell: Shell;
let settings: Record<string, string>;
const closers: (() => unknown)[] = [];
beforeEach(async () => {
  shell = openShell();
  settings = { PORT: String(await freePort()), HOST: "127.0.0.1" };
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await closeMail();
  shell.end();
});

const run = (
  words: readonly string[] = [],
  zone: Readonly<Record<string, readonly string[]>> = {},
) => {
  const dns = { txt: async (name: string) => zone[name] ?? [], addresses: async () => [] };
  return shell.run(createCheck(dns), words, { settings });
};

test("a name in the environment that a setting was meant by is told", async () => {
  settings["SMTPURL"] = "smtp://me:hunter2@mail.example.org";

  const { code, said } = await run();

  expect(said).toContain(
    `warn  SMTPURL is set but is not a setting.${ADVICE}Did you mean SMTP_URL?`,
  );
  expect(said).not.toContain("hunter2");
  expect(code).toBe(0);
});

describe("check on a machine", () => {
  test("that was only just set up finds nothing to mend, and leaves nothing behind", async () => {
    const { code, said } = await run();

    expect(code).toBe(0);
    for (const line of [
      "ok    The settings are valid.",
      `ok    The data folder ${shell.dataDir} can be written, `,
      "ok    The clock says 20",
      `ok    Port ${settings["PORT"]} is free: no service is running on it.`,
      "warn  Links begin with http://localhost:",
      "ok    There is no backup yet",
      "warn  No email leaves this machine",
    ])
      expect(said).toContain(line);
    expect(said).toEndWith("\n\nNothing to fix. Warnings: 2.");
    expect(readdirSync(shell.folder)).toEqual([]);
  });

  test("leaves nothing behind in the folder of a service that ran, or in one just restored", async () => {
    await shell.run(demo, ["Lyon", "--count", "3", "--pictures", "0"]);
    const copy = join(shell.folder, "copy");
    const restored = join(shell.folder, "restored");
    await shell.run(backup, [copy]);
    await shell.run(restoreBackup, [copy], { settings: { DATA_DIR: restored } });

    for (const folder of [shell.dataDir, restored]) {
      const files = () =>
        readdirSync(folder)
          .toSorted()
          .map((name) => [name, name.endsWith("-shm") || statSync(join(folder, name)).mtimeMs]);
      const before = files();
      settings["DATA_DIR"] = folder;

      expect((await run()).said).toContain("ok    Every page and row of the database is readable");
      expect(files()).toEqual(before);
    }
  });

  test("on which the service runs knows it", async () => {
    const served = await serve(shell.dataDir);
    settings["PORT"] = new URL(served.baseUrl).port;

    const { code, said } = await run();

    expect(said).toContain(
      `ok    The service is running on port ${settings["PORT"]}, version ${version}.`,
    );
    expect(code).toBe(0);
    expect(await served.stop()).toBe(0);
  });

  test("whose port another program took says so", async () => {
    const other = createServer((socket) =>
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"),
    );
    await new Promise<void>((resolve) =>
      other.listen(Number(settings["PORT"]), "127.0.0.1", resolve),
    );
    closers.push(() => other.close());

    const { code, said } = await run();

    expect(said).toContain(
      `fix   Port ${settings["PORT"]} is in use by another program.${ADVICE}Set PORT`,
    );
    expect(said).toEndWith("To fix: 1. Warnings: 2.");
    expect(code).toBe(1);
  });

  test("whose key file fits the database says so, and so does one that is missing or another", async () => {
    await shell.run(demo, ["Lyon", "--count", "20", "--pictures", "0"]);
    const key = join(shell.dataDir, "secret.key");
    expect((await run()).said).toContain("ok    The key file matches the database.");

    writeFileSync(key, new Uint8Array(32));
    expect((await run()).said).toContain(
      `fix   The key file secret.key in ${shell.dataDir} is not the key that its database was written with.${ADVICE}Put the right secret.key back, or restore`,
    );
    writeFileSync(key, "half");
    expect((await run()).said).toContain("is damaged (4 bytes instead of 32)");
    rmSync(key);
    const { code, said } = await run();
    expect(said).toContain(`fix   The key file secret.key is missing in ${shell.dataDir}`);
    expect(code).toBe(1);
    expect(existsSync(key)).toBe(false);
  });

  test.each([
    ["http://pets.example.org", "0", "fix   http://pets.example.org is not encrypted"],
    ["https://pets.example.org", "0", "no proxy is trusted"],
    ["https://pets.example.org", "1", "ok    Links begin with https://pets.example.org."],
  ])("with the address %s and %s proxies: %s", async (url, proxies, words) => {
    Object.assign(settings, { BASE_URL: url, TRUST_PROXY: proxies });

    expect((await run()).said).toContain(words);
  });

  test("names who is responsible for a public site, or asks for it", async () => {
    const said = async (more: Record<string, string>) => {
      Object.assign(settings, { BASE_URL: "https://pets.example.org", TRUST_PROXY: "1" }, more);
      return (await run()).said;
    };

    expect((await run()).said).not.toContain("imprint");
    expect(await said({})).toContain(
      `warn  The imprint and the privacy page name nobody who is responsible for this site.${ADVICE}Set OPERATOR_NAME`,
    );
    expect(await said({ OPERATOR_NAME: "Refuge" })).toContain(
      `warn  The imprint names Refuge, but no way to reach them.${ADVICE}Set OPERATOR_CONTACT`,
    );
    expect(await said({ OPERATOR_CONTACT: "a@example.org" })).toContain(
      "ok    The imprint names Refuge.",
    );
    expect(await said({ OPERATOR_ADDRESS: "1 rue du Parc, Lyon" })).toContain(
      "ok    The imprint names Refuge, with a postal address.",
    );
  });

  test("tells of emails that wait though they are due", async () => {
    const world = await createWorld({ DATA_DIR: shell.dataDir });
    await world.tool("subscribe_zone", { lat: 1, lng: 1, email: "reader@example.org" });
    await world.end();

    const { code, said } = await run();

    expect(said).toContain(
      "fix   Emails are late: one has been due since 2026-05-01T08:00:00Z, and 1 email is waiting.",
    );
    expect(code).toBe(1);
  });

  test("tells how old the last backup is", async () => {
    const nameOf = (daysAgo: number) =>
      `${new Date(Date.now() - daysAgo * DAY).toISOString().slice(0, 19).replaceAll(":", "-")}Z`;
    await shell.run(demo, ["Lyon", "--count", "1", "--pictures", "0"]);

    mkdirSync(join(shell.dataDir, "backups", nameOf(5)), { recursive: true });
    expect((await run()).said).toContain("warn  The last backup is from 20");
    mkdirSync(join(shell.dataDir, "backups", nameOf(1)));
    expect((await run()).said).toContain("ok    The last backup is from 20");
    settings["BACKUP_KEEP"] = "off";
    expect((await run()).said).toContain("warn  Daily backups are off");
  });
});

test("check tells how old the newest copy of a backup elsewhere is, and leaves nothing there", async () => {
  const place = join(shell.folder, "place");
  const { said } = await shell.run(backup, ["key", join(shell.folder, "copies.key")]);
  settings["BACKUP_COPY_URL"] = place;
  expect((await run()).said).toContain(
    "fix   The setting BACKUP_COPY_URL requires BACKUP_COPY_KEY",
  );

  settings["BACKUP_COPY_KEY"] = /BACKUP_COPY_KEY=(\S+)/.exec(said)?.[1] ?? "";
  expect((await run()).said).toContain(
    `fix   The folder ${place} of BACKUP_COPY_URL does not exist`,
  );
  expect(existsSync(place)).toBe(false);

  mkdirSync(place);
  expect((await run()).said).toContain("ok    The next backup will be copied elsewhere");
  expect(readdirSync(place)).toEqual([]);

  await shell.look(() => {});
  await shell.run(backup, []);
  expect((await run()).said).not.toContain("on the same disk");
});

test("check counts the tables that the service reads, or says what is wrong with the list", async () => {
  const table = { table: "https://a.example/t.csv", mapping: "king-county", owner: "a@b.example" };
  mkdirSync(shell.dataDir);
  const list = join(shell.dataDir, "sources.json");
  writeFileSync(list, JSON.stringify([table]));
  expect((await run()).said).toContain("ok    sources.json lists 1 table.");

  writeFileSync(list, JSON.stringify([{ ...table, table: "http://a.example/t.csv" }]));
  const { code, said } = await run();
  expect(said).toContain("fix   The file sources.json is not valid");
  expect(code).toBe(1);
});

test("health ends well only while the service answers", async () => {
  const served = await serve(shell.dataDir);
  settings["PORT"] = new URL(served.baseUrl).port;

  const { code, said } = await shell.run(health, [], { settings });
  expect([code, JSON.parse(said).status]).toEqual([0, "ready"]);
  await served.stop();

  const outcome = await shell.run(health, [], { settings }).catch((error: Error) => error.message);
  expect(outcome).toBe(`No service responds at ${served.baseUrl}/readyz.`);
});

describe("check of the mail", () => {
  const privateKey = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
  const published = createPublicKey(privateKey)
    .export({ type: "spki", format: "der" })
    .toString("base64");
  const zone = {
    [DOMAIN]: ["v=spf1 ip4:127.0.0.0/8 -all"],
    [`mail._domainkey.${DOMAIN}`]: [`v=DKIM1; k=rsa; p=${published}`],
    [`_dmarc.${DOMAIN}`]: ["v=DMARC1; p=quarantine"],
  };

  beforeEach(async () => {
    const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    Object.assign(settings, {
      BASE_URL: `https://${DOMAIN}`,
      TRUST_PROXY: "1",
      DKIM_DOMAIN: DOMAIN,
      DKIM_SELECTOR: "mail",
      DKIM_KEY_FILE: await shell.write("dkim.pem", pem),
    });
  });

  test("that is all as it should be says so, and sends a signed email where one is asked for", async () => {
    const received = await openMail();
    Object.assign(settings, { OPERATOR_NAME: "Refuge", OPERATOR_CONTACT: "a@refuge.example" });

    const quiet = await run([], zone);
    expect(quiet.said).toContain("ok    The mail server smtp://127.0.0.1:");
    expect(quiet.said).not.toContain("fix ");
    expect(quiet.said.match(/^warn .*/gm)).toEqual([
      "warn  Bounces are not read, so emails keep going to mailboxes that no longer exist.",
    ]);
    expect(quiet.said).toEndWith("Nothing to fix. Warnings: 1.");
    expect([quiet.code, received.length]).toEqual([0, 0]);

    const { code, said } = await run(["--to", "me@example.net"], zone);
    expect(said).toContain("ok    The mail server accepted an email to m…@e…");
    expect(code).toBe(0);
    const email = await PostalMime.parse(received[0]!.raw);
    expect(email.to).toEqual([{ name: "", address: "me@example.net" }]);
    expect(email.subject).toBe("Pet Alert: test email");
    expect(email.headers.find(({ key }) => key === "dkim-signature")?.value).toContain(
      `d=${DOMAIN}`,
    );
  });

  test("whose bounces go to another domain, and to a mailbox that cannot be read, says both", async () => {
    await openMail();
    settings["BOUNCE_ADDRESS"] = "bounces@elsewhere.example";
    settings["IMAP_URL"] = `imaps://me:hunter2@127.0.0.1:${await freePort()}/INBOX`;

    const { code, said } = await run([], zone);

    expect(said).toContain("warn  Bounces go to elsewhere.example, emails come from");
    expect(said).toMatch(
      /fix {3}The mailbox imaps:\/\/127\.0\.0\.1:\d+\/INBOX cannot be read: .*ECONNREFUSED/,
    );
    expect(said).not.toContain("hunter2");
    expect(code).toBe(1);
  });

  test("with nothing in the DNS says what to publish", async () => {
    await openMail();

    const { code, said } = await run([]);

    expect(said).toContain(`fix   ${DOMAIN} has no SPF record`);
    expect(said).toContain(`p=${published}"`);
    expect(said).toContain(`Publish a TXT record for _dmarc.${DOMAIN}: "v=DMARC1; p=none".`);
    expect(code).toBe(1);
  });

  test("with a wrong password says that the server cannot be used, without the password", async () => {
    await openMail({
      authOptional: false,
      allowInsecureAuth: true,
      disabledCommands: ["STARTTLS"],
      onAuth: (_auth, _session, done) => done(new Error("wrong password")),
    });
    settings["SMTP_URL"] = settings["SMTP_URL"]!.replace("//", "//me:hunter2@");

    const { code, said } = await run([], zone);

    expect(said).toMatch(/fix   The mail server smtp:\/\/127\.0\.0\.1:\d+ cannot be used: .*535/);
    expect(said).not.toContain("hunter2");
    expect(code).toBe(1);
  });

  test("whose server cannot be reached tells that once, also where an email is asked for", async () => {
    settings["SMTP_URL"] = `smtp://127.0.0.1:${await freePort()}`;

    const { code, said } = await run(["--to", "me@example.net"], zone);

    expect(said).toContain("cannot be used, and no email was sent: ");
    expect(said.match(/^fix/gm)).toHaveLength(1);
    expect(code).toBe(1);
  });

  test("whose server will not have the email repeats its answer without the address", async () => {
    await openMail({
      onRcptTo: ({ address }, _session, done) =>
        done(
          Object.assign(new Error(`5.7.1 relaying to ${address} denied`), { responseCode: 550 }),
        ),
    });

    const { code, said } = await run(["--to", "me@example.net"], zone);

    expect(said).toContain("fix   The mail server did not accept an email to m…@e…: ");
    expect(said).toContain("5.7.1 relaying to [address] denied");
    expect(code).toBe(1);
  });

  test("without a mail server cannot send the email that is asked for", async () => {
    const { code, said } = await run(["--to", "me@example.net"]);

    expect(said).toContain("fix   The test email cannot be sent: no mail server is set.");
    expect(code).toBe(1);
  });

  test("with a key that is none stops with a sentence", async () => {
    settings["DKIM_KEY_FILE"] = await shell.write("none.pem", "none");

    expect(await run([], zone).catch((error: Error) => error.message)).toContain(
      "DKIM_KEY_FILE must be the path of a file with an RSA private key",
    );
  });

  test.each([
    [["--to", "nobody"], '--to must be one email address, not "nobody"'],
    [["--to", "a@example.org, b@example.org"], "--to must be one email address"],
    [["now"], "Usage: pet-alert check"],
    [["--all"], "Usage: pet-alert check"],
  ])("does not understand %j", async (words, sentence) => {
    expect(await run(words).catch((error: Error) => error.message)).toContain(sentence);
  });

  /** A mail server on this machine, named in the settings. */
  async function openMail(options: SMTPServerOptions = {}) {
    const { url, received } = await mailServer(options);
    settings["SMTP_URL"] = url;
    return received;
  }
});
