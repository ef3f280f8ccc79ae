import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEmailFiles } from "../../src/mail/email-files.ts";
import type { Mail } from "../../src/mail/mime-message.ts";
import { fileTransport } from "../../src/mail/smtp.ts";
import { SENDER } from "../support/mail.ts";
import { DAWN } from "../support/time.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pet-alert-emails-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const TOKEN = "Zq7-_wXkY2m4N8pQ0rStUvAbCdEfGhIjKlMnOpQrStU";

/** Puts an email into the folder; gives its file's name. */
async function written(about: Partial<Mail> = {}): Promise<string> {
  const before = new Set(readdirSync(folder));
  await fileTransport({ folder, sender: SENDER, announce: () => {} }).send({
    id: crypto.randomUUID(),
    to: "anna@example.org",
    language: "en",
    subject: "A message",
    text: "Hello!",
    html: "<p>Hello!</p>",
    link: "http://localhost:3000/",
    unsubscribeUrl: null,
    createdAt: DAWN,
    sentAt: DAWN,
    ...about,
  });
  return readdirSync(folder).find((name) => !before.has(name)) ?? "";
}

test("emails to a mailbox go, and those of others and of other spellings stay", async () => {
  await written();
  const spelling = await written({ to: "Anna@example.org" });
  const his = await written({ to: "ben@example.org", text: "From anna@example.org" });
  const hers = await written({ to: "hanna@example.org" });

  await createEmailFiles(folder).drop("anna@example.org", []);

  expect(readdirSync(folder).toSorted()).toEqual([his, hers, spelling].toSorted());
});

test("an email with one of the private links goes, in whatever script it is written", async () => {
  const link = `http://localhost:3000/conversation/${TOKEN}`;
  const other = await written({ to: "ben@example.org", text: "Мы видели вашу кошку." });
  for (const sentence of ["We saw your cat. ", "Мы видели вашу кошку. ", "猫を見かけました。"]) {
    const said = sentence.repeat(20);
    const mail = { to: "ben@example.org", subject: sentence, text: `${said}\n\n${link}\n` };
    await written({ ...mail, html: `<p>${said}</p><a href="${link}">${said}</a>` });
  }

  await createEmailFiles(folder).drop("anna@example.org", [TOKEN]);

  expect(readdirSync(folder)).toEqual([other]);
});

test("what a crash left half written goes too", async () => {
  const name = await written();
  renameSync(join(folder, name), join(folder, `${name}.part`));

  await createEmailFiles(folder).drop("anna@example.org", []);

  expect(readdirSync(folder)).toEqual([]);
});
