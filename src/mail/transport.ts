import { createPrivateKey } from "node:crypto";
import { mkdir, open, rename } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { maskedMailbox } from "../core/input.ts";
import {
  type Envelope,
  envelopeOf,
  type Mail,
  messageOf,
  mimeOf,
  plain,
  readSender,
} from "./message.ts";
import { verdict, whyOf } from "./verdict.ts";

/** What became of a mail. `why` is fit for a log: it holds no mailbox. */
export type Delivery =
  | { readonly kind: "sent" }
  /** For good, and this mail only: its mailbox does not exist, or the server will not have its text. */
  | { readonly kind: "refused"; readonly why: string }
  /** Not now, and this mail only: the server spoke of its mailbox. Other mail need not wait. */
  | { readonly kind: "deferred"; readonly why: string }
  /** Not now, whatever the mail: every other mail would fare the same. */
  | { readonly kind: "later"; readonly why: string };

export interface Transport {
  /** What goes wrong is a `Delivery`; throws for a fault of the program only. */
  send(mail: Mail): Promise<Delivery>;
  /** Ends connections; what is under way comes back as `later`. */
  close(): void;
  /** For the line that says at the start where letters go. Holds no credentials. */
  describe(): string;
}

/** A transport over a mail server. */
export type SmtpTransport = Transport & {
  readonly host: string;
  /** Whether the server would take letters from us: null when it lets us in, else why not, fit for a log. */
  refusal(): Promise<string | null>;
};

export type Dkim = {
  readonly domain: string;
  readonly selector: string;
  /** RSA, PEM. */
  readonly privateKey: string;
};

/** Connections to the mail server at most, those that hang included; letters beyond that wait inside. */
export const SMTP_CONNECTIONS = 12;

const CONNECTION_TIMEOUT_MS = 30_000;
const GREETING_TIMEOUT_MS = 30_000;
const SOCKET_TIMEOUT_MS = 60_000;
/** A server that trickles its replies trips no idle timeout. Shorter than the postman's lease. */
const SEND_TIMEOUT_MS = 5 * 60_000;
/** How often a mail is handed to another connection when an idle one turns out to be dead. */
const RECONNECTS = 2;

/**
 * Sends through a mail server: `smtp://` (STARTTLS, which any host but this one must offer) or `smtps://`, with the
 * credentials inside. Throws when the address, the sender or the key cannot be used.
 */
export function smtpTransport(options: {
  readonly url: string;
  readonly from: string;
  readonly dkim: Dkim | null;
}): SmtpTransport {
  const sender = readSender(options.from);
  const server = readServer(options.url);
  const mailer = createTransport({
    ...server,
    pool: true,
    maxConnections: SMTP_CONNECTIONS,
    maxRequeues: RECONNECTS,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    greetingTimeout: GREETING_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    dkim: options.dkim === null ? undefined : signing(options.dkim),
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
        return verdict(error);
      }
    },
    host: server.host,
    async refusal() {
      try {
        await mailer.verify();
        return null;
      } catch (error) {
        return whyOf(error);
      }
    },
    close: () => mailer.close({ force: true }),
    describe: () => `${server.secure ? "smtps" : "smtp"}://${server.host}:${server.port}`,
  };
}

/**
 * Writes each mail as an .eml file and announces its link, so that a first run needs no mail server. A mail sent
 * twice is one file. `announce` gets a few lines for whoever sits at the terminal, without the reader's address.
 */
export function fileTransport(options: {
  readonly folder: string;
  readonly from: string;
  readonly announce: (line: string) => void;
}): Transport {
  const sender = readSender(options.from);
  const { folder, announce } = options;
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
        return { kind: "later", why: whyOf(error) };
      }
      announce(
        `Letter to ${maskedMailbox(envelope.to)}: ${mail.subject}\n  ${mail.link}\n  ${file}`,
      );
      return { kind: "sent" };
    },
    close: () => {},
    describe: () => `files in ${folder}`,
  };
}

/** A mail as `memoryTransport` keeps it. */
export type KeptMail = {
  readonly mail: Mail;
  readonly envelope: Envelope;
  /** The whole message as a mail server would get it. */
  readonly raw: Uint8Array;
};

/** Keeps every mail, for tests. `answer` decides what becomes of a mail; only those that are sent are kept. */
export function memoryTransport(
  options: {
    readonly from?: string;
    readonly answer?: (mail: Mail) => Delivery | Promise<Delivery>;
  } = {},
): Transport & { readonly kept: readonly KeptMail[] } {
  const sender = readSender(options.from ?? "Pet Alert <pet-alert@localhost>");
  const answer = options.answer ?? (() => ({ kind: "sent" as const }));
  const kept: KeptMail[] = [];
  return {
    kept,
    async send(mail) {
      const envelope = envelopeOf(mail, sender);
      if (envelope === null) return NOT_ONE_MAILBOX;
      const delivery = await answer(mail);
      if (delivery.kind === "sent") {
        kept.push({ mail, envelope, raw: await mimeOf(mail, sender, envelope) });
      }
      return delivery;
    },
    close: () => {},
    describe: () => "memory",
  };
}

const NOT_ONE_MAILBOX: Delivery = { kind: "refused", why: "the recipient is not one mailbox" };

/** By a temporary name first: whoever watches the folder sees whole letters only. */
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

/** `20261121T073000123Z-<letter id>.eml`: sorts by the time the letter was written. */
function fileName(mail: Mail): string {
  const time = new Date(mail.createdAt).toISOString().replace(/[-:.]/g, "");
  return `${time}-${plain(mail.id)}.eml`;
}

function readServer(url: string) {
  const read = URL.parse(url);
  const secure = read?.protocol === "smtps:";
  if (read === null || (!secure && read.protocol !== "smtp:") || read.hostname === "") {
    throw new Error(
      "the mail server must be an address such as smtps://user:password@mail.example.org",
    );
  }
  const host = read.hostname.replace(/^\[|\]$/g, "");
  return {
    host,
    port: read.port === "" ? (secure ? 465 : 587) : Number(read.port),
    secure,
    requireTLS: !secure && !isLoopback(host),
    // A server on this machine rarely has a certificate for its name, and nobody listens in between.
    tls: { rejectUnauthorized: !isLoopback(host) },
    auth:
      read.username === ""
        ? undefined
        : { user: decodeURIComponent(read.username), pass: decodeURIComponent(read.password) },
  };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

/**
 * By default nodemailer leaves List-Unsubscribe-Post and Auto-Submitted unsigned; RFC 8058 (section 4) wants both
 * unsubscribe headers signed. It also sends unsigned, silently, when the key cannot be used: so it is tried here.
 */
function signing(dkim: Dkim) {
  requireRsaKey(dkim);
  return {
    domainName: dkim.domain,
    keySelector: dkim.selector,
    privateKey: dkim.privateKey,
    headerFieldNames: SIGNED_HEADERS.join(":"),
  };
}

/** Throws, in words that can be shown, when letters cannot be signed with the key. */
export function requireRsaKey({ privateKey }: Dkim): void {
  if (rsaKey(privateKey)?.asymmetricKeyType !== "rsa")
    throw new Error("the DKIM key must be an RSA private key in PEM form");
}

function rsaKey(pem: string) {
  try {
    return createPrivateKey(pem);
  } catch {
    return null;
  }
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
