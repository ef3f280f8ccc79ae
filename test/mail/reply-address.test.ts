import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { isAuthenticated } from "../../src/mail/authentication-results.ts";
import { authorOf, headerFields, isAutomatic } from "../../src/mail/message-header.ts";
import { createPlusAddresses } from "../../src/mail/plus-address.ts";

const results = (value: string) => headerFields(`Authentication-Results: ${value}\r\n`);

describe("the results of the mailbox's own mail server", () => {
  test.each([
    // Gmail
    "mx.google.com;\r\n       dkim=pass header.i=@example.org header.s=s1 header.b=AbC=/+;\r\n       spf=pass (google.com: domain of a@example.org designates 192.0.2.1 as permitted sender) smtp.mailfrom=a@example.org;\r\n       dmarc=pass (p=NONE sp=QUARANTINE dis=NONE) header.from=example.org",
    // No space between the results, and results of no standard
    "mx.google.com; spf=pass (sender IP is 192.0.2.1)\r\n smtp.mailfrom=example.org; dkim=pass (signature was verified)\r\n header.d=example.org;dmarc=pass action=none header.from=example.org;compauth=pass reason=100",
    // OpenDKIM and OpenDMARC, each with a field of its own, of which the topmost counts
    "mx.google.com; dmarc=pass (p=none dis=none) header.from=example.org",
    'mx.google.com; dkim=pass (2048-bit key; secure) header.d=example.org header.i=@example.org header.a=rsa-sha256 header.s=s1 header.b="AbC="; dkim-atps=neutral',
    // Rspamd, a version of the syntax, upper case
    "MX.google.com 1;\r\n\tdkim=pass header.d=EXAMPLE.org;\r\n\tdmarc=pass (policy=none) header.from=example.org",
  ])("vouch for a domain: %s", (value) => {
    expect(isAuthenticated(results(value), "mx.google.com", "example.org")).toBe(true);
  });

  test.each([
    "mx.google.com; none",
    "mx.google.com; dmarc=none header.from=example.org",
    "mx.google.com; dmarc=pass",
    "mx.google.com; dmarc=pass header.from=example.org.evil.example",
    "mx.google.com; dkim=pass header.d=evil.example header.i=@example.org",
    "mx.google.com; spf=pass smtp.mailfrom=example.org",
    'mx.google.com; dkim=fail reason="; dmarc=pass header.from=example.org"',
    "mx.google.com; dkim=fail (a (nested) \\) ; dmarc=pass header.from=example.org)",
    'mx.google.com; dmarc=pass reason="x header.from=example.org" header.from=evil.example',
    "mx.google.com.evil.example; dmarc=pass header.from=example.org",
    "",
  ])("do not vouch for it: %s", (value) => {
    expect(isAuthenticated(results(value), "mx.google.com", "example.org")).toBe(false);
  });

  test("are the topmost; those below may be the sender's", () => {
    const fields = headerFields(
      "Received: from a\r\nAuthentication-Results: mx.google.com; dmarc=fail header.from=example.org\r\nAuthentication-Results: mx.google.com; dmarc=pass header.from=example.org\r\n",
    );
    expect(isAuthenticated(fields, "mx.google.com", "example.org")).toBe(false);
    expect(
      isAuthenticated(headerFields("Subject: Hello\r\n"), "mx.google.com", "example.org"),
    ).toBe(false);
  });
});

describe("a message as it came over the wire", () => {
  const PASS = "mx.google.com; dmarc=pass header.from=example.org";
  const FAIL = "mx.google.com; dmarc=fail header.from=example.org";
  const AFTER = `Authentication-Results: ${PASS}\r\nFrom: Anna <anna@example.org>\r\n`;
  const vouched = (header: string) =>
    isAuthenticated(headerFields(header), "mx.google.com", "example.org");

  test("with results of its server is believed", () => {
    expect(vouched(`Received: by mx.google.com\r\n${AFTER}`)).toBe(true);
  });

  test.each([
    // What the sender wrote stands in the results of the server.
    `Authentication-Results: mx.google.com; spf=fail smtp.mailfrom=a\r@example.net; dmarc=fail\r\n${AFTER}`,
    `Authentication-Results: mx.google.com; spf=fail smtp.mailfrom=a\0@example.net; dmarc=fail\r\n${AFTER}`,
    `Authentication-Results: mx.google.com; spf=fail smtp.mailfrom=a;\rAuthentication-Results: ${PASS}\r\n`,
    `Authentication-Results: mx.google.com; spf=fail smtp.mailfrom=a; \r dmarc=pass header.from=example.org\r\n`,
    // A field of the sender with a further one in it, above which stand the results of the server, or none.
    `Authentication-Results: ${FAIL}\r\nSubject: x\rAuthentication-Results: ${PASS}\r\n`,
    `Subject: x\rAuthentication-Results: ${PASS}\r\nFrom: anna@example.org\r\n`,
    `Subject: x\r\n Authentication-Results: ${PASS}\r\nFrom: anna@example.org\r\n`,
    // Another version of the results means something else.
    `Authentication-Results: mx.google.com 2; dmarc=pass header.from=example.org\r\n`,
    `Authentication-Results: mx.google.com; dmarc/2=pass header.from=example.org\r\n`,
  ])("is not believed: %j", (header) => {
    expect(vouched(header)).toBe(false);
  });

  test("has the fields that end with CRLF, unfolded", () => {
    expect(headerFields("A: 1\r\n\t2\r\n  3\r\nB:x\ry\nz\r\nnothing\r\nX.y!: 4\r\n")).toEqual([
      { name: "a", value: "1\t2  3" },
      { name: "b", value: "x\ry\nz" },
      { name: "x.y!", value: "4" },
    ]);
  });
});

