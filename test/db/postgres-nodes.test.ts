import { expect } from "bun:test";
import { createPostgresStore } from "../../db/postgres/store.ts";
import { publishFor, emailsDue } from "../support/erasures.ts";
import { makeEmail, makeId, makeLink } from "../support/make.ts";
import { postgresTests } from "../support/postgres.ts";
import { atOnce, countOf, onTwoStores, type Races } from "../support/postgres-races.ts";
import { DAWN, DAY, HOUR } from "../support/time.ts";

/** What several nodes do beside each other on one database. */
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
    const outcome = { week: "2026-04-27", type: "lost", species: "cat", days: 3 } as const;
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
      const end = { status: "resolved", expiresAt: one.expiresAt, endedAt: DAWN } as const;
      await store.changeStatus(one, end, DAWN);
      await store.addOutcome(one.id, { ...outcome, how: null, distance: null });
    });
    isOver = true;
    await reading;
    while (await readPage());

    expect(numbers).toHaveLength(16);
  },
};

for (const guard of ["locks", "serializable"] as const)
  postgresTests.describe(`of two nodes on one PostgreSQL database, ${guard}`, () => {
    for (const [name, race] of Object.entries(OF_NODES))
      postgresTests.test(name, () => onTwoStores(createPostgresStore, guard, race));
  });
