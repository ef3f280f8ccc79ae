import { DAY, HOUR, MINUTE } from "../support/time.ts";
import { createWorld, form, linkIn, type World } from "../support/world.ts";
import type { Fault } from "./fault.ts";

/** The largest step each way, and some in between. */
const JUMPS_DAYS = [400, -400, 100, -100, 20, -20] as const;
const DAWN_ALERTS = 5;

/** The machine's clock jumps far, stays there for an hour, and is put right. */
export const clockJumps: Fault = {
  name: "clock jumps of up to 400 days",
  promise: "a wrong clock erases nothing, ends nothing and locks nobody out",
  async run() {
    const failures = await afterJumps();
    return {
      tried: `${JUMPS_DAYS.length} jumps (${JUMPS_DAYS.join(", ")} days), an hour there, then back`,
      failures,
    };
  },
};

async function afterJumps(): Promise<string[]> {
  const failures: string[] = [];
  for (const days of JUMPS_DAYS) {
    const world = await createWorld();
    const check = (holds: boolean, sentence: string) => {
      if (!holds) failures.push(`${days} days: ${sentence}`);
    };
    try {
      for (let nth = 0; nth < DAWN_ALERTS; nth++)
        await world.publish({ email: `owner-${nth}@example.org`, name: `Cat ${nth}` });
      const [alert] = (await world.json("/api/v1/alerts")).alerts;
      await world.tool("send_message", {
        alert: alert.id,
        message: "I saw it.",
        email: "finder@example.net",
      });
      await world.confirm("finder@example.net");
      await world.tool("subscribe_zone", { lat: 45.77, lng: 4.83, email: "neighbour@example.org" });
      const owner = `owner-${DAWN_ALERTS - 1}@example.org`;
      const emails = await world.emails(owner);
      const link = (part: string) =>
        linkIn(
          emails.findLast((email) => email.text?.includes(part)),
          part,
        );
      const conversation = link("/conversation/");
      const manage = link("/manage/");
      // The service has run for two days when it happens.
      await world.pass(2 * DAY, DAY / 4);
      const state = () => stateOf(world, manage, conversation);
      const before = await state();

      world.jump(days * DAY);
      await world.pass(HOUR, 10 * MINUTE);
      const meanwhile = await world.fetch("/api/v1/alerts", {}, "203.0.113.9");
      check(meanwhile.ok, `searches answered ${meanwhile.status}`);
      check((await publishes(world, `far-${days}`)) === null, "nobody could publish meanwhile");
      world.jump(-days * DAY);
      await world.pass(HOUR, 10 * MINUTE);

      const after = await state();
      check(
        after.live >= before.live,
        `${before.live - after.live} of ${before.live} alerts ended`,
      );
      check(after.manage === 200, `the owner's link answers ${after.manage}`);
      check(after.conversation === 200 && after.said, "the conversation is gone");
      const refused = await publishes(world, `back-${days}`);
      check(refused === null, `locked out afterwards: ${refused}`);
      // Asked before the jump, confirmed after it: within its two days by any clock that is right.
      const email = (await world.emails(`back-${days}@example.org`)).at(-1);
      check(email !== undefined, "no email went out afterwards");
      if (email !== undefined) {
        const confirmed = await world.fetch(linkIn(email, "/confirm/"), {
          method: "POST",
          ...form({}),
        });
        check(confirmed.status === 200, `confirming afterwards answered ${confirmed.status}`);
      }
    } finally {
      await world.end();
    }
  }
  return failures;
}

async function stateOf(world: World, manage: string, conversation: string) {
  const talk = await world.fetch(conversation);
  return {
    live: (await world.json("/api/v1/alerts")).alerts.length as number,
    manage: (await world.fetch(manage)).status,
    conversation: talk.status,
    said: (await talk.text()).includes("I saw it."),
  };
}

/** Why not, or null. */
async function publishes(world: World, who: string): Promise<string | null> {
  try {
    await world.tool("publish_alert", {
      type: "lost",
      species: "dog",
      color: "brown",
      name: who,
      lat: 45.7,
      lng: 4.8,
      email: `${who}@example.org`,
    });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
