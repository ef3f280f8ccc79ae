import { expect } from "bun:test";
import { createPostgresStore } from "../../db/postgres/store.ts";
import { CAPS, QUOTAS } from "../../src/core/caps.ts";
import type { Store } from "../../src/core/service/store.ts";
import { weakened } from "../chaos/weakened.ts";
import {
  addRequest,
  confirmZone,
  emailsDue,
  loadAlert,
  publish,
  publishFor,
  relay,
  subscribe,
} from "../support/confirmed.ts";
import {
  LATEST,
  likelyPair,
  makeBulk,
  makeEmail,
  makeId,
  makeLink,
  makeMessage,
  makePending,
  makeRequest,
  publicationOf,
} from "../support/make.ts";
import { postgresTests } from "../support/postgres.ts";
import {
  addZoneEmail,
  atOnce,
  countOf,
  onTwoStores,
  type Races,
} from "../support/postgres-races.ts";
import { DAWN, DAY, HOUR, MINUTE } from "../support/time.ts";

const waiting = async (store: Store) => (await store.outboxState()).waiting;

/** Races in which a store that read first and wrote later, without a lock, would break a limit. */
const OF_LIMITS: Races = {
  "a limit holds": async (stores) => {
    const hit = { key: "one", max: 5, windowMs: HOUR };

    const refused = await atOnce(30, stores, (store) => store.countHits([hit], DAWN));

    expect(countOf(refused, null)).toBe(5);
  },

  "a limit holds when those who came first are counted last": async (stores) => {
    const hit = { key: "one", max: 5, windowMs: HOUR };

    const refused = await atOnce(30, stores, (store, nth) => store.countHits([hit], DAWN - nth));

    expect(countOf(refused, null)).toBe(5);
  },

  "a mailbox gets no more confirmation emails than its budget": async (stores) => {
    await atOnce(20, stores, (store, nth) =>
      store.addPending(
        makeRequest({ pending: makePending({ networkHash: `network ${nth}` }) }),
        DAWN - nth,
      ),
    );

    expect(await waiting(stores[0])).toBe(CAPS.confirmationEmailsPerMailbox.max);
  },

  "a network makes no more unconfirmed requests than its limit": async (stores) => {
    const unconfirmed = { max: 16, windowMs: HOUR };

    await atOnce(2 * unconfirmed.max, stores, (store) => {
      const pending = makePending({ addressHash: makeId("mark") });
      return store.addPending(makeRequest({ pending, unconfirmed }), DAWN);
    });

    expect(await waiting(stores[0])).toBe(unconfirmed.max);
  },

  "a mail domain gets no more emails than its limit": async (stores) => {
    const domain = { key: "small-domain", max: 7, windowMs: HOUR };
    const ask = (store: Store, addressHash: string, networkHash: string) =>
      store.addPending(
        makeRequest({ pending: makePending({ addressHash, networkHash }), domain }),
        DAWN,
      );
    for (const mark of ["a", "b", "c", "d", "e"]) await ask(stores[0], mark, "first");

    await atOnce(10, stores, (store, nth) => ask(store, "abcde"[nth % 5] ?? "", `network ${nth}`));

    expect(await waiting(stores[0])).toBe(domain.max);
  },

  "the same request is made once": async (stores) => {
    const contentHash = makeId("content");

    // The clocks of two nodes differ, and who asked first may come last.
    const outcomes = await atOnce(10, stores, (store, nth) => {
      const createdAt = DAWN - nth;
      const pending = makePending({ contentHash, addressHash: makeId("mark"), createdAt });
      return store.addPending(makeRequest({ pending }), createdAt);
    });

    const repeats = outcomes.map((one) => (one.kind === "kept" ? one.pending.repeats : "refused"));
    expect(countOf(repeats, null)).toBe(1);
    expect(await waiting(stores[0])).toBe(1);
  },

  "a mailbox has no more zones than it may": async (stores) => {
    for (let nth = 2; nth < QUOTAS.zonesPerMailbox; nth++)
      await subscribe(stores[0], { radiusKm: nth });

    const outcomes = await atOnce(6, stores, async (store, nth) => {
      const { outcome } = await confirmZone(store, { radiusKm: 20 + nth });
      return outcome.kind;
    });

    expect(countOf(outcomes, "won")).toBe(2);
    expect(countOf(outcomes, "zones_full")).toBe(4);
  },

  "a mailbox has each circle once": async (stores) => {
    await atOnce(6, stores, (store) => confirmZone(store));

    expect(await stores[0].zonesOf("reader@example.org", 10)).toHaveLength(1);
  },

  "a report is kept once": async (stores) => {
    const { id: alertId } = await publish(stores[0]);
    const same = { alertId, conversationId: null, reason: "scam", text: "same" } as const;

    await atOnce(8, stores, (store) =>
      store.addReport({ id: makeId("report"), ...same, createdAt: DAWN }, []),
    );

    expect(await stores[0].openReports(10)).toHaveLength(1);
  },
};

