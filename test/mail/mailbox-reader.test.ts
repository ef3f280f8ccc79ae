import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { ImapFlow } from "imapflow";
import { type MessageHandler, imapReader, READER_TIMEOUTS } from "../../src/mail/mailbox-reader.ts";
import { imapAt } from "../support/mail.ts";
import { postfixBounce, within } from "../support/bounces.ts";
import { type Dovecot, dovecotTests, PASSWORD, startDovecot } from "../support/dovecot.ts";
import { DAWN, DAY, MINUTE } from "../support/time.ts";
import { createWorld } from "../support/world.ts";

const servers: { stop(): unknown }[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

/** Takes every message that is wanted, and keeps what it was given. */
function collector(wants: (headers: string) => boolean = () => true) {
  const seen: { headers: string; raw: Uint8Array }[] = [];
  const handler: MessageHandler = async (headers) =>
    wants(headers)
      ? async (raw) => {
          seen.push({ headers, raw });
          return true;
        }
      : "leave";
  return { handler, subjects: () => seen.map(({ headers }) => subjectOf(headers)), seen };
}
const subjectOf = (headers: string) => /^Subject: (.*?)\r?$/m.exec(headers)?.[1];
const message = (subject: string) => `From: a@b.example\nSubject: ${subject}\n\nHello\n`;

dovecotTests.describe("a mailbox on Dovecot", () => {
  let dovecot: Dovecot;
  beforeEach(async () => {
    dovecot = await startDovecot();
    servers.push(dovecot);
  });

  /** Subjects of the messages that a person would see as unread. */
  async function unread(): Promise<(string | undefined)[]> {
    const url = new URL(dovecot.plainUrl);
    const client = new ImapFlow({
      host: "127.0.0.1",
      port: dovecot.plainPort,
      secure: false,
      tls: { rejectUnauthorized: false },
      auth: { user: url.username, pass: PASSWORD },
      logger: false,
    });
    await client.connect();
    await client.mailboxOpen("INBOX", { readOnly: true });
    const found = await client.search({ seen: false }, { uid: true });
    const uids = Array.isArray(found) ? found : [];
    const messages =
      uids.length === 0
        ? []
        : await client.fetchAll(uids.join(","), { uid: true, envelope: true }, { uid: true });
    await client.logout();
    return messages.map(({ envelope }) => envelope?.subject);
  }

  test("gives its unread messages once, oldest first, and marks those that are dealt with", async () => {
    for (const subject of ["one", "two", "three"]) dovecot.deliver(message(subject), DAWN);
    const reader = imapReader(imapAt(dovecot.url));
    const { handler, subjects } = collector((headers) => subjectOf(headers) !== "two");

    expect(await reader.read(handler, DAWN - DAY)).toBe(false);
    expect(subjects()).toEqual(["one", "three"]);
    expect(await unread()).toEqual(["two"]);

    dovecot.deliver(message("four"), DAWN);
    await reader.read(handler, DAWN - DAY);
    expect(subjects()).toEqual(["one", "three", "four"]);
  });

  test("leaves messages alone that arrived before the time asked for", async () => {
    dovecot.deliver(message("old"), DAWN - 20 * DAY);
    dovecot.deliver(message("new"), DAWN);
    const { handler, subjects } = collector();
    await imapReader(imapAt(dovecot.url)).read(handler, DAWN - 14 * DAY);
    expect(subjects()).toEqual(["new"]);
  });

  test("gives a message again that was fetched and not stored when the program died", async () => {
    dovecot.deliver(message("bounce"), DAWN);
    const dying = imapReader(imapAt(dovecot.url));
    const died = dying.read(
      async () => async () => {
        throw new Error("killed");
      },
      DAWN - DAY,
    );
    await expect(died).rejects.toThrow("killed");
    expect(await unread()).toEqual(["bounce"]);

    const { handler, subjects } = collector();
    await imapReader(imapAt(dovecot.url)).read(handler, DAWN - DAY);
    expect(subjects()).toEqual(["bounce"]);
  });

  test("gives a message again that was stored and not marked when the program died", async () => {
    dovecot.deliver(message("bounce"), DAWN);
    const dying = imapReader(imapAt(dovecot.url));
    const died = dying.read(
      async () => async () => {
        dying.close();
        return true;
      },
      DAWN - DAY,
    );
    expect(await died.catch((error: unknown) => error)).toBeInstanceOf(Error);

    const { handler, subjects } = collector();
    await imapReader(imapAt(dovecot.url)).read(handler, DAWN - DAY);
    expect(subjects()).toEqual(["bounce"]);
    expect(await unread()).toEqual([]);
  });

  test("loses old messages that were read and are ours, and no others", async () => {
    const to = (name: string) => `To: ${name}@shelter.example\n`;
    const old = DAWN - 10 * DAY;
    dovecot.deliver(`${to("reply+one")}${message("ours")}`, old);
    dovecot.deliver(`${to("reply+two")}${message("not ours")}`, old);
    dovecot.deliver(`${to("office")}${message("other mail")}`, old);
    dovecot.deliver(`${to("reply+one")}${message("new")}`, DAWN);
    const reader = imapReader(imapAt(dovecot.url));
    await reader.read(async () => "done", old - DAY);
    dovecot.deliver(`${to("reply+one")}${message("unread")}`, old);

    const isOurs = (headers: string) => headers.includes("reply+one");
    await reader.deleteRead("reply+", isOurs, DAWN - 7 * DAY);

    expect(await unread()).toEqual(["unread"]);
    const left: (string | undefined)[] = [];
    for (const file of dovecot.messages()) left.push(subjectOf(file));
    expect(left.toSorted()).toEqual(["new", "not ours", "other mail", "unread"]);
  });

  test("gives the beginning of a huge message", async () => {
    dovecot.deliver(`${message("huge")}${"x".repeat(78)}\n`.repeat(200_000), DAWN);
    const { handler, seen } = collector();
    await imapReader(imapAt(dovecot.url)).read(handler, DAWN - DAY);
    expect(seen[0]?.raw.length).toBe(2 * 1024 * 1024);
  });

  test("that is full of other mail is gone through in several reads, and stays unread", async () => {
    for (let at = 0; at < 2_100; at += 1) dovecot.deliver(message("unrelated"), DAWN);
    dovecot.deliver(message("bounce"), DAWN);
    const reader = imapReader(imapAt(dovecot.url));
    const { handler, subjects } = collector((headers) => subjectOf(headers) === "bounce");

    expect(await reader.read(handler, DAWN - DAY)).toBe(true);
    expect(await reader.read(handler, DAWN - DAY)).toBe(true);
    expect(subjects()).toEqual([]);
    expect(await reader.read(handler, DAWN - DAY)).toBe(false);
    expect(subjects()).toEqual(["bounce"]);
    expect((await unread()).length).toBe(2_100);
  });

  test("on another host is not read when its certificate is not for that host", async () => {
    // A name of this machine that is not recognized as loopback.
    const url = dovecot.plainUrl.replace("127.0.0.1", "127.1");
    const { handler } = collector();
    const read = imapReader(imapAt(url)).read(handler, DAWN - DAY);
    expect(await failure(read)).toMatch(/certificate/i);
  });

  test("is not read with a wrong password, which is told without it", async () => {
    const url = dovecot.url.replace(/:[^:@]*@/, ":wr0ng-w0rd@");
    const reader = imapReader(imapAt(url));
    const refusal = await reader.refusal();
    expect(refusal).toMatch(/authentication failed/i);
    expect(refusal).not.toContain("wr0ng");
    expect(reader.describe()).toBe(`imaps://127.0.0.1:${dovecot.tlsPort}/INBOX`);
    expect(await imapReader(imapAt(dovecot.url)).refusal()).toBeNull();
  });

  test("brings the service its bounces, of which a forged one does nothing", async () => {
    const reader = "reader@far.example";
    const victim = "victim@far.example";
    await within(
      createWorld,
      async (here) => {
        await here.subscribe(reader);
        await here.subscribe(victim);
        for (let day = 0; day < 2; day += 1) {
          const to = (await here.tell(reader)) ?? "";
          const forged = (here.emailsTo(victim).at(-1)?.envelope.from ?? "").replace(
            /.{16}@/,
            `${"0".repeat(16)}@`,
          );
          dovecot.deliver(postfixBounce({ to }), here.now());
          dovecot.deliver(postfixBounce({ to: forged, recipient: victim }), here.now());
          await here.pass(DAY + MINUTE);
        }
        await here.collect();

        expect(await here.tell(reader)).toBeNull();
        expect(await here.tell(victim)).not.toBeNull();
        expect((await unread()).length).toBe(2);
        expect(here.logged).toEqual([]);
      },
      { IMAP_URL: dovecot.url },
    );
  });
});

/** A server that says only what it is told to. */
function fakeServer(answer: (line: string) => string, greeting: string) {
  const lines: string[] = [];
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open: (socket) => void socket.write(greeting),
      data(socket, data) {
        for (const line of data.toString().split("\r\n").filter(Boolean)) {
          lines.push(line);
          socket.write(answer(line));
        }
      },
    },
  });
  servers.push({ stop: () => server.stop(true) });
  return { port: server.port, lines };
}
const failure = (read: Promise<unknown>) => read.then(String, String);
const login = `user:${encodeURIComponent(PASSWORD)}`;

