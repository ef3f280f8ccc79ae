import type { Socket, TCPSocketListener } from "bun";

/** How the server treats what comes; what is not said goes well. Null: it never answers. */
export type Mood = {
  readonly greeting?: string | null;
  /** After the password. */
  readonly login?: string;
  /** After the command that starts encryption: no encryption. */
  readonly encryption?: "broken";
  readonly sender?: string;
  readonly recipient?: (address: string) => string | Promise<string> | null;
  /** After the whole text. */
  readonly text?: (address: string) => string;
  /** Hangs up when half of the text has come. */
  readonly dropsText?: boolean;
};

/** A letter the server took. */
export type Taken = { readonly to: string; readonly messageId: string; readonly raw: string };

export type MailServer = {
  /** With a user and a password that it lets in unless its mood is another. */
  readonly url: string;
  readonly taken: readonly Taken[];
  mood: Mood;
  /** Every recipient it heard of, in order. */
  readonly named: readonly string[];
  /** Nobody listens on its port any more, and who was connected is cut off. */
  close(): void;
  /** Listens again on the same port. */
  open(): void;
};

const OK: Mood = {};

/**
 * A mail server on this machine that fails on demand, at any step and at every one of RFC 5321's commands: what the
 * servers people use in tests do not.
 */
export function createMailServer({ port = 0, delayMs = 0 } = {}): MailServer {
  const taken: Taken[] = [];
  const named: string[] = [];
  let listener: TCPSocketListener<Session>;
  const server: MailServer = {
    get url() {
      return `smtp://user:secret@127.0.0.1:${listener.port}`;
    },
    taken,
    named,
    mood: OK,
    close: () => listener.stop(true),
    open() {
      listener = listen(listener.port);
    },
  };
  listener = listen(port);
  return server;

  function listen(at: number) {
    return Bun.listen<Session>({
      hostname: "127.0.0.1",
      port: at,
      socket: {
        open(socket) {
          socket.data = { heard: "", to: "", isText: false, isDead: false };
          const { greeting = "220 ready" } = server.mood;
          if (greeting !== null) reply(socket, greeting);
        },
        data(socket, bytes) {
          socket.data.heard += bytes.toString("latin1");
          void hear(socket);
        },
        error() {},
      },
    });
  }

  async function hear(socket: Socket<Session>): Promise<void> {
    const session = socket.data;
    for (;;) {
      const end = session.isText ? "\r\n.\r\n" : "\r\n";
      const at = session.heard.indexOf(end);
      if (session.isText && server.mood.dropsText === true) return void socket.terminate();
      if (at < 0 || session.isDead) return;
      const said = session.heard.slice(0, at);
      session.heard = session.heard.slice(at + end.length);
      if (session.isText) {
        session.isText = false;
        if (delayMs > 0) await Bun.sleep(delayMs);
        reply(socket, take(session.to, said));
      } else if (!(await command(socket, said))) return;
    }
  }

  function take(to: string, raw: string): string {
    const answer = server.mood.text?.(to) ?? "250 taken";
    const messageId = /^Message-ID: *(\S+)/im.exec(raw)?.[1] ?? "";
    if (answer.startsWith("2")) taken.push({ to, messageId, raw });
    return answer;
  }

  /** False: it says nothing more on this connection. */
  async function command(socket: Socket<Session>, said: string): Promise<boolean> {
    const { mood } = server;
    const verb = said.slice(0, 4).toUpperCase();
    switch (verb) {
      case "EHLO": {
        const starts = mood.encryption === undefined ? [] : ["250-STARTTLS"];
        reply(socket, ["250-here", ...starts, "250 AUTH PLAIN"].join("\r\n"));
        return true;
      }
      case "STAR":
        socket.data.isDead = true;
        reply(socket, "220 go on\r\nthis is no handshake");
        return false;
      case "AUTH":
        reply(socket, mood.login ?? "235 welcome");
        return true;
      case "MAIL":
        reply(socket, mood.sender ?? "250 ok");
        return true;
      case "RCPT": {
        const address = /<(.*)>/.exec(said)?.[1] ?? "";
        named.push(address);
        socket.data.to = address;
        const answer = mood.recipient === undefined ? "250 ok" : await mood.recipient(address);
        if (answer !== null) reply(socket, answer);
        return answer !== null;
      }
      case "DATA":
        socket.data.isText = true;
        reply(socket, "354 go on");
        return true;
      case "QUIT":
        reply(socket, "221 bye");
        socket.end();
        return false;
      default:
        reply(socket, "250 ok");
        return true;
    }
  }
}

type Session = { heard: string; to: string; isText: boolean; isDead: boolean };

function reply(socket: Socket<Session>, text: string): void {
  socket.write(`${text}\r\n`);
}
