import type { EmailedReply, EmailedReplyClass } from "../core/conversations/emailed-reply.ts";
import type { Side } from "../core/conversations/conversation.ts";
import type { Email } from "../core/email.ts";
import type { Service } from "../core/service/service.ts";
import { isAuthenticated } from "./authentication-results.ts";
import type { ComposedEmail } from "./emails/compose.ts";
import type { MessageHandler } from "./mailbox-reader.ts";
import {
  authorOf,
  type HeaderField,
  headerFields,
  isAutomatic,
  valuesOf,
} from "./message-header.ts";
import { createPlusAddresses } from "./plus-address.ts";
import { readReplyText, type ReplyEvidence } from "./reply-text.ts";

/** Addresses to which the two sides of conversations reply. They hold the conversation's id and a MAC for the side. */
export type ReplyAddresses = {
  of(conversationId: string, side: Side): string;
  /** Conversation and side of the first authentic address in a text; null if there is none. */
  sideIn(text: string): Pick<EmailedReply, "conversationId" | "side"> | null;
  /** True if a text contains an address of this form, authentic or not. */
  hasCandidate(text: string): boolean;
};

/** `base` is the setting REPLY_ADDRESS; `mac` returns a keyed hash in hex. */
export function createReplyAddresses(base: string, mac: (text: string) => string): ReplyAddresses {
  const addressesOf = (side: Side) => createPlusAddresses(base, (id) => mac(`${id}:${side}`));
  const sides = { owner: addressesOf("owner"), stranger: addressesOf("stranger") };
  return {
    of: (conversationId, side) => sides[side].of(conversationId),
    sideIn(text) {
      for (const side of ["owner", "stranger"] as const) {
        const [conversationId] = sides[side].idsIn(text);
        if (conversationId !== undefined) return { conversationId, side };
      }
      return null;
    },
    hasCandidate: sides.owner.hasCandidate,
  };
}

export type ReplyHandlerParts = {
  readonly service: Pick<Service["conversations"], "expectEmailedReply" | "relayEmailedReply">;
  readonly addresses: ReplyAddresses;
  readonly compose: (email: Email) => ComposedEmail;
  /** Signs in any language that an email of ours is quoted. */
  readonly ours: Pick<ReplyEvidence, "addresses" | "names">;
  /** Name of the mail server in the Authentication-Results that it writes. */
  readonly authservId: string;
  readonly count: (what: EmailedReplyClass) => void;
};

/** Handler that relays emails to reply addresses. All else is left alone. */
export function createReplyHandler(parts: ReplyHandlerParts): MessageHandler {
  const { service, addresses, compose, ours, authservId, count } = parts;

  function senderOf(fields: readonly HeaderField[]): string | null {
    const author = authorOf(fields);
    const domain = author?.split("@").at(-1) ?? "";
    return author !== null && isAuthenticated(fields, authservId, domain) ? author : null;
  }

  return async (headers) => {
    const side = addresses.sideIn(headers);
    if (side === null) {
      if (addresses.hasCandidate(headers)) count("forged");
      return "leave";
    }
    const fields = headerFields(headers);
    if (isAutomatic(fields)) {
      count("automatic");
      return "done";
    }
    const reply = { ...side, sender: senderOf(fields) };
    const verdict = await service.expectEmailedReply(reply);
    if (typeof verdict === "string") {
      count(verdict);
      return "done";
    }
    return async (raw) => {
      const text = await readReplyText(raw, { ...ours, answered: compose(verdict.answered) });
      const [messageId] = valuesOf(fields, "message-id");
      const identity = messageId || new Bun.CryptoHasher("sha256").update(raw).digest("hex");
      count(await service.relayEmailedReply(reply, text, identity));
      return true;
    };
  };
}
