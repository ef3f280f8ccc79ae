import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { createHash, createVerify, generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import PostalMime from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import type { Mail } from "../../src/mail/message.ts";
import {
  type Delivery,
  type Dkim,
  fileTransport,
  memoryTransport,
  smtpTransport,
  type Transport,
} from "../../src/mail/transport.ts";
import { verdict } from "../../src/mail/verdict.ts";

const FROM = "Pet Alert <pet-alert@pets.example.org>";
const SENT_AT = Date.UTC(2026, 10, 21, 7, 30, 5);

const MAIL: Mail = {
  id: "019aa3c4-5ed2-7000-8000-000000000001",
  to: "reader@example.org",
  language: "fr",
  createdAt: SENT_AT - 5_000,
  sentAt: SENT_AT,
  subject: "Votre alerte est en ligne\u00a0: chien trouvé (K7F3Q2)",
  text: "Bonjour,\n\n.une ligne qui commence par un point\nà bientôt\n",
  html: "<!doctype html>\n<p>Bonjour, à bientôt</p>\n",
  link: "https://pets.example.org/manage/abc",
  unsubscribeUrl:
    "https://pets.example.org/unsubscribe/0123456789012345678901234567890123456789012",
};

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

describe("a letter sent over SMTP", () => {
  test("arrives whole, with the headers that say what it is", async () => {
    const server = await mailServer();

    const delivery = await transportTo(server.url).send(MAIL);

    expect(delivery).toEqual({ kind: "sent" });
    const [got = never()] = server.received;
    expect(got.from).toBe("pet-alert@pets.example.org");
    expect(got.to).toEqual([MAIL.to]);
    const email = await PostalMime.parse(got.raw);
    expect(email.subject).toBe(MAIL.subject);
    expect(email.from).toEqual({ name: "Pet Alert", address: "pet-alert@pets.example.org" });
    expect(email.to).toEqual([{ name: "", address: MAIL.to }]);
    expect(email.replyTo).toEqual([{ name: "No reply", address: "no-reply@pets.example.org" }]);
    expect(email.messageId).toBe(`<${MAIL.id}@pets.example.org>`);
    expect(email.date).toBe(new Date(SENT_AT).toISOString());
    expect(email.text?.trimEnd()).toBe(MAIL.text.trimEnd());
    expect(email.html?.trimEnd()).toBe(MAIL.html.trimEnd());
    expect(email.attachments).toEqual([]);
    expect(header(email, "auto-submitted")).toEqual(["auto-generated"]);
    expect(header(email, "content-language")).toEqual(["fr"]);
    expect(header(email, "list-unsubscribe")).toEqual([`<${MAIL.unsubscribeUrl}>`]);
    expect(header(email, "list-unsubscribe-post")).toEqual(["List-Unsubscribe=One-Click"]);
  });

  test("offers no unsubscribing where there is nothing to unsubscribe from", async () => {
    const server = await mailServer();

    await transportTo(server.url).send({ ...MAIL, unsubscribeUrl: null });

    const email = await PostalMime.parse(server.received[0]?.raw ?? "");
    expect(header(email, "list-unsubscribe")).toEqual([]);
    expect(header(email, "list-unsubscribe-post")).toEqual([]);
  });

  test("gains no header and no recipient from line breaks in its subject", async () => {
    const server = await mailServer();

    await transportTo(server.url).send({
      ...MAIL,
      subject: "Hello\r\nBcc: victim@example.net\r\n\r\nbody",
    });

    const [got = never()] = server.received;
    const email = await PostalMime.parse(got.raw);
    expect(got.to).toEqual([MAIL.to]);
    expect(header(email, "bcc")).toEqual([]);
    expect(email.subject).toBe("Hello Bcc: victim@example.net body");
  });

  test("goes out encrypted when a server on this machine offers it with a certificate of its own making", async () => {
    const server = await mailServer({ disabledCommands: ["AUTH"] });

    expect(await transportTo(server.url).send(MAIL)).toEqual({ kind: "sent" });
    expect(server.received[0]?.secure).toBe(true);
  });

  test("logs in with the credentials in the address", async () => {
    const server = await mailServer({
      authOptional: false,
      disabledCommands: ["STARTTLS"],
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, done) {
        const known = username === "pet alert" && password === "p@ss:word";
        done(known ? null : new Error("unknown"), known ? { user: 1 } : undefined);
      },
    });
    const url = server.url.replace("//", "//pet%20alert:p%40ss%3Aword@");

    expect(await transportTo(url).send(MAIL)).toEqual({ kind: "sent" });
  });

  test.each([
    "a@example.org, victim@example.net",
    "a@example.org; victim@example.net",
    "a@example.org victim@example.net",
    "a@example.org,victim@example.net",
    "Friends: a@example.org, victim@example.net;",
    "<a@example.org> <victim@example.net>",
    '"a@example.org, x" <victim@example.net>',
    "a@example.org>\r\nRCPT TO:<victim@example.net",
    "a@example.org\nBcc: victim@example.net",
    "a(victim@example.net)@example.org",
    "a%victim.example.net@example.org, b@example.org",
    "",
    "nobody",
  ])("reaches nobody when its recipient is %j", async (to) => {
    const server = await mailServer();
    const kept = memoryTransport({ from: FROM });

    const delivery = await transportTo(server.url).send({ ...MAIL, to });

    expect(delivery.kind).toBe("refused");
    expect(await kept.send({ ...MAIL, to })).toEqual(delivery);
    expect(server.received).toEqual([]);
    expect(kept.kept).toEqual([]);
  });

  test.each([
    "o'neil+pets@example.org",
    "a=b@example.org",
    "reader@bücher.example",
    "A.B@EXAMPLE.ORG",
  ])("reaches one mailbox when its recipient is %j", async (to) => {
    const server = await mailServer();

    await transportTo(server.url).send({ ...MAIL, to });

    expect(server.received.map((got) => got.to.length)).toEqual([1]);
  });
});

