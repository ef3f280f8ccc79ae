import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Store } from "../../src/core/store.ts";
import { publish } from "./confirmed.ts";
import { DAWN, HOUR } from "./time.ts";

/** What every store promises of pairs of alerts that may be one animal. */
export function describePairs(name: string, open: () => Store): void {
  describe(`pairs in the store on ${name}`, () => {
    let store: Store;
    beforeEach(() => {
      store = open();
    });
    afterEach(() => store.close());

    const waiting = async () => (await store.uncompared(10)).map(({ id }) => id);

    test("an alert that was compared waits no more, until it is edited", async () => {
      const alert = await publish(store);
      expect(await waiting()).toEqual([alert.id]);

      await store.tellPairs(alert, [], DAWN + HOUR);
      expect(await waiting()).toEqual([]);

      await store.editAlert(alert, { ...alert, color: "white" }, DAWN + 2 * HOUR);
      expect(await waiting()).toEqual([alert.id]);
    });

    test("an alert that was edited while it was compared still waits", async () => {
      const alert = await publish(store);

      await store.editAlert(alert, { ...alert, color: "white" }, DAWN);
      await store.tellPairs(alert, [], DAWN + HOUR);

      expect(await waiting()).toEqual([alert.id]);
    });
  });
}