describe("the author of a message", () => {
  test.each([
    ["From: anna@example.org", "anna@example.org"],
    ["From: Anna <anna@EXAMPLE.org>", "anna@example.org"],
    ['from:\r\n "Anna @ home" <anna@example.org>', "anna@example.org"],
    ["From: =?utf-8?q?An=40na?= <anna@example.org>", "anna@example.org"],
    ["From: An\xc4\x83 <anna@example.org>", "anna@example.org"],
  ])("is read from %j", (header, address) => {
    expect(authorOf(headerFields(`${header}\r\n`))).toBe(address);
  });

  test.each([
    "From: a@example.org\r\nFrom: b@example.org",
    "From: a@example.org, b@example.org",
    "From: <a@example.org> <b@example.org>",
    "From: (a@example.org) b@example.org",
    "From: nobody",
    "Sender: a@example.org",
    `From: ${"x".repeat(1_000)} <a@example.org>`,
    "From: b@example.org\rFrom: a@example.org",
  ])("is nobody when it is not exactly one, or too long to be a name: %j", (header) => {
    expect(authorOf(headerFields(`${header}\r\n`))).toBeNull();
  });
});

describe("automatic mail", () => {
  test.each([
    "Auto-Submitted: auto-replied",
    "auto-submitted:auto-notified; owner-email=x",
    "List-Unsubscribe: <mailto:x@example.org>",
    "Return-Path: <>",
    "Content-Type: multipart/report; report-type=delivery-status",
  ])("is known by %j", (header) => {
    expect(isAutomatic(headerFields(`Subject: Hello\r\n${header}\r\n`))).toBe(true);
  });

  test.each([
    "Auto-Submitted: no",
    "Return-Path: <anna@example.org>",
    "Content-Type: multipart/alternative",
    "X-Mailer: Auto-Submitted: auto-replied",
  ])("is not taken for it because of %j", (header) => {
    expect(isAutomatic(headerFields(`${header}\r\n`))).toBe(false);
  });
});

const mac = (key: string) => (id: string) => createHmac("sha256", key).update(id).digest("hex");
const ours = createPlusAddresses("bounces@shelter.example", mac("our key"));
const theirs = createPlusAddresses("bounces@shelter.example", mac("another key"));
const IDS = [
  "019aa3c4-5ed2-7000-8000-000000000001",
  "00000000-0000-7000-8000-000000000000",
  "ffffffff-ffff-7fff-bfff-ffffffffffff",
] as const;

describe("a plus address", () => {
  test.each(IDS)("gives back its id: %s", (id) => {
    const address = ours.of(id);
    expect(address.indexOf("@")).toBe("bounces".length + 43);
    expect(ours.idsIn(`Delivered-To: <${address}>`)).toEqual([id]);
    expect(ours.idsIn(`To: "x" <${address.toUpperCase()}>,`)).toEqual([id]);
  });

  test("made with another key, or changed in one place, has no id", () => {
    const address = ours.of(IDS[0]);
    expect(ours.idsIn(theirs.of(IDS[0]))).toEqual([]);
    const start = "bounces+".length;
    for (let at = start; at < start + 42; at += 1) {
      const other = address[at] === "a" ? "b" : "a";
      const changed = address.slice(0, at) + other + address.slice(at + 1);
      expect(ours.idsIn(changed)).toEqual([]);
      expect(ours.hasCandidate(changed)).toBe(true);
    }
  });

  test("is looked for among few: a header full of them costs little", () => {
    const wrong = theirs.of(IDS[1]);
    const header = `${`${wrong}, `.repeat(100)}${ours.of(IDS[0])}`;
    expect(ours.idsIn(header)).toEqual([]);
    expect(ours.idsIn(`${ours.of(IDS[0])}, ${header}`)).toEqual([IDS[0]]);
  });
});
