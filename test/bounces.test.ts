import { describe, expect, test } from "bun:test";
import { memoryTransport } from "./support/memory-transport.ts";
import { abuseReport, PLACE, postfixBounce, type Shelter, within } from "./support/bounces.ts";
import { DAY, HOUR, MINUTE } from "./support/time.ts";
import { createWorld, FINDER, linkIn, LOST_CAT } from "./support/world.ts";

const READER = "reader@far.example";

/** Lets two emails to a subscriber bounce, a day apart. */
async function die(here: Shelter, mailbox = READER): Promise<void> {
  for (let day = 0; day < 2; day += 1) {
    const to = (await here.tell(mailbox)) ?? "";
    here.mailbox.deliver(postfixBounce({ to, recipient: mailbox }));
    await here.pass(DAY + MINUTE);
  }
  await here.collect();
}

async function metric(here: Shelter, name: string): Promise<number> {
  const text = await (await here.fetch("/metrics", {}, "127.0.0.1")).text();
  const line = text.split("\n").find((one) => one.startsWith(`${name} `));
  return Number(line?.split(" ").at(-1));
}

test("an email's envelope sender names the email in a form that servers can carry; the visible sender stays", async () => {
  await within(createWorld, async (here) => {
    await here.subscribe(READER);
    const first = (await here.tell(READER)) ?? "";
    const second = (await here.tell(READER)) ?? "";

    expect(first).toMatch(/^bounces\+[0-9a-v]{42}@shelter\.example$/);
    expect(first.indexOf("@")).toBeLessThanOrEqual(64);
    expect(second).not.toBe(first);
    const [email] = await here.emails(READER);
    expect(email?.from?.address).toBe("pet-alert@localhost");
    expect(email?.text).not.toContain("bounces+");
  });
  const without = await createWorld();
  await without.tool("subscribe_zone", { ...PLACE, email: READER });
  await without.tick();
  expect(without.sentMail[0]?.envelope.from).toBe("pet-alert@localhost");
  await without.end();
});

describe("a mailbox whose emails bounce", () => {
  test("gets no more of them after the second day, and is counted, whatever the case that servers give the envelope sender", async () => {
    await within(createWorld, async (here) => {
      await here.subscribe(READER);
      here.mailbox.deliver(postfixBounce({ to: (await here.tell(READER)) ?? "" }));
      await here.collect();
      await here.pass(DAY + MINUTE);
      const second = (await here.tell(READER)) ?? "";
      expect(await metric(here, 'pet_alert_suppressed_mailboxes{reason="dead"}')).toBe(0);

      here.mailbox.deliver(postfixBounce({ to: second.toUpperCase() }));
      await here.collect();
      expect(await here.tell(READER)).toBeNull();
      expect(await metric(here, 'pet_alert_suppressed_mailboxes{reason="dead"}')).toBe(1);
      expect(await metric(here, 'pet_alert_bounces_total{class="dead_mailbox"}')).toBe(2);
      expect(await metric(here, 'pet_alert_emails_total{outcome="suppressed"}')).toBeGreaterThan(0);
    });
  });

  test("gets emails as before when each bounce is only of a full mailbox or a delay, all are of one email, or of emails older than two weeks", async () => {
    await within(createWorld, async (here) => {
      const [full, one, old] = ["full@far.example", "one@far.example", "old@far.example"] as const;
      for (const mailbox of [full, one, old]) await here.subscribe(mailbox);
      const sender = (mailbox: string) => here.emailsTo(mailbox).at(-1)?.envelope.from ?? "";
      await here.tell(READER);
      const [bounced, first] = [sender(one), sender(old)];
      for (let day = 0; day < 3; day += 1) {
        await here.tell(READER);
        here.mailbox.deliver(postfixBounce({ to: sender(full), status: "5.2.2" }));
        const delay = { to: sender(full), status: "4.4.1", action: "delayed" };
        here.mailbox.deliver(postfixBounce(delay));
        here.mailbox.deliver(postfixBounce({ to: bounced }));
        await here.pass(DAY + MINUTE);
      }
      await here.collect();
      expect(here.mailbox.done).toHaveLength(9);
      expect(await metric(here, 'pet_alert_bounces_total{class="ignored"}')).toBe(2);
      const second = sender(old);
      await here.pass(15 * DAY);
      for (const to of [first, second]) here.mailbox.deliver(postfixBounce({ to }));
      await here.collect();

      await here.tell(READER);
      const before = [full, one, old].map((mailbox) => here.emailsTo(mailbox).length);
      await here.tell(READER);
      expect([full, one, old].map((mailbox) => here.emailsTo(mailbox).length)).toEqual(
        before.map((count) => count + 1),
      );
    });
  });

  test("is tried again after a year", async () => {
    await within(createWorld, async (here) => {
      await here.subscribe(READER);
      await die(here);
      await here.pass(370 * DAY, 20 * DAY);
      expect(await here.tell(READER)).not.toBeNull();
    });
  });
});

