import { describe, expect, test } from "bun:test";
import type { ImportedAlert } from "../../src/core/tables/imported-alert.ts";
import { makeBulk, makeDraft } from "./make.ts";
import { store } from "./opened-store.ts";
import { DAWN, DAY, MINUTE } from "./time.ts";

/** Store contract: imported alerts and the state of their rows. */
export function describeImports(): void {
  describe("imported alerts", () => {
    const imported = async (source: string, about: { rowHash?: string } = {}) => {
      await store.addAlerts([makeBulk({ source, ...about })], DAWN);
      return latest(source);
    };
    const latest = async (source: string): Promise<ImportedAlert> => {
      const all = await store.importedAlerts("import:a:", null, 100);
      return all.find(({ alert }) => alert.source === source)!;
    };
    const same = (seen: ImportedAlert) => ({ seen, rowHash: seen.rowHash, missedReads: 0 });

    test("come by the prefix of their source, in its order, page by page", async () => {
      for (const source of ["import:a:2", "import:a:10", "import:b:1", "import:a:é", "demo:1"])
        await store.addAlerts([makeBulk({ source })], DAWN);

      const first = await store.importedAlerts("import:a:", null, 2);
      const second = await store.importedAlerts("import:a:", first[1]!.alert.source, 2);

      const sources = [first, second].map((page) => page.map(({ alert }) => alert.source));
      expect(sources).toEqual([["import:a:10", "import:a:2"], ["import:a:é"]]);
    });

    test("know the hash of their row, and have missed no read at first", async () => {
      expect(await imported("import:a:1", { rowHash: "h" })).toMatchObject({
        rowHash: "h",
        missedReads: 0,
        isErased: false,
      });
      expect(await imported("import:a:2")).toMatchObject({ rowHash: null });
    });

    test("get a new description, end and state of their row in one step", async () => {
      const seen = await imported("import:a:1");
      const draft = { ...makeDraft(), ...namesOf(seen), color: "green" };
      const change = { status: "active", expiresAt: DAWN + 90 * DAY, endedAt: null } as const;

      const changed = await store.updateImported(
        [{ seen, rowHash: "new", missedReads: 1, draft, change }],
        DAWN + MINUTE,
      );

      expect(changed).toEqual([seen.alert.id]);
      expect(await latest("import:a:1")).toMatchObject({
        rowHash: "new",
        missedReads: 1,
        alert: { color: "green", expiresAt: DAWN + 90 * DAY, updatedAt: DAWN + MINUTE },
      });
    });

    test("get new photos, and keep their description", async () => {
      const seen = await imported("import:a:1");
      const photo = `${"a".repeat(32)}.webp`;

      await store.updateImported([{ ...same(seen), rowHash: "new", photos: [photo] }], DAWN + 1);

      const { alert, rowHash } = await latest("import:a:1");
      expect([alert.photos, alert.color, rowHash]).toEqual([[photo], seen.alert.color, "new"]);
      expect(alert.updatedAt).toBe(DAWN + 1);
      expect(await store.isPhotoPublic(photo)).toBe(true);
    });

    test("know the page of their animal, which changes by itself, and is wiped when they are removed", async () => {
      const page = "https://paws.example.org/1";
      await store.addAlerts([makeBulk({ source: "import:a:1", animalPage: page })], DAWN);
      const seen = await latest("import:a:1");
      const other = await imported("import:a:2");
      const { id } = seen.alert;
      const read = async () => [await store.animalPage(id), await store.animalPage(other.alert.id)];
      expect(seen.animalPage).toBe(page);
      expect(await read()).toEqual([page, null]);
      expect(await store.animalPage("unknown")).toBeNull();

      await store.updateImported([{ ...same(seen), missedReads: 1 }], DAWN + 1);
      expect(await read()).toEqual([page, null]);
      const again = await latest("import:a:1");
      await store.updateImported([{ ...same(again), animalPage: `${page}/new` }], DAWN + 1);
      expect(await read()).toEqual([`${page}/new`, null]);
      expect((await latest("import:a:1")).alert.updatedAt).toBe(seen.alert.updatedAt);

      await store.removeAlert(id, DAWN + 1);
      expect(await read()).toEqual([null, null]);
    });

    test("are followed by the indexes when they change, and not when only their row is noted", async () => {
      const seen = await imported("import:a:1");
      const { revision } = await store.position();

      await store.updateImported([{ ...same(seen), missedReads: 1 }], DAWN);
      const noted = await store.changesSince(revision, 10);
      const end = { status: "expired", expiresAt: DAWN, endedAt: DAWN } as const;
      await store.updateImported(
        [{ ...same(await latest("import:a:1")), missedReads: 2, change: end }],
        DAWN,
      );

      expect(noted.alerts).toEqual([]);
      expect((await store.changesSince(revision, 10)).alerts).toEqual([
        { kind: "drop", publishedAt: seen.alert.publishedAt },
      ]);
    });

    test("keep the time of their last change when only their end moves", async () => {
      const seen = await imported("import:a:1");
      const later = { status: "active", expiresAt: DAWN + 90 * DAY, endedAt: null } as const;

      await store.updateImported([{ ...same(seen), change: later }], DAWN + DAY);

      expect((await latest("import:a:1")).alert).toMatchObject({
        updatedAt: seen.alert.updatedAt,
        expiresAt: DAWN + 90 * DAY,
      });
    });

    test("stay as they are if somebody changed them since", async () => {
      const seen = await imported("import:a:1");
      const other = await imported("import:a:2");
      const edited = { ...makeDraft(), ...namesOf(seen), color: "blue" };
      await store.editAlert(seen.alert, edited, DAWN + 1);

      const changed = await store.updateImported(
        [
          { ...same(seen), draft: { ...edited, color: "red" } },
          { ...same(other), missedReads: 1 },
        ],
        DAWN + 2,
      );

      expect(changed).toEqual([other.alert.id]);
      expect((await latest("import:a:1")).alert.color).toBe("blue");
    });

    test("count a missed read once, however many readers saw it", async () => {
      const seen = await imported("import:a:1");
      const miss = { ...same(seen), missedReads: 1 };

      const changed = [
        await store.updateImported([miss], DAWN),
        await store.updateImported([miss], DAWN),
      ];

      expect(changed).toEqual([[seen.alert.id], []]);
    });

    test("lose the hash of their row and cannot come back once they are erased; their source can be given up", async () => {
      const seen = await imported("import:a:1", { rowHash: "h" });
      const end = { status: "expired", expiresAt: DAWN, endedAt: DAWN } as const;
      await store.updateImported([{ ...same(seen), change: end }], DAWN);
      await store.eraseEnded(DAWN + DAY, DAWN + DAY, 10);

      const erased = await latest("import:a:1");
      const back = { status: "active", expiresAt: DAWN + 9 * DAY, endedAt: null } as const;
      const returned = await store.updateImported([{ ...same(erased), change: back }], DAWN + DAY);
      const released = await store.updateImported(
        [{ ...same(erased), releasesSource: true }],
        DAWN + DAY,
      );

      expect(erased).toMatchObject({ rowHash: null, isErased: true });
      expect(returned).toEqual([]);
      expect(released).toEqual([seen.alert.id]);
      expect(await store.addAlerts([makeBulk({ source: "import:a:1" })], DAWN + DAY)).toEqual([
        "import:a:1",
      ]);
    });
  });
}

function namesOf({ alert }: ImportedAlert) {
  const { id, slug, shortCode } = alert;
  return { id, slug, shortCode };
}
