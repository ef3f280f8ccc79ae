import { describe, expect, test } from "bun:test";
import { abuseReport, PLACE, postfixBounce, within } from "../support/bounces.ts";
import { DAY, HOUR, MINUTE } from "../support/time.ts";
import { createWorld } from "../support/world.ts";

const VICTIM = "victim@far.example";

describe("a stranger who forges bounces and complaints", () => {
  /** The form of our envelope senders is known, and so are ids of emails: they stand in every Message-ID. */
  const attack = () =>
    within(createWorld, async (here) => {
      await here.subscribe(VICTIM);
      for (let day = 0; day < 3; day += 1) {
        const returnPath = (await here.tell(VICTIM)) ?? "";
        // The last 16 digits before the @ are the MAC.
        const forged = returnPath.replace(/.{16}@/, `${"0".repeat(16)}@`);
        here.mailbox.deliver(postfixBounce({ to: "bounces@shelter.example", recipient: VICTIM }));
        here.mailbox.deliver(postfixBounce({ to: forged, recipient: VICTIM }));
        here.mailbox.deliver(abuseReport(forged));
        await here.collect();
        await here.pass(DAY);
      }
      return { stillGetsEmails: (await here.tell(VICTIM)) !== null };
    });

  test("stops nobody's emails", async () => {
    expect(await attack()).toEqual({ stillGetsEmails: true });
  });
});

describe("a stranger who subscribes a spelling of the victim's address that bounces", () => {
  const attack = () =>
    within(createWorld, async (here) => {
      await here.subscribe(VICTIM);
      for (let day = 0; day < 3; day += 1) {
        const spelt = "Victim+nobody@far.example";
        await here.tool("subscribe_zone", { ...PLACE, email: spelt, radius_km: 1 + day });
        await here.pass(2 * MINUTE, MINUTE);
        const to = here.emailsTo(spelt).at(-1)?.envelope.from ?? "";
        here.mailbox.deliver(postfixBounce({ to, recipient: spelt }));
        await here.collect();
        await here.pass(DAY);
      }
      return {
        bounced: here.mailbox.done.length,
        stillGetsEmails: (await here.tell(VICTIM)) !== null,
      };
    });

  test("does not stop the victim's emails", async () => {
    expect(await attack()).toEqual({ bounced: 3, stillGetsEmails: true });
  });
});

describe("a stranger who has us blocklisted", () => {
  const attack = () =>
    within(createWorld, async (here) => {
      await here.subscribe(VICTIM);
      for (let day = 0; day < 3; day += 1) {
        const to = (await here.tell(VICTIM)) ?? "";
        here.mailbox.deliver(postfixBounce({ to, status: "5.7.1" }));
        await here.collect();
        await here.pass(DAY);
      }
      return { stillGetsEmails: (await here.tell(VICTIM)) !== null };
    });

  test("stops nobody's emails", async () => {
    expect(await attack()).toEqual({ stillGetsEmails: true });
  });
});

describe("a provider that bounces everything for a few hours", () => {
  const attack = () =>
    within(createWorld, async (here) => {
      await here.subscribe(VICTIM);
      for (let hour = 0; hour < 4; hour += 1) {
        here.mailbox.deliver(postfixBounce({ to: (await here.tell(VICTIM)) ?? "" }));
        await here.pass(HOUR, 10 * MINUTE);
      }
      await here.collect();
      return {
        counted: here.mailbox.done.length,
        stillGetsEmails: (await here.tell(VICTIM)) !== null,
      };
    });

  test("stops nobody's emails", async () => {
    expect(await attack()).toEqual({ counted: 4, stillGetsEmails: true });
  });
});

describe("a stranger whose confirmation emails the victim reports as spam", () => {
  const attack = () =>
    within(createWorld, async (here) => {
      await here.subscribe(VICTIM);
      await here.tool("subscribe_zone", { ...PLACE, email: VICTIM, radius_km: 7 });
      await here.tick();
      const to = here.emailsTo(VICTIM).at(-1)?.envelope.from ?? "";
      here.mailbox.deliver(abuseReport(to));
      await here.collect();
      return {
        read: here.mailbox.done.length,
        stillGetsEmails: (await here.tell(VICTIM)) !== null,
      };
    });

  test("does not stop the emails of the victim's own zone", async () => {
    expect(await attack()).toEqual({ read: 1, stillGetsEmails: true });
  });
});

test("a subscriber who names the victim in bounces of their own emails stops only themselves", async () => {
  await within(createWorld, async (here) => {
    const stranger = "stranger@far.example";
    await here.subscribe(VICTIM);
    await here.subscribe(stranger);
    for (let day = 0; day < 3; day += 1) {
      await here.tell(VICTIM);
      const to = here.emailsTo(stranger).at(-1)?.envelope.from ?? "";
      here.mailbox.deliver(postfixBounce({ to, recipient: VICTIM }));
      await here.collect();
      await here.pass(DAY);
    }

    expect(await here.tell(VICTIM)).not.toBeNull();
    expect(await here.tell(stranger)).toBeNull();
  });
});
