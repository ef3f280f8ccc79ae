import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Store } from "../../src/core/store.ts";
import { makeRequest, makeDraft, makePending, publicationOf } from "./make.ts";
import { DAWN, DAY, HOUR } from "./time.ts";

/** Store contract: photos. */
export function describePhotos(name: string, open: () => Store): void {
  describe(`photos in the store on ${name}`, () => {
    let store: Store;
    beforeEach(() => {
      store = open();
    });
    afterEach(() => store.close());

    async function ask(photos: readonly string[]) {
      const draft = makeDraft({ photos });
      const names = { id: draft.id, slug: draft.slug, shortCode: draft.shortCode };
      const payload = { kind: "publish", draft, removed: [] } as const;
      const pending = makePending({ names, payload });
      await store.addPending(makeRequest({ pending }), DAWN);
      return pending;
    }

    async function publish(photos: readonly string[], shown = photos) {
      const pending = await ask(photos);
      const effect = publicationOf(pending, { photos: shown });
      await store.confirmPending(pending.id, effect, DAWN);
      const alert = await store.alert({ by: "id", id: effect.alert.id });
      if (alert === null) throw new Error("no such alert");
      return alert;
    }

    const inUse = async () => (await store.photosInUse(["a", "b", "c", "d"])).sort();
    const gone = async () => (await store.unusedPhotos(10)).sort();

    test("are in use from the request on, and public once an alert shows them", async () => {
      const pending = await ask(["a", "b"]);
      expect([await inUse(), await store.isPhotoPublic("a")]).toEqual([["a", "b"], false]);

      await store.confirmPending(pending.id, publicationOf(pending, { photos: ["b", "c"] }), DAWN);

      expect(await inUse()).toEqual(["b", "c"]);
      expect(await gone()).toEqual(["a"]);
      expect(await store.isPhotoPublic("b")).toBe(true);
      expect(await store.isPhotoPublic("a")).toBe(false);
    });

    test("are unused once their last user is removed", async () => {
      const [one, two] = [await publish(["a", "b"]), await publish(["b"])];

      await store.removeAlert(one.id, DAWN);
      expect([await gone(), await store.isPhotoPublic("b")]).toEqual([["a"], true]);
      await store.removeAlert(two.id, DAWN);

      expect([await gone(), await inUse()]).toEqual([["a", "b"], []]);
      await store.forgetUnusedPhotos(["a", "c"]);
      expect(await gone()).toEqual(["b"]);
    });

    test("are in use again if they are reused before their files are deleted", async () => {
      const one = await publish(["a"]);
      await store.removeAlert(one.id, DAWN);

      await ask(["a"]);

      expect([await gone(), await inUse()]).toEqual([[], ["a"]]);
    });

    test("change with an edit that was applied, and not with one that was not", async () => {
      const alert = await publish(["a"]);

      expect(await store.editAlert(alert, { ...alert, photos: ["b"] }, DAWN)).toBe(true);
      expect(await store.editAlert(alert, { ...alert, photos: ["c"] }, DAWN)).toBe(false);

      expect([await inUse(), await gone()]).toEqual([["b"], ["a"]]);
    });

    test("are not public if only a hidden alert or a request uses them", async () => {
      const alert = await publish(["a"]);
      const deed = { id: "deed", at: DAWN, who: "m@example.org", mailbox: null };

      await store.moderate({ ...deed, act: "hide", alertId: alert.id });

      expect([await store.isPhotoPublic("a"), await inUse()]).toEqual([false, ["a"]]);
    });

    test("of requests that ended, were disowned or were swept are unused", async () => {
      const [late, , disowned] = [await ask(["a"]), await ask(["b"]), await ask(["c"])];
      await store.disownPending(disowned.id, "pressed", DAWN);
      expect(await gone()).toEqual(["c"]);
      const sweep = { hitsBefore: DAWN, auditLogBefore: DAWN, before: DAWN - DAY };

      await store.sweep({ ...sweep, now: DAWN + HOUR }, 10);
      expect(await gone()).toEqual(["c"]);
      await store.sweep({ ...sweep, now: late.expiresAt }, 1);
      expect(await gone()).toHaveLength(2);
      await store.sweep({ ...sweep, now: DAWN, before: DAWN + 1 }, 10);

      expect([await gone(), await inUse()]).toEqual([["a", "b", "c"], []]);
    });
  });
}
