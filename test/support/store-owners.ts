import { describe, expect, test } from "bun:test";
import type { Alert } from "../../src/core/alerts/alert.ts";
import type { Hit } from "../../src/core/limits.ts";
import type { Sighting } from "../../src/core/sightings/sighting.ts";
import { askToSee, publish, relay, resolve } from "./confirmed.ts";
import { makeBulk, makeEmail, makeLink, makeMessage } from "./make.ts";
import { store } from "./opened-store.ts";
import { DAWN, DAY, HOUR } from "./time.ts";

/** Store contract: changes that owners make, and conversations about their alerts. */
export function describeOwners(): void {
  describe("owners", () => {
    test("a status change applies once, to the alert as it was read", async () => {
      const alert = await publish(store);
      const change = { status: "resolved", expiresAt: alert.expiresAt, endedAt: DAWN } as const;

      expect(await store.changeStatus(alert, change, DAWN)).toBe(true);
      expect(await store.changeStatus(alert, change, DAWN)).toBe(false);
      expect(await store.alert({ by: "id", id: alert.id })).toMatchObject(change);
    });

    test("an alert whose owner was erased after it was read does not change", async () => {
      const alert = await publish(store);
      const end = { status: "expired", expiresAt: DAWN, endedAt: DAWN } as const;
      await store.changeStatus(alert, end, DAWN);
      const seen = (await store.alert({ by: "id", id: alert.id }))!;
      await store.eraseEnded(DAWN + 1, DAWN + 1, 10);

      const renewed = { status: "active", expiresAt: DAWN + DAY, endedAt: null } as const;
      expect(await store.changeStatus(seen, renewed, DAWN + 2)).toBe(false);
      expect(await store.editAlert(seen, { ...seen, name: "Other" }, DAWN + 2)).toBe(false);
      expect(await store.alert({ by: "id", id: alert.id })).toMatchObject(end);
    });

    test("removing wipes the text and the owner, and keeps the names taken", async () => {
      const alert = await publish(store, { chipHash: "chip" });
      await store.removeAlert(alert.id, DAWN);

      const left = await store.alert({ by: "id", id: alert.id });

      expect(left).toMatchObject({
        status: "removed",
        name: null,
        description: null,
        ownerEmail: null,
        chipHash: null,
        city: "",
      });
      expect(await store.isShortCodeTaken(alert.shortCode)).toBe(true);
      expect(await store.linkTo("manage", alert.id)).toBeNull();
    });

    test("animals that came home are listed last one first and counted, until their alerts are removed", async () => {
      const came = async (endedAt: number) => {
        const alert = await publish(store);
        await resolve(store, alert, endedAt);
        return alert.id;
      };
      const first = await came(DAWN + DAY);
      const last = await came(DAWN + 3 * DAY);
      const second = await came(DAWN + 2 * DAY);
      const expired = await publish(store);
      const end = { status: "expired", expiresAt: DAWN, endedAt: DAWN + 2 * DAY } as const;
      await store.changeStatus(expired, end, DAWN + 2 * DAY);
      const ids = async (after: number, limit = 10) =>
        (await store.resolvedAlerts(after, limit)).map(({ id }) => id);

      expect(await ids(DAWN)).toEqual([last, second, first]);
      expect(await ids(DAWN, 2)).toEqual([last, second]);
      expect(await ids(DAWN + DAY)).toEqual([last, second]);
      expect(await store.resolvedCount()).toBe(3);

      await store.eraseEnded(DAWN + 3 * DAY, DAWN + 40 * DAY, 10);
      expect(await store.resolvedCount()).toBe(3);
      await store.removeAlert(last, DAWN + 4 * DAY);
      expect(await ids(DAWN)).toEqual([second, first]);
      expect(await store.resolvedCount()).toBe(2);
    });

    test("a link works only for its purpose", async () => {
      const alert = await publish(store);
      const link = await store.linkTo("manage", alert.id);

      expect(link).not.toBeNull();
      expect(await store.link(link?.tokenHash ?? "", "manage")).toEqual(link);
      expect(await store.link(link?.tokenHash ?? "", "conversation")).toBeNull();
    });

    test("an imported alert is added once by its source", async () => {
      const bulk = makeBulk({ source: "import:a:1", link: makeLink() });

      expect(await store.addAlerts([bulk, makeBulk({ source: "import:a:2" })], DAWN)).toEqual([
        "import:a:1",
        "import:a:2",
      ]);
      expect(
        await store.addAlerts(
          [makeBulk({ source: "import:a:1" }), makeBulk({ source: "import:a:3" })],
          DAWN,
        ),
      ).toEqual(["import:a:3"]);
      expect((await store.changesSince(0, 10)).alerts).toHaveLength(3);
    });
  });

  test("an alert added in bulk has its time, its end, its photos and its sightings", async () => {
    const { draft } = makeBulk({});
    const seen = {
      id: "seen",
      alertId: draft.id,
      point: draft.point,
      city: "Lyon",
      district: null,
      countryCode: "FR",
      seenAt: DAWN - DAY,
      seenPart: null,
      note: null,
      photos: [],
      networkHash: "",
      createdAt: DAWN - DAY,
    };
    const times = { publishedAt: DAWN - 2 * DAY, resolvedAt: DAWN - DAY };
    const bulk = { ...makeBulk({ source: "demo:1" }), draft: { ...draft, photos: ["photo"] } };
    await store.addAlerts([{ ...bulk, ...times, sightings: [seen] }], DAWN);
    await store.addAlerts([makeBulk({ source: "demo:2", publishedAt: DAWN - 3 * DAY })], DAWN);

    const [first, second] = await store.alertsAfter(null, 10);
    expect(first).toMatchObject({
      status: "resolved",
      publishedAt: DAWN - 2 * DAY,
      updatedAt: DAWN - DAY,
      endedAt: DAWN - DAY,
    });
    // Times of publication only grow.
    expect(second).toMatchObject({ status: "active", publishedAt: DAWN - 2 * DAY + 1 });
    expect(await store.isPhotoPublic("photo")).toBe(true);
    expect(await store.sightings(draft.id, 5)).toEqual([seen]);
  });

  describe("conversations", () => {
    test("a message waits while the limit of its sender is full; messages of others do not count", async () => {
      const alert = await publish(store);
      const hits = (stranger: string) => [{ key: stranger, max: 3, windowMs: DAY }];
      const write = (stranger: string, now = DAWN) =>
        relay(store, alert, stranger, { now, hits: hits(stranger) });

      const one = await Array.fromAsync({ length: 4 }, () => write("anna"));
      const many = await Array.fromAsync({ length: 30 }, (_, number) => write(`other${number}`));

      expect(one.map(({ kind }) => kind)).toEqual(["won", "won", "won", "limited"]);
      expect(one.at(-1)).toEqual({ kind: "limited", retryAt: DAWN + DAY });
      expect(new Set(many.map(({ kind }) => kind))).toEqual(new Set(["won"]));
      expect((await write("anna", DAWN + DAY)).kind).toBe("won");
    });

    test("messages come oldest first, and replies have a limit of their own", async () => {
      const alert = await publish(store);
      await relay(store, alert, "anna");
      const conversation = await store.conversationBetween(alert.id, "anna");
      const reply = (number: number) =>
        store.addReply(
          makeMessage(conversation?.id ?? "", { text: `${number}`, createdAt: DAWN + number }),
          alert.id,
          makeEmail(),
        );

      const outcomes = await Array.fromAsync({ length: 21 }, (_, number) => reply(number + 1));

      expect(outcomes.filter((outcome) => outcome === "kept")).toHaveLength(20);
      const messages = await store.messages(conversation?.id ?? "", 100);
      expect(messages.map((message) => message.text)).toEqual([
        "hello",
        ...Array.from({ length: 20 }, (_, number) => `${number + 1}`),
      ]);
    });
  });
}

