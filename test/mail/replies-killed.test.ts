import { afterEach, beforeEach, expect } from "bun:test";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { type Weakening, without } from "../chaos/weakened.ts";
import { callTool, submit } from "../chaos/client.ts";
import { dovecotTests, type Dovecot, startDovecot } from "../support/dovecot.ts";
import { DISK } from "../support/disk.ts";
import { FROM_SOURCES, type Program, scratchFolder, serve, until } from "../support/process.ts";
import { answer, OWNER, REPLY_SETTINGS } from "../support/replies.ts";
import { openSmtpSink, type ReceivedEmail } from "../support/mail.ts";
import { FINDER, linkIn, LOST_CAT } from "../support/world.ts";
import { atNight } from "../support/nightly.ts";

const { describe, test } = dovecotTests;

/** Moments of the reading of a message, in their order, at which the program is killed. */
type Moment = "asked for" | "fetched" | "relayed" | "marked as read";

const REPLIES = 4;
const KILLS: readonly Moment[] = [
  "asked for",
  "fetched",
  "relayed",
  "marked as read",
  "relayed",
  "fetched",
  "relayed",
];
const SECONDS_MAX = 300;

/** A message that comes again is taken for another one. */
const WITHOUT_IDENTITY: Weakening = {
  module: "src/mail/reply-handler.ts",
  name: "createReplyHandler",
  instead: `(parts) => {
    const relayEmailedReply = (reply, text) =>
      parts.service.relayEmailedReply(reply, text, crypto.randomUUID());
    return original.createReplyHandler({ ...parts, service: { ...parts.service, relayEmailedReply } });
  }`,
};

describe("a reply in Dovecot, read by a program that is killed again and again", () => {
  let dovecot: Dovecot;
  beforeEach(async () => {
    dovecot = await startDovecot();
  });
  afterEach(() => dovecot.stop());

  test(
    `is passed on once, and nobody is told otherwise (${KILLS.length} kills)`,
    async () => {
      const { shown, emails, known, refused } = await readAndKill(FROM_SOURCES, dovecot, KILLS);

      expect(shown).toEqual(Array.from({ length: REPLIES }, () => 1));
      // One that was on its way at a kill waits until its lease ends.
      expect(Math.max(...emails)).toBe(1);
      expect(known).toBe(1);
      expect(refused).toBe(0);
    },
    SECONDS_MAX * 1_000,
  );

  atNight(test)(
    "would be taken for another one, if its Message-ID did not count",
    async () => {
      const { shown, refused } = await without([WITHOUT_IDENTITY], ({ program }) =>
        readAndKill(program, dovecot, ["relayed"]),
      );

      // Its writer is told that the same text was not passed on twice, or the reader gets it twice.
      expect(refused + Math.max(...shown)).toBeGreaterThan(1);
    },
    SECONDS_MAX * 1_000,
  );
});

/**
 * Lets an owner answer a finder by email while the program is killed at these moments, one in each life. Counts each
 * reply on the page of the finder, and its emails with different Message-IDs; and those that the last life knew already, or
 * that were refused.
 */
async function readAndKill(program: Program, dovecot: Dovecot, kills: readonly Moment[]) {
  const folder = scratchFolder(DISK);
  const received: ReceivedEmail[] = [];
  const smtp = await openSmtpSink((email) => void received.push(email));
  const imap = openImapProxy(dovecot.plainPort);
  const settings = {
    ...REPLY_SETTINGS,
    SMTP_URL: smtp.url,
    IMAP_URL: await imap.through(dovecot.plainUrl),
    METRICS_PUBLIC: "on",
  };
  const start = () => serve(folder.path, settings, program);
  const textOf = (nth: number) => `She was seen ${nth} streets from here.`;
  try {
    const first = await start();
    const to = await converse(first, received);
    await first.stop();
    for (let nth = 0; nth < REPLIES; nth++)
      dovecot.deliver(answer({ from: OWNER, to, text: textOf(nth) }), Date.now());
    for (const moment of kills) {
      const come = imap.next(moment);
      const served = await start();
      await come;
      served.child.kill("SIGKILL");
      await served.child.exited;
    }

    const last = await start();
    const about = (nth: number) =>
      emailsTo(received, FINDER).filter(({ text }) => text?.includes(textOf(nth)));
    await until(() => dovecot.unread() === 0 && about(REPLIES - 1).length > 0);
    const link = new URL(linkIn(about(REPLIES - 1)[0], "/conversation/"));
    const page = await (await last.fetch(link.pathname)).text();
    const metrics = await (await last.fetch("/metrics")).text();
    await last.stop();

    const each = (count: (nth: number) => number) =>
      Array.from({ length: REPLIES }, (_, nth) => count(nth));
    const countOf = (what: string) =>
      Number(metrics.split(`pet_alert_emailed_replies_total{class="${what}"} `)[1]?.split("\n")[0]);
    const told = emailsTo(received, OWNER).filter(({ subject }) =>
      subject?.includes("not passed on"),
    );
    return {
      shown: each((nth) => page.split(textOf(nth)).length - 1),
      emails: each((nth) => new Set(about(nth).map(({ messageId }) => messageId)).size),
      known: countOf("known"),
      refused: countOf("unsuitable") + countOf("unverified") + told.length,
    };
  } finally {
    imap.stop();
    await smtp.close();
    folder.forget();
  }
}

