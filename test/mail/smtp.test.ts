import { afterEach, describe, expect, test } from "bun:test";
import { createTransport } from "nodemailer";
import PostalMime from "postal-mime";
import { memoryTransport } from "../support/memory-transport.ts";
import { classifySmtpError } from "../../src/mail/smtp-outcome.ts";
import {
  closeAfterwards,
  closeMail,
  FROM,
  SENDER,
  header,
  MAIL,
  mailServer,
  SENT_AT,
  transportTo,
} from "../support/mail.ts";

afterEach(closeMail);

describe("an email sent over SMTP", () => {
  test("arrives whole, with the headers that say what it is", async () => {
    const server = await mailServer();

    const delivery = await transportTo(server.url).send(MAIL);

    expect(delivery).toEqual({ kind: "sent" });
    const got = server.received[0]!;
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

    const got = server.received[0]!;
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
    "Friends: a@example.org, victim@example.net;",
    '"a@example.org, x" <victim@example.net>',
    "a@example.org>\r\nRCPT TO:<victim@example.net",
    "a@example.org\nBcc: victim@example.net",
    "a(victim@example.net)@example.org",
    "",
    "nobody",
  ])("reaches nobody when its recipient is %j", async (to) => {
    const server = await mailServer();
    const kept = memoryTransport({ sender: SENDER });

    const delivery = await transportTo(server.url).send({ ...MAIL, to });

    expect(delivery.kind).toBe("refused");
    expect(await kept.send({ ...MAIL, to })).toEqual(delivery);
    expect(server.received).toEqual([]);
    expect(kept.kept).toEqual([]);
  });

  test.each(["o'neil+pets@example.org", "reader@bücher.example", "A.B@EXAMPLE.ORG"])(
    "reaches one mailbox when its recipient is %j",
    async (to) => {
      const server = await mailServer();

      await transportTo(server.url).send({ ...MAIL, to });

      expect(server.received.map((got) => got.to.length)).toEqual([1]);
    },
  );
});

describe("a server that does not do its part", () => {
  test("is waited for when nobody listens", async () => {
    const server = await mailServer();
    await server.close();

    expect((await transportTo(server.url).send(MAIL)).kind).toBe("later");
  });

  test.each([
    ["at once", []],
    ["instead of taking the recipient", ["220 hello", "250 hello", "250 sender ok"]],
    ["instead of taking the text", ["220 hello", "250 hello", "250 ok", "250 ok"]],
  ])("is waited for when it hangs up %s", async (_when, replies) => {
    const server = rudeServer(replies, "hang up");

    expect((await transportTo(server.url).send(MAIL)).kind).toBe("later");
  });

  test("gets an email once, not again and again, when it hangs up without an answer to the text", async () => {
    const server = rudeServer(
      ["220 hello", "250 hello", "250 ok", "250 ok", "354 go on"],
      "hang up",
    );

    expect((await transportTo(server.url).send(MAIL)).kind).toBe("later");
    expect(server.textsSeen()).toBe(1);
  });

  test("does not hold an email beyond the closing of the transport", async () => {
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
    closeAfterwards(() => mailer.close({ force: true }));

    const error = await mailer.sendMail({ from: FROM, to: MAIL.to }).catch((thrown) => thrown);

    expect(classifySmtpError(error).kind).toBe(kind);
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
  closeAfterwards(() => server.stop(true));
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
