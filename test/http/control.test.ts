import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Fault } from "../../src/core/fault.ts";
import type { Operator } from "../../src/core/service.ts";
import { controlOver, createControl, isListening } from "../../src/http/control.ts";
import { createWorld, type World } from "../support/world.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pet-alert-control-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What a verb throws. */
async function failing(verb: Promise<unknown>): Promise<Fault> {
  const error = await verb.then(
    () => "it went on",
    (error: unknown) => error,
  );
  if (!(error instanceof Fault)) throw new Error(`not a fault: ${String(error)}`);
  return error;
}

describe("the operator's verbs through the socket", () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.end());

  /** Opens a socket for an operator; gives the operator on its other side. */
  function through(operator: Operator) {
    const socket = join(folder, "control.sock");
    const logged: unknown[] = [];
    const gather = async () => [];
    const log = (...told: unknown[]) => void logged.push(told);
    const control = createControl(operator, gather, log);
    const server = Bun.serve({ unix: socket, fetch: control.fetch });
    return { far: controlOver(socket), logged, server };
  }

  test("give what they give there", async () => {
    const alert = await world.publish();
    const { far, server } = through(world.app.operator);

    expect(await far.standingOf(alert.slug)).toEqual(
      await world.app.operator.standingOf(alert.slug),
    );
    expect(await far.operate("hide", alert.short_code)).toMatchObject({ status: "hidden" });
    expect(await far.desk()).toEqual(await world.app.operator.desk());
    expect(await far.holdings("owner@example.org")).toMatchObject({ alerts: 1 });
    expect(await far.erasePerson("owner@example.org")).toMatchObject({ alerts: 1 });
    await server.stop(true);
  });

  test("throw the faults that they throw there: code, reason, words and fields", async () => {
    const alert = await world.publish();
    const { far, server, logged } = through(world.app.operator);
    const what = ({ code, why, message, fields, retryAfterSeconds }: Fault) => ({
      code,
      why,
      message,
      fields,
      retryAfterSeconds,
    });

    for (const ask of [
      (by: Operator) => by.standingOf("ZZZZZZ"),
      (by: Operator) => by.operate("restore", alert.slug),
      (by: Operator) => by.operate("dismiss", alert.slug),
    ])
      expect(what(await failing(ask(far)))).toEqual(what(await failing(ask(world.app.operator))));
    const refused = await failing(far.holdings("anna"));
    expect([refused.code, refused.fields.map(({ field }) => field)]).toEqual([
      "bad_input",
      ["email"],
    ]);
    expect(logged).toEqual([]);
    await server.stop(true);
  });

  test("say nothing of a bug but that there was one, and where to look", async () => {
    const broken = { ...world.app.operator, desk: () => Promise.reject(new Error("inner words")) };
    const { far, server, logged } = through(broken);

    const told = await failing(far.desk());

    expect(told.code).toBe("unavailable");
    expect(told.message).toBe("Something went wrong in the service. Its log says what.");
    expect(logged).toHaveLength(1);
    await server.stop(true);
  });

  test("say what is known to have been done when the service has stopped, or stops meanwhile", async () => {
    const cutting = createServer((connection) => connection.destroy());
    const cut = join(folder, "cut.sock");
    await listening(cutting, cut);

    expect((await failing(controlOver(cut).desk())).message).toContain("is unknown");
    expect((await failing(controlOver(join(folder, "none.sock")).desk())).message).toContain(
      "Nothing was done",
    );
    cutting.close();
  });
});

describe("whether a service listens", () => {
  test("is no where there is no socket, or one that was left behind", async () => {
    writeFileSync(join(folder, "left.sock"), "");

    expect(await isListening(join(folder, "none.sock"))).toBe(false);
    expect(await isListening(join(folder, "left.sock"))).toBe(false);
    expect(await isListening(join(folder, "left.sock", "inside.sock"))).toBe(false);
    expect(await isListening(join(folder, "x".repeat(200)))).toBe(false);
  });

  test("is yes where one answers, and told in words where one does not", async () => {
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
      const told = await failing(isListening(socket, 200));
      expect([told.code, told.message]).toEqual(["unavailable", expect.stringContaining(why)]);
    }
    for (const connection of held) connection.destroy();
    for (const server of servers) server.close();
    await answering.stop(true);
  });
});

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve) => server.listen(path, resolve));
}
