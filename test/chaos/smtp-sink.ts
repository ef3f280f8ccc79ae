import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";

/** An email as it came in. */
export type ReceivedEmail = {
  readonly to: string;
  /** The same when an email was sent twice. */
  readonly messageId: string;
  readonly text: string;
};

/** A mail server that takes everything. */
export async function openSmtpSink(receive: (letter: ReceivedEmail) => void) {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, { envelope }, done) {
      void readMail(stream as unknown as ReadableStream).then((mail) => {
        if (mail === null) return done(new Error("the email was not received whole"));
        for (const { address } of envelope.rcptTo) receive({ to: address, ...mail });
        done();
      });
    },
  });
  // A sender that was killed leaves its connection in the middle of a word.
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `smtp://127.0.0.1:${port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Null where the sender was killed in the middle of it: it was not taken. */
async function readMail(stream: ReadableStream): Promise<Omit<ReceivedEmail, "to"> | null> {
  try {
    const { messageId = "", text = "" } = await PostalMime.parse(
      await new Response(stream).bytes(),
    );
    return { messageId, text };
  } catch {
    return null;
  }
}

/** The first address in a text that holds `part`. */
export function linkWith(part: string, text: string): string | null {
  return text.match(/https?:\/\/\S+/g)?.find((link) => link.includes(part)) ?? null;
}
