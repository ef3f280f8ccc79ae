import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { addRequest } from "../support/confirmed.ts";
import {
  existsSync,
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
import { mergeTombstones, openTombstones, TOMBSTONES_FILE } from "../../db/sqlite/tombstones.ts";
import type { Tombstones } from "../../db/tombstone.ts";
import type { Store } from "../../src/core/service/store.ts";
import { createDisk, LOSSES } from "../chaos/disk-after-a-cut.ts";
import { randomFor } from "../chaos/fault.ts";
import { createRecorder, missingFromRecorder } from "../chaos/recorder.ts";
import { type Weakening, without } from "../chaos/weakened.ts";
import { DISK } from "../support/disk.ts";
import { makeId, makePending, makeRequest, publicationOf } from "../support/make.ts";
import { atNight } from "../support/nightly.ts";
import { FROM_SOURCES, type Program } from "../support/process.ts";
import { openVault } from "../support/secrets.ts";
import { testsUnlessMissing } from "../support/system-programs.ts";
import { DAWN, DAY, HOUR } from "../support/time.ts";

let folder: string;
let list: Tombstones;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pet-alert-tombstones-"));
  list = openTombstones(folder, openVault(folder).keyedHash);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (where = folder) => join(where, TOMBSTONES_FILE);
const text = () => readFileSync(file(), "latin1");
const markOf = (name: string) => list.mark("mailbox", name);

describe("the list of tombstones", () => {
  test("contains only times and keyed hashes, and only its owner may read it", async () => {
    await list.add("mailbox", "anna@example.org", DAWN);
    await list.add("alert", "anna@example.org", DAWN + HOUR);

    expect(text()).toMatch(/^(?:\S+Z (?:mailbox|alert) [0-9a-f]{64}\n){2}$/);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(await list.all()).toMatchObject([
      { at: DAWN, kind: "mailbox", mark: markOf("anna@example.org") },
      { at: DAWN + HOUR, kind: "alert", mark: list.mark("alert", "anna@example.org") },
    ]);
    expect(new Set((await list.all()).map(({ mark }) => mark)).size).toBe(2);
  });

  test("is empty if there is no file, and depends on the key", async () => {
    const other = mkdtempSync(join(tmpdir(), "pet-alert-tombstones-"));

    expect(await list.all()).toEqual([]);
    expect(openTombstones(other, openVault(other).keyedHash).mark("zone", "1")).not.toBe(
      list.mark("zone", "1"),
    );
    rmSync(other, { recursive: true });
  });

  test("loses at most its last line if a power cut truncates it, and takes new lines", async () => {
    await list.add("mailbox", "first", DAWN);
    const whole = text();
    await list.add("mailbox", "second", DAWN);
    const both = text();

    for (let bytes = whole.length; bytes <= both.length; bytes++) {
      writeFileSync(file(), both);
      truncateSync(file(), bytes);
      await list.add("mailbox", "third", DAWN);

      const marks = (await list.all()).map(({ mark }) => mark);
      // A line is complete without its line end.
      const second = bytes >= both.length - 1 ? [markOf("second")] : [];
      expect([bytes, marks]).toEqual([bytes, [markOf("first"), ...second, markOf("third")]]);
    }
  });

  test.each(["2026 mailbox x", "\0\0\0\0", "\u00ff", "2026-05-01T08:00:00.000Z mailbox 0123"])(
    "with %j for a line is refused in a sentence that says where, and what it is for",
    async (wrong) => {
      await list.add("mailbox", "first", DAWN);
      const whole = text();
      writeFileSync(file(), `${whole}${wrong}\n${whole}`);

      for (const reading of [
        () => list.all(),
        () => list.forget(DAWN + DAY),
        async () => mergeTombstones(folder, folder),
      ])
        await expect(reading()).rejects.toThrow(
          `Line 2 of ${file()} cannot be read. It is the list of what was erased`,
        );
      writeFileSync(file(), `${whole}${wrong}`);
      expect(await list.all()).toHaveLength(1);
    },
  );

  test("forgets older tombstones, and returns whether there were any", async () => {
    await list.add("mailbox", "old", DAWN);
    await list.add("mailbox", "new", DAWN + 2 * DAY);

    expect(await list.forget(DAWN)).toBe(false);
    expect(await list.forget(DAWN + DAY)).toBe(true);
    expect(await list.forget(DAWN + DAY)).toBe(false);
    expect((await list.all()).map(({ mark }) => mark)).toEqual([markOf("new")]);
    expect(await list.forget(DAWN + 3 * DAY)).toBe(true);
    expect(await list.all()).toEqual([]);
  });

  test("merges another list, each tombstone once, ordered by time", async () => {
    const other = mkdtempSync(join(tmpdir(), "pet-alert-tombstones-"));
    const others = openTombstones(other, openVault(folder).keyedHash);
    for (const [name, at] of [
      ["a", 1],
      ["c", 3],
    ] as const)
      await list.add("mailbox", name, DAWN + at);
    for (const [name, at] of [
      ["a", 1],
      ["b", 2],
    ] as const)
      await others.add("mailbox", name, DAWN + at);

    mergeTombstones(other, folder);

    expect((await list.all()).map(({ mark }) => mark)).toEqual(["a", "b", "c"].map(markOf));
    mergeTombstones(mkdtempSync(join(other, "empty-")), folder);
    expect(await list.all()).toHaveLength(3);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    rmSync(other, { recursive: true });
  });
});

describe("erased data", () => {
  let store: Store;
  const open = () => {
    store = createSqliteStore(openDatabase(folder), list);
  };
  beforeEach(open);
  afterEach(() => store.close());

  async function publish(email: string): Promise<string> {
    const ask = await addRequest(store, { email, addressHash: email });
    const effect = publicationOf(ask.pending, { ownerEmail: email });
    await store.confirmPending(ask.pending.id, effect, DAWN);
    return effect.alert.id;
  }

  async function erasePerson(email: string, now: number, addressHash?: string): Promise<void> {
    const begun = await store.beginErasure(email, now, addressHash);
    while (!(await store.continueErasure(begun, 50, now)));
  }

  const statusOf = async (id: string) => (await store.alert({ by: "id", id }))?.status;

  test("is not erased if the disk refused the tombstone: the caller gets an error and may try again", async () => {
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

  test("includes the fact that the mailbox had confirmed something, also after a backup is restored", async () => {
    const domain = { key: "small-domain", max: 0, windowMs: HOUR };
    let days = 0;
    /** Known mailboxes get a second email of the day here, and others do not. */
    const isKnown = async (email: string) => {
      const before = (await store.outboxState()).waiting;
      const at = DAWN + (days += 1) * DAY;
      for (const networkHash of [makeId("network"), makeId("network")]) {
        const pending = makePending({ email, addressHash: email, networkHash });
        await store.addPending(makeRequest({ pending, domain }), at);
      }
      return (await store.outboxState()).waiting - before === 2;
    };
    const [anna, ben] = ["anna@example.org", "ben@example.org"];
    for (const email of [anna, ben]) await publish(email);
    expect([await isKnown(anna), await isKnown(ben)]).toEqual([true, true]);

    await erasePerson(anna, DAWN + HOUR, anna);
    expect([await isKnown(anna), await isKnown(ben)]).toEqual([false, true]);

    // As after restoring a backup.
    await list.add("confirmed", ben, DAWN + HOUR);
    await store.repeatErasures(DAWN + DAY);
    expect(await isKnown(ben)).toBe(false);
  });

  test("is erased at the next start if that failed, although others were erased since", async () => {
    const [first, second] = [await publish("anna@example.org"), await publish("ben@example.org")];
    await list.add("alert", first, DAWN + HOUR);
    await store.removeAlert(second, DAWN + HOUR);

    expect(await statusOf(first)).toBe("active");
    expect(await store.repeatErasures(DAWN + DAY)).toEqual({ alerts: 1, zones: 0, mailboxes: 0 });
    expect(await statusOf(first)).toBe("removed");
    expect(await store.repeatErasures(DAWN + DAY)).toEqual({ alerts: 0, zones: 0, mailboxes: 0 });
  });

  test("is erased once: a person who returned since stays, even if the clock was ahead", async () => {
    const removed = await publish("ben@example.org");
    await publish("anna@example.org");
    const begun = await store.beginErasure("anna@example.org", DAWN + 100 * DAY);
    await store.continueErasure(begun, 1, DAWN + 100 * DAY);
    // Started later, and finished first.
    await store.removeAlert(removed, DAWN + HOUR);
    expect(await store.continueErasure(begun, 1, DAWN + 100 * DAY)).toBe(true);
    const back = await publish("anna@example.org");

    expect(await store.repeatErasures(DAWN + DAY)).toEqual({ alerts: 0, zones: 0, mailboxes: 0 });
    // The erasure of another mailbox was interrupted.
    await list.add("mailbox", "ben@example.org", DAWN + HOUR);
    await store.repeatErasures(DAWN + DAY);

    expect(await statusOf(back)).toBe("active");
  });

  test("by a moderator gets a tombstone, and a hidden alert gets none", async () => {
    const [hidden, removed] = [await publish("anna@example.org"), await publish("ben@example.org")];
    const deed = { at: DAWN, who: "operator", mailbox: null };

    await store.moderate({ ...deed, id: "1", act: "hide", alertId: hidden });
    for (const id of ["2", "3"])
      await store.moderate({ ...deed, id, act: "remove", alertId: removed });

    expect((await list.all()).map(({ mark }) => mark)).toEqual([list.mark("alert", removed)]);
  });
});

const LINES = 8;
const recorderTests = testsUnlessMissing(missingFromRecorder());

recorderTests.test(
  "what was erased stays in the list, whenever the power goes after it was said to be there",
  async () => {
    expect(await linesLost(FROM_SOURCES)).toEqual([]);
  },
);

atNight(recorderTests.test).each([
  ["the line", "flushOpen"],
  ["the list's name", "flush"],
])("a power cut takes lines once %s is not synced", async (_what, name) => {
  const unsynced: Weakening = { module: "src/ops/fs.ts", name, instead: "() => {}" };

  expect(await without([unsynced], ({ program }) => linesLost(program))).not.toEqual([]);
});

/** Lines that were reported as added, but are missing after a power cut at that moment. */
async function linesLost({ command: [bun = ""], cwd }: Program): Promise<string[]> {
  const scratch = mkdtempSync(join(DISK, "pet-alert-erased-list-"));
  try {
    const folder = join(scratch, "data");
    mkdirSync(folder);
    const recorder = await createRecorder(folder, scratch);
    const load = Bun.spawn(
      [bun, join(cwd, "test/chaos/erased-list-load.ts"), folder, String(LINES)],
      { cwd, env: { ...recorder.env }, stdout: "inherit", stderr: "inherit" },
    );
    expect(await load.exited).toBe(0);

    const random = randomFor("erased list");
    const disk = createDisk(folder);
    const lost: string[] = [];
    let moments = 0;
    for (const event of recorder.events()) {
      if (event.kind !== "told") {
        disk.apply(event);
        continue;
      }
      moments += 1;
      for (const loss of LOSSES) {
        const image = join(scratch, "image");
        disk.imageInto(image, loss, random);
        const file = join(image, TOMBSTONES_FILE);
        const kept = existsSync(file) ? readFileSync(file, "latin1").split("\n") : [];
        for (const line of event.what as string[])
          if (!kept.includes(line)) lost.push(`${loss}: ${line}`);
        rmSync(image, { recursive: true });
      }
    }
    expect(moments).toBe(LINES + 1);
    return lost;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
