import type { Socket, TCPSocketListener } from "bun";
import { freePort } from "../support/process.ts";

/** Replies of the server. Steps that are not named succeed; null means that it never replies. */
export type Behavior = {
  readonly greeting?: string | null;
  /** After the password. */
  readonly login?: string;
  /** After the command that starts encryption: no encryption. */
  readonly encryption?: "broken";
  readonly sender?: string;
  readonly recipient?: (address: string) => string | Promise<string> | null;
  /** After the whole text. */
  readonly text?: (address: string) => string;
  /** Closes the connection in the middle of the text. */
  readonly dropsText?: boolean;
};

/** Email that the server accepted. */
export type AcceptedEmail = {
  readonly to: string;
  readonly messageId: string;
  readonly raw: string;
};

export type FailingMailServer = {
  /** Includes a user and a password, which are accepted by default. */
  readonly url: string;
  readonly accepted: readonly AcceptedEmail[];
  behavior: Behavior;
  /** Recipients of all RCPT commands, in order. */
  readonly recipients: readonly string[];
  /** Stops listening and closes all connections. */
  close(): void;
  /** Listens again on the same port. */
  open(): void;
};

const OK: Behavior = {};

/**
 * A mail server on this machine that fails on demand, at any step and at every one of RFC 5321's commands: what the
 * servers people use in tests do not.
 */
export async function createFailingMailServer({ delayMs = 0 } = {}): Promise<FailingMailServer> {
  const accepted: AcceptedEmail[] = [];
  const recipients: string[] = [];
  let listener: TCPSocketListener<Session>;
  const server: FailingMailServer = {
    get url() {
      return `smtp://user:secret@127.0.0.1:${listener.port}`;
    },
    accepted,
    recipients,
    behavior: OK,
    close: () => listener.stop(true),
    open() {
      listener = listen(listener.port);
    },
  };
  // Not a port that the system picks: while closed, it could go to an outgoing connection.
  listener = listen(await freePort());
  return server;

  function listen(at: number) {
    return Bun.listen<Session>({
      hostname: "127.0.0.1",
      port: at,
      socket: {
        open(socket) {
          socket.data = { heard: "", to: "", isText: false, isDead: false };
          const { greeting = "220 ready" } = server.behavior;
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
      if (session.isText && server.behavior.dropsText === true) return void socket.terminate();
      if (at < 0 || session.isDead) return;
      const line = session.heard.slice(0, at);
      session.heard = session.heard.slice(at + end.length);
      if (session.isText) {
        session.isText = false;
        if (delayMs > 0) await Bun.sleep(delayMs);
        reply(socket, take(session.to, line));
      } else if (!(await command(socket, line))) return;
    }
  }

  function take(to: string, raw: string): string {
    const answer = server.behavior.text?.(to) ?? "250 accepted";
    const messageId = /^Message-ID: *(\S+)/im.exec(raw)?.[1] ?? "";
    if (answer.startsWith("2")) accepted.push({ to, messageId, raw });
    return answer;
  }

  /** False: it says nothing more on this connection. */
  async function command(socket: Socket<Session>, line: string): Promise<boolean> {
    const { behavior } = server;
    const verb = line.slice(0, 4).toUpperCase();
    switch (verb) {
      case "EHLO": {
        const starts = behavior.encryption === undefined ? [] : ["250-STARTTLS"];
        reply(socket, ["250-here", ...starts, "250 AUTH PLAIN"].join("\r\n"));
        return true;
      }
      case "STAR":
        socket.data.isDead = true;
        reply(socket, "220 go on\r\nthis is no handshake");
        return false;
      case "AUTH":
        reply(socket, behavior.login ?? "235 welcome");
        return true;
      case "MAIL":
        reply(socket, behavior.sender ?? "250 ok");
        return true;
      case "RCPT": {
        const address = /<(.*)>/.exec(line)?.[1] ?? "";
        recipients.push(address);
        socket.data.to = address;
        const answer =
          behavior.recipient === undefined ? "250 ok" : await behavior.recipient(address);
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
