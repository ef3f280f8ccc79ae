import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Fault } from "../../src/core/fault.ts";
import type { Operator } from "../../src/core/service/service.ts";
import { createControlClient, createControl, isListening } from "../../src/http/control.ts";
import { createWorld, type World } from "../support/world.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pet-alert-control-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Fault that a call throws. */
async function failing(call: Promise<unknown>): Promise<Fault> {
  const error = await call.then(
    () => "no error",
    (error: unknown) => error,
  );
  if (!(error instanceof Fault)) throw new Error(`not a fault: ${String(error)}`);
  return error;
}

describe("the control socket", () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.end());

  /** Serves an operator on a socket and returns a client for it. */
  function serve(operator: Operator) {
    const socket = join(folder, "control.sock");
    const logged: unknown[] = [];
    const gather = async () => [];
    const log = (...entry: unknown[]) => void logged.push(entry);
    const control = createControl(operator, gather, log);
    const server = Bun.serve({ unix: socket, fetch: control.fetch });
    return { client: createControlClient(socket), logged, server };
  }

  test("returns the results of the service", async () => {
    const alert = await world.publish();
    const { client, server } = serve(world.app.operator);

    expect(await client.moderatedAlert(alert.slug)).toEqual(
      await world.app.operator.moderatedAlert(alert.slug),
    );
    expect(await client.moderate("hide", alert.short_code)).toMatchObject({ status: "hidden" });
    expect(await client.moderationQueue()).toEqual(await world.app.operator.moderationQueue());
    expect(await client.dataInventory("owner@example.org")).toMatchObject({ alerts: 1 });
    expect(await client.erasePerson("owner@example.org")).toMatchObject({ alerts: 1 });
    await server.stop(true);
  });

  test("passes on faults with code, reason, message and fields", async () => {
    const alert = await world.publish();
    const { client, server, logged } = serve(world.app.operator);
    const membersOf = ({ code, why, message, fields, retryAfterSeconds }: Fault) => ({
      code,
      why,
      message,
      fields,
      retryAfterSeconds,
    });

    for (const call of [
      (by: Operator) => by.moderatedAlert("ZZZZZZ"),
      (by: Operator) => by.moderate("restore", alert.slug),
      (by: Operator) => by.moderate("dismiss", alert.slug),
    ])
      expect(membersOf(await failing(call(client)))).toEqual(
        membersOf(await failing(call(world.app.operator))),
      );
    expect(logged).toEqual([]);
    await server.stop(true);
  });

  test("hides the details of a bug and refers to the log", async () => {
    const broken = {
      ...world.app.operator,
      moderationQueue: () => Promise.reject(new Error("internal details")),
    };
    const { client, server, logged } = serve(broken);

    const fault = await failing(client.moderationQueue());

    expect(fault.code).toBe("unavailable");
    expect(fault.message).toBe("Something went wrong in the service. See its log.");
    expect(logged).toHaveLength(1);
    await server.stop(true);
  });

  test("reports if an action was done when the service stops before or during it", async () => {
    const cutting = createServer((connection) => connection.destroy());
    const cut = join(folder, "cut.sock");
    await listening(cutting, cut);

    expect((await failing(createControlClient(cut).moderationQueue())).message).toContain(
      "is unknown",
    );
    expect(
      (await failing(createControlClient(join(folder, "none.sock")).moderationQueue())).message,
    ).toContain("Nothing was done");
    cutting.close();
  });
});

describe("a service", () => {
  test("is not listening if there is no socket, or a stale one", async () => {
    writeFileSync(join(folder, "left.sock"), "");

    expect(await isListening(join(folder, "none.sock"))).toBe(false);
    expect(await isListening(join(folder, "left.sock"))).toBe(false);
    expect(await isListening(join(folder, "left.sock", "inside.sock"))).toBe(false);
    expect(await isListening(join(folder, "x".repeat(200)))).toBe(false);
  });

  test("is listening if it answers, and an error is thrown if it does not", async () => {
    const servers: Server[] = [];
    const open = async (name: string, answer: (connection: Socket) => void) => {
      const server = createServer(answer);
      servers.push(server);
      await listening(server, join(folder, name));
      return join(folder, name);
    };
    const answering = Bun.serve({ unix: join(folder, "up.sock"), fetch: () => new Response("") });
    const cutting = await open("cut.sock", (connection) => connection.destroy());
    const held: Socket[] = [];
    const silent = await open("silent.sock", (connection) => held.push(connection));

    expect(await isListening(join(folder, "up.sock"))).toBe(true);
    for (const [socket, why] of [
      [cutting, "ECONNRESET"],
      [silent, "does not answer"],
    ] as const) {
      const fault = await failing(isListening(socket, 200));
      expect([fault.code, fault.message]).toEqual(["unavailable", expect.stringContaining(why)]);
    }
    for (const connection of held) connection.destroy();
    for (const server of servers) server.close();
    await answering.stop(true);
  });
});

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve) => server.listen(path, resolve));
}