describe("a mailbox that the mail server refuses at once", () => {
  test("dies as one whose emails bounce", async () => {
    let refused = 0;
    const transport = memoryTransport({
      answer(mail) {
        if (mail.to !== READER || mail.subject.includes("onfirm")) return { kind: "sent" };
        refused += 1;
        return { kind: "refused", why: "550 5.1.1 no such user", deadMailbox: true };
      },
    });
    const world = await createWorld({ LIMIT_PUBLISH: "off" }, { transport });
    await world.tool("subscribe_zone", { ...PLACE, email: READER });
    await world.tick();
    const confirmation = transport.kept.find(({ envelope }) => envelope.to === READER);
    expect(confirmation).toBeDefined();
    await world.post(new URL(confirmation!.mail.link).pathname);
    for (let day = 0; day < 4; day += 1) {
      const owner = `owner${day}@example.org`;
      await world.tool("publish_alert", { ...LOST_CAT, ...PLACE, email: owner });
      await world.tick();
      const email = transport.kept.findLast(({ envelope }) => envelope.to === owner);
      await world.post(new URL(email!.mail.link).pathname);
      await world.pass(2 * MINUTE, MINUTE);
      await world.pass(DAY);
    }
    expect(refused).toBe(2);
    await world.end();
  });
});

describe("the way back of a mailbox that was taken for dead", () => {
  test("is to confirm anything from it, such as the zone that it watches; bounces of older emails then no longer count", async () => {
    await within(createWorld, async (here) => {
      await here.subscribe(READER);
      await die(here);
      const older = here.emailsTo(READER).at(-1)?.envelope.from ?? "";
      expect(await here.tell(READER)).toBeNull();

      await here.subscribe(READER);
      here.mailbox.deliver(postfixBounce({ to: older }));
      await here.collect();
      expect(await here.tell(READER)).not.toBeNull();
      expect(await metric(here, 'pet_alert_suppressed_mailboxes{reason="dead"}')).toBe(0);
    });
  });

  test("is a button behind the owner's private link, which says why", async () => {
    await within(createWorld, async (here) => {
      const alert = await here.publish({ email: READER, ...PLACE });
      const manage = new URL(await here.linkTo(READER, "/manage/")).pathname;
      await here.subscribe(READER);
      expect(await here.text(manage)).not.toContain("bounced");
      await die(here);
      expect(await here.text(manage)).toContain("bounced");
      await here.tool("send_message", { alert: alert.id, message: "Seen her.", email: FINDER });
      await here.confirm(FINDER);
      const before = here.emailsTo(READER).length;
      await here.pass(2 * MINUTE, MINUTE);
      expect(here.emailsTo(READER)).toHaveLength(before);

      const done = await here.post(`${manage}/emails`);
      expect(await here.text(done.headers.get("location") ?? "")).toContain("again");
      expect(await here.text(manage)).not.toContain("bounced");
      await here.tool("send_message", { alert: alert.id, message: "Again.", email: FINDER });
      await here.confirm(FINDER);
      await here.pass(2 * MINUTE, MINUTE);
      expect(here.emailsTo(READER).length).toBeGreaterThan(before);
    });
  });

  test("leaves nothing of it once the person is erased", async () => {
    await within(createWorld, async (here) => {
      await here.subscribe(READER);
      await die(here);
      await here.app.operator.erasePerson(READER);
      expect(await metric(here, 'pet_alert_suppressed_mailboxes{reason="dead"}')).toBe(0);
      const mark = here.app.secrets.keyedHash("mailbox", READER);
      expect(await here.app.store.suppression(mark)).toBeNull();
    });
  });
});