/** Store contract: sightings. */
export function describeSightings(): void {
  describe("sightings", () => {
    /** Requests and confirms a sighting, with an email to the owner or to `to`. */
    async function see(
      alert: Alert,
      about: Partial<Sighting> = {},
      { to = alert.ownerEmail, hits = [] }: { to?: string | null; hits?: readonly Hit[] } = {},
    ) {
      const { pending, changes } = await askToSee(store, { ...alert, ownerEmail: to }, about);
      return store.confirmPending(pending.id, { ...changes, hits }, DAWN);
    }

    const emailCount = async () => (await store.outboxState()).waiting;

    test("are stored when they are confirmed, and emailed to the owner once", async () => {
      const alert = await publish(store);
      const before = await emailCount();
      const about = { note: "ran north" };
      const { pending, changes, sighting } = await askToSee(store, alert, about);

      expect(await store.sightings(alert.id, 10)).toEqual([]);
      const outcomes = [
        await store.confirmPending(pending.id, changes, DAWN),
        await store.confirmPending(pending.id, changes, DAWN),
      ];

      expect(outcomes.map(({ kind }) => kind)).toEqual(["won", "late"]);
      expect(await store.sightings(alert.id, 10)).toEqual([sighting]);
      // The confirmation email, and the owner's.
      expect(await emailCount()).toBe(before + 2);
    });

    test("come by time of sighting, newest first, up to the limit", async () => {
      const alert = await publish(store);
      const other = await publish(store);
      for (const hours of [3, 1, 2]) await see(alert, { seenAt: DAWN - hours * HOUR });
      await see(other);

      const seen = await store.sightings(alert.id, 2);

      expect(seen.map(({ seenAt }) => DAWN - seenAt)).toEqual([1 * HOUR, 2 * HOUR]);
    });

    test("from one network do not push those from another off the page", async () => {
      const alert = await publish(store);
      await see(alert, { networkHash: "finder", seenAt: DAWN - 9 * HOUR, note: "the real one" });
      for (let number = 0; number < 9; number++)
        await see(alert, { networkHash: "flood", seenAt: DAWN - number });

      const seen = await store.sightings(alert.id, 4);

      expect(seen.map(({ networkHash }) => networkHash)).toEqual([
        "flood",
        "flood",
        "flood",
        "finder",
      ]);
      expect(seen.map(({ seenAt }) => seenAt)).toEqual([DAWN, DAWN - 1, DAWN - 2, DAWN - 9 * HOUR]);
    });

    test("wait while a limit is full, and count only if they are stored", async () => {
      const alert = await publish(store);
      const hits = [{ key: "seen", max: 1, windowMs: DAY }];
      await see(alert, {}, { hits });

      const second = await see(alert, {}, { hits });

      expect(second).toEqual({ kind: "limited", retryAt: DAWN + DAY });
      expect(await store.sightings(alert.id, 10)).toHaveLength(1);
    });

    test("are outdated if the alert has ended or has another owner", async () => {
      const alert = await publish(store);
      const untold = await see(alert, {}, { to: null });
      await resolve(store, alert);
      const late = await see(alert);
      const orphan = await publish(store, { ownerEmail: null });

      expect([untold.kind, late.kind]).toEqual(["outdated", "outdated"]);
      expect((await see(orphan)).kind).toBe("won");
      expect((await see(orphan, {}, { to: "reader@example.org" })).kind).toBe("outdated");
    });

    test("are deleted with a removed alert, unconfirmed ones too", async () => {
      const alert = await publish(store);
      await see(alert);
      const { pending } = await askToSee(store, alert);

      await store.removeAlert(alert.id, DAWN);

      expect(await store.sightings(alert.id, 10)).toEqual([]);
      expect((await store.pending(pending.id))?.payload).toBeNull();
    });

    test("are erased with the personal data of an ended alert, which then takes no more", async () => {
      const alert = await publish(store);
      await see(alert);
      const ended = { status: "expired", expiresAt: DAWN, endedAt: DAWN } as const;
      await store.changeStatus(alert, ended, DAWN);
      const unowned = { ...alert, ownerEmail: null };
      expect(await store.sightings(alert.id, 10)).toHaveLength(1);

      await store.eraseEnded(DAWN + 1, DAWN + 30 * DAY, 10);

      expect(await store.sightings(alert.id, 10)).toEqual([]);
      expect((await see(unowned)).kind).toBe("outdated");
    });
  });
}
