import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { findProgram, missingProgram, PROGRAMS, testsUnlessMissing } from "./system-programs.ts";
import { freePort, scratchFolder, until } from "./process.ts";

export const USER = "bounces";
export const PASSWORD = "s3cret/with:signs";

/** `describe`, `test` and hooks of tests that need Dovecot. */
export const dovecotTests = testsUnlessMissing(
  missingProgram(PROGRAMS.dovecot),
  missingProgram(PROGRAMS.openssl),
);

/** The same, of tests that deliver over LMTP with swaks. */
export const deliveryTests = testsUnlessMissing(
  missingProgram(PROGRAMS.dovecot),
  missingProgram(PROGRAMS.dovecotLmtp),
  missingProgram(PROGRAMS.openssl),
  missingProgram(PROGRAMS.swaks),
);

export type Dovecot = Awaited<ReturnType<typeof startDovecot>>;

/** Dovecot on loopback with its own configuration and mailbox. End it with `stop`. */
export async function startDovecot() {
  const folder = scratchFolder();
  const [plainPort, tlsPort, lmtpPort] = [await freePort(), await freePort(), await freePort()];
  const hasLmtp = missingProgram(PROGRAMS.dovecotLmtp) === null;
  const { uid, username } = userInfo();
  // Dovecot refuses mailboxes owned by root.
  const owner = uid === 0 ? "mail" : username;
  const [internal, login] = uid === 0 ? ["dovecot", "dovenull"] : [username, username];
  const inbox = join(folder.path, "mail");
  for (const part of ["", "new", "cur", "tmp"]) {
    mkdirSync(join(inbox, part), { recursive: true });
    chmodSync(join(inbox, part), 0o777);
  }
  chmodSync(folder.path, 0o755);
  makeCertificate(folder.path);
  const config = join(folder.path, "dovecot.conf");
  writeFileSync(
    config,
    `base_dir = ${folder.path}/run
log_path = ${folder.path}/log
protocols = imap${hasLmtp ? " lmtp" : ""}
postmaster_address = postmaster@localhost
recipient_delimiter = +
listen = 127.0.0.1
ssl = yes
ssl_cert = <${folder.path}/cert.pem
ssl_key = <${folder.path}/key.pem
disable_plaintext_auth = no
auth_failure_delay = 0
mail_location = maildir:${inbox}
first_valid_uid = 1
first_valid_gid = 1
default_internal_user = ${internal}
default_login_user = ${login}
passdb {
  driver = static
  args = password=${PASSWORD}
}
userdb {
  driver = static
  args = uid=${owner} gid=${owner} home=${folder.path} allow_all_users=yes
}
${hasLmtp ? `service lmtp {\n  inet_listener lmtp {\n    port = ${lmtpPort}\n  }\n}` : ""}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${plainPort}
  }
  inet_listener imaps {
    port = ${tlsPort}
    ssl = yes
  }
}
service anvil {
  chroot =
}
`,
  );
  const child = Bun.spawn([findProgram(PROGRAMS.dovecot), "-F", "-c", config], {
    stdout: "ignore",
    stderr: "pipe",
  });
  await until(() => existsSync(join(folder.path, "run/master.pid")));
  const login_ = `${USER}:${encodeURIComponent(PASSWORD)}`;
  let delivered = 0;
  return {
    url: `imaps://${login_}@127.0.0.1:${tlsPort}/INBOX`,
    plainUrl: `imap://${login_}@127.0.0.1:${plainPort}`,
    plainPort,
    tlsPort,
    /** Puts a message that arrived at this time into the mailbox. */
    deliver(text: string, at: number): void {
      delivered += 1;
      const file = join(inbox, "new", `${1_000_000 + delivered}.M${delivered}.test`);
      writeFileSync(file, text.replace(/\r?\n/g, "\r\n"));
      chmodSync(file, 0o666);
      utimesSync(file, at / 1000, at / 1000);
    },
    /** Delivers a message over LMTP, as a mail server does. */
    async send(text: string, recipient: string): Promise<void> {
      const to = ["--protocol", "LMTP", "--server", "127.0.0.1", "--port", String(lmtpPort)];
      const envelope = ["--from", "mail@far.example", "--to", recipient, "--data", "-"];
      // Without a name it asks the DNS for that of this machine.
      const name = ["--ehlo", "mail.far.example"];
      const swaks = Bun.spawn(["swaks", ...to, ...name, ...envelope, "--silent", "1"], {
        stdin: new TextEncoder().encode(text),
        stdout: "pipe",
        stderr: "pipe",
      });
      if ((await swaks.exited) !== 0)
        throw new Error(`swaks: ${await new Response(swaks.stdout).text()}`);
    },
    /** All messages of the mailbox, in any order. */
    messages: (): string[] =>
      ["new", "cur"].flatMap((part) =>
        readdirSync(join(inbox, part)).map((file) =>
          readFileSync(join(inbox, part, file), "latin1"),
        ),
      ),
    /** Number of messages that are not marked as read. */
    unread: (): number =>
      readdirSync(join(inbox, "new")).length +
      readdirSync(join(inbox, "cur")).filter((file) => !/:2,[A-Z]*S/.test(file)).length,
    async stop(): Promise<void> {
      child.kill("SIGTERM");
      await child.exited;
      folder.forget();
    },
  };
}

function makeCertificate(folder: string): void {
  const files = ["-keyout", `${folder}/key.pem`, "-out", `${folder}/cert.pem`];
  const kind = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost".split(" ");
  const made = Bun.spawnSync(["openssl", ...kind, ...files]);
  if (!made.success) throw new Error(`no certificate: ${made.stderr}`);
}
