import { mkdir, open, rename } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { maskedMailbox } from "../core/input.ts";
import { envelopeOf, type Mail, messageOf, mimeOf, safeId } from "./mime-message.ts";
import { classifySmtpError, type Delivery, reasonOf } from "./smtp-outcome.ts";
import type { MailServer, Sender } from "../settings/mail.ts";

export interface Transport {
  /** Failures are reported as a `Delivery`; throws only on a bug. */
  send(mail: Mail): Promise<Delivery>;
  /** Closes connections; emails being sent are reported as `later`. */
  close(): void;
  /** Destination of emails, for the start-up message. Contains no credentials. */
  describe(): string;
}

/** Transport over a mail server. */
export type SmtpTransport = Transport & {
  /** Null when the server accepts our login, else the reason, safe to log. */
  refusal(): Promise<string | null>;
};

export type Dkim = {
  readonly domain: string;
  readonly selector: string;
  /** RSA, PEM: with any other, nodemailer silently sends unsigned emails. */
  readonly privateKey: string;
};

/** Maximum connections to the mail server, including hanging ones; further emails are queued. */
export const SMTP_CONNECTIONS = 12;

/** Timeouts in milliseconds. */
const TIMEOUTS = { connection: 30_000, greeting: 30_000, socket: 60_000 };
/** Limit for servers that trickle their replies and never hit the idle timeout. Shorter than the outbox worker's lease. */
const SEND_TIMEOUT_MS = 5 * 60_000;
/** Retries on another connection when an idle one turns out to be dead. */
const RECONNECTS = 2;

/** Sends through a mail server. Encryption is required except on this machine. */
export function smtpTransport(options: {
  readonly server: MailServer;
  readonly sender: Sender;
  readonly dkim: Dkim | null;
  readonly timeouts?: Partial<typeof TIMEOUTS>;
}): SmtpTransport {
  const { server, sender, dkim } = options;
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const mailer = createTransport({
    host: server.host,
    port: server.port,
    secure: server.isEncrypted,
    requireTLS: !server.isEncrypted && !server.isLocal,
    tls: { rejectUnauthorized: !server.isLocal },
    auth: server.user === "" ? undefined : { user: server.user, pass: server.password },
    pool: true,
    maxConnections: SMTP_CONNECTIONS,
    maxRequeues: RECONNECTS,
    connectionTimeout: timeouts.connection,
    greetingTimeout: timeouts.greeting,
    socketTimeout: timeouts.socket,
    dkim: dkim === null ? undefined : signing(dkim),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(mail) {
      const envelope = envelopeOf(mail, sender);
      if (envelope === null) return NOT_ONE_MAILBOX;
      const message = messageOf(mail, sender, envelope);
      try {
        await mailer.sendMail({ ...message, signal: AbortSignal.timeout(SEND_TIMEOUT_MS) });
        return { kind: "sent" };
      } catch (error) {
        return classifySmtpError(error);
      }
    },
    async refusal() {
      try {
        await mailer.verify();
        return null;
      } catch (error) {
        return reasonOf(error);
      }
    },
    close: () => mailer.close({ force: true }),
    describe: () => `${server.isEncrypted ? "smtps" : "smtp"}://${server.host}:${server.port}`,
  };
}

/**
 * Writes each email to an .eml file and announces its link, so that a first run needs no mail server. An email sent twice
 * is one file. `announce` gets a few lines for the terminal, with a masked address.
 */
export function fileTransport(options: {
  readonly folder: string;
  readonly sender: Sender;
  readonly announce: (line: string) => void;
}): Transport {
  const { folder, sender, announce } = options;
  return {
    async send(mail) {
      const envelope = envelopeOf(mail, sender);
      if (envelope === null) return NOT_ONE_MAILBOX;
      const file = join(folder, fileName(mail));
      const raw = await mimeOf(mail, sender, envelope);
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeWhole(file, raw);
      } catch (error) {
        return { kind: "later", why: reasonOf(error) };
      }
      announce(
        `Email to ${maskedMailbox(envelope.to)}: ${mail.subject}\n  ${mail.link}\n  ${file}`,
      );
      return { kind: "sent" };
    },
    close: () => {},
    describe: () => `files in ${folder}`,
  };
}

const NOT_ONE_MAILBOX: Delivery = { kind: "refused", why: "the recipient is not one mailbox" };

/** Writes under a temporary name first, so that programs watching the folder see complete emails only. */
async function writeWhole(file: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${file}.part`;
  const handle = await open(temporary, "w", 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
}

/** `20261121T073000123Z-<email id>.eml`: sorts by the time the email was written. */
function fileName(mail: Mail): string {
  const time = new Date(mail.createdAt).toISOString().replace(/[-:.]/g, "");
  return `${time}-${safeId(mail.id)}.eml`;
}

/**
 * By default nodemailer does not sign List-Unsubscribe-Post and Auto-Submitted; RFC 8058 (section 4) requires both
 * unsubscribe headers to be signed.
 */
function signing(dkim: Dkim) {
  return {
    domainName: dkim.domain,
    keySelector: dkim.selector,
    privateKey: dkim.privateKey,
    headerFieldNames: SIGNED_HEADERS.join(":"),
  };
}

const SIGNED_HEADERS = [
  "From",
  "To",
  "Reply-To",
  "Subject",
  "Date",
  "Message-ID",
  "MIME-Version",
  "Content-Type",
  "Content-Language",
  "Auto-Submitted",
  "List-Unsubscribe",
  "List-Unsubscribe-Post",
] as const;