/** Lets a finder write to an owner. Returns the address to which the owner replies. */
async function converse(
  served: Awaited<ReturnType<typeof serve>>,
  received: readonly ReceivedEmail[],
): Promise<string> {
  const newest = async (to: string, part: string) => {
    const found = () => emailsTo(received, to).findLast(({ text }) => text?.includes(part));
    await until(() => found() !== undefined);
    return found()!;
  };
  const confirm = async (to: string) =>
    submit(served.fetch, linkIn(await newest(to, "/confirm/"), "/confirm/"));
  const published = await callTool(served.fetch, "publish_alert", LOST_CAT);
  if (published.kind === "refused") throw new Error(published.why);
  await confirm(OWNER);
  const message = { alert: published.content.id, message: "Is it this one?", email: FINDER };
  await callTool(served.fetch, "send_message", message);
  await confirm(FINDER);
  const { replyTo = [] } = await newest(OWNER, "/conversation/");
  return replyTo[0]?.address ?? "";
}

function emailsTo(received: readonly ReceivedEmail[], to: string): ReceivedEmail[] {
  return received.filter((email) => email.to === to);
}

/** Proxy in front of an IMAP server that sees its commands, which it therefore lets nobody encrypt. */
function openImapProxy(serverPort: number) {
  type Awaited = { readonly moment: Moment; readonly come: () => void };
  let next: Awaited | null = null;
  const sockets = new Set<Socket>();

  const listener = createServer((client) => {
    const server = connect(serverPort, "127.0.0.1");
    let isHeld = false;
    let answered: { readonly tag: string; text: string } | null = null;
    const hold = () => {
      isHeld = true;
      next?.come();
      next = null;
    };
    client.on("data", (bytes) => {
      const command = COMMAND.exec(bytes.toString("latin1"));
      if (next !== null && command !== null) {
        const [, tag = "", fetches] = command;
        const [before, after]: readonly Moment[] =
          fetches === undefined ? ["relayed", "marked as read"] : ["asked for", "fetched"];
        if (next.moment === before) hold();
        else if (next.moment === after) answered = { tag, text: "" };
      }
      if (!isHeld) server.write(bytes);
    });
    server.on("data", (bytes) => {
      const text = bytes.toString("latin1");
      client.write(Buffer.from(text.replaceAll(" STARTTLS", ""), "latin1"));
      if (answered === null || isHeld) return;
      answered.text += text;
      if (answered.text.includes(`${answered.tag} OK`)) hold();
    });
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  listener.listen(0, "127.0.0.1");

  return {
    /** The address of a mailbox of the server, through this proxy. */
    async through(url: string): Promise<string> {
      if (!listener.listening) await once(listener, "listening");
      return url.replace(`:${serverPort}`, `:${(listener.address() as AddressInfo).port}`);
    },
    /** Resolves when this moment has come for any message. From then on, the server gets nothing more of its reader. */
    next(moment: Moment): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      next = { moment, come: resolve };
      return promise;
    },
    stop(): void {
      listener.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Command that fetches a message, or marks one as read: its tag, and `FETCH` or nothing. */
const COMMAND = /^(\S+) UID (?:(FETCH) \d+ .*BODY\.PEEK\[\]|STORE \d+ .*\\Seen)/im;