describe("a DKIM signature", () => {
  const keys = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const dkim: Dkim = { domain: "pets.example.org", selector: "2026", privateKey: keys.privateKey };

  test("is there, is right, and signs what tells receivers how to unsubscribe and not to answer", async () => {
    const server = await mailServer();

    await transportTo(server.url, dkim).send(MAIL);

    const signature = readSignature(server.received[0]?.raw ?? never());
    expect(signature.tags).toMatchObject({ d: "pets.example.org", s: "2026", a: "rsa-sha256" });
    expect(signature.signed).toContain("from");
    expect(signature.signed).toContain("list-unsubscribe");
    expect(signature.signed).toContain("list-unsubscribe-post");
    expect(signature.signed).toContain("auto-submitted");
    expect(signature.verifies(keys.publicKey)).toBe(true);
  });

  test("no longer fits when a signed header was changed on the way", async () => {
    const server = await mailServer();
    await transportTo(server.url, dkim).send(MAIL);
    const raw = Buffer.from(server.received[0]?.raw ?? never()).toString("latin1");

    const changed = raw.replace("List-Unsubscribe=One-Click", "List-Unsubscribe=Two-Click");

    expect(readSignature(Buffer.from(changed, "latin1")).verifies(keys.publicKey)).toBe(false);
  });

  test("is not silently left away when the key cannot be used", () => {
    const ec = generateKeyPairSync("ec", {
      namedCurve: "P-256",
      publicKeyEncoding: { type: "spki", format: "pem" },
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
    });
    for (const privateKey of ["no key", ec.privateKey, keys.publicKey]) {
      expect(() => transportTo("smtp://127.0.0.1:1", { ...dkim, privateKey })).toThrow(
        "RSA private key",
      );
    }
  });
});

describe("what a server answers about one recipient", () => {
  test.each<[string, Delivery["kind"]]>([
    ["550 5.1.1 <reader@example.org>: no such user", "refused"],
    ["550 5.1.2 unknown domain", "refused"],
    ["553 5.1.3 bad address syntax", "refused"],
    ["550 5.2.1 mailbox disabled", "refused"],
    ["552 5.2.2 mailbox full", "deferred"],
    ["450 4.2.0 mailbox busy", "deferred"],
    ["450 4.1.2 domain not found just now", "deferred"],
    ["550 relay not permitted", "later"],
    ["550 5.7.1 relaying denied", "later"],
    ["554 5.7.1 relay access denied", "later"],
    ["550 no such user here", "deferred"],
    ["550 5.1.8 sender's domain not found", "later"],
    ["553 5.1.7 bad address of the sender", "later"],
    ["550 5.1.0 Sender address rejected: user unknown", "later"],
    ["451 4.7.1 greylisted", "deferred"],
    ["550 Unrouteable address", "deferred"],
    ["550 5.1.1 <no.sender.relay.1@x.example>: User unknown", "refused"],
    ["452 4.3.1 out of disk", "later"],
    ["421 4.3.2 shutting down", "later"],
  ])("%s: %s", async (reply, kind) => {
    for (const { script, transport } of servers) {
      script.reply = reply;
      expect((await transport.send(MAIL)).kind).toBe(kind);
    }
  });

  const servers: Scripted[] = [];
  beforeAll(async () => {
    for (const hidePIPELINING of [true, false]) {
      const script = { reply: "" };
      const onRcptTo: SMTPServerOptions["onRcptTo"] = (_to, _session, done) =>
        done(replying(script.reply));
      servers.push(await scripted(script, { hidePIPELINING, onRcptTo }));
    }
  });
  afterAll(() => Promise.all(servers.map(({ end }) => end())));
});

