import { describe, expect, test } from "bun:test";
import { QUOTAS } from "../../src/core/caps.ts";
import type { Zone } from "../../src/core/zones/zone.ts";
import type { PrivateLink } from "../../src/core/people/link-store.ts";
import type { ZoneEmail } from "../../src/core/zones/zone-store.ts";
import { confirmZone, publish, subscribe, resolve } from "./confirmed.ts";
import { LATEST, makeBulk, makeEmail, makeLink } from "./make.ts";
import { store } from "./opened-store.ts";
import { DAWN, DAY, HOUR, MINUTE } from "./time.ts";

const READER = "reader@example.org";
const OTHER = "other@example.org";

/** Store contract: zones and their news. */
export function describeZones(): void {
  const emailFor = (
    zones: readonly Zone[],
    alertIds: readonly string[],
    about: Partial<ZoneEmail> = {},
  ): ZoneEmail => ({
    email: makeEmail(),
    alertIds,
    zoneIds: zones.map(({ id }) => id),
    countsMore: false,
    ...about,
  });
  const announce = (
    alertId: string,
    zoneIds: readonly string[],
    dueAt: number,
    which?: { readonly more: boolean },
  ) =>
    store.announce(
      alertId,
      zoneIds.map((zoneId) => ({ zoneId, dueAt })),
      dueAt,
      which,
    );
  const atDawn = { upTo: DAWN, now: DAWN };
  const settle = (
    mailbox: string,
    email: ZoneEmail | null,
    links: readonly PrivateLink[],
    times: { readonly upTo: number; readonly now: number },
  ) => store.addZoneEmails([{ mailbox, email, links }], times);
  const newsOf = async (mailbox: string, upTo: number, limit: number) => {
    const [news] = await store.mailboxNews([mailbox], upTo, limit);
    return news!;
  };
  const send = (mailbox: string, email: ZoneEmail, at = DAWN) =>
    settle(mailbox, email, [], { upTo: at, now: at });
  const waiting = async () => (await store.outboxState()).waiting;

  describe("zones", () => {
    test("get an alert as news once, however often it is announced", async () => {
      const alert = await publish(store);
      const { zone } = await subscribe(store);
      await announce(alert.id, [zone.id], DAWN);
      await announce(alert.id, [zone.id], DAWN);

      expect((await newsOf(READER, DAWN, 10)).total).toBe(1);
      const before = await waiting();
      await send(READER, emailFor([zone], [alert.id]));
      await send(READER, emailFor([zone], [alert.id]));

      expect((await waiting()) - before).toBe(1);
      expect(await store.mailboxesWithNews(DAWN, 10)).toEqual([]);
    });

    test("of one mailbox are emailed together, without those of another spelling", async () => {
      const alert = await publish(store);
      const other = await publish(store);
      const { zone: home } = await subscribe(store);
      const { zone: work } = await subscribe(store, { radiusKm: 9 });
      const spelling = "Reader@example.org";
      const { zone: foreign } = await subscribe(store, { email: spelling });
      await announce(alert.id, [home.id, work.id, foreign.id], DAWN);
      await announce(other.id, [work.id], DAWN);

      expect(await store.mailboxesWithNews(DAWN, 10)).toEqual([READER, spelling]);
      const news = await newsOf(READER, DAWN, 10);
      expect(news.total).toBe(2);
      expect(news.zones.map(({ id }) => id)).toEqual([home.id, work.id]);
      expect(news.alerts.map(({ id }) => id)).toEqual([other.id, alert.id]);

      const link = makeLink({ purpose: "unsubscribe", subject: `zones:${home.id},${work.id}` });
      await settle(READER, emailFor([home, work], [alert.id]), [link], atDawn);
      expect(await store.linkTo("unsubscribe", link.subject)).toEqual(link);
    });

    test("do not repeat news that the mailbox got for another zone", async () => {
      const alert = await publish(store);
      const { zone: home } = await subscribe(store);
      const { zone: work } = await subscribe(store, { radiusKm: 9 });
      await announce(alert.id, [home.id], DAWN, { more: true });
      await send(READER, emailFor([home], [alert.id]));
      await announce(alert.id, [home.id, work.id], DAWN);

      expect((await newsOf(READER, DAWN, 10)).total).toBe(0);
      await settle(READER, null, [], atDawn);
      expect(await store.mailboxesWithNews(DAWN, 10)).toEqual([]);
    });

    test("that ended since they were read get no email, and the others get it with the next tick", async () => {
      const alert = await publish(store);
      const { zone: home } = await subscribe(store);
      const { zone: work } = await subscribe(store, { radiusKm: 9 });
      await announce(alert.id, [home.id, work.id], DAWN);
      await store.endZone(work.id, DAWN);
      const before = await waiting();

      await send(READER, emailFor([home, work], [alert.id]));

      expect(await waiting()).toBe(before);
      expect((await newsOf(READER, DAWN, 10)).zones).toEqual([home]);
    });

    test("get no news of own or ended alerts, and all news is counted", async () => {
      const { zone } = await subscribe(store, { email: "Reader@example.org" });
      const own = await publish(store, { ownerEmail: READER });
      const ended = await publish(store);
      await resolve(store, ended);
      const others = [await publish(store), await publish(store), await publish(store)];
      for (const alert of [own, ended, ...others]) await announce(alert.id, [zone.id], DAWN);

      const news = await newsOf("Reader@example.org", DAWN, 2);

      expect(news.total).toBe(3);
      expect(news.alerts.map(({ id }) => id)).toEqual(
        others
          .slice(1)
          .reverse()
          .map(({ id }) => id),
      );
    });

    test("get no news of a removed alert, and the rest of its email is news again", async () => {
      const [gone, kept] = [await publish(store), await publish(store)];
      const { zone } = await subscribe(store);
      for (const alert of [gone, kept]) await announce(alert.id, [zone.id], DAWN);
      await send(READER, emailFor([zone], [gone.id], { countsMore: true }));
      const before = await waiting();

      await store.removeAlert(gone.id, DAWN);

      // The email of its own publication does not matter here: it is about nothing.
      expect(before - (await waiting())).toBeGreaterThanOrEqual(1);
      const news = await newsOf(READER, DAWN, 10);
      expect(news.alerts.map(({ id }) => id)).toEqual([kept.id]);
    });

    test("an alert is unannounced until it is announced", async () => {
      const alert = await publish(store);
      await store.addAlerts([makeBulk({ announce: false })], DAWN);

      expect((await store.unannouncedAlerts(10, LATEST)).map(({ id }) => id)).toEqual([alert.id]);
      await announce(alert.id, [], DAWN);
      expect(await store.unannouncedAlerts(10, LATEST)).toEqual([]);
    });

    test("alerts that changed after a revision are not announced as of it", async () => {
      const early = await publish(store);
      const revision = (await store.position()).revision;
      const late = await publish(store);

      const idsUpTo = async (upTo: number) =>
        (await store.unannouncedAlerts(10, upTo)).map(({ id }) => id);
      expect(await idsUpTo(revision)).toEqual([early.id]);
      expect(await idsUpTo((await store.position()).revision)).toEqual([early.id, late.id]);
    });

    test("an alert stays unannounced while more of its zones follow, and an ended zone is left out", async () => {
      const alert = await publish(store);
      const [{ zone: first }, { zone: second }, { zone: ended }] = [
        await subscribe(store),
        await subscribe(store, { email: "second@example.org" }),
        await subscribe(store, { email: "third@example.org" }),
      ];
      await store.endZone(ended.id, DAWN);

      await announce(alert.id, [first.id], DAWN, { more: true });
      expect(await store.unannouncedAlerts(10, LATEST)).toHaveLength(1);

      // Again from the start, as after an interruption.
      await announce(alert.id, [first.id, ended.id, second.id], DAWN);
      expect(await store.unannouncedAlerts(10, LATEST)).toEqual([]);
      expect(new Set(await store.mailboxesWithNews(DAWN, 10))).toEqual(
        new Set([READER, "second@example.org"]),
      );
    });

    test("a page of mailboxes with news is full as long as there are more, even if some have much news", async () => {
      const { zone: first } = await subscribe(store);
      const { zone: second } = await subscribe(store, { email: OTHER });
      const alerts = [await publish(store), await publish(store), await publish(store)];
      for (const { id } of alerts) await announce(id, [first.id], DAWN);
      await announce(alerts[0]!.id, [second.id], DAWN + 1);

      expect(await store.mailboxesWithNews(DAWN + 1, 2)).toEqual([READER, OTHER]);
    });

    test("a large backlog that may not be sent yet does not delay other news", async () => {
      const { zone: full } = await subscribe(store);
      const { zone: fresh } = await subscribe(store, { email: OTHER });
      const bulk = Array.from({ length: 1_203 }, () => makeBulk({ announce: false }));
      await store.addAlerts(bulk, DAWN);
      const [last, ...others] = bulk.map(({ draft }) => draft.id).toReversed();
      if (last === undefined) throw new Error("many were made");
      for (const id of others.slice(0, 3)) {
        await announce(id, [full.id], DAWN);
        await send(READER, emailFor([full], [id]));
      }
      for (const id of others.slice(3)) await announce(id, [full.id], DAWN);
      await announce(last, [fresh.id], DAWN);

      expect(await store.mailboxesWithNews(DAWN, 10)).toEqual([OTHER]);
    });

    test("much news of one mailbox does not delay that of others", async () => {
      const { zone: busy } = await subscribe(store);
      const { zone: calm } = await subscribe(store, { email: OTHER });
      const bulk = Array.from({ length: 1_001 }, () => makeBulk({ announce: false }));
      await store.addAlerts(bulk, DAWN);
      for (const { draft } of bulk) await announce(draft.id, [busy.id], DAWN);
      await announce(bulk[0]!.draft.id, [calm.id], DAWN);

      expect(await store.mailboxesWithNews(DAWN, 10)).toEqual([READER, OTHER]);
    });

    test("a mailbox that got its emails of the hour, for any of its zones, waits; emails dated in the future do not count", async () => {
      const { zone: full } = await subscribe(store);
      const { zone: fuller } = await subscribe(store, { radiusKm: 9 });
      const { zone: fresh } = await subscribe(store, { email: OTHER });
      const tell = async (mailbox: string, zone: Zone, at: number) => {
        const alert = await publish(store);
        await announce(alert.id, [zone.id], at);
        await send(mailbox, emailFor([zone], [alert.id]), at);
      };
      for (const zone of [full, fuller, full]) await tell(READER, zone, DAWN);
      for (let number = 0; number < 3; number++) await tell(OTHER, fresh, DAWN + 400 * DAY);
      const alert = await publish(store);
      await announce(alert.id, [fuller.id, fresh.id], DAWN + 1);

      expect(await store.mailboxesWithNews(DAWN + 1, 1)).toEqual([OTHER]);
      expect(await store.mailboxesWithNews(DAWN + HOUR, 10)).toContain(READER);
    });

    test("an email with news that was held back is the only one for an hour; one with several alerts need not be", async () => {
      const { zone } = await subscribe(store);
      const { zone: wider } = await subscribe(store, { radiusKm: 9 });
      const queue = async (dueAt: number) => {
        const { id } = await publish(store);
        await announce(id, [zone.id, wider.id], dueAt);
        return id;
      };
      const several = [await queue(DAWN), await queue(DAWN)];
      await send(READER, emailFor([zone, wider], several));
      await queue(DAWN + MINUTE);
      expect(await store.mailboxesWithNews(DAWN + MINUTE, 10)).toEqual([READER]);

      for (const at of [DAWN + MINUTE, DAWN + 2 * MINUTE])
        await send(READER, emailFor([zone, wider], [await queue(at)], { countsMore: true }), at);

      const held = await queue(DAWN + 3 * MINUTE);
      expect(await store.mailboxesWithNews(DAWN + 3 * MINUTE, 10)).toEqual([]);
      expect(await store.mailboxesWithNews(DAWN + HOUR, 10)).toEqual([READER]);
      await send(READER, emailFor([zone, wider], [held], { countsMore: true }), DAWN + HOUR);
      await queue(DAWN + HOUR + 5 * MINUTE);

      expect(await store.mailboxesWithNews(DAWN + 2 * HOUR - 1, 10)).toEqual([]);
      expect(await store.mailboxesWithNews(DAWN + 2 * HOUR, 10)).toEqual([READER]);
    });

    test("are emailed when their news is due, with what is due shortly after, and not with later news", async () => {
      const { zone } = await subscribe(store);
      const { zone: daily } = await subscribe(store, { radiusKm: 9 });
      const [first, soon, later] = [
        await publish(store),
        await publish(store),
        await publish(store),
      ];
      await announce(first.id, [zone.id], DAWN + MINUTE);
      await announce(soon.id, [zone.id], DAWN + 2 * MINUTE);
      await announce(later.id, [daily.id], DAWN + DAY);
      expect(await store.mailboxesWithNews(DAWN + MINUTE - 1, 10)).toEqual([]);
      expect(await store.mailboxesWithNews(DAWN + MINUTE, 10)).toEqual([READER]);

      const upTo = DAWN + 2 * MINUTE;
      const news = await newsOf(READER, upTo, 10);
      expect(news.zones).toEqual([zone]);
      expect(news.alerts.map(({ id }) => id)).toEqual([soon.id, first.id]);
      const email = emailFor([zone], [first.id], { countsMore: true });
      await settle(READER, email, [], { upTo, now: DAWN + MINUTE });

      expect((await newsOf(READER, upTo, 10)).total).toBe(0);
      expect((await newsOf(READER, DAWN + DAY, 10)).zones).toEqual([daily]);
      expect(await store.mailboxesWithNews(DAWN + DAY, 10)).toEqual([READER]);
    });

    test("lose no news that became due after it was read", async () => {
      const { zone } = await subscribe(store);
      const [read, missed] = [await publish(store), await publish(store)];
      await announce(read.id, [zone.id], DAWN);
      const email = emailFor([zone], [read.id]);
      await announce(missed.id, [zone.id], DAWN);

      await send(READER, email);

      const { alerts } = await newsOf(READER, DAWN, 10);
      expect(alerts.map(({ id }) => id)).toEqual([missed.id]);
    });

    test("have news that was dated by a clock far ahead, and is due", async () => {
      const { zone } = await subscribe(store);
      const alert = await publish(store);
      await announce(alert.id, [zone.id], DAWN + 400 * DAY);
      expect(await store.mailboxesWithNews(DAWN, 10)).toEqual([]);
      await store.recordHeartbeat({ at: DAWN, steadySince: DAWN });

      expect(await store.mailboxesWithNews(DAWN, 10)).toEqual([READER]);
      expect((await newsOf(READER, DAWN, 10)).total).toBe(1);
      await send(READER, emailFor([zone], [alert.id]));
      expect(await store.mailboxesWithNews(DAWN, 10)).toEqual([]);
    });

    test("an ended zone loses its link, its address and its waiting emails", async () => {
      const alert = await publish(store);
      const { zone, link } = await subscribe(store);
      await announce(alert.id, [zone.id], DAWN);
      await send(READER, emailFor([zone], [alert.id]));
      const before = await waiting();

      await store.endZone(zone.id, DAWN);
      await store.endZone(zone.id, DAWN);

      expect(await store.zone(zone.id)).toBeNull();
      expect(await store.link(link.tokenHash, "unsubscribe")).toBeNull();
      expect(before - (await waiting())).toBe(1);
      expect((await store.changesSince(0, 100)).zones).toEqual([{ kind: "drop", id: zone.id }]);
    });

    test("a waiting email is withdrawn with one of its zones, and is news again for the others", async () => {
      const alert = await publish(store);
      const { zone: home } = await subscribe(store);
      const { zone: work } = await subscribe(store, { radiusKm: 9 });
      await announce(alert.id, [home.id, work.id], DAWN);
      const subject = `zones:${home.id},${work.id}`;
      const link = makeLink({ purpose: "unsubscribe", subject });
      await settle(READER, emailFor([home, work], [alert.id]), [link], atDawn);
      const before = await waiting();

      await store.endZone(work.id, DAWN);

      expect(before - (await waiting())).toBe(1);
      expect((await newsOf(READER, DAWN, 10)).zones).toEqual([home]);
      expect(await store.linkTo("unsubscribe", subject)).toEqual(link);
      await store.endZone(home.id, DAWN);
      expect(await store.linkTo("unsubscribe", subject)).toBeNull();
    });

    test("are limited to ten per mailbox; one more waits until another has ended", async () => {
      const zones: Zone[] = [];
      for (let number = 1; number <= QUOTAS.zonesPerMailbox; number++)
        zones.push((await subscribe(store, { radiusKm: number })).zone);

      const eleventh = { radiusKm: 11 };
      expect((await confirmZone(store, eleventh)).outcome).toEqual({ kind: "zones_full" });
      expect((await confirmZone(store, { email: OTHER })).outcome.kind).toBe("won");
      expect(await store.zonesOf(READER, 20)).toEqual(zones);
      await store.endZone(zones[3]!.id, DAWN);
      expect((await confirmZone(store, eleventh)).outcome.kind).toBe("won");
    });

    test("with the same circle and filters are one zone, the first", async () => {
      const { zone } = await subscribe(store, { species: "cat" });
      const again = await confirmZone(store, { species: "cat" });
      const differing = [{ species: "dog" }, { type: "lost" }, { radiusKm: 6 }, {}] as const;
      for (const about of differing) await confirmZone(store, about);

      const pending = await store.pending(again.pendingId);
      expect(again.outcome.kind).toBe("won");
      expect(pending?.result).toEqual({ kind: "zone", zoneId: zone.id });
      expect(await store.zonesOf(READER, 20)).toHaveLength(1 + differing.length);
      await store.endZone(zone.id, DAWN);
      await confirmZone(store, { species: "cat" });
      expect(await store.zonesOf(READER, 20)).toHaveLength(1 + differing.length);
    });

    test("are emailed as often as the last confirmation says, or a change since; the index hears of it", async () => {
      const { zone } = await subscribe(store);
      const { zone: other } = await subscribe(store, { radiusKm: 9 });
      await confirmZone(store, { frequency: "daily" });
      expect(await store.zone(zone.id)).toEqual({ ...zone, frequency: "daily" });

      const { revision } = await store.changesSince(0, 100);
      await store.setZoneFrequency(zone.id, "daily");
      expect((await store.changesSince(revision, 100)).zones).toEqual([]);
      await store.setZoneFrequency(zone.id, "at_once");
      expect((await store.changesSince(revision, 100)).zones).toMatchObject([
        { kind: "put", zone: { id: zone.id, frequency: "at_once" } },
      ]);
      expect(await store.zonesOf(READER, 20)).toEqual([zone, other]);
      await store.endZone(zone.id, DAWN);
      await store.setZoneFrequency(zone.id, "daily");
      expect(await store.zone(zone.id)).toBeNull();
    });
  });
}
