import PostalMime, { type Email } from "postal-mime";
import { openMailServer } from "./mail.ts";

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