describe("what a server answers to the text", () => {
  test.each<[string, Delivery["kind"]]>([
    ["552 5.3.4 too big", "refused"],
    ["554 5.6.0 we do not like it", "refused"],
    ["550 5.7.1 blocked", "later"],
    ["451 4.3.0 try again", "later"],
    ["452 4.2.2 out of disk", "later"],
    ["421 4.3.2 shutting down", "later"],
  ])("%s: %s", async (reply, kind) => {
    server.script.reply = reply;
    expect((await server.transport.send(MAIL)).kind).toBe(kind);
  });

  let server: Scripted;
  beforeAll(async () => {
    const script = { reply: "" };
    server = await scripted(script, {
      onData(stream, _session, done) {
        stream.resume();
        stream.on("end", () => done(replying(script.reply)));
      },
    });
  });
  afterAll(() => server.end());
});

describe("what a server answers before it hears of the recipient", () => {
  test.each([
    "550 5.1.1 no such user",
    "554 5.7.1 rejected",
    "552 5.3.4 too big",
    "451 4.7.1 not now",
  ])("%s to the sender pauses all mail", async (reply) => {
    const server = await mailServer({
      onMailFrom: (_from, _session, done) => done(replying(reply)),
    });

    expect((await transportTo(server.url).send(MAIL)).kind).toBe("later");
  });

  test("554 as its greeting pauses all mail", async () => {
    const server = await mailServer({
      onConnect: (_session, done) => done(replying("554 no service")),
    });

    expect((await transportTo(server.url).send(MAIL)).kind).toBe("later");
  });

  test("a wrong password pauses all mail", async () => {
    const server = await mailServer({
      authOptional: false,
      disabledCommands: ["STARTTLS"],
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(replying("535 5.7.8 wrong password")),
    });

    const delivery = await transportTo(server.url.replace("//", "//user:secret@")).send(MAIL);

    expect(delivery).toMatchObject({ kind: "later", why: expect.stringContaining("535") });
    expect(JSON.stringify(delivery)).not.toContain("secret");
  });
});

describe("a server that does not do its part", () => {
  test("is waited for when nobody listens", async () => {
    const server = await mailServer();
    await server.close();

    expect((await transportTo(server.url).send(MAIL)).kind).toBe("later");
  });

  test.each([
    ["at once", []],
    ["after its greeting", ["220 hello"]],
    ["instead of taking the recipient", ["220 hello", "250 hello", "250 sender ok"]],
    ["instead of taking the text", ["220 hello", "250 hello", "250 ok", "250 ok"]],
  ])("is waited for when it hangs up %s", async (_when, replies) => {
    const server = rudeServer(replies, "hang up");

    expect((await transportTo(server.url).send(MAIL)).kind).toBe("later");
  });

  test("gets a letter once, not again and again, when it hangs up without an answer to the text", async () => {
    const server = rudeServer(
      ["220 hello", "250 hello", "250 ok", "250 ok", "354 go on"],
      "hang up",
    );

    expect((await transportTo(server.url).send(MAIL)).kind).toBe("later");
    expect(server.textsSeen()).toBe(1);
  });

  test("is waited for when it speaks nonsense", async () => {
    const server = rudeServer(["HTTP/1.1 400 Bad Request"], "hang up");

    expect((await transportTo(server.url).send(MAIL)).kind).toBe("later");
  });

  test("does not hold a letter beyond the closing of the transport", async () => {
    const server = rudeServer([], "stay silent");
    const transport = transportTo(server.url);
    const sending = transport.send(MAIL);
    await server.connected;

    transport.close();

    expect((await sending).kind).toBe("later");
  });

  test.each([
    ["about the recipient", ["220 hello", "250 hello", "250 sender ok"], "deferred"],
    ["about the text", ["220 hello", "250 hello", "250 ok", "250 ok", "354 go on"], "deferred"],
    ["at all", [], "later"],
  ] as const)("is waited for when it gives no answer %s", async (_about, replies, kind) => {
    const server = rudeServer(replies, "stay silent");
    const patience = { socketTimeout: 200, greetingTimeout: 100 };
    const mailer = createTransport({ ...hostAndPort(server.url), pool: true, ...patience });
    closers.push(() => mailer.close({ force: true }));

    const error = await mailer.sendMail({ from: FROM, to: MAIL.to }).catch((thrown) => thrown);

    expect(verdict(error).kind).toBe(kind);
  });

  test("gets nothing unencrypted unless it is on this machine", async () => {
    const server = await mailServer({ disabledCommands: ["STARTTLS", "AUTH"] }, "0.0.0.0");

    const elsewhere = await transportTo(server.url).send(MAIL);
    const here = await transportTo(server.url.replace("0.0.0.0", "127.0.0.1")).send(MAIL);

    expect(elsewhere.kind).toBe("later");
    expect(here.kind).toBe("sent");
    expect(server.received).toHaveLength(1);
  });

  test("gets nothing when it is elsewhere and its certificate is not good", async () => {
    const server = await mailServer({ secure: true }, "0.0.0.0");

    const elsewhere = await transportTo(server.url.replace("smtp:", "smtps:")).send(MAIL);

    expect(elsewhere.kind).toBe("later");
    expect(server.received).toEqual([]);
  });
});

