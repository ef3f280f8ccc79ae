import { once } from "node:events";
import type { AddressInfo } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import type { Mail } from "../../src/mail/mime-message.ts";
import { type Dkim, smtpTransport, type Transport } from "../../src/mail/smtp.ts";
import { readConfig } from "../../src/settings/config.ts";
import type { MailServer } from "../../src/settings/mail.ts";

export const FROM = "Pet Alert <pet-alert@pets.example.org>";
export const SENDER = readConfig({ MAIL_FROM: FROM }).sender;

/** Mail server at an address, as the settings name it. */
export function smtpAt(url: string): MailServer {
  return readConfig({ SMTP_URL: url }).smtp!;
}

/** Mailbox at an address, as the settings name it. */
export function imapAt(url: string): MailServer {
  return readConfig({ IMAP_URL: url, BOUNCE_ADDRESS: "bounces@example.org" }).imap!;
}

/** Time at which MAIL is sent. */
export const SENT_AT = Date.UTC(2026, 10, 21, 7, 30, 5);

/** An email with all that an email can have. */
export const MAIL: Mail = {
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

/** A real mail server on this machine that keeps what it gets, until `closeMail`. */
export async function mailServer(options: SMTPServerOptions = {}, host = "127.0.0.1") {
  const server = await openMailServer(options, host);
  closeAfterwards(server.close);
  return server;
}

/** The same, for as long as its caller wants it. */
export async function openMailServer(options: SMTPServerOptions = {}, host = "127.0.0.1") {
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
  const { port } = server.server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url: `smtp://${host}:${port}`, received, close };
}

type Received = { from: string; to: string[]; raw: Uint8Array; secure: boolean };

/** A transport that `closeMail` closes. */
export function transportTo(url: string, dkim: Dkim | null = null): Transport {
  const transport = smtpTransport({ server: smtpAt(url), sender: SENDER, dkim });
  closers.push(() => transport.close());
  return transport;
}

/** The values of a header, in their order. */
export function header(email: Email, key: string): string[] {
  return email.headers.filter((one) => one.key === key).map(({ value }) => value);
}

const closers: (() => unknown)[] = [];

/** For what a test opened beside. */
export function closeAfterwards(close: () => unknown): void {
  closers.push(close);
}

/** Closes what was opened here, the last first: for `afterEach`. */
export async function closeMail(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}

/** An email as it came in, and the recipient of its envelope. */
export type ReceivedEmail = Omit<Email, "to"> & { readonly to: string };

/** A mail server that takes every email, and is told of each before its sender is. */
export function openSmtpSink(receive: (email: ReceivedEmail) => void) {
  return openMailServer({
    onData(stream, { envelope }, done) {
      void parsed(stream as unknown as ReadableStream).then((email) => {
        if (email === null) return done(new Error("the email was not received whole"));
        for (const { address } of envelope.rcptTo) receive({ ...email, to: address });
        done();
      });
    },
  });
}

/** Null if the sender was killed in the middle of the email. */
async function parsed(stream: ReadableStream): Promise<Email | null> {
  try {
    return await PostalMime.parse(await new Response(stream).bytes());
  } catch {
    return null;
  }
}
