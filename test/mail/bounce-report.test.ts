import { describe, expect, test } from "bun:test";
import { readBounceReport } from "../../src/mail/bounce-report.ts";
import { abuseReport, postfixBounce } from "../support/bounces.ts";

const TO = "bounces+0abc@shelter.example";
const read = (text: string) => readBounceReport(Buffer.from(text.replace(/\r?\n/g, "\r\n")));

/** A report whose delivery status is this. */
const report = (status: string) => `From: <>
To: ${TO}
MIME-Version: 1.0
Content-Type: multipart/report; report-type="delivery-status"; boundary=b1

--b1
Content-Type: text/plain

Sorry.

--b1
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example

${status}

--b1--
`;

describe("a delivery status notification", () => {
  test.each([
    ["5.1.1", "dead_mailbox"],
    ["5.1.10", "dead_mailbox"],
    ["5.2.1", "dead_mailbox"],
    ["5.2.2", "permanent"],
    ["5.7.1", "permanent"],
    ["5.1.100", "permanent"],
    ["4.2.2", "transient"],
  ])("with status %s is %s", async (status, kind) => {
    expect(await read(postfixBounce({ to: TO, status }))).toEqual({ kind } as never);
  });

  test("of a delay says nothing of the mailbox", async () => {
    const delayed = postfixBounce({ to: TO, action: "delayed", status: "4.4.1" });
    expect(await read(delayed)).toEqual({ kind: "transient" });
  });

  test("of Exim, whose status is always 5.0.0, is read by the server's words", async () => {
    const exim = (code: string) =>
      report(
        `Action: failed\nFinal-Recipient: rfc822;reader@far.example\nStatus: 5.0.0\nRemote-MTA: dns; mx.far.example\nDiagnostic-Code: smtp; ${code}`,
      );

    expect(await read(exim("550 5.1.1 <reader@far.example>: rejected"))).toEqual({
      kind: "dead_mailbox",
    });
    expect(await read(exim("550 No such user here"))).toEqual({ kind: "dead_mailbox" });
    expect(await read(exim("550-5.7.1 Our system has detected\n that this is spam"))).toEqual({
      kind: "permanent",
    });
    expect(await read(exim("550 rejected"))).toEqual({ kind: "permanent" });
    // The words of an address are its owner's.
    expect(await read(exim("550 <no.such.user@far.example> rejected by policy"))).toEqual({
      kind: "permanent",
    });
  });

  test("of Outlook.com, which says 5.5.0 for a mailbox that is not there, is read by its words", async () => {
    const outlook = report(
      "Final-Recipient: rfc822;reader@far.example\nAction: failed\nStatus: 5.5.0\nDiagnostic-Code: smtp;550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302).",
    );
    expect(await read(outlook)).toEqual({ kind: "dead_mailbox" });
  });

  test.each([
    ["5.1.1", "552 5.2.2 Over quota", "permanent"],
    ["5.1.1", "550 5.1.1 sender has sent to too many recipients this hour", "permanent"],
    ["5.0.0", "554 mailbox unavailable: it is full", "permanent"],
    ["5.2.1", "550 5.2.1 The account is inactive, see https://mx.example/limit", "dead_mailbox"],
  ])("with status %s and the reply %j is %s", async (status, reply, kind) => {
    const failed = `Action: failed\nStatus: ${status}\nDiagnostic-Code: smtp; ${reply}`;
    expect(await read(report(failed))).toEqual({ kind } as never);
  });

  test("about several recipients of one address counts as its mildest", async () => {
    const list = report(
      "Final-Recipient: rfc822;a@far.example\nAction: failed\nStatus: 5.1.1\n\nFinal-Recipient: rfc822;b@far.example\nAction: failed\nStatus: 4.2.2",
    );
    expect(await read(list)).toEqual({ kind: "transient" });
    const arrived = report(
      "Final-Recipient: rfc822;a@far.example\nAction: failed\nStatus: 5.1.1\n\nFinal-Recipient: rfc822;b@far.example\nAction: relayed\nStatus: 2.0.0",
    );
    expect(await read(arrived)).toBeNull();
  });
});

describe("a bounce in words", () => {
  const qmail = (reason: string) => `Return-Path: <>
Delivered-To: ${TO}
From: MAILER-DAEMON@far.example
To: ${TO}
Subject: failure notice

Hi. This is the qmail-send program at far.example.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<reader@far.example>:
${reason}

--- Below this line is a copy of the message.

Return-Path: <${TO}>
Subject: 5.1.1 hello
`;

  test("of qmail is read by the code in its words", async () => {
    expect(await read(qmail("Sorry, no mailbox here by that name. (#5.1.1)"))).toEqual({
      kind: "dead_mailbox",
    });
    expect(await read(qmail("Recipient's mailbox is full. (#5.2.2)"))).toEqual({
      kind: "permanent",
    });
    expect(await read(qmail("I'm not going to try again. (#4.4.3)"))).toEqual({
      kind: "transient",
    });
    expect(await read(qmail("Something else."))).toEqual({ kind: "permanent" });
  });
});