describe("reasons", () => {
  test("go into logs, so they hold no mailbox and no line breaks", async () => {
    const server = await mailServer({
      onRcptTo: ({ address }, _session, done) =>
        done(replying(`550 5.1.1 <${address}> unknown; ask ${address}`)),
    });

    const delivery = await transportTo(server.url).send(MAIL);

    expect(delivery).toMatchObject({ kind: "refused", why: expect.stringContaining("550 5.1.1") });
    expect(JSON.stringify(delivery)).not.toContain("example.org");
    expect(JSON.stringify(delivery)).not.toContain("\\n");
  });

  test.each([
    [
      "554 5.7.1 blocked URL http://pets.example.org/confirm/T0ken in message Subject: Mimi",
      "EMESSAGE: 554 5.7.1 blocked URL",
    ],
    ["554 5.7.1 Subject: Mimi is lost", "EMESSAGE: 554 5.7.1"],
    ['550 5.7.0 your text "Mimi is lost" is spam', "EMESSAGE: 550 5.7.0 your text"],
    ["550 5.7.0 text ‘Mimi’ is spam", "EMESSAGE: 550 5.7.0 text"],
    ["550 id 3J8wYkQ0aVx7mZ2n5pRtB6cD9eF1gH4iK7lM0oP3qS5 refused", "EMESSAGE: 550 id"],
    ["550 5.7.0 pets.example.org/manage/T0ken is listed", "EMESSAGE: 550 5.7.0"],
    [
      "550 <Mimi>: we don't take it, ask your post-master (end of text).",
      "EMESSAGE: 550 we don't take it, ask your post-master (end of text).",
    ],
  ])(
    "hold a server's codes, and its words up to what may be of the letter: %s",
    async (reply, why) => {
      const script = { reply };
      const { transport, end } = await scripted(script, {
        onData(stream, _session, done) {
          stream.resume();
          stream.on("end", () => done(replying(script.reply)));
        },
      });

      expect(await transport.send(MAIL)).toMatchObject({ why });
      await end();
    },
  );

  test("and descriptions hold no credentials", () => {
    const transport = transportTo("smtps://user:secret@mail.example.org");

    expect(transport.describe()).toBe("smtps://mail.example.org:465");
  });
});

describe("settings that cannot work", () => {
  test.each([
    "mail.example.org",
    "http://mail.example.org",
    "smtp://",
    "smtp:mail.example.org",
    "",
  ])("%j is no mail server", (url) => {
    expect(() => transportTo(url)).toThrow("mail server");
  });

  test.each([
    "Pet Alert",
    "a@example.org, b@example.org",
    "Pet <a@example.org>\r\nBcc: b@example.org",
    "<@example.org>",
    "",
  ])("%j is no sender", (from) => {
    expect(() => memoryTransport({ from })).toThrow("sender");
  });

  test.each([
    "pet-alert@localhost",
    '"Pets, lost & found" <pets@example.org>',
    "Alerte Médor <a@example.org>",
  ])("%j is a sender", (from) => {
    expect(() => memoryTransport({ from })).not.toThrow();
  });
});

