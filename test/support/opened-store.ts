import { afterEach, beforeEach } from "bun:test";
import type { Store } from "../../src/core/service/store.ts";

/** Store that the tests of the contract look at: an empty one for each test. */
export let store: Store;

/** Opens a store before each test, and closes it afterwards. */
export function openBeforeEach(open: () => Promise<Store>): void {
  beforeEach(async () => {
    store = await open();
  });
  afterEach(() => store.close());
}

/** Goes on with another store, such as a restored one. */
export function continueWith(other: Store): void {
  store = other;
}
