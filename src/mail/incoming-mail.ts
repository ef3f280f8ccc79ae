import type { Config } from "../settings/config.ts";
import type { Side } from "../core/conversations/conversation.ts";
import type { EmailedReplyClass } from "../core/conversations/emailed-reply.ts";
import type { Email } from "../core/email.ts";
import type { Service } from "../core/service/service.ts";
import type { Store } from "../core/service/store.ts";
import type { BounceClass } from "../core/people/suppression.ts";
import { createBounceHandler } from "./bounce-handler.ts";
import type { ComposedEmail } from "./emails/compose.ts";
import { createMailboxJob, type MailboxJob } from "./mailbox-job.ts";
import type { MailboxReader, MessageHandler } from "./mailbox-reader.ts";
import { createPlusAddresses } from "./plus-address.ts";
import { createReplyAddresses, createReplyHandler } from "./reply-handler.ts";
import type { Clock, Secrets } from "../core/instance.ts";

/** Addresses to which bounces and replies come, and the job that reads them. */
export type IncomingMail = {
  /** Envelope sender of an email; null for the sender's own address. */
  returnPath(emailId: string): string | null;
  /** Address to which a side of a conversation replies; null if replies are not read. */
  replyAddress(conversationId: string, side: Side): string | null;
  /** Null if there is no mailbox. */
  readonly job: MailboxJob | null;
  readonly readsBounces: boolean;
  readonly readsReplies: boolean;
};

export type IncomingMailParts = {
  readonly reader: MailboxReader | null;
  readonly store: Pick<Store, "recordBounce" | "recordComplaint">;
  readonly service: Pick<Service["conversations"], "expectEmailedReply" | "relayEmailedReply">;
  readonly compose: (email: Email) => ComposedEmail;
  readonly secrets: Pick<Secrets, "keyedHash">;
  readonly clock: Clock;
  /** For the operator. The text contains no mailbox. */
  readonly log: (text: string) => void;
  readonly countBounce: (what: BounceClass) => void;
  readonly countReply: (what: EmailedReplyClass) => void;
};

export function createIncomingMail(
  config: Pick<Config, "bounceAddress" | "replies" | "sender" | "siteName">,
  parts: IncomingMailParts,
): IncomingMail {
  const { bounceAddress, replies } = config;
  const { reader, store, service, compose, secrets, clock, log, countBounce } = parts;
  const returnPaths =
    bounceAddress === null
      ? null
      : createPlusAddresses(bounceAddress, (emailId) => secrets.keyedHash("bounce", emailId));
  const addresses =
    replies === null
      ? null
      : createReplyAddresses(replies.address, (text) => secrets.keyedHash("reply", text));
  const handlers: MessageHandler[] = [];
  let old = null;
  if (addresses !== null && replies !== null) {
    const { name, address } = config.sender;
    const ours = { addresses: [replies.address, address], names: [config.siteName, name] };
    const { authservId } = replies;
    const count = parts.countReply;
    handlers.push(createReplyHandler({ service, addresses, compose, ours, authservId, count }));
    old = {
      recipient: `${replies.address.split("@")[0]}+`,
      isOurs: (headers: string) => addresses.sideIn(headers) !== null,
    };
  }
  if (returnPaths !== null)
    handlers.push(createBounceHandler({ store, returnPaths, clock, count: countBounce }));
  const onReadFailed = () => countBounce("read_failed");
  return {
    returnPath: (emailId) => returnPaths?.of(emailId) ?? null,
    replyAddress: (conversationId, side) => addresses?.of(conversationId, side) ?? null,
    job:
      reader === null
        ? null
        : createMailboxJob({ reader, handlers, old, clock, log, onReadFailed }),
    readsBounces: reader !== null && returnPaths !== null,
    readsReplies: reader !== null && addresses !== null,
  };
}
