import { createTransport, type SendMailOptions } from "nodemailer";
import type { Language } from "../messages/languages.ts";
import { mailbox } from "../core/input.ts";
import type { Sender } from "../settings/mail.ts";
import type { ComposedEmail } from "./emails/compose.ts";

/** Composed email with its recipient. */
export type Mail = ComposedEmail & {
  /** Id of the email, used as Message-ID so that duplicates are recognized. */
  readonly id: string;
  /** One mailbox. */
  readonly to: string;
  readonly language: Language;
  readonly createdAt: number;
  readonly sentAt: number;
  /** Envelope sender, which receives bounces; by default the sender's address. */
  readonly returnPath?: string | null;
};

/** SMTP envelope, and the Message-ID. */
export type Envelope = {
  readonly from: string;
  readonly to: string;
  /** With its angle brackets. */
  readonly messageId: string;
};

/**
 * Envelope, or null when `to` is not exactly one mailbox. Checked here again because nodemailer parses a string as a list
 * and would send to every address in it.
 */
export function envelopeOf(mail: Mail, sender: Sender): Envelope | null {
  const to = mailbox(mail.to);
  if (to === null) return null;
  return {
    from: mail.returnPath ?? sender.address,
    to,
    messageId: `<${safeId(mail.id)}@${sender.host}>`,
  };
}

export function messageOf(mail: Mail, sender: Sender, envelope: Envelope): SendMailOptions {
  const { unsubscribeUrl, replyTo = null } = mail;
  return {
    from: { name: sender.name, address: sender.address },
    to: { name: "", address: envelope.to },
    replyTo:
      replyTo === null
        ? { name: "No reply", address: `no-reply@${sender.host}` }
        : { name: sender.name, address: replyTo },
    envelope: {
      from: { name: "", address: envelope.from },
      to: { name: "", address: envelope.to },
    },
    messageId: envelope.messageId,
    date: new Date(mail.sentAt),
    subject: oneLine(mail.subject),
    headers: {
      "Auto-Submitted": "auto-generated",
      // Exchange heeds this instead. Bounces stay wanted.
      "X-Auto-Response-Suppress": "OOF, AutoReply",
      "Content-Language": mail.language,
      ...(unsubscribeUrl === null
        ? {}
        : {
            "List-Unsubscribe": { prepared: true, value: `<${plainUrl(unsubscribeUrl)}>` },
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
          }),
    },
    text: mail.text,
    html: mail.html,
    // For all scripts: erasing finds emails by the links in them, which base64 would hide.
    textEncoding: "quoted-printable",
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

export async function mimeOf(mail: Mail, sender: Sender, envelope: Envelope): Promise<Uint8Array> {
  const builder = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  const { message } = await builder.sendMail(messageOf(mail, sender, envelope));
  if (!(message instanceof Uint8Array)) throw new Error("the message was not built in memory");
  return new Uint8Array(message);
}

function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ");
}

/** Id that is safe in a file name and in a Message-ID. */
export function safeId(id: string): string {
  if (!/^[\w-]{1,64}$/.test(id))
    throw new Error("an email id may contain only letters, digits, _ and -");
  return id;
}

/** URL that is safe between angle brackets in a header: normalized to ASCII without spaces. */
function plainUrl(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    throw new Error("a link must be a web address");
  return parsed.href;
}
