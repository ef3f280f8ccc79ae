import { INCOMING_EMAIL_KEEP_MS } from "../core/conversations/emailed-reply.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../core/duration.ts";
import { type MailboxReader, type MessageHandler, readFailure } from "./mailbox-reader.ts";
import type { Clock } from "../core/instance.ts";

/** Job that reads the mailbox for bounces and replies. */
export type MailboxJob = {
  /** Reads the mailbox when it is time to; never rejects. Need not be awaited. */
  tick(now: number): Promise<void>;
  /** Cuts a read short; resolves when it has ended. */
  stop(): Promise<void>;
  /** Time of the first failed read in a row; null if the last one succeeded. */
  readonly failingSince: number | null;
};

export type MailboxJobParts = {
  readonly reader: MailboxReader;
  /** Handlers of messages; the first that does not leave a message gets it. */
  readonly handlers: readonly MessageHandler[];
  /** Old messages to delete; null if all are kept. */
  readonly old: OldMessages | null;
  readonly clock: Clock;
  /** For the operator. The text contains no mailbox. */
  readonly log: (text: string) => void;
  readonly onReadFailed: () => void;
};

/** Messages to delete once they are read and old. */
export type OldMessages = {
  /** Text in the recipients of all of them. */
  readonly recipient: string;
  /** Decides by the beginning of the header block. */
  readonly isOurs: (headers: string) => boolean;
};

/** Age of the messages that are read: mail servers give up after five days at most. */
const READ_WINDOW_MS = 14 * DAY_MS;
const DELETE_EVERY_MS = DAY_MS;
const READ_EVERY_MS = 5 * MINUTE_MS;
/** Delay after a read that did not reach the end. */
const READ_MORE_MS = MINUTE_MS;
/** Maximum delay after a failed read; it doubles with each. */
const RETRY_MAX_MS = HOUR_MS;

export function createMailboxJob(parts: MailboxJobParts): MailboxJob {
  const { reader, handlers, old, clock, log, onReadFailed } = parts;
  let reading: Promise<void> | null = null;
  let nextAt = -Infinity;
  let waitMs = READ_EVERY_MS;
  let deletedAt: number | null = null;
  let failingSince: number | null = null;
  let isStopping = false;

  const handler: MessageHandler = async (headers) => {
    for (const one of handlers) {
      const verdict = await one(headers);
      if (verdict !== "leave") return verdict;
    }
    return "leave";
  };

  async function read(now: number): Promise<void> {
    try {
      const more = await reader.read(handler, now - READ_WINDOW_MS);
      await deleteOld(now);
      nextAt = now + (more ? READ_MORE_MS : READ_EVERY_MS);
      waitMs = READ_EVERY_MS;
      failingSince = null;
    } catch (error) {
      if (isStopping) return;
      failingSince ??= now;
      nextAt = clock() + waitMs;
      waitMs = Math.min(2 * waitMs, RETRY_MAX_MS);
      onReadFailed();
      log(`The mailbox ${reader.describe()} cannot be read: ${readFailure(error)}`);
    }
  }

  async function deleteOld(now: number): Promise<void> {
    const isDue = deletedAt === null || Math.abs(now - deletedAt) >= DELETE_EVERY_MS;
    if (old === null || !isDue) return;
    await reader.deleteRead(old.recipient, old.isOurs, now - INCOMING_EMAIL_KEEP_MS);
    deletedAt = now;
  }

  return {
    tick(now) {
      // A time further ahead than any wait was set by a clock that has stepped back since.
      const isDue = now >= nextAt || nextAt - now > RETRY_MAX_MS;
      if (reading === null && isDue && !isStopping)
        reading = read(now).finally(() => {
          reading = null;
        });
      return reading ?? Promise.resolve();
    },
    async stop() {
      isStopping = true;
      reader.close();
      await reading;
    },
    get failingSince() {
      return failingSince;
    },
  };
}