describe("what a mail system says without a form", () => {
  const said = (words: string, from = "MAILER-DAEMON <mailer-daemon@mx.example>") =>
    `Return-Path: <>\nFrom: ${from}\nTo: ${TO}\nSubject: failure\nContent-Type: text/plain; charset=utf-8\n\n${words}\n`;
  const returned =
    "\nReturn-Path: <x@y.example>\nSubject: 550 5.1.1 user unknown\n\n550 5.1.1 user unknown\n";

  test.each([
    [
      "There was an error delivering your mail to <a@far.example>.\n\nmx.far.example did not like our RCPT TO:\n550 5.1.1 <a@far.example>: User unknown",
      "dead_mailbox",
    ],
    [
      "Sorry, we were unable to deliver your message.\n\n<a@far.example>:\n550: <a@far.example>: User unknown",
      "dead_mailbox",
    ],
    ["Zustellung an a@far.example (reason: 554 rejected)", "permanent"],
    ["The problem appears to be :\n-- 4.4.1 connection timed out", "transient"],
    ["a@far.example: 552 user unknown or over quota", "permanent"],
  ])("is read by the codes in it: %j", async (words, kind) => {
    for (const from of [
      "MAILER-DAEMON <>",
      "<>",
      "Mail <mailer-daemon@x.example>",
      "postmaster@x.example",
    ])
      expect(await read(said(words + returned, from))).toEqual({ kind } as never);
  });

  test("is not looked for in what it returns, whose words are a stranger's", async () => {
    expect(await read(said(`It failed.${returned}`))).toBeNull();
    expect(await read(said(`It failed.\n\n> 550 5.1.1 user unknown\n${returned}`))).toBeNull();
    expect(
      await read(said(`It failed.\n----- Message -----\n550 5.1.1 user unknown\n`)),
    ).toBeNull();
    expect(
      await read(
        said(`It failed.\n${returned}\n\nAction: failed\nFinal-Recipient: a\nStatus: 5.1.1\n`),
      ),
    ).toBeNull();
    const delayed = `host mx.far.example: 450 4.2.1 later${returned}`;
    expect(await read(said(delayed))).toEqual({ kind: "transient" });
  });

  test("is left alone if a person says it", async () => {
    const words = "550 5.1.1 user unknown. I no longer work here.";
    for (const from of [
      "anna@far.example",
      "Postmaster Pat <pat@far.example>",
      "not-postmaster@x.example",
    ])
      expect(await read(said(words, from))).toBeNull();
  });

  test("is a failure if the header names the recipients that failed", async () => {
    const words = "Die Gruppe gibt es vielleicht nicht.";
    expect(await read(said(words))).toBeNull();
    expect(await read(`X-Failed-Recipients: a@far.example\n${said(words)}`)).toEqual({
      kind: "permanent",
    });
  });
});

test("a temporary failure stays one, whatever the copy of our email says below it", async () => {
  for (const mark of ["", "   ", "| "]) {
    const copy = `${mark}Somebody has written to you:\n${mark}550 5.1.1 user unknown`;
    const text = `From: MAILER-DAEMON@mx.example\nTo: ${TO}\n\n451 4.3.0 Try again later.\n\n${copy}\n`;
    expect(await read(text)).toEqual({ kind: "transient" });
  }
});

describe("an abuse report", () => {
  test("says that the reader does not want the email", async () => {
    expect(await read(abuseReport(TO))).toEqual({ kind: "complaint" });
    expect(await read(abuseReport(TO, "opt-out"))).toEqual({ kind: "complaint" });
  });

  test("about a virus, or that takes a complaint back, is none", async () => {
    expect(await read(abuseReport(TO, "virus"))).toBeNull();
    expect(await read(abuseReport(TO, "not-spam"))).toBeNull();
  });
});

describe("any other message", () => {
  test.each([
    ["an automatic answer", `To: ${TO}\nAuto-Submitted: auto-replied\n\nI am away. Error 5.1.1.\n`],
    ["nothing", ""],
    ["parts within parts without end", nested(200)],
  ])("is left alone: %s", async (_name, text) => {
    expect(await read(text)).toBeNull();
  });
});

function nested(depth: number): string {
  const open = Array.from(
    { length: depth },
    (_, at) => `Content-Type: multipart/mixed; boundary=n${at}\n\n--n${at}\n`,
  );
  return `To: ${TO}\n${open.join("")}Content-Type: message/delivery-status\n\nAction: failed\nStatus: 5.1.1\n`;
}
