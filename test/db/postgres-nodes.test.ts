import { expect } from "bun:test";
import { createPostgresStore } from "../../db/postgres/store.ts";
import { CAPS } from "../../src/core/caps.ts";
import type { Store } from "../../src/core/service/store.ts";
import { emailsDue, publish, publishFor, resolve, subscribe } from "../support/confirmed.ts";
import { LATEST, makeEmail, makeId, makeLink, makeOutcome } from "../support/make.ts";
import { postgresTests } from "../support/postgres.ts";
import {
  addZoneEmail,
  atOnce,
  countOf,
  onTwoStores,
  type Races,
} from "../support/postgres-races.ts";
import { DAWN, DAY, HOUR } from "../support/time.ts";

/** Races of several nodes on one database. */
const OF_NODES: Races = {
  "one node leads at a time, and another takes over once its lease has run out": async (stores) => {
    const [one, other] = stores;
    await one.takeLead("one", HOUR);
    const taken = await atOnce(8, stores, (store, nth) =>
      store.takeLead(nth % 2 === 0 ? "one" : "other", HOUR),
    );
    expect(taken).toEqual([true, false, true, false, true, false, true, false]);

    expect(await one.takeLead("one", 1)).toBe(true);
    while (!(await other.takeLead("other", HOUR)));
    expect(await one.takeLead("one", HOUR)).toBe(false);
  },

  "of nodes that ask for the lead at once, one gets it": async (stores) => {
    const taken = await atOnce(12, stores, (store, nth) => store.takeLead(`node ${nth}`, HOUR));

    expect(countOf(taken, true)).toBe(1);
  },

  "a node that gives the lead up hands it over at once, and no other can give it up": async ([
    one,
    other,
  ]) => {
    await one.takeLead("one", HOUR);
    await other.endLead("other");
    expect(await other.takeLead("other", HOUR)).toBe(false);

    await one.endLead("one");
    expect(await other.takeLead("other", HOUR)).toBe(true);
  },

  "alerts to announce and to compare are divided, and each node keeps its own": async (stores) => {
    const alerts = await Promise.all(
      Array.from({ length: 12 }, () => publishFor(stores[0], `${makeId("owner")}@example.org`)),
    );
    const lists = {
      announce: (store: Store) => store.unannouncedAlerts(6, LATEST),
      compare: (store: Store) => store.alertsToCompare(DAWN, 6, LATEST),
    };
    for (const list of Object.values(lists)) {
      const [one, other] = [await list(stores[0]), await list(stores[1])];

      expect([...one, ...other].map(({ id }) => id).toSorted()).toEqual(
        alerts.map(({ id }) => id).toSorted(),
      );
      expect(await list(stores[0])).toEqual(one);
      expect(await list(stores[1])).toEqual(other);
    }
    const [done] = await lists.announce(stores[0]);
    await stores[0].announce(done!.id, [], DAWN);
    expect((await lists.announce(stores[1])).map(({ id }) => id)).not.toContain(done!.id);
  },

  "mailboxes with news are divided, none is emailed twice": async (stores) => {
    const [store] = stores;
    const alert = await publish(store);
    const zones = await Promise.all(
      Array.from({ length: 20 }, (_, nth) => subscribe(store, { email: `${nth}@example.org` })),
    );
    const news = zones.map(({ zone }) => ({ zoneId: zone.id, dueAt: DAWN }));
    await store.announce(alert.id, news, DAWN);
    await emailsDue(store);

    const [one, other] = await Promise.all(stores.map((node) => node.mailboxesWithNews(DAWN, 10)));
    const all = [...one!, ...other!];
    expect(all.toSorted()).toEqual(zones.map(({ zone }) => zone.email).toSorted());
    const settled = all.map((mailbox) => ({
      mailbox,
      email: {
        email: makeEmail({ to: mailbox, createdAt: DAWN + DAY }),
        alertIds: [alert.id],
        zoneIds: zones.flatMap(({ zone }) => (zone.email === mailbox ? [zone.id] : [])),
        countsMore: false,
      },
      links: [],
    }));
    await atOnce(4, stores, (node) => node.addZoneEmails(settled, { upTo: DAWN, now: DAWN }));

    const sent = await store.leaseEmails(DAWN + 2 * DAY, HOUR, 100);
    expect(sent.map(({ to }) => to).toSorted()).toEqual(all.toSorted());
    // Further news of the same mailboxes is anyone's.
    const later = await publish(store);
    await store.announce(later.id, news, DAWN);
    expect(await stores[1].mailboxesWithNews(DAWN, 20)).toHaveLength(20);
  },

  "a mailbox gets no more emails about zones than its limit, whatever two nodes have read": async (
    stores,
  ) => {
    const [store] = stores;
    const { zone } = await subscribe(store);
    const { max } = CAPS.zoneEmailsPerMailbox;
    const alerts = await Promise.all(Array.from({ length: max + 3 }, () => publish(store)));
    for (const { id } of alerts) await store.announce(id, [{ zoneId: zone.id, dueAt: DAWN }], DAWN);
    await emailsDue(store);

    await atOnce(alerts.length, stores, (node, nth) => addZoneEmail(node, zone, alerts[nth]!.id));

    expect(await emailsDue(store)).toHaveLength(max);
  },

  "a link that two emails want to bring is stored once, and no email has another": async (
    stores,
  ) => {
    const alert = await publishFor(stores[0], "owner@example.org");
    await emailsDue(stores[0]);

    await atOnce(8, stores, (store, nth) =>
      store.addReminder(alert, DAY + nth, makeEmail({ createdAt: DAWN + DAY }), [
        makeLink({ purpose: "unsubscribe", subject: `reminders:${alert.id}` }),
      ]),
    );

    expect(await emailsDue(stores[0])).toHaveLength(1);
  },

  "an export that follows the outcomes misses none": async (stores) => {
    const alerts = await Promise.all(
      Array.from({ length: 16 }, () => publishFor(stores[0], `${makeId("owner")}@example.org`)),
    );
    let isOver = false;
    const numbers: number[] = [];
    const readPage = async () => {
      const page = await stores[1].outcomesAfter(numbers.at(-1) ?? 0, 5);
      numbers.push(...page.map(({ number }) => number));
      return page.length > 0;
    };
    const reading = (async () => {
      while (!isOver) await readPage();
    })();

    await atOnce(16, stores, async (store, nth) => {
      const one = alerts[nth]!;
      await resolve(store, one);
      await store.addOutcome(one.id, makeOutcome());
    });
    isOver = true;
    await reading;
    while (await readPage());

    expect(numbers).toHaveLength(16);
  },
};

postgresTests.describe("of two nodes on one PostgreSQL database", () => {
  for (const [name, race] of Object.entries(OF_NODES))
    postgresTests.test(name, () => onTwoStores(createPostgresStore, race));
});