describe("letters written to files", () => {
  test("are whole messages that only the owner may read, and their link is announced", async () => {
    const folder = join(await temporaryFolder(), "mail");
    const announced: string[] = [];
    const transport = fileTransport({
      folder,
      from: FROM,
      announce: (line) => announced.push(line),
    });

    const delivery = await transport.send(MAIL);

    expect(delivery).toEqual({ kind: "sent" });
    expect(await readdir(folder)).toEqual([`20261121T073000000Z-${MAIL.id}.eml`]);
    const file = join(folder, `20261121T073000000Z-${MAIL.id}.eml`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const email = await PostalMime.parse(await Bun.file(file).arrayBuffer());
    expect(email.subject).toBe(MAIL.subject);
    expect(email.to).toEqual([{ name: "", address: MAIL.to }]);
    expect(email.messageId).toBe(`<${MAIL.id}@pets.example.org>`);
    expect(email.text?.trimEnd()).toBe(MAIL.text.trimEnd());
    expect(header(email, "list-unsubscribe-post")).toEqual(["List-Unsubscribe=One-Click"]);
    expect(await Bun.file(file).text()).not.toMatch(/[^\r]\n/);
    expect(announced).toHaveLength(1);
    expect(announced[0]).toContain(MAIL.link);
    expect(announced[0]).toContain(file);
    expect(announced[0]).not.toContain(MAIL.to);
  });

  test("sort by the time they were written, and a letter sent twice is one file", async () => {
    const folder = await temporaryFolder();
    const transport = fileTransport({ folder, from: FROM, announce: () => {} });

    await transport.send({ ...MAIL, id: "b", createdAt: SENT_AT + 1 });
    await transport.send({ ...MAIL, id: "a", createdAt: SENT_AT + 2 });
    await transport.send({ ...MAIL, id: "b", createdAt: SENT_AT + 1, sentAt: SENT_AT + 60_000 });

    expect((await readdir(folder)).sort()).toEqual([
      "20261121T073005001Z-b.eml",
      "20261121T073005002Z-a.eml",
    ]);
  });

  test("wait when the folder cannot be written", async () => {
    const folder = join(await temporaryFolder(), "file");
    await Bun.write(folder, "not a folder");
    const announced: string[] = [];
    const transport = fileTransport({
      folder,
      from: FROM,
      announce: (line) => announced.push(line),
    });

    expect((await transport.send(MAIL)).kind).toBe("later");
    expect(announced).toEqual([]);
  });

  test("never leave the folder, whatever their id", async () => {
    const folder = await temporaryFolder();
    const transport = fileTransport({ folder, from: FROM, announce: () => {} });

    await expect(transport.send({ ...MAIL, id: "../../outside" })).rejects.toThrow("id");
    expect(await readdir(folder)).toEqual([]);
  });
});

describe("letters kept in memory", () => {
  test("are kept as they would have been sent", async () => {
    const transport = memoryTransport({ from: FROM });

    await transport.send(MAIL);

    const [kept = never()] = transport.kept;
    expect(kept.mail).toEqual(MAIL);
    expect(kept.envelope).toEqual({
      from: "pet-alert@pets.example.org",
      to: MAIL.to,
      messageId: `<${MAIL.id}@pets.example.org>`,
    });
    expect((await PostalMime.parse(kept.raw)).subject).toBe(MAIL.subject);
  });

  test("are kept only when the answer lets them through", async () => {
    const transport = memoryTransport({ answer: () => ({ kind: "later", why: "a test" }) });

    expect(await transport.send(MAIL)).toEqual({ kind: "later", why: "a test" });
    expect(transport.kept).toEqual([]);
  });
});

type Received = { from: string; to: string[]; raw: Uint8Array; secure: boolean };

type Scripted = { script: { reply: string }; transport: Transport; end: () => Promise<void> };

/** A mail server whose next answer is set before each letter, and one transport that writes to it again and again. */
async function scripted(script: { reply: string }, options: SMTPServerOptions): Promise<Scripted> {
  const server = await mailServer(options);
  closers.pop();
  const transport = smtpTransport({ url: server.url, from: FROM, dkim: null });
  const end = () => {
    transport.close();
    return server.close();
  };
  return { script, transport, end };
}

/** A real mail server on this machine that keeps what it gets. */
async function mailServer(options: SMTPServerOptions = {}, host = "127.0.0.1") {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: true,
    closeTimeout: 1,
    logger: false,
    disabledCommands: options.secure ? [] : ["STARTTLS", "AUTH"],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks),
          secure: session.secure,
        });
        done();
      });
    },
    ...options,
  });
  server.on("error", () => {});
  server.listen(0, host);
  await once(server.server, "listening");
  const bound = server.server.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : never();
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  closers.push(close);
  return { url: `smtp://${host}:${port}`, received, close };
}

