import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { erase } from "../../src/commands/erase.ts";
import { CONTROL_SOCKET } from "../../src/http/control.ts";
import { bytesIn } from "../support/disk.ts";
import { makeBulk, makeDraft } from "../support/make.ts";
import { FROM_SOURCES, run, scratchFolder, serve, type Served, until } from "../support/process.ts";
import { form, LOST_CAT } from "../support/world.ts";
import { openShell, type Shell } from "./shell.ts";

const ANNA = "anna@example.org";

describe("erase, while nothing runs", () => {
  let shell: Shell;
  beforeEach(async () => {
    shell = openShell();
    await shell.look(({ service, clock }) =>
      service.alerts.add(
        [ANNA, ANNA, "ben@example.org"].map((ownerEmail) =>
          makeBulk({
            draft: makeDraft({ id: crypto.randomUUID() }),
            ownerEmail,
            expiresAt: clock() + 1e9,
          }),
        ),
      ),
    );
  });
  afterEach(() => shell.end());

  test("says what is kept, asks once, erases it and says what it was", async () => {
    const other = await shell.run(erase, ["ANNA@example.org"], { answer: "y" });
    expect(other).toMatchObject({ said: "Stored under ANNA@example.org: nothing.", asked: [] });
    const { code, said, asked } = await shell.run(erase, [ANNA], { answer: "y" });

    expect(code).toBe(0);
    expect(asked).toEqual([
      "Erase it permanently, also from backups when they are restored? [y/N]",
    ]);
    expect(said).toBe(`Stored under ${ANNA}: 2 alerts.\nErased: 2 alerts.`);
    expect(await shell.alerts()).toHaveLength(1);
    const again = await shell.run(erase, [ANNA], { answer: "y" });
    expect(again).toMatchObject({ code: 0, said: `Stored under ${ANNA}: nothing.`, asked: [] });
  });

  test("does nothing without a yes, when it is only tried out, and where nobody can be asked", async () => {
    const no = await shell.run(erase, [ANNA], { answer: "n" });
    const tried = await shell.run(erase, [ANNA, "--dry-run", "--yes"]);

    expect(no).toMatchObject({ code: 1, said: expect.stringContaining("Nothing was erased.") });
    expect(tried).toMatchObject({ code: 0, said: `Stored under ${ANNA}: 2 alerts.`, asked: [] });
    expect(await shell.failing(erase, [ANNA])).toContain("there is no terminal: add --yes.");
    expect(await shell.alerts()).toHaveLength(3);
    expect(existsSync(join(shell.dataDir, "erased.list"))).toBe(false);
  });

  test("takes one address, and a data folder that there is", async () => {
    for (const words of [[], ["anna"], [ANNA, "ben@example.org"], [`${ANNA},ben@example.org`]])
      expect(await shell.failing(erase, words)).toContain("Usage: pet-alert erase ADDRESS");
    expect(await shell.failing(erase, [ANNA, "--now"])).toContain("Usage: pet-alert erase");
    const nowhere = { DATA_DIR: join(shell.folder, "nowhere") };
    const told = await shell
      .run(erase, [ANNA], { settings: nowhere })
      .catch((error: Error) => error.message);
    expect(told).toContain("There is no database in");
    expect(existsSync(nowhere.DATA_DIR)).toBe(false);
  });
});

describe("while the service runs", () => {
  let folder: ReturnType<typeof scratchFolder>;
  let served: Served;
  beforeEach(async () => {
    folder = scratchFolder();
    served = await serve(folder.path);
  });
  afterEach(async () => {
    await served.stop();
    folder.forget();
  });

  const shell = (...words: string[]) => run(FROM_SOURCES, words, { DATA_DIR: folder.path });
  const socket = () => join(folder.path, CONTROL_SOCKET);

  /** Presses the button of the confirmation link that the server printed last. */
  async function confirm(printed: number): Promise<void> {
    const links = () => [...served.said().matchAll(/http\S*\/confirm\/[\w-]{43}/g)];
    await until(() => links().length > printed);
    await served.fetch(links().at(-1)![0], { method: "POST", ...form({}) });
  }

  async function tool(name: string, args: Record<string, unknown>): Promise<any> {
    const client = await served.mcpClient();
    const { structuredContent } = await client.callTool({ name, arguments: args });
    await client.close();
    return structuredContent;
  }

  test("erase is done by it, and leaves no byte in the data folder, emails in files included", async () => {
    const canary = { ...LOST_CAT, email: "canary-anna@example.org" };
    const hers = await tool("publish_alert", { ...canary, description: "canary-text" });
    await confirm(0);
    const his = await tool("publish_alert", { ...LOST_CAT, email: "ben@example.org", lat: 10 });
    await confirm(1);
    const message = { alert: his.slug, message: "canary-message", email: canary.email };
    await tool("send_message", message);
    await confirm(2);
    const mail = join(folder.path, "mail");
    await until(() => bytesIn(mail).includes("canary-message"));
    const emails = readdirSync(mail).length;

    const erased = await shell("erase", canary.email, "--yes");

    expect(erased).toMatchObject({ code: 0, errors: "" });
    expect(erased.said).toMatch(/Stored under .*, 4 emails in DATA_DIR\/mail\.\n/);
    expect(erased.said).toContain("Erased: 1 alert, 1 conversation, 1 message, 4 emails in");
    expect((await served.fetch(`/api/v1/alerts/${hers.id}`)).status).toBe(410);
    expect((await served.fetch(`/api/v1/alerts/${his.id}`)).status).toBe(200);
    expect(bytesIn(folder.path).match(/canary-\w+/g)).toBeNull();
    expect(readdirSync(mail).length).toBeGreaterThan(0);
    expect(readdirSync(mail).length).toBeLessThan(emails);
    expect(served.errors()).not.toContain("canary");
  });

  test("only its own user can speak to it, and nobody over the network", async () => {
    expect(statSync(socket()).mode & 0o777).toBe(0o600);
    for (const path of [
      "/dataInventory",
      "/erasePerson",
      "/moderationQueue",
      "/moderatedAlert",
      "/moderate",
    ]) {
      const body = JSON.stringify({ email: ANNA, alert: "x", act: "hide" });
      expect([path, (await served.fetch(path, { method: "POST", body })).status]).toEqual([
        path,
        404,
      ]);
    }
  });

  test("killed, it leaves a socket that nobody minds", async () => {
    served.child.kill("SIGKILL");
    await served.child.exited;
    expect(existsSync(socket())).toBe(true);

    expect((await shell("erase", ANNA, "--dry-run")).said).toContain(
      `Stored under ${ANNA}: nothing.`,
    );
    served = await serve(folder.path);
    expect((await shell("erase", ANNA, "--dry-run")).code).toBe(0);

    await served.stop();
    expect(existsSync(socket())).toBe(false);
  });
});

test("without a socket the service goes on, and the command says to stop it first", async () => {
  const folder = scratchFolder();
  // Something that is no socket, and does not go away by itself, stands in its place.
  const dataDir = folder.path;
  mkdirSync(join(dataDir, CONTROL_SOCKET, "something"), { recursive: true });
  const served = await serve(dataDir);

  expect((await served.fetch("/healthz")).status).toBe(200);
  await until(() => served.errors().includes("control_failed"));
  expect(await run(FROM_SOURCES, ["erase", ANNA, "--yes"], { DATA_DIR: dataDir })).toMatchObject({
    code: 1,
    errors: expect.stringContaining("Stop it first."),
  });

  expect(await served.stop()).toBe(0);
  folder.forget();
});
