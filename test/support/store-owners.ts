import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Alert } from "../../src/core/alert.ts";
import type { Message } from "../../src/core/conversation.ts";
import type { Store } from "../../src/core/store.ts";
import { publish } from "./confirmed.ts";
import { makeAsk, makeBulk, makeLetter, makeLink, makePending } from "./make.ts";
import { DAWN, DAY, HOUR, MINUTE } from "./time.ts";

/** What every store promises of what owners do, and of conversations about their alerts. */
export function describeOwners(name: string, open: () => Store): void {
  describe(`the store on ${name}`, () => {
    let store: Store;
    beforeEach(() => {
      store = open();
    });
    afterEach(() => store.close());

    describe("owners", () => {
      test("a move works on the alert as it was seen, once", async () => {
        const alert = await publish(store);
        const change = { status: "resolved", expiresAt: alert.expiresAt, endedAt: DAWN } as const;

        expect(await store.moveAlert(alert, change, DAWN)).toBe(true);
        expect(await store.moveAlert(alert, change, DAWN)).toBe(false);
        expect(await store.alert({ by: "id", id: alert.id })).toMatchObject(change);
      });

      test("nothing moves or changes an alert whose owner was erased after it was seen", async () => {
        const alert = await publish(store);
        const end = { status: "expired", expiresAt: DAWN, endedAt: DAWN } as const;
        await store.moveAlert(alert, end, DAWN);
        const seen = (await store.alert({ by: "id", id: alert.id }))!;
        await store.eraseEnded(DAWN + 1, DAWN + 1, 10);

        const renewed = { status: "active", expiresAt: DAWN + DAY, endedAt: null } as const;
        expect(await store.moveAlert(seen, renewed, DAWN + 2)).toBe(false);
        expect(await store.editAlert(seen, { ...seen, name: "Other" }, DAWN + 2)).toBe(false);
        expect(await store.alert({ by: "id", id: alert.id })).toMatchObject(end);
      });

      test("removing wipes what was said and who said it, and keeps the names taken", async () => {
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
        expect(await store.codeTaken(alert.shortCode)).toBe(true);
        expect(await store.linkTo("manage", alert.id)).toBeNull();
      });

      test("a link opens its own purpose only", async () => {
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

    describe("conversations", () => {
      async function relay(alert: Alert, stranger: string, now: number) {
        const known = await store.conversationBetween(alert.id, stranger);
        const conversation = known ?? {
          id: `conversation-${alert.id}-${stranger}`,
          alertId: alert.id,
          strangerEmail: `${stranger}@example.org`,
          strangerMark: stranger,
          strangerName: null,
          language: "en" as const,
          createdAt: now,
          closedAt: null,
        };
        const pending = makePending({
          kind: "message",
          names: null,
          addressMark: stranger,
          payload: { kind: "message", alertId: alert.id, text: "hello", name: null, removed: [] },
          createdAt: now,
          expiresAt: now + 48 * HOUR,
        });
        await store.ask(makeAsk({ pending }), now);
        const message: Message = {
          id: `message-${pending.id}`,
          conversationId: conversation.id,
          from: "stranger",
          text: "hello",
          createdAt: now,
        };
        return (
          await store.settle(
            pending.id,
            {
              result: { kind: "message", alertId: alert.id },
              ...(known === null ? { conversation } : {}),
              message,
              links: [],
              letters: [],
            },
            now,
          )
        ).kind;
      }

      test("one stranger writes three times a day to one alert, all strangers together twenty times", async () => {
        const alert = await publish(store);
        const other = await publish(store);

        const one = await Array.fromAsync({ length: 4 }, () => relay(alert, "anna", DAWN));
        expect(one).toEqual(["won", "won", "won", "too_many_messages"]);
        expect(await relay(other, "anna", DAWN)).toBe("won");

        const many = await Array.fromAsync({ length: 18 }, (_, number) =>
          relay(alert, `stranger${number}`, DAWN),
        );
        expect(many.filter((outcome) => outcome === "won")).toHaveLength(17);
        expect(many.at(-1)).toBe("too_many_messages");
        expect(await relay(alert, "anna", DAWN + DAY + MINUTE)).toBe("won");
      });

      test("messages come oldest first, and answers have a share of their own", async () => {
        const alert = await publish(store);
        await relay(alert, "anna", DAWN);
        const conversation = await store.conversationBetween(alert.id, "anna");
        const reply = (number: number) =>
          store.addReply(
            {
              id: `reply-${number}`,
              conversationId: conversation?.id ?? "",
              from: "owner",
              text: `${number}`,
              createdAt: DAWN + number,
            },
            alert.id,
            makeLetter(),
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
  });
}
