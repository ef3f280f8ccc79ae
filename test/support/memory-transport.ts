import { type Envelope, envelopeOf, type Mail, mimeOf } from "../../src/mail/mime-message.ts";
import type { Transport } from "../../src/mail/smtp.ts";
import { readConfig } from "../../src/settings/config.ts";
import type { Sender } from "../../src/settings/mail.ts";
import type { Delivery } from "../../src/mail/smtp-outcome.ts";

/** Email recorded by `memoryTransport`. */
export type RecordedEmail = {
  readonly mail: Mail;
  readonly envelope: Envelope;
  /** Complete MIME message. */
  readonly raw: Uint8Array;
};

/** Transport that records emails in memory. `answer` gives the result of each email; only sent ones are recorded. */
export function memoryTransport(
  options: {
    readonly sender?: Sender;
    readonly answer?: (mail: Mail) => Delivery | Promise<Delivery>;
  } = {},
): Transport & { readonly kept: readonly RecordedEmail[] } {
  const sender = options.sender ?? readConfig({}).sender;
  const answer = options.answer ?? (() => ({ kind: "sent" as const }));
  const kept: RecordedEmail[] = [];
  return {
    kept,
    async send(mail) {
      const envelope = envelopeOf(mail, sender);
      if (envelope === null) return { kind: "refused", why: "the recipient is not one mailbox" };
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