const OTHERS: Races = {
  "a request is confirmed once": async (stores) => {
    const request = await addRequest(stores[0]);
    const changes = publicationOf(request.pending);

    const outcomes = await atOnce(10, stores, async (store) => {
      const { kind } = await store.confirmPending(request.pending.id, changes, DAWN);
      return kind;
    });

    expect(countOf(outcomes, "won")).toBe(1);
    expect(countOf(outcomes, "late")).toBe(9);
    expect(await stores[0].alertsAfter(null, 10)).toHaveLength(1);
  },

  "one short code names one alert": async (stores) => {
    const { names } = makePending();
    const outcomes = await atOnce(6, stores, async (store) => {
      const pending = makePending({ names, addressHash: makeId("mark") });
      const request = makeRequest({ pending });
      return store.addPending(request, DAWN).then(
        ({ kind }) => kind,
        () => "refused",
      );
    });

    expect(countOf(outcomes, "kept")).toBe(1);
    expect(countOf(outcomes, "refused")).toBe(5);
  },

  "one source is imported once": async (stores) => {
    const source = makeId("source");

    const added = await atOnce(6, stores, (store) => store.addAlerts([makeBulk({ source })], DAWN));

    expect(added.flat()).toEqual([source]);
  },

  "a status changes once, and an edit is not lost": async (stores) => {
    const [one, two] = [await publish(stores[0]), await publish(stores[0])];
    const end = { status: "resolved", expiresAt: one.expiresAt, endedAt: DAWN } as const;

    const ended = await atOnce(8, stores, (store) => store.changeStatus(one, end, DAWN));
    const edited = await atOnce(8, stores, (store, nth) =>
      store.editAlert(two, { ...two, description: `edit ${nth}` }, DAWN, [HOUR]),
    );

    expect(countOf(ended, true)).toBe(1);
    expect(countOf(edited, true)).toBe(1);
    const { description } = await loadAlert(stores[1], two.id);
    expect(description).toBe(`edit ${edited.indexOf(true)}`);
  },

  "every change has a revision of its own, and a reader misses none": async (stores) => {
    const seen: number[] = [];
    let since = 0;
    const readPage = async () => {
      const page = await stores[1].changesSince(since, 3);
      for (const change of page.alerts)
        if (change.kind === "put") seen.push(change.alert.publishedAt);
      since = page.revision;
      return page.more;
    };
    let isOver = false;
    const reading = (async () => {
      while (!isOver) await readPage();
    })();

    await atOnce(24, stores, (store) => publishFor(store, `${makeId("owner")}@example.org`));
    isOver = true;
    await reading;
    while (await readPage());

    expect(since).toBe(24);
    expect(new Set(seen).size).toBe(24);
    const alerts = await stores[0].alertsAfter(null, 100);
    expect(seen.toSorted((a, b) => a - b)).toEqual(alerts.map(({ publishedAt }) => publishedAt));
  },

  "an email is leased once": async (stores) => {
    for (let nth = 0; nth < 30; nth++)
      await stores[0].addPending(
        makeRequest({ pending: makePending({ addressHash: makeId("mark") }) }),
        DAWN,
      );

    const leased = (await atOnce(12, stores, (store) => store.leaseEmails(DAWN, MINUTE, 5))).flat();

    expect(leased).toHaveLength(30);
    expect(new Set(leased.map(({ id }) => id)).size).toBe(30);
  },

  "news for a zone is emailed once": async (stores) => {
    const [store] = stores;
    const { zone } = await subscribe(store);
    const alert = await publish(store);
    await store.announce(alert.id, [{ zoneId: zone.id, dueAt: DAWN }], DAWN);
    await emailsDue(store);

    await atOnce(8, stores, (one) => addZoneEmail(one, zone, alert.id));

    expect(await emailsDue(store)).toHaveLength(1);
  },

  "a reminder is sent once": async (stores) => {
    const alert = await publishFor(stores[0], "owner@example.org");
    await emailsDue(stores[0]);

    await atOnce(8, stores, (store) =>
      store.addReminder(alert, DAY, makeEmail({ createdAt: DAWN + DAY }), [makeLink()]),
    );

    expect(await emailsDue(stores[0])).toHaveLength(1);
  },

  "a pair is found once, and its owner is told once": async (stores) => {
    const [store] = stores;
    const lost = await publishFor(store, "owner@example.org");
    const found = await publishFor(store, "finder@example.org", { type: "found" });
    await emailsDue(store);
    const pairs = [likelyPair(lost.id, found.id, 90)];
    const limit = (key: string) => ({ key, max: 99, windowMs: DAY });

    await atOnce(4, stores, (one, nth) =>
      one.addPairs(nth < 2 ? lost : found, pairs, limit("comparison"), DAWN),
    );
    expect(await store.matchNotices(DAWN, 10)).toHaveLength(2);
    await atOnce(4, stores, (one) =>
      one.queueMatchEmail(
        { alertId: lost.id, otherId: found.id },
        { email: makeEmail({ to: "owner@example.org", createdAt: DAWN + DAY }), links: [] },
        { perAlert: null, perMailbox: limit("mailbox"), digestAt: DAWN + DAY },
        DAWN,
      ),
    );

    expect(await emailsDue(store)).toHaveLength(1);
  },

  "a photo is never both used and left over": async (stores) => {
    const [store] = stores;
    const name = "a".repeat(64);
    const one = await publishFor(store, "one@example.org", { photos: [name] });
    const two = await publishFor(store, "two@example.org");
    const users = [one, two];
    for (let round = 0; round < 6; round++) {
      const [from, to] = round % 2 === 0 ? [0, 1] : [1, 0];
      const [drops, takes] = [
        await loadAlert(store, users[from]!.id),
        await loadAlert(store, users[to]!.id),
      ];

      const edited = await Promise.all([
        stores[0].editAlert(drops, { ...drops, photos: [] }, DAWN),
        stores[1].editAlert(takes, { ...takes, photos: [name] }, DAWN),
      ]);

      expect(edited).toEqual([true, true]);
      expect(await store.photosInUse([name])).toEqual([name]);
      expect(await store.unusedPhotos(DAWN, 10)).toEqual([]);
    }
  },

  "a conversation begins once": async (stores) => {
    const alert = await publish(stores[0]);

    const outcomes = await atOnce(6, stores, async (store) => {
      const { kind } = await relay(store, alert, "stranger");
      return kind;
    });

    const { id } = (await stores[0].conversationBetween(alert.id, "stranger"))!;
    const messages = await stores[0].messages(id, 10);
    expect(messages.length).toBe(countOf(outcomes, "won"));
    expect(countOf(outcomes, "won") + countOf(outcomes, "outdated")).toBe(6);
  },

  "replies keep to their limit": async (stores) => {
    const [store] = stores;
    const alert = await publish(store);
    await relay(store, alert, "stranger");
    const { id: conversationId } = (await store.conversationBetween(alert.id, "stranger"))!;
    const { max } = CAPS.repliesPerConversationSide;

    const outcomes = await atOnce(max + 10, stores, (one, nth) =>
      one.addReply(
        makeMessage(conversationId, { text: `reply ${nth}`, createdAt: DAWN - nth }),
        alert.id,
        makeEmail(),
      ),
    );

    expect(countOf(outcomes, "kept")).toBe(max);
    expect(countOf(outcomes, "too_many")).toBe(10);
  },

  "the same reply is kept once": async (stores) => {
    const [store] = stores;
    const alert = await publish(store);
    await relay(store, alert, "stranger");
    const { id: conversationId } = (await store.conversationBetween(alert.id, "stranger"))!;

    await atOnce(8, stores, (one, nth) =>
      one.addReply(makeMessage(conversationId, { createdAt: DAWN - nth }), alert.id, makeEmail()),
    );

    const messages = await store.messages(conversationId, 20);
    expect(messages.filter(({ from }) => from === "owner")).toHaveLength(1);
  },

  "nothing that was added meanwhile outlives a removal": async (stores) => {
    for (let round = 0; round < 5; round++) {
      const alert = await publishFor(stores[0], "owner@example.org");
      const { zone } = await subscribe(stores[0], {
        radiusKm: round + 1,
        email: `${round}@example.org`,
      });
      await stores[0].announce(alert.id, [{ zoneId: zone.id, dueAt: DAWN }], DAWN);
      await emailsDue(stores[0]);
      const due = () => makeEmail({ createdAt: DAWN + DAY });

      await Promise.all([
        stores[0].removeAlert(alert.id, DAWN),
        relay(stores[1], alert, "stranger", {
          ownerEmail: { email: due(), hits: [] },
        }),
        addZoneEmail(stores[1], zone, alert.id),
        stores[0].addReminder(alert, DAY, due(), []),
      ]);

      const left = await stores[1].leaseEmails(DAWN + 2 * DAY, MINUTE, 100);
      expect(left.filter(({ content }) => content.kind !== "confirm")).toEqual([]);
      expect(await stores[0].conversationBetween(alert.id, "stranger")).toBeNull();
      expect(await stores[0].unannouncedAlerts(10, LATEST)).not.toContainEqual(alert);
    }
  },

  "a link about several alerts ends with the last two of them, which are removed at once": async (
    stores,
  ) => {
    for (let round = 0; round < 5; round++) {
      const owner = `${makeId("owner")}@example.org`;
      const alerts = [await publishFor(stores[0], owner), await publishFor(stores[0], owner)];
      const link = makeLink({ purpose: "unsubscribe", subject: `all-plans:${owner}` });
      await stores[0].addPlanEmail([{ alert: alerts[0]!, day: 1 }], makeEmail({ to: owner }), [
        link,
      ]);

      await Promise.all(alerts.map(({ id }, nth) => stores[nth]!.removeAlert(id, DAWN)));

      expect(await stores[0].linkTo("unsubscribe", link.subject)).toBeNull();
    }
  },

  "a person whose data is erased twice at once is erased once": async (stores) => {
    for (let nth = 0; nth < 3; nth++) await publishFor(stores[0], "owner@example.org");
    const begun = await stores[0].beginErasure("owner@example.org", DAWN);

    await atOnce(4, stores, async (store) => {
      while (!(await store.continueErasure(begun, 1, DAWN)));
    });

    expect(await stores[0].dataInventory("owner@example.org")).toMatchObject({ alerts: 0 });
    expect(await stores[0].mailboxStatus("owner@example.org")).toBe("none");
  },
};

postgresTests.describe("of two stores on one PostgreSQL database", () => {
  for (const [name, race] of Object.entries({ ...OF_LIMITS, ...OTHERS }))
    postgresTests.test(name, () => onTwoStores(createPostgresStore, race));
});

const TRIES_MAX = 10;

postgresTests.describe("without locks", () => {
  postgresTests.test("none of the limits holds", async () => {
    const copy = await weakened({
      module: "db/postgres/nodes.ts",
      name: "lockSubjects",
      instead: "async () => {}",
    });
    try {
      const { createPostgresStore: create } =
        await copy.load<typeof import("../../db/postgres/store.ts")>("db/postgres/store.ts");
      const held: string[] = [];
      for (const [name, race] of Object.entries(OF_LIMITS)) {
        let isBroken = false;
        // A race can end well by chance.
        for (let tries = 0; tries < TRIES_MAX && !isBroken; tries++)
          isBroken = await onTwoStores(create, race).then(
            () => false,
            () => true,
          );
        if (!isBroken) held.push(name);
      }
      expect(held).toEqual([]);
    } finally {
      copy.remove();
    }
  });
});
