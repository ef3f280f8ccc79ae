import { describe, expect, test } from "bun:test";
import { type Weakening, without, withoutCaps } from "../chaos/weakened.ts";
import type { Create } from "../support/bounces.ts";
import { answer, OWNER, talking } from "../support/replies.ts";
import { HOUR } from "../support/time.ts";
import { createWorld, FINDER } from "../support/world.ts";
import { nightlyTest } from "../support/nightly.ts";

/** The same attack on a copy of the program that lacks a defence. */
const weakly = <Result>(weakening: Weakening, attack: (create: Create) => Promise<Result>) =>
  without([weakening], async (copy) => attack((await copy.worlds()).createWorld));

describe("a stranger who knows a reply address and writes in its owner's name", () => {
  const attack = (create: Create) =>
    talking(create, async (here) => {
      const to = await here.replyTo(OWNER);
      for (let nth = 0; nth < 5; nth += 1)
        here.mailbox.deliver(answer({ from: OWNER, to, text: `Pay ${nth}.`, results: null }));
      await here.collect();
      const toFinder = await here.emails(FINDER);
      return {
        reachesFinder: toFinder.some(({ text }) => text?.includes("Pay ")),
        refusals: (await here.refusalsTo(OWNER)).length,
      };
    });

  test("reaches nobody, and causes one email to the owner", async () => {
    expect(await attack(createWorld)).toEqual({ reachesFinder: false, refusals: 1 });
  });

  nightlyTest("would reach the other side, if From were believed", async () => {
    const credulous = {
      module: "src/mail/authentication-results.ts",
      name: "isAuthenticated",
      instead: "() => true",
    };
    expect(await weakly(credulous, attack)).toEqual({ reachesFinder: true, refusals: 0 });
  });

  nightlyTest("would fill the owner's mailbox without a cap", async () => {
    const uncapped = withoutCaps("replyRefusalsPerSide");
    expect(await weakly(uncapped, attack)).toEqual({ reachesFinder: false, refusals: 5 });
  });
});

describe("an email of one side that is delivered again and again", () => {
  const attack = (create: Create) =>
    talking(create, async (here) => {
      const to = await here.replyTo(OWNER);
      const [first, second] = ["First.", "Second."].map((text) =>
        answer({ from: OWNER, to, text }),
      );
      for (const email of [first, second, first, second]) {
        here.mailbox.deliver(email ?? "");
        await here.pass(HOUR, HOUR / 10);
      }
      const toFinder = await here.emails(FINDER);
      return toFinder.filter(({ text }) => text?.includes("First.")).length;
    });

  test("is passed on once", async () => {
    expect(await attack(createWorld)).toBe(1);
  });

  nightlyTest("would be passed on again, if the store kept no hash of it", async () => {
    const forgetful = {
      module: "src/core/conversations/reply.ts",
      name: "relayReply",
      instead: `(...given: Parameters<typeof original.relayReply>) =>
        original.relayReply(given[0], given[1], given[2], given[3])`,
    };
    expect(await weakly(forgetful, attack)).toBe(2);
  });
});

describe("an answering machine at one side", () => {
  const attack = (create: Create) =>
    talking(create, async (here) => {
      const to = await here.replyTo(OWNER);
      const fields = "Auto-Submitted: auto-replied";
      here.mailbox.deliver(answer({ from: OWNER, to, text: "I am away.", fields }));
      await here.collect();
      return (await here.emails(FINDER)).length;
    });

  test("reaches nobody", async () => {
    expect(await attack(createWorld)).toBe(1);
  });

  nightlyTest("would reach the other side, if it were taken for a person", async () => {
    const trusting = {
      module: "src/mail/message-header.ts",
      name: "isAutomatic",
      instead: "() => false",
    };
    expect(await weakly(trusting, attack)).toBe(2);
  });
});
