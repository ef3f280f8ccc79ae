import type { ImapFlow } from "imapflow";
import { reasonOf } from "./smtp-outcome.ts";
import { withTimeout } from "../core/timeout.ts";
import type { MailServer } from "../settings/mail.ts";

/**
 * Handler of a message by the beginning of its header block as received, newest headers first. After a crash, it may get a
 * message twice. Resolves to what to do with the message:
 * - `leave`: it stays unread;
 * - `done`: it is marked as read without being fetched;
 * - a function: it is fetched, with its headers and truncated if it is long, and marked as read if the function resolves to true.
 */
export type MessageHandler = (
  headers: string,
) => Promise<"leave" | "done" | ((raw: Uint8Array) => Promise<boolean>)>;

/** Reader of the mailbox that receives bounces and replies. */
export interface MailboxReader {
  /**
   * Passes unread messages received after `since` to the handler, oldest first, continuing where the last call ended.
   * Resolves to true if there are more; rejects when the mailbox cannot be read, on timeout, and with the handler's errors.
   */
  read(handler: MessageHandler, since: number): Promise<boolean>;
  /**
   * Deletes messages marked as read that arrived before a day, whose recipients contain a text, and that are ours by the
   * beginning of their header block: a thousand at most. Rejects as `read` does.
   */
  deleteRead(
    recipient: string,
    isOurs: (headers: string) => boolean,
    before: number,
  ): Promise<void>;
  /** Null when the mailbox can be opened, else the reason, safe to log. */
  refusal(): Promise<string | null>;
  /** Aborts the current read, which rejects, and all later ones. */
  close(): void;
  /** Contains no credentials. */
  describe(): string;
}

/** Per read: messages whose headers are fetched, and messages that are fetched whole. */
const MESSAGES_MAX = 1_000;
const TEXTS_MAX = 100;
const HEADERS_AT_ONCE = 50;
/** Bytes fetched of a header block. The chains of signatures that mail providers add take many of them. */
const HEADER_BYTES_MAX = 32 * 1024;
/**
 * Bytes fetched of a message. A delivery status comes before the returned message, and the text of an answer before its
 * attachments; the HTML that Outlook writes for a long thread has about 1 MB, encoded.
 */
const TEXT_BYTES_MAX = 2 * 1024 * 1024;
/** Limits on memory that a server can make us use: a line with the UIDs of a million messages, and one message part. */
const LINE_BYTES_MAX = 8 * 1024 * 1024;
const PART_BYTES_MAX = 3 * 1024 * 1024;

/** Milliseconds. */
export const READER_TIMEOUTS = {
  connection: 30_000,
  greeting: 30_000,
  idle: 60_000,
  /** A whole read, whatever the server does. */
  read: 120_000,
} as const;