/** A server that gives each reply to the next command and then leaves its part undone. */
function rudeServer(replies: readonly string[], then: "hang up" | "stay silent") {
  const connected = Promise.withResolvers<void>();
  let texts = 0;
  const server = Bun.listen<{ left: string[]; heard: string }>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(socket) {
        socket.data = { left: [...replies], heard: "" };
        connected.resolve();
        answer(socket);
      },
      data(socket, bytes) {
        socket.data.heard += bytes.toString();
        if (
          socket.data.left.length === 0 &&
          !socket.data.heard.endsWith("\r\n.\r\n") &&
          replies.at(-1)?.startsWith("354")
        )
          return;
        if (socket.data.heard.endsWith("\r\n.\r\n")) texts += 1;
        answer(socket);
      },
    },
  });
  function answer(socket: Bun.Socket<{ left: string[]; heard: string }>) {
    const reply = socket.data.left.shift();
    if (reply !== undefined) socket.write(`${reply}\r\n`);
    else if (then === "hang up") socket.end();
  }
  closers.push(() => server.stop(true));
  return {
    url: `smtp://127.0.0.1:${server.port}`,
    connected: connected.promise,
    textsSeen: () => texts,
  };
}

function hostAndPort(url: string) {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}

function transportTo(url: string, dkim: Dkim | null = null): Transport {
  const transport = smtpTransport({ url, from: FROM, dkim });
  closers.push(() => transport.close());
  return transport;
}

/** A reply of the server: its code, and its words as they are. */
function replying(reply: string): Error {
  return Object.assign(new Error(reply.slice(4)), { responseCode: Number(reply.slice(0, 3)) });
}

function header(email: { headers: { key: string; value: string }[] }, key: string): string[] {
  return email.headers.filter((one) => one.key === key).map(({ value }) => value);
}

/** Reads and checks a DKIM signature, relaxed/relaxed (RFC 6376, sections 3.4.2, 3.4.4 and 3.7). */
function readSignature(raw: Uint8Array) {
  const message = Buffer.from(raw).toString("latin1");
  const end = message.indexOf("\r\n\r\n");
  const fields = message.slice(0, end).split(/\r\n(?![ \t])/);
  const body = message.slice(end + 4);
  const field = (name: string) =>
    fields.findLast((one) => one.toLowerCase().startsWith(`${name}:`)) ?? "";
  const own = field("dkim-signature");
  const tags = Object.fromEntries(
    own
      .slice(own.indexOf(":") + 1)
      .replace(/\s+/g, "")
      .split(";")
      .filter((tag) => tag !== "")
      .map((tag) => [tag.slice(0, tag.indexOf("=")), tag.slice(tag.indexOf("=") + 1)]),
  );
  const signed = String(tags.h).split(":");
  return {
    tags,
    signed,
    verifies(publicKey: string): boolean {
      const bodyHash = createHash("sha256").update(relaxedBody(body), "latin1").digest("base64");
      const unsigned = own.replace(/(\bb=)[A-Za-z0-9+/=\s]+$/, "$1");
      const data = [
        ...signed.map((name) => `${relaxedField(field(name))}\r\n`),
        relaxedField(unsigned),
      ].join("");
      const verifier = createVerify("RSA-SHA256").update(data, "latin1");
      return bodyHash === tags.bh && verifier.verify(publicKey, String(tags.b), "base64");
    },
  };
}

function relaxedField(field: string): string {
  const colon = field.indexOf(":");
  const value = field
    .slice(colon + 1)
    .replace(/\r\n/g, "")
    .replace(/[ \t]+/g, " ")
    .trim();
  return `${field.slice(0, colon).toLowerCase().trim()}:${value}`;
}

function relaxedBody(body: string): string {
  const lines = body.split("\r\n").map((line) => line.replace(/[ \t]+/g, " ").replace(/ $/, ""));
  return `${lines.join("\r\n").replace(/(\r\n)*$/, "")}\r\n`;
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "pet-alert-mail-"));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function never(): never {
  throw new Error("the test's own material is missing");
}
