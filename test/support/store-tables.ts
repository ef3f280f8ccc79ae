import { describe, expect, test } from "bun:test";
import { newState } from "../../src/core/tables/table-state.ts";
import { makeEmail } from "./make.ts";
import { store } from "./opened-store.ts";
import { DAWN, DAY, HOUR, MINUTE } from "./time.ts";

/** Store contract: tables that are read again and again. */
export function describeTables(): void {
  describe("tables", () => {
    const fresh = newState("kennel", DAWN);
    const take = (now: number) => store.takeTable(fresh, now, now + 10 * MINUTE);

    test("are taken by one reader at a time, until it saves or its time is over", async () => {
      expect(await take(DAWN)).toEqual(fresh);
      expect(await take(DAWN + MINUTE)).toBeNull();

      const read = { ...fresh, goodAt: DAWN, failures: 3 };
      expect(await store.saveTable(read, DAWN + 10 * MINUTE, [], DAWN)).toBe(true);
      expect(await take(DAWN + MINUTE)).toEqual(read);
      expect(await take(DAWN + 11 * MINUTE)).toEqual(read);
    });

    test("are free again after the clock was set back", async () => {
      await take(DAWN + DAY);

      expect(await take(DAWN)).toEqual(fresh);
    });

    test("are not saved by a reader whose time is over, once another has taken them", async () => {
      await take(DAWN);
      await take(DAWN + HOUR);

      const late = { ...fresh, failures: 7 };
      expect(await store.saveTable(late, DAWN + 10 * MINUTE, [], DAWN)).toBe(false);
      expect(await store.tableStates(10)).toEqual([fresh]);
    });

    test("are listed by name, as far as the limit", async () => {
      for (const one of ["c", "a", "b"])
        await store.saveTable({ ...fresh, name: one }, null, [], DAWN);

      expect((await store.tableStates(2)).map((state) => state.name)).toEqual(["a", "b"]);
    });

    test("queue the notices whose limits have room", async () => {
      const notice = (key: string) => ({
        emails: [makeEmail()],
        hits: [{ key, max: 1, windowMs: DAY }],
      });
      const waiting = async () => (await store.outboxState()).waiting;

      await store.saveTable(fresh, null, [notice("a"), notice("b")], DAWN);
      expect(await waiting()).toBe(2);
      await store.saveTable(fresh, null, [notice("a")], DAWN + HOUR);
      expect(await waiting()).toBe(2);
      await store.saveTable(fresh, null, [notice("a")], DAWN + DAY + HOUR);
      expect(await waiting()).toBe(3);
    });
  });
}