/** Mailbox over IMAP: the folder that the path of the server names. Encryption is required except on this machine. */
export function imapReader(
  server: MailServer,
  timeouts: { readonly [Name in keyof typeof READER_TIMEOUTS]: number } = READER_TIMEOUTS,
): MailboxReader {
  const { host, port, isEncrypted, isLocal } = server;
  const folder = server.path || "INBOX";
  /** Messages up to `uid` were processed. Not persisted: after a restart, unread messages are processed again. */
  let cursor = { uidValidity: 0n, uid: 0 };
  let current: ImapFlow | null = null;
  let isClosed = false;

  async function withClient<Result>(work: (client: ImapFlow) => Promise<Result>): Promise<Result> {
    // Loaded on first use: most installations read no mailbox.
    const { ImapFlow } = await import("imapflow");
    if (isClosed) throw new Error("the reader is closed");
    const client = new ImapFlow({
      host,
      port,
      secure: isEncrypted,
      ...(isEncrypted || isLocal ? {} : { doSTARTTLS: true }),
      tls: { rejectUnauthorized: !isLocal },
      auth: { user: server.user, pass: server.password },
      connectionTimeout: timeouts.connection,
      greetingTimeout: timeouts.greeting,
      socketTimeout: timeouts.idle,
      maxLineLength: LINE_BYTES_MAX,
      maxLiteralSize: PART_BYTES_MAX,
      maxResponseSize: 2 * LINE_BYTES_MAX,
      disableAutoIdle: true,
      disableCompression: true,
      logger: false,
    });
    // An unhandled error event would end the process; the current command rejects with the same error.
    client.on("error", () => {});
    current = client;
    try {
      return await withTimeout(work(client), timeouts.read, () => {
        throw new Error(`reading took longer than ${timeouts.read / 1000} s`);
      });
    } finally {
      client.close();
      current = null;
    }
  }

  async function readNew(client: ImapFlow, handler: MessageHandler, since: number) {
    await client.connect();
    const { uidValidity } = await client.mailboxOpen(folder);
    if (uidValidity !== cursor.uidValidity) cursor = { uidValidity, uid: 0 };
    const found = await client.search(
      { seen: false, since: new Date(since), uid: `${cursor.uid + 1}:*` },
      { uid: true },
    );
    if (!Array.isArray(found)) throw new Error("the server does not search the mailbox");
    // `n:*` always includes the last message.
    const fresh = found.filter((uid) => uid > cursor.uid);
    const uids = fresh.toSorted((a, b) => a - b).slice(0, MESSAGES_MAX);
    let texts = 0;
    for (let at = 0; at < uids.length; at += HEADERS_AT_ONCE) {
      const some = uids.slice(at, at + HEADERS_AT_ONCE);
      const headers = await headersOf(client, some);
      for (const uid of some) {
        if (texts === TEXTS_MAX) return true;
        const head = headers.get(uid);
        // Undefined if deleted in the meantime.
        const verdict = head === undefined ? "leave" : await handler(head);
        if (verdict === "done") await markAsRead(client, uid);
        else if (verdict !== "leave") {
          texts += 1;
          const raw = await textOf(client, uid);
          if (raw !== null && (await verdict(raw))) await markAsRead(client, uid);
        }
        cursor = { uidValidity, uid };
      }
    }
    return fresh.length > uids.length;
  }

  async function deleteRead(
    client: ImapFlow,
    recipient: string,
    isOurs: (headers: string) => boolean,
    before: number,
  ): Promise<void> {
    await client.connect();
    await client.mailboxOpen(folder);
    const found = await client.search(
      {
        seen: true,
        before: new Date(before),
        or: [{ to: recipient }, { cc: recipient }, { header: { "Delivered-To": recipient } }],
      },
      { uid: true },
    );
    if (!Array.isArray(found)) throw new Error("the server does not search the mailbox");
    const uids = found.slice(0, MESSAGES_MAX);
    for (let at = 0; at < uids.length; at += HEADERS_AT_ONCE) {
      const headers = await headersOf(client, uids.slice(at, at + HEADERS_AT_ONCE));
      const ours = [...headers].flatMap(([uid, head]) => (isOurs(head) ? [uid] : []));
      if (ours.length > 0) await client.messageDelete(ours.join(","), { uid: true });
    }
  }

  return {
    read: (handler, since) => withClient((client) => readNew(client, handler, since)),
    deleteRead: (recipient, isOurs, before) =>
      withClient((client) => deleteRead(client, recipient, isOurs, before)),
    async refusal() {
      try {
        await withClient(async (client) => {
          await client.connect();
          await client.mailboxOpen(folder);
        });
        return null;
      } catch (error) {
        return readFailure(error);
      }
    },
    close() {
      isClosed = true;
      current?.close();
    },
    describe: () => `${isEncrypted ? "imaps" : "imap"}://${host}:${port}/${folder}`,
  };
}

async function headersOf(client: ImapFlow, uids: readonly number[]): Promise<Map<number, string>> {
  const part = { key: "HEADER", start: 0, maxLength: HEADER_BYTES_MAX };
  const range = uids.join(",");
  const messages = await client.fetchAll(range, { uid: true, bodyParts: [part] }, { uid: true });
  return new Map(
    messages.map(({ uid, headers }) => [uid, Buffer.from(headers ?? []).toString("latin1")]),
  );
}

/** Beginning of a message; null if it was deleted in the meantime. */
async function textOf(client: ImapFlow, uid: number): Promise<Uint8Array | null> {
  const source = { start: 0, maxLength: TEXT_BYTES_MAX };
  const message = await client.fetchOne(String(uid), { uid: true, source }, { uid: true });
  return message === false ? null : (message.source ?? null);
}

async function markAsRead(client: ImapFlow, uid: number): Promise<void> {
  await client.messageFlagsAdd(String(uid), ["\\Seen"], { uid: true });
}

/** Reason why a mailbox could not be read, safe to log. */
export function readFailure(error: unknown): string {
  const text = error instanceof Error && "responseText" in error ? error.responseText : undefined;
  return typeof text === "string" && text !== "" ? reasonOf(new Error(text)) : reasonOf(error);
}
