import { describe, expect, test } from "bun:test";
import { addRequest, askToSee, relay, resolve, see } from "./confirmed.ts";
import { makeAction, makeEmail, makeMessage, makeDraft, publicationOf } from "./make.ts";
import { store } from "./opened-store.ts";
import { DAWN, DAY, HOUR, MINUTE } from "./time.ts";

/** Store contract: photos. */
export function describePhotos(): void {
  describe("photos", () => {
    async function ask(photos: readonly string[]) {
      const draft = makeDraft({ photos });
      const names = { id: draft.id, slug: draft.slug, shortCode: draft.shortCode };
      const payload = { kind: "publish", draft, removed: [] } as const;
      const { pending } = await addRequest(store, { names, payload });
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
    const gone = async () => (await store.unusedPhotos(DAWN, 10)).sort();

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
      await store.takeUnusedPhotos(["a"], DAWN);
      await store.forgetUnusedPhotos(["a", "c"], DAWN);
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
      await store.moderate(makeAction("hide", alert.id));

      expect([await store.isPhotoPublic("a"), await inUse()]).toEqual([false, ["a"]]);
    });

    test("of a sighting are public while it can be read on the alert's page, and no longer", async () => {
      const alert = await publish([]);
      const { pending, changes } = await askToSee(store, alert, { photos: ["a", "b"] });
      expect([await inUse(), await store.isPhotoPublic("a")]).toEqual([["a", "b"], false]);

      await store.confirmPending(pending.id, changes, DAWN);

      expect([await inUse(), await store.isPhotoPublic("b")]).toEqual([["a", "b"], true]);
      await store.moderate(makeAction("hide", alert.id));
      expect(await store.isPhotoPublic("a")).toBe(false);
      await store.moderate(makeAction("restore", alert.id));
      expect(await store.isPhotoPublic("a")).toBe(true);
      const shown = await store.alert({ by: "id", id: alert.id });
      expect(await resolve(store, shown ?? alert)).toBe(true);
      expect([await inUse(), await store.isPhotoPublic("a")]).toEqual([["a", "b"], false]);
      await store.removeAlert(alert.id, DAWN);

      expect([await inUse(), await gone()]).toEqual([[], ["a", "b"]]);
    });

    test("of a sighting go with it when its owner or a moderator removes it, from their own alert only", async () => {
      const [alert, other] = [await publish(["c"]), await publish([])];
      const one = await see(store, alert, ["a"]);
      const two = await see(store, alert, ["b", "c"]);

      expect(await store.removeSighting(other.id, one)).toBe(false);
      expect(await inUse()).toEqual(["a", "b", "c"]);
      expect(await store.removeSighting(alert.id, one)).toBe(true);
      expect(await store.removeSighting(alert.id, one)).toBe(false);
      const remove = (alertId: string) =>
        store.moderate(makeAction("remove_sighting", alertId, { sightingId: two }));

      expect([await remove(other.id), await remove(alert.id)]).toEqual([false, true]);
      expect(await remove(alert.id)).toBe(false);
      expect(await store.sightings(alert.id, 10)).toEqual([]);
      // The alert itself still shows one of them.
      expect([await inUse(), await gone()]).toEqual([["c"], ["a", "b"]]);
      expect((await store.auditLog(10)).map(({ act }) => act)).toEqual(["remove_sighting"]);
    });

    test("of messages are never public, and are unused once their conversation is erased", async () => {
      const [alert, other] = [await publish([]), await publish([])];
      await relay(store, alert, "anna", { photos: ["a"] });
      await relay(store, other, "anna", { photos: ["b"] });
      const conversation = await store.conversationBetween(alert.id, "anna");
      const reply = makeMessage(conversation?.id ?? "", { photos: ["c"] });
      const email = makeEmail({ to: "anna@example.org" });
      expect(await store.addReply(reply, alert.id, email)).toBe("kept");

      const shown = await store.messages(conversation?.id ?? "", 10);
      expect(shown.map(({ photos }) => photos)).toEqual([["a"], ["c"]]);
      expect(await inUse()).toEqual(["a", "b", "c"]);
      for (const name of ["a", "b", "c"]) expect(await store.isPhotoPublic(name)).toBe(false);
      await store.removeAlert(alert.id, DAWN);

      expect([await inUse(), await gone()]).toEqual([["b"], ["a", "c"]]);
      await store.changeStatus(other, { status: "expired", expiresAt: DAWN, endedAt: DAWN }, DAWN);
      await store.eraseEnded(DAWN + 1, DAWN + 30 * DAY, 10);
      expect([await inUse(), await gone()]).toEqual([[], ["a", "b", "c"]]);
    });

    test("make a reply another one, though its text is the same", async () => {
      const alert = await publish([]);
      await relay(store, alert, "anna");
      const { id = "" } = (await store.conversationBetween(alert.id, "anna")) ?? {};
      const reply = (number: number, photos: readonly string[]) =>
        store.addReply(
          makeMessage(id, { text: "here", photos, createdAt: DAWN + number }),
          alert.id,
          makeEmail({ to: "anna@example.org" }),
        );

      for (const [number, photos] of [["a"], ["a"], ["a", "b"], []].entries())
        expect(await reply(number, photos)).toBe("kept");

      const replies = (await store.messages(id, 10)).filter(({ from }) => from === "owner");
      expect(replies.map(({ photos }) => photos)).toEqual([["a"], ["a", "b"], []]);
    });

    test("of messages and sightings that wait are unused once their alert is erased", async () => {
      const alert = await publish([]);
      await askToSee(store, alert, { photos: ["a"] });
      const payload = {
        kind: "message",
        alertId: alert.id,
        text: "hello",
        name: null,
        photos: ["b"],
        removed: [],
      } as const;
      await addRequest(store, { kind: "message", names: null, payload });
      expect(await inUse()).toEqual(["a", "b"]);

      await store.removeAlert(alert.id, DAWN);

      expect([await inUse(), await gone()]).toEqual([[], ["a", "b"]]);
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

    describe("that nobody uses", () => {
      const free = (now = DAWN) => store.unusedPhotos(now, 10);
      const take = (now = DAWN) => store.takeUnusedPhotos(["a"], now);
      const gone = "photos must be chosen again";

      test("are kept for the time of their upload, and then taken", async () => {
        expect(await store.keepUploadedPhoto("a", DAWN + HOUR)).toBe(true);
        expect(await store.keepUploadedPhoto("a", DAWN + DAY)).toBe(true);
        expect(await store.keepUploadedPhoto("a", DAWN + HOUR)).toBe(true);
        expect([await free(DAWN + HOUR), await take(DAWN + HOUR)]).toEqual([[], []]);

        expect(await free(DAWN + DAY)).toEqual(["a"]);
        expect(await take(DAWN + DAY)).toEqual(["a"]);
      });

      test("are kept no longer once they were used", async () => {
        await store.keepUploadedPhoto("a", DAWN + DAY);
        const alert = await publish(["a"]);

        await store.removeAlert(alert.id, DAWN);

        expect(await take()).toEqual(["a"]);
      });

      test("stay while requests hold them, until the last one ends or is given up", async () => {
        expect(await store.holdPhotos(["a", "b"], DAWN + HOUR)).toBe(true);
        expect(await store.holdPhotos(["a"], DAWN + 2 * HOUR)).toBe(true);
        await store.releasePhotos(["a", "b"]);
        expect([await free(), await take()]).toEqual([["b"], []]);

        expect((await free(DAWN + 2 * HOUR)).toSorted()).toEqual(["a", "b"]);
        await store.releasePhotos(["a"]);

        expect(await take()).toEqual(["a"]);
      });

      test("stay for a request that holds them while another one uses them and drops them again", async () => {
        await store.holdPhotos(["a"], DAWN + HOUR);
        const alert = await publish(["a"]);
        await store.removeAlert(alert.id, DAWN);
        expect(await take()).toEqual([]);

        await publish(["a"]);
        await store.releasePhotos(["a"]);

        expect([await take(), await free(), await inUse()]).toEqual([[], [], ["a"]]);
      });

      test("can be used, held and uploaded by nobody while they are being deleted", async () => {
        await store.addUnusedPhotos(["a"]);
        expect(await take()).toEqual(["a"]);

        await expect(publish(["a"])).rejects.toThrow(gone);
        await expect(publish(["b", "a"])).rejects.toThrow(gone);
        expect(await store.holdPhotos(["b", "a"], DAWN + HOUR)).toBe(false);
        expect(await store.keepUploadedPhoto("a", DAWN + HOUR)).toBe(false);
        expect(await free()).toEqual([]);

        await store.forgetUnusedPhotos(["a"], DAWN - 1);
        expect(await store.keepUploadedPhoto("a", DAWN + HOUR)).toBe(false);
        await store.forgetUnusedPhotos(["a"], DAWN);
        expect(await store.keepUploadedPhoto("a", DAWN + HOUR)).toBe(true);
        await publish(["a"]);
        expect(await inUse()).toEqual(["a"]);
      });

      test("are taken once, and again a minute later if nobody said that they are deleted", async () => {
        await store.addUnusedPhotos(["a"]);
        expect([await take(), await take(), await free()]).toEqual([["a"], [], []]);

        expect(await free(DAWN + MINUTE)).toEqual(["a"]);
        expect(await take(DAWN + MINUTE)).toEqual(["a"]);
        expect(await take(DAWN + MINUTE)).toEqual([]);
      });

      test("are not taken if they are used, held or kept", async () => {
        await publish(["a"]);
        await store.keepUploadedPhoto("b", DAWN + HOUR);
        await store.holdPhotos(["c"], DAWN + HOUR);
        const all = ["a", "b", "c", "d"];
        await store.addUnusedPhotos(all);

        expect(await store.takeUnusedPhotos(all, DAWN)).toEqual(["d"]);
      });

      test("may be none", async () => {
        await store.addUnusedPhotos([]);
        await store.forgetUnusedPhotos([], DAWN);

        expect(await store.takeUnusedPhotos([], DAWN)).toEqual([]);
      });
    });
  });
}