describe("a reader who reports an email as spam", () => {
  test("gets no more notifications; messages about their own alert still come", async () => {
    await within(createWorld, async (here) => {
      const alert = await here.publish({ email: READER, ...PLACE });
      const manage = new URL(await here.linkTo(READER, "/manage/")).pathname;
      await here.subscribe(READER);
      here.mailbox.deliver(abuseReport((await here.tell(READER)) ?? ""));
      await here.collect();

      expect(await here.tell(READER)).toBeNull();
      expect(await metric(here, 'pet_alert_suppressed_mailboxes{reason="complained"}')).toBe(1);
      expect(await here.text(manage)).toContain("reported as spam");
      await here.tool("send_message", { alert: alert.id, message: "Seen her.", email: FINDER });
      await here.confirm(FINDER);
      await here.pass(2 * MINUTE, MINUTE);
      const last = (await here.emails(READER)).at(-1);
      expect(linkIn(last, "/conversation/")).toContain("/conversation/");
    });
  });
});

describe("a reader who reports an email as spam, about the plan of their alert", () => {
  test("gets none until they ask for emails again, and then the next", async () => {
    await within(createWorld, async (here) => {
      await here.publish({ email: READER, ...PLACE });
      const manage = new URL(await here.linkTo(READER, "/manage/")).pathname;
      await here.pass(25 * HOUR, 5 * HOUR);
      const plans = () =>
        here.sentMail
          .filter(({ mail }) => mail.to === READER && mail.subject.startsWith("What to do"))
          .map(({ mail, envelope }) => ({
            subject: mail.subject.split(":")[0],
            from: envelope.from,
          }));
      const [first] = plans();
      expect(first?.subject).toBe("What to do after the first day");
      here.mailbox.deliver(abuseReport(first?.from ?? ""));
      await here.collect();
      await here.pass(3 * DAY, 12 * HOUR);
      expect(plans()).toHaveLength(1);

      await here.post(`${manage}/emails`);
      await here.pass(5 * DAY, 12 * HOUR);
      expect(plans().map(({ subject }) => subject)).toEqual([
        "What to do after the first day",
        "What to do after 7 days",
      ]);
    });
  });
});

describe("the mailbox with bounces", () => {
  test("keeps what is no bounce, unread", async () => {
    await within(createWorld, async (here) => {
      await here.subscribe(READER);
      const to = (await here.tell(READER)) ?? "";
      here.mailbox.deliver(`To: bounces@shelter.example\nSubject: Hello\n\nWho are you?\n`);
      here.mailbox.deliver(`To: ${to}\nAuto-Submitted: auto-replied\n\nI am away.\n`);
      await here.collect();
      expect(here.mailbox.unread).toHaveLength(2);
      expect(await metric(here, 'pet_alert_bounces_total{class="unrecognised"}')).toBeGreaterThan(
        0,
      );
    });
  });

  test("that cannot be read is an alarm after a day, until it can", async () => {
    await within(createWorld, async (here) => {
      here.mailbox.state.failure = new Error("connect ECONNREFUSED");
      await here.pass(23 * HOUR, HOUR);
      const alarm = 'pet_alert_operator_alarm{about="mailbox"}';
      expect(await metric(here, alarm)).toBe(0);
      await here.pass(3 * HOUR, HOUR);
      expect(await metric(here, alarm)).toBe(1);
      expect(here.logged.join("\n")).toContain("Bounces have not been read since");

      here.mailbox.state.failure = null;
      await here.pass(2 * HOUR, HOUR);
      expect(await metric(here, alarm)).toBe(0);
    });
  });
});
