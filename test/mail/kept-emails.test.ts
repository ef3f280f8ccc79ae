import { afterEach, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { fileTransport } from "../../src/mail/smtp.ts";
import { readConfig } from "../../src/settings/config.ts";
import { start } from "../../src/start.ts";
import { closeAfterwards, closeMail, header, MAIL, SENDER, SENT_AT } from "../support/mail.ts";
import { form, LOST_CAT } from "../support/world.ts";

afterEach(closeMail);

describe("emails written to files", () => {
  test("are whole messages that only the owner may read, and their link is announced", async () => {
    const folder = join(await temporaryFolder(), "mail");
    const announced: string[] = [];
    const transport = fileTransport({
      folder,
      sender: SENDER,
      announce: (line) => announced.push(line),
    });

    const delivery = await transport.send(MAIL);

    expect(delivery).toEqual({ kind: "sent" });
    expect(await readdir(folder)).toEqual([`20261121T073000000Z-${MAIL.id}.eml`]);
    const file = join(folder, `20261121T073000000Z-${MAIL.id}.eml`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const email = await PostalMime.parse(await Bun.file(file).arrayBuffer());
    expect(email.subject).toBe(MAIL.subject);
    expect(email.to).toEqual([{ name: "", address: MAIL.to }]);
    expect(email.messageId).toBe(`<${MAIL.id}@pets.example.org>`);
    expect(email.text?.trimEnd()).toBe(MAIL.text.trimEnd());
    expect(header(email, "list-unsubscribe-post")).toEqual(["List-Unsubscribe=One-Click"]);
    expect(await Bun.file(file).text()).not.toMatch(/[^\r]\n/);
    expect(announced).toHaveLength(1);
    expect(announced[0]).toContain(MAIL.link);
    expect(announced[0]).toContain(file);
    expect(announced[0]).not.toContain(MAIL.to);
  });

  test("sort by the time they were written, and an email sent twice is one file", async () => {
    const folder = await temporaryFolder();
    const transport = fileTransport({ folder, sender: SENDER, announce: () => {} });

    await transport.send({ ...MAIL, id: "b", createdAt: SENT_AT + 1 });
    await transport.send({ ...MAIL, id: "a", createdAt: SENT_AT + 2 });
    await transport.send({ ...MAIL, id: "b", createdAt: SENT_AT + 1, sentAt: SENT_AT + 60_000 });

    expect((await readdir(folder)).sort()).toEqual([
      "20261121T073005001Z-b.eml",
      "20261121T073005002Z-a.eml",
    ]);
  });

  test("wait when the folder cannot be written", async () => {
    const folder = join(await temporaryFolder(), "file");
    await Bun.write(folder, "not a folder");
    const announced: string[] = [];
    const transport = fileTransport({
      folder,
      sender: SENDER,
      announce: (line) => announced.push(line),
    });

    expect((await transport.send(MAIL)).kind).toBe("later");
    expect(announced).toEqual([]);
  });

  test("never leave the folder, whatever their id", async () => {
    const folder = await temporaryFolder();
    const transport = fileTransport({ folder, sender: SENDER, announce: () => {} });

    await expect(transport.send({ ...MAIL, id: "../../outside" })).rejects.toThrow("id");
    expect(await readdir(folder)).toEqual([]);
  });
});

describe("without a mail server", () => {
  test("an answer waits for few emails, however many others add", async () => {
    const announced: string[] = [];
    const app = await start(
      readConfig({ DATA_DIR: await temporaryFolder(), LIMIT_PUBLISH: "off", BACKUP_KEEP: "off" }),
      {
        log: () => {},
        // Each email leads to another one, as on a busy day.
        announce: (line) => void (announced.push(line) < BUSY && publish(announced.length)),
      },
    );
    const publish = (nth: number) =>
      app.service.requests.publish(
        { ...LOST_CAT, type: "lost", species: "cat", email: `owner-${nth}@example.org` },
        { address: "198.51.100.7" },
      );
    for (let nth = 0; nth < WAITING; nth++) await publish(1_000 + nth);

    const answer = await app.fetch(
      new Request("http://localhost:3000/erase", {
        method: "POST",
        ...form({ email: "a@example.org" }),
      }),
      "198.51.100.8",
    );

    expect(answer.status).toBeLessThan(400);
    expect(announced.length).toBeGreaterThan(0);
    expect(announced.length).toBeLessThan(WAITING);
    await app.stop();
  });
});

const WAITING = 20;
const BUSY = 200;

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "pet-alert-mail-"));
  closeAfterwards(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
