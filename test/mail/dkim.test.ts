import { afterEach, describe, expect, test } from "bun:test";
import { createHash, createVerify, generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readDkimKey } from "../../src/mail/settings.ts";
import type { Dkim } from "../../src/mail/smtp.ts";
import { readConfig } from "../../src/settings/config.ts";
import { closeAfterwards, closeMail, MAIL, mailServer, transportTo } from "../support/mail.ts";

afterEach(closeMail);

describe("a DKIM signature", () => {
  const keys = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const dkim: Dkim = { domain: "pets.example.org", selector: "2026", privateKey: keys.privateKey };

  test("is there, is right, and signs what tells receivers how to unsubscribe and not to answer", async () => {
    const server = await mailServer();

    await transportTo(server.url, dkim).send(MAIL);

    const signature = readSignature(server.received[0]!.raw);
    expect(signature.tags).toMatchObject({ d: "pets.example.org", s: "2026", a: "rsa-sha256" });
    expect(signature.signed).toContain("from");
    expect(signature.signed).toContain("list-unsubscribe");
    expect(signature.signed).toContain("list-unsubscribe-post");
    expect(signature.signed).toContain("auto-submitted");
    expect(signature.verifies(keys.publicKey)).toBe(true);
  });

  test("no longer fits when a signed header was changed on the way", async () => {
    const server = await mailServer();
    await transportTo(server.url, dkim).send(MAIL);
    const raw = Buffer.from(server.received[0]!.raw).toString("latin1");

    const changed = raw.replace("List-Unsubscribe=One-Click", "List-Unsubscribe=Two-Click");

    expect(readSignature(Buffer.from(changed, "latin1")).verifies(keys.publicKey)).toBe(false);
  });

  test("is not silently left away when the key cannot be used", () => {
    const ec = generateKeyPairSync("ec", {
      namedCurve: "P-256",
      publicKeyEncoding: { type: "spki", format: "pem" },
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
    });
    const folder = mkdtempSync(join(tmpdir(), "pet-alert-dkim-"));
    closeAfterwards(() => rmSync(folder, { recursive: true }));
    const keyFile = join(folder, "dkim.pem");
    const config = readConfig({
      DKIM_DOMAIN: dkim.domain,
      DKIM_SELECTOR: dkim.selector,
      DKIM_KEY_FILE: keyFile,
    });
    for (const privateKey of ["no key", ec.privateKey, keys.publicKey]) {
      writeFileSync(keyFile, privateKey);
      expect(() => readDkimKey(config)).toThrow("RSA private key");
    }
  });
});

/** Reads and checks a DKIM signature, relaxed/relaxed (RFC 6376, sections 3.4.2, 3.4.4 and 3.7). */
function readSignature(raw: Uint8Array) {
  const message = Buffer.from(raw).toString("latin1");
  const end = message.indexOf("\r\n\r\n");
  const fields = message.slice(0, end).split(/\r\n(?![ \t])/);
  const body = message.slice(end + 4);
  const field = (name: string) =>
    fields.findLast((one) => one.toLowerCase().startsWith(`${name}:`)) ?? "";
  const own = field("dkim-signature");
  const tags = Object.fromEntries(
    own
      .slice(own.indexOf(":") + 1)
      .replace(/\s+/g, "")
      .split(";")
      .filter((tag) => tag !== "")
      .map((tag) => [tag.slice(0, tag.indexOf("=")), tag.slice(tag.indexOf("=") + 1)]),
  );
  const signed = String(tags.h).split(":");
  return {
    tags,
    signed,
    verifies(publicKey: string): boolean {
      const bodyHash = createHash("sha256").update(relaxedBody(body), "latin1").digest("base64");
      const unsigned = own.replace(/(\bb=)[A-Za-z0-9+/=\s]+$/, "$1");
      const data = [
        ...signed.map((name) => `${relaxedField(field(name))}\r\n`),
        relaxedField(unsigned),
      ].join("");
      const verifier = createVerify("RSA-SHA256").update(data, "latin1");
      return bodyHash === tags.bh && verifier.verify(publicKey, String(tags.b), "base64");
    },
  };
}

function relaxedField(field: string): string {
  const colon = field.indexOf(":");
  const value = field
    .slice(colon + 1)
    .replace(/\r\n/g, "")
    .replace(/[ \t]+/g, " ")
    .trim();
  return `${field.slice(0, colon).toLowerCase().trim()}:${value}`;
}

function relaxedBody(body: string): string {
  const lines = body.split("\r\n").map((line) => line.replace(/[ \t]+/g, " ").replace(/ $/, ""));
  return `${lines.join("\r\n").replace(/(\r\n)*$/, "")}\r\n`;
}
