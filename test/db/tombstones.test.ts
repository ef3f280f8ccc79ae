import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../db/sqlite/open.ts";
import { createSqliteStore } from "../../db/sqlite/store.ts";
import {
  mergeTombstones,
  openTombstones,
  type Tombstones,
  TOMBSTONES_FILE,
} from "../../db/sqlite/tombstones.ts";
import type { Store } from "../../src/core/store.ts";
import { openVault } from "../../src/vault.ts";
import { makeAsk, makePending, publicationOf } from "../support/make.ts";
import { DAWN, DAY, HOUR } from "../support/time.ts";

let folder: string;
let list: Tombstones;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pet-alert-tombstones-"));
  list = openTombstones(folder, openVault(folder).mark);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (where = folder) => join(where, TOMBSTONES_FILE);
const text = () => readFileSync(file(), "latin1");
const markOf = (name: string) => list.mark("mailbox", name);

describe("the list of tombstones", () => {
  test("holds times and keyed hashes only, for its owner's eyes", () => {
    list.add("mailbox", "anna@example.org", DAWN);
    list.add("alert", "anna@example.org", DAWN + HOUR);

    expect(text()).toMatch(/^(?:\S+Z (?:mailbox|alert) [0-9a-f]{64}\n){2}$/);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(list.all()).toMatchObject([
      { at: DAWN, kind: "mailbox", mark: markOf("anna@example.org") },
      { at: DAWN + HOUR, kind: "alert", mark: list.mark("alert", "anna@example.org") },
    ]);
    expect(new Set(list.all().map(({ mark }) => mark)).size).toBe(2);
  });

  test("is empty where there is none, and goes by the key", () => {
    const other = mkdtempSync(join(tmpdir(), "pet-alert-tombstones-"));

    expect(list.all()).toEqual([]);
    expect(openTombstones(other, openVault(other).mark).mark("zone", "1")).not.toBe(
      list.mark("zone", "1"),
    );
    rmSync(other, { recursive: true });
  });

  test("cut short by a power cut at any byte loses the last line at most, and goes on after it", () => {
    list.add("mailbox", "first", DAWN);
    const whole = text();
    list.add("mailbox", "second", DAWN);
    const both = text();

    for (let bytes = whole.length; bytes <= both.length; bytes++) {
      writeFileSync(file(), both);
      truncateSync(file(), bytes);
      list.add("mailbox", "third", DAWN);

      const marks = list.all().map(({ mark }) => mark);
      // All but the line's end is all of the line.
      const second = bytes >= both.length - 1 ? [markOf("second")] : [];
      expect([bytes, marks]).toEqual([bytes, [markOf("first"), ...second, markOf("third")]]);
    }
  });

  test("is read as editors of other systems write it", () => {
    for (const name of ["first", "second"]) list.add("mailbox", name, DAWN);
    const lines = list.all();
    for (const written of [
      text().replaceAll("\n", "\r\n"),
      text().trimEnd(),
      text().replaceAll("\n", "\r\n").slice(0, -1),
      `${text()}\n`,
    ]) {
      writeFileSync(file(), written);
      expect(list.all()).toEqual(lines);

      list.add("mailbox", "third", DAWN);
      expect(list.all().map(({ mark }) => mark)).toEqual(["first", "second", "third"].map(markOf));
    }
  });

  test.each(["2026 mailbox x", "\0\0\0\0", "\u00ff", "2026-05-01T08:00:00.000Z mailbox 0123"])(
    "with %j for a line is refused in a sentence that says where, and what it is for",
    (wrong) => {
      list.add("mailbox", "first", DAWN);
      const whole = text();
      writeFileSync(file(), `${whole}${wrong}\n${whole}`);

      for (const reading of [
        () => list.all(),
        () => list.forget(DAWN + DAY),
        () => mergeTombstones(folder, folder),
      ])
        expect(reading).toThrow(
          `Line 2 of ${file()} cannot be read. It is the list of what was erased`,
        );
      writeFileSync(file(), `${whole}${wrong}`);
      expect(list.all()).toHaveLength(1);
    },
  );

  test("that is no file is refused in a sentence", () => {
    mkdirSync(file());

    expect(() => list.all()).toThrow(`${file()} cannot be read (EISDIR)`);
  });

  test("forgets what is older, and says whether there was anything", () => {
    list.add("mailbox", "old", DAWN);
    list.add("mailbox", "new", DAWN + 2 * DAY);

    expect(list.forget(DAWN)).toBe(false);
    expect(list.forget(DAWN + DAY)).toBe(true);
    expect(list.forget(DAWN + DAY)).toBe(false);
    expect(list.all().map(({ mark }) => mark)).toEqual([markOf("new")]);
    expect(list.forget(DAWN + 3 * DAY)).toBe(true);
    expect(list.all()).toEqual([]);
  });

  test("takes in what another list has, each once, in the order of time", () => {
    const other = mkdtempSync(join(tmpdir(), "pet-alert-tombstones-"));
    const others = openTombstones(other, openVault(folder).mark);
    for (const [name, at] of [
      ["a", 1],
      ["c", 3],
    ] as const)
      list.add("mailbox", name, DAWN + at);
    for (const [name, at] of [
      ["a", 1],
      ["b", 2],
    ] as const)
      others.add("mailbox", name, DAWN + at);

    mergeTombstones(other, folder);

    expect(list.all().map(({ mark }) => mark)).toEqual(["a", "b", "c"].map(markOf));
    mergeTombstones(mkdtempSync(join(other, "empty-")), folder);
    expect(list.all()).toHaveLength(3);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    rmSync(other, { recursive: true });
  });
});

