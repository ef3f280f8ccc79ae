import type { MailboxReader } from "../../src/mail/mailbox-reader.ts";
import { MINUTE } from "./time.ts";
import type { createWorld } from "./world.ts";

/** A mailbox in memory, read as the real one is: what is not dealt with stays unread. */
export function memoryMailbox() {
  const unread: Uint8Array[] = [];
  const done: Uint8Array[] = [];
  const state: { failure: Error | null } = { failure: null };
  const reader: MailboxReader = {
    async read(handler) {
      if (state.failure !== null) throw state.failure;
      for (const raw of unread.slice()) {
        const text = Buffer.from(raw).toString("latin1");
        const headers = text.split(/\r\n\r\n/)[0] ?? "";
        const verdict = await handler(headers);
        const isDone = verdict === "done" || (verdict !== "leave" && (await verdict(raw)));
        if (!isDone) continue;
        unread.splice(unread.indexOf(raw), 1);
        done.push(raw);
      }
      return false;
    },
    deleteRead: async () => {},
    refusal: async () => state.failure?.message ?? null,
    close: () => {},
    describe: () => "memory",
  };
  return {
    reader,
    state,
    unread: unread as readonly Uint8Array[],
    done: done as readonly Uint8Array[],
    deliver: (text: string) => void unread.push(Buffer.from(text.replace(/\r?\n/g, "\r\n"))),
  };
}

type Failure = {
  /** Envelope sender of the email that bounces. */
  readonly to: string;
  readonly status?: string;
  readonly action?: string;
  readonly diagnostic?: string;
  /** Mailbox that the report blames. */
  readonly recipient?: string;
};

/** A delivery status notification in the shape of Postfix. */
export function postfixBounce({
  to,
  status = "5.1.1",
  action = "failed",
  diagnostic = `smtp; 550 ${status} no mailbox of this name`,
  recipient = "reader@far.example",
}: Failure): string {
  return `Return-Path: <>
Delivered-To: ${to}
Received: by mx.shelter.example (Postfix)
	id 4XyZ0Q1r2Sz9t; Fri,  1 May 2026 08:00:03 +0000 (UTC)
Date: Fri,  1 May 2026 08:00:03 +0000 (UTC)
From: MAILER-DAEMON@mx.shelter.example (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: ${to}
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="4XyZ0Q1r2Sz9t.1777622403/mx.shelter.example"
Message-Id: <20260501080003.4XyZ0Q1r2Sz9t@mx.shelter.example>

This is a MIME-encapsulated message.

--4XyZ0Q1r2Sz9t.1777622403/mx.shelter.example
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

The mail system at mx.shelter.example could not deliver your message.

<${recipient}>: host mx.far.example[192.0.2.25] said: see below (in reply to
    RCPT TO command)

--4XyZ0Q1r2Sz9t.1777622403/mx.shelter.example
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.shelter.example
X-Postfix-Queue-ID: 4XyZ0Q1r2Sz9t
X-Postfix-Sender: rfc822; ${to}
Arrival-Date: Fri,  1 May 2026 08:00:01 +0000 (UTC)

Final-Recipient: rfc822; ${recipient}
Original-Recipient: rfc822;${recipient}
Action: ${action}
Status: ${status}
Remote-MTA: dns; mx.far.example
Diagnostic-Code: ${diagnostic.replace(/^(.{40}\S*) /, "$1\n    ")}

--4XyZ0Q1r2Sz9t.1777622403/mx.shelter.example
Content-Description: Undelivered Message Headers
Content-Type: text/rfc822-headers

Return-Path: <${to}>
From: Pet Alert <pets@shelter.example>
To: ${recipient}
Subject: A new alert near you

--4XyZ0Q1r2Sz9t.1777622403/mx.shelter.example--
`;
}

/** An abuse report (RFC 5965), to the address that a mailbox provider has for them. */
export function abuseReport(returnPath: string, type = "abuse"): string {
  return `Return-Path: <fbl@provider.example>
Delivered-To: abuse@shelter.example
From: Feedback loop <fbl@provider.example>
To: abuse@shelter.example
Subject: Complaint about a message from 192.0.2.1
Date: Fri,  1 May 2026 09:00:00 +0000
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="fb-1"

--fb-1
Content-Type: text/plain; charset=us-ascii

One of our users marked this message as unwanted.

--fb-1
Content-Type: message/feedback-report

Feedback-Type: ${type}
User-Agent: Feedback/2.0
Version: 1
Original-Mail-From: <${returnPath}>
Source-IP: 192.0.2.1
Reported-Domain: shelter.example

--fb-1
Content-Type: message/rfc822
Content-Disposition: inline

Return-Path: <${returnPath}>
From: Pet Alert <pets@shelter.example>
To: redacted@provider.example
Subject: A new alert near you

New alert.

--fb-1--
`;
}

export type Create = typeof createWorld;

/** Position of all alerts and zones of this world. */
export const PLACE = { lat: 45.7741, lng: 4.8321 };

/** A world with the mailbox to which bounces come. */
export async function shelter(create: Create, settings: Readonly<Record<string, string>> = {}) {
  const mailbox = memoryMailbox();
  const world = await create(
    {
      BOUNCE_ADDRESS: "bounces@shelter.example",
      LIMIT_PUBLISH: "off",
      LIMIT_SUBSCRIBE: "off",
      ...settings,
    },
    settings["IMAP_URL"] === undefined ? { mailbox: mailbox.reader } : {},
  );
  let cats = 0;
  const emailsTo = (to: string) => world.sentMail.filter(({ envelope }) => envelope.to === to);
  return {
    ...world,
    mailbox,
    emailsTo,
    async subscribe(email: string) {
      await world.tool("subscribe_zone", { ...PLACE, email });
      await world.confirm(email);
    },
    /** Publishes a cat in the zone; gives the envelope sender of the email that tells a subscriber, or null. */
    async tell(to: string): Promise<string | null> {
      const before = emailsTo(to).length;
      cats += 1;
      await world.publish({ email: `owner-${cats}@example.org`, name: `Mimi ${cats}`, ...PLACE });
      await world.pass(2 * MINUTE, MINUTE);
      return emailsTo(to).slice(before).at(-1)?.envelope.from ?? null;
    },
    /** Lets the mailbox be read. */
    collect: () => world.pass(6 * MINUTE),
  };
}
export type Shelter = Awaited<ReturnType<typeof shelter>>;

/** Works in such a world, and ends it. */
export async function within<Result>(
  create: Create,
  work: (shelter: Shelter) => Promise<Result>,
  settings: Readonly<Record<string, string>> = {},
) {
  const here = await shelter(create, settings);
  try {
    return await work(here);
  } finally {
    await here.end();
  }
}
