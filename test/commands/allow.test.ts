import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { allow } from "../../src/commands/allow.ts";
import { moderate } from "../../src/commands/moderate.ts";
import type { App } from "../../src/start.ts";
import { makeBulk, makeDraft } from "../support/make.ts";
import { openShell, type Shell } from "./shell.ts";

const ANNA = "anna@example.org";
const CALLER = { address: "198.51.100.7" };

/** Requests an email for Anna; gives how many emails wait to be sent since. */
async function request({ service, store }: App, lat: number): Promise<number> {
  const before = (await store.outboxState()).waiting;
  await service.requests.subscribe({ lat, lng: 1, email: ANNA }, CALLER);
  return (await store.outboxState()).waiting - before;
}

async function stop({ store, secrets, clock }: App): Promise<void> {
  await store.stopEmails(secrets.keyedHash("address", ANNA), null, clock());
}

describe("allow, while nothing runs", () => {
  let shell: Shell;
  beforeEach(() => {
    shell = openShell();
  });
  afterEach(() => shell.end());

  test("lifts a stop, and says where there was none", async () => {
    expect(
      await shell.look(async (app) => {
        await stop(app);
        return request(app, 1);
      }),
    ).toBe(0);

    expect(await shell.run(allow, ["Anna+tag@example.org"])).toMatchObject({
      code: 0,
      said: "Emails to Anna+tag@example.org are allowed again.",
      asked: [],
    });

    expect(await shell.look((app) => request(app, 2))).toBe(1);
    expect(await shell.run(allow, [ANNA])).toMatchObject({
      code: 0,
      said: `Emails to ${ANNA} were not stopped.`,
    });
  });

  test("does not unblock whom a moderator blocked, and says so", async () => {
    const alert = makeDraft({ id: crypto.randomUUID() });
    await shell.look(({ service, clock }) =>
      service.alerts.add([makeBulk({ draft: alert, ownerEmail: ANNA, expiresAt: clock() + 1e9 })]),
    );
    await shell.run(moderate, ["block", alert.shortCode, "--yes"]);

    const { code, said } = await shell.run(allow, [ANNA]);

    expect(code).toBe(1);
    expect(said).toContain("A moderator blocked this address");
    expect(await shell.look((app) => request(app, 1))).toBe(0);
  });

  test("takes one address, and a data folder that there is", async () => {
    for (const words of [[], ["anna"], [ANNA, "ben@example.org"], [`${ANNA},ben@example.org`]])
      expect(await shell.failing(allow, words)).toContain("Usage: pet-alert allow ADDRESS");
    expect(await shell.failing(allow, [ANNA, "--now"])).toContain("Usage: pet-alert allow");
    const nowhere = { DATA_DIR: join(shell.folder, "nowhere") };
    const told = await shell
      .run(allow, [ANNA], { settings: nowhere })
      .catch((error: Error) => error.message);
    expect(told).toContain("There is no database in");
    expect(existsSync(nowhere.DATA_DIR)).toBe(false);
  });
});