describe("what was erased", () => {
  let store: Store;
  const open = () => {
    store = createSqliteStore(openDatabase(folder), list);
  };
  beforeEach(open);
  afterEach(() => store.close());

  async function publish(email: string): Promise<string> {
    const ask = makeAsk({ pending: makePending({ email, addressMark: email }) });
    await store.ask(ask, DAWN);
    const effect = publicationOf(ask.pending, { ownerEmail: email });
    await store.settle(ask.pending.id, effect, DAWN);
    return effect.alert.id;
  }

  async function erasePerson(email: string, now: number): Promise<void> {
    const begun = await store.beginErasure(email, now);
    while (!(await store.continueErasure(begun, 50, now)));
  }

  const statusOf = async (id: string) => (await store.alert({ by: "id", id }))?.status;

  test("while the disk took no tombstone is not erased: the caller hears of it and may ask again", async () => {
    const id = await publish("anna@example.org");
    const full = (): never => {
      throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
    };
    await store.close();
    store = createSqliteStore(openDatabase(folder), { ...list, add: full });

    for (const erasing of [
      () => erasePerson("anna@example.org", DAWN),
      () => store.removeAlert(id, DAWN),
    ])
      expect(await erasing().catch((error) => error.code)).toBe("unavailable");
    expect(await statusOf(id)).toBe("active");

    await store.close();
    open();
    await erasePerson("anna@example.org", DAWN);
    expect(await statusOf(id)).toBe("removed");
  });

  test("is carried out at the next start, although others were erased after it failed", async () => {
    const [first, second] = [await publish("anna@example.org"), await publish("ben@example.org")];
    list.add("alert", first, DAWN + HOUR);
    await store.removeAlert(second, DAWN + HOUR);

    expect(await statusOf(first)).toBe("active");
    expect(await store.eraseAgain(DAWN + DAY)).toEqual({ alerts: 1, zones: 0, mailboxes: 0 });
    expect(await statusOf(first)).toBe("removed");
    expect(await store.eraseAgain(DAWN + DAY)).toEqual({ alerts: 0, zones: 0, mailboxes: 0 });
  });

  test("is carried out once: who came back meanwhile stays, though the clock was ahead then", async () => {
    const removed = await publish("ben@example.org");
    await publish("anna@example.org");
    const begun = await store.beginErasure("anna@example.org", DAWN + 100 * DAY);
    await store.continueErasure(begun, 1, DAWN + 100 * DAY);
    // Begun later, and done first.
    await store.removeAlert(removed, DAWN + HOUR);
    expect(await store.continueErasure(begun, 1, DAWN + 100 * DAY)).toBe(true);
    const back = await publish("anna@example.org");

    expect(await store.eraseAgain(DAWN + DAY)).toEqual({ alerts: 0, zones: 0, mailboxes: 0 });
    // What somebody else asked for was cut short.
    list.add("mailbox", "ben@example.org", DAWN + HOUR);
    await store.eraseAgain(DAWN + DAY);

    expect(await statusOf(back)).toBe("active");
  });

  test("is forgotten in time, and not looked for again", async () => {
    await erasePerson("anna@example.org", DAWN);
    await store.forgetTombstones(DAWN + DAY);
    const id = await publish("anna@example.org");

    expect(list.all()).toEqual([]);
    expect(await store.eraseAgain(DAWN + DAY)).toEqual({ alerts: 0, zones: 0, mailboxes: 0 });
    expect(await statusOf(id)).toBe("active");
  });

  test("stays erased when it came to be while the clock was ahead", async () => {
    const id = await publish("anna@example.org");
    await erasePerson("anna@example.org", DAWN - 100 * DAY);

    expect(list.all().map(({ at }) => at)).toEqual([
      (await store.alert({ by: "id", id }))!.publishedAt,
    ]);
  });

  test("by a moderator is written down, and what was only hidden is not", async () => {
    const [hidden, removed] = [await publish("anna@example.org"), await publish("ben@example.org")];
    const deed = { at: DAWN, who: "operator", mailbox: null };

    await store.moderate({ ...deed, id: "1", act: "hide", alertId: hidden });
    for (const id of ["2", "3"])
      await store.moderate({ ...deed, id, act: "remove", alertId: removed });

    expect(list.all().map(({ mark }) => mark)).toEqual([list.mark("alert", removed)]);
  });
});
