import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { SMTPServerOptions } from "smtp-server";
import { smtpTransport, type Transport } from "../../src/mail/smtp.ts";
import {
  closeMail,
  MAIL,
  mailServer,
  openMailServer,
  SENDER,
  smtpAt,
  transportTo,
} from "../support/mail.ts";
import type { Delivery } from "../../src/mail/smtp-outcome.ts";

afterEach(closeMail);

describe("what a server answers about one recipient", () => {
  test.each<[string, Delivery["kind"]]>([
    ["550 5.1.1 <reader@example.org>: no such user", "refused"],
    ["550 5.2.1 mailbox disabled", "refused"],
    ["552 5.2.2 mailbox full", "deferred"],
    ["450 4.1.2 domain not found just now", "deferred"],
    ["550 relay not permitted", "later"],
    ["550 no such user here", "deferred"],
    ["550 5.1.8 sender's domain not found", "later"],
    ["451 4.7.1 greylisted", "deferred"],
    ["550 Unrouteable address", "deferred"],
    ["550 5.1.1 <no.sender.relay.1@x.example>: User unknown", "refused"],
    ["452 4.3.1 out of disk", "later"],
  ])("%s: %s", async (reply, kind) => {
    for (const { script, transport } of servers) {
      script.reply = reply;
      expect((await transport.send(MAIL)).kind).toBe(kind);
    }
  });

  test.each([
    ["550 5.1.1 no such user", true],
    ["550 5.1.4 ambiguous", false],
  ])("%s: the mailbox is dead: %p", async (reply, isDead) => {
    for (const { script, transport } of servers) {
      script.reply = reply;
      const delivery = await transport.send(MAIL);
      expect(delivery.kind === "refused" && delivery.deadMailbox === true).toBe(isDead);
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
  test.each(["550 5.1.1 no such user", "552 5.3.4 too big", "451 4.7.1 not now"])(
    "%s to the sender pauses all mail",
    async (reply) => {
      const server = await mailServer({
        onMailFrom: (_from, _session, done) => done(replying(reply)),
      });

      expect((await transportTo(server.url).send(MAIL)).kind).toBe("later");
    },
  );

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
    ['550 5.7.0 your text "Mimi is lost" is spam', "EMESSAGE: 550 5.7.0 your text"],
    ["550 id 3J8wYkQ0aVx7mZ2n5pRtB6cD9eF1gH4iK7lM0oP3qS5 refused", "EMESSAGE: 550 id"],
    ["550 5.7.0 pets.example.org/manage/T0ken is listed", "EMESSAGE: 550 5.7.0"],
    [
      "550 <Mimi>: we don't take it, ask your post-master (end of text).",
      "EMESSAGE: 550 we don't take it, ask your post-master (end of text).",
    ],
  ])(
    "hold a server's codes, and its words up to what may be of the email: %s",
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

type Scripted = { script: { reply: string }; transport: Transport; end: () => Promise<void> };

/** A mail server whose next answer is set before each email, and one transport that writes to it again and again. */
async function scripted(script: { reply: string }, options: SMTPServerOptions): Promise<Scripted> {
  const server = await openMailServer(options);
  const transport = smtpTransport({ server: smtpAt(server.url), sender: SENDER, dkim: null });
  const end = () => {
    transport.close();
    return server.close();
  };
  return { script, transport, end };
}

/** A reply of the server: its code, and its words as they are. */
function replying(reply: string): Error {
  return Object.assign(new Error(reply.slice(4)), { responseCode: Number(reply.slice(0, 3)) });
}
