import { describe, expect, test } from "bun:test";
import { type Weakening, without } from "../chaos/weakened.ts";
import { abuseReport, type Create, PLACE, postfixBounce, within } from "../support/bounces.ts";
import { DAY, HOUR, MINUTE } from "../support/time.ts";
import { createWorld } from "../support/world.ts";
import { nightlyTest } from "../support/nightly.ts";

const VICTIM = "victim@far.example";

/** The same attack on a copy of the program that lacks a defence. */
const weakly = <Result>(weakening: Weakening, attack: (create: Create) => Promise<Result>) =>
  without([weakening], async (copy) => attack((await copy.worlds()).createWorld));

describe("a stranger who forges bounces and complaints", () => {
  /** The form of our envelope senders is known, and so are ids of emails: they stand in every Message-ID. */
  const attack = (create: Create) =>
    within(create, async (here) => {
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
    expect(await attack(createWorld)).toEqual({ stillGetsEmails: true });
  });

  nightlyTest("would, if the MAC took no key", async () => {
    const keyless = {
      module: "src/mail/plus-address.ts",
      name: "createPlusAddresses",
      instead: `(address: string) => original.createPlusAddresses(address, () => "0".repeat(64))`,
    };
    expect(await weakly(keyless, attack)).toEqual({ stillGetsEmails: false });
  });
});

describe("a stranger who subscribes a spelling of the victim's address that bounces", () => {
  const attack = (create: Create) =>
    within(create, async (here) => {
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
    expect(await attack(createWorld)).toEqual({ bounced: 3, stillGetsEmails: true });
  });

  nightlyTest("would, if spellings counted together", async () => {
    const asCounted = {
      module: "src/core/people/mailbox-spelling.ts",
      name: "hashMailbox",
      instead: `(secrets: any, email: string) => secrets.keyedHash("mailbox", email.toLowerCase().replace(/\\+[^@]*/, ""))`,
    };
    expect(await weakly(asCounted, attack)).toMatchObject({ stillGetsEmails: false });
  });
});

describe("a stranger who has us blocklisted", () => {
  const attack = (create: Create) =>
    within(create, async (here) => {
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
    expect(await attack(createWorld)).toEqual({ stillGetsEmails: true });
  });

  nightlyTest("would, if every permanent failure counted against the mailbox", async () => {
    const everyStatus = {
      module: "src/core/people/suppression.ts",
      name: "isDeadMailboxStatus",
      instead: `(status: string) => status.startsWith("5")`,
    };
    expect(await weakly(everyStatus, attack)).toEqual({ stillGetsEmails: false });
  });
});

describe("a provider that bounces everything for a few hours", () => {
  const attack = (create: Create) =>
    within(create, async (here) => {
      await here.subscribe(VICTIM);
      for (let hour = 0; hour < 4; hour += 1) {
        here.mailbox.deliver(postfixBounce({ to: (await here.tell(VICTIM)) ?? "" }));
        await here.pass(HOUR, MINUTE);
      }
      await here.collect();
      return {
        counted: here.mailbox.done.length,
        stillGetsEmails: (await here.tell(VICTIM)) !== null,
      };
    });

  test("stops nobody's emails", async () => {
    expect(await attack(createWorld)).toEqual({ counted: 4, stillGetsEmails: true });
  });

  nightlyTest("would, if two bounces of one day were enough", async () => {
    const atOnce = {
      module: "src/core/people/suppression.ts",
      name: "stateAfterBounce",
      instead: `(before, sentAt, now) => ({
        firstFailureAt: sentAt,
        deadSince: before === null ? null : now,
      })`,
    };
    expect(await weakly(atOnce, attack)).toMatchObject({ stillGetsEmails: false });
  });
});

describe("a stranger whose confirmation emails the victim reports as spam", () => {
  const attack = (create: Create) =>
    within(create, async (here) => {
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
    expect(await attack(createWorld)).toEqual({ read: 1, stillGetsEmails: true });
  });

  nightlyTest("would, if complaints about every email counted", async () => {
    const everyKind = {
      module: "src/core/people/suppression.ts",
      name: "complaintCounts",
      instead: "() => true",
    };
    expect(await weakly(everyKind, attack)).toEqual({ read: 1, stillGetsEmails: false });
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