describe("a mailbox reader", () => {
  test("gives no password to another host that offers no encryption", async () => {
    const capability = "* CAPABILITY IMAP4rev1 AUTH=PLAIN LOGIN\r\n";
    const { port, lines } = fakeServer(
      (line) => `${capability}${line.split(" ")[0]} OK done\r\n`,
      "* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN LOGIN] ready\r\n",
    );
    const url = `imap://${login}@127.1:${port}`;

    expect(await failure(imapReader(imapAt(url)).read(collector().handler, 0))).toMatch(
      /STARTTLS/i,
    );
    expect(lines.join("\n")).not.toMatch(/LOGIN|AUTHENTICATE/i);
  });

  test("gives up on a server that is not there", async () => {
    const { port } = fakeServer(() => "", "");
    await servers.pop()?.stop();
    const read = imapReader(imapAt(`imaps://${login}@127.0.0.1:${port}`)).read(
      collector().handler,
      0,
    );
    const why = await failure(read);
    expect(why).toMatch(/ECONNREFUSED|connect/i);
    expect(why).not.toContain(PASSWORD);
  });

  test("gives up on a server that says nothing, and on one that never stops talking", async () => {
    const timeouts = { ...READER_TIMEOUTS, greeting: 50 };
    const silent = fakeServer(() => "", "");
    const url = (port: number) => `imap://${login}@127.0.0.1:${port}`;
    await expect(
      imapReader(imapAt(url(silent.port)), timeouts).read(collector().handler, 0),
    ).rejects.toThrow();

    const endless = fakeServer(
      () => "* OK still here\r\n",
      "* OK [CAPABILITY IMAP4rev1] ready\r\n",
    );
    const read = imapReader(imapAt(url(endless.port)), { ...READER_TIMEOUTS, read: 50 });
    expect(await failure(read.read(collector().handler, 0))).toContain("longer than");
  });

  test("ends at once when it is closed", async () => {
    const { port } = fakeServer(() => "", "");
    const reader = imapReader(imapAt(`imap://${login}@127.0.0.1:${port}`));
    const read = failure(reader.read(collector().handler, 0));
    reader.close();
    expect(await read).toContain("Error");
    expect(await failure(reader.read(collector().handler, 0))).toContain("closed");
  });

  test("that hangs holds back neither requests nor emails nor the end of the service", async () => {
    const { port } = fakeServer(() => "", "");
    const world = await createWorld({
      BOUNCE_ADDRESS: "bounces@shelter.example",
      IMAP_URL: `imap://${login}@127.0.0.1:${port}`,
    });
    const ticking = world.tick();
    await world.tool("subscribe_zone", { lat: 1, lng: 1, email: "reader@far.example" });
    expect((await world.fetch("/readyz")).status).toBe(200);
    void world.tick();
    while (world.sentMail.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await world.end();
    await ticking;
  });
});

afterAll(() => {
  for (const server of servers) server.stop();
});
