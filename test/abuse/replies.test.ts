import { describe, expect, test } from "bun:test";
import { answer, OWNER, talking } from "../support/replies.ts";
import { HOUR } from "../support/time.ts";
import { createWorld, FINDER } from "../support/world.ts";

describe("a stranger who knows a reply address and writes in its owner's name", () => {
  const attack = () =>
    talking(createWorld, async (here) => {
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
    expect(await attack()).toEqual({ reachesFinder: false, refusals: 1 });
  });
});

describe("an email of one side that is delivered again and again", () => {
  const attack = () =>
    talking(createWorld, async (here) => {
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
    expect(await attack()).toBe(1);
  });
});

describe("an answering machine at one side", () => {
  const attack = () =>
    talking(createWorld, async (here) => {
      const to = await here.replyTo(OWNER);
      const fields = "Auto-Submitted: auto-replied";
      here.mailbox.deliver(answer({ from: OWNER, to, text: "I am away.", fields }));
      await here.collect();
      return (await here.emails(FINDER)).length;
    });

  test("reaches nobody", async () => {
    expect(await attack()).toBe(1);
  });
});
