import { describe, expect, test } from "bun:test";
import { CAPS } from "../src/core/caps.ts";
import { PAGE_MESSAGES } from "../src/messages/messages.ts";
import { postfixBounce } from "./support/bounces.ts";
import { answer, counted, metric, OWNER, SERVER, type Talk, talking } from "./support/replies.ts";
import { DAY, HOUR, MINUTE } from "./support/time.ts";
import { createWorld, FINDER, linkIn } from "./support/world.ts";

const STRANGER = "mallory@evil.example";

/** Lets the owner answer once, so that the finder has an address to reply to as well. */
async function ownerAnswers(here: Talk, text = "Where did you see her?"): Promise<void> {
  here.mailbox.deliver(answer({ from: OWNER, to: await here.replyTo(OWNER), text }));
  await here.collect();
}

describe("emails of a conversation", () => {
  test("carry an address of their own for each side, and say that a reply is passed on", async () => {
    await talking(createWorld, async (here) => {
      await ownerAnswers(here);
      const [owner, finder] = [await here.replyTo(OWNER), await here.replyTo(FINDER)];

      for (const address of [owner, finder])
        expect(address).toMatch(/^reply\+[0-9a-v]{42}@shelter\.example$/);
      expect(owner).not.toBe(finder);
      const email = await here.lastTo(FINDER);
      expect(email?.text).toContain("Reply to this email or on that page.");
      expect(email?.text?.replace(/\s+/g, " ")).toContain(
        "A reply to this email goes to the other person",
      );
      expect(email?.text).not.toContain("nobody reads replies");
    });
  });

  test("keep an address that nobody reads in all other emails, and without the setting in all", async () => {
    await talking(createWorld, async (here) => {
      const [live] = await here.emails(OWNER);
      expect(live?.replyTo?.[0]?.address).toBe("no-reply@localhost");
    });
    const world = await createWorld();
    const alert = await world.publish();
    await world.tool("send_message", { alert: alert.id, message: "Seen her.", email: FINDER });
    await world.confirm(FINDER);
    const email = (await world.emails(OWNER)).at(-1);
    expect(email?.replyTo?.[0]?.address).toBe("no-reply@localhost");
    expect(email?.text).toContain("replies to this email are not");
    await world.end();
  });
});

describe("a reply by email", () => {
  test("reaches the other side as a message typed on the page does, without any address", async () => {
    await talking(createWorld, async (here) => {
      await ownerAnswers(here, "Call me on 06 12 34 56 78 or write to owner@example.org.");
      const toFinder = await here.lastTo(FINDER);
      expect(toFinder?.text).toContain("Call me on [removed]");

      here.mailbox.deliver(
        answer({ from: FINDER, to: await here.replyTo(FINDER), text: "By the river." }),
      );
      await here.collect();
      expect((await here.lastTo(OWNER))?.text).toContain("By the river.");
      expect(await here.page()).toContain("By the river.");

      for (const raw of here.rawTo(FINDER)) expect(raw).not.toContain(OWNER);
      for (const raw of here.rawTo(OWNER)) expect(raw).not.toContain(FINDER);
      expect(here.mailbox.unread).toEqual([]);
      expect(await counted(here, "relayed")).toBe(2);
      expect(here.logged).toEqual([]);
    });
  });

  test("passes on neither the quoted email nor a link or token that was in it", async () => {
    await talking(createWorld, async (here) => {
      const email = await here.lastTo(OWNER);
      const link = linkIn(email, "/conversation/");
      const token = link.split("/").at(-1) ?? "";
      const manage = await here.linkTo(OWNER, "/manage/");
      const managed = manage.split("/").at(-1) ?? "";
      const text = `Yes!\nI opened ${link} and <${manage}>.
Rewritten: conversation%2F${token}&data, x_conversation_${token}, manage%2f${managed}.
The codes are ${token} and ${managed.slice(0, 20)}\n> ${managed.slice(20)}, and
${link.slice(0, 50)}
${link.slice(50)}

On Fri, 1 May 2026 at 10:00, Pet Alert <
${await here.replyTo(OWNER)}> wrote:

${(email?.text ?? "").replace(/^/gm, "> ")}`;
      here.mailbox.deliver(answer({ from: OWNER, to: await here.replyTo(OWNER), text }));
      await here.collect();

      const raw = (await here.emails(FINDER)).at(-1);
      const all = `${raw?.text}${raw?.html}`;
      expect(all).toContain("Yes!");
      for (const secret of [token, managed]) {
        expect(all).not.toContain(secret);
        expect(all).not.toContain(secret.slice(0, 20));
        expect(all).not.toContain(secret.slice(20));
      }
      expect(all).not.toContain("Is it this one?");
      expect(all).not.toContain(await here.replyTo(OWNER));
    });
  });

  test("says to its writer on the page what was left out, and how to send it", async () => {
    await talking(createWorld, async (here) => {
      const note = "Quoted text, your signature and attachments were left out";
      expect(await here.page()).not.toContain(note);
      await ownerAnswers(here);
      expect((await here.page()).split(note)).toHaveLength(2);
      const theirs = new URL(linkIn(await here.lastTo(FINDER), "/conversation/")).pathname;
      expect(await here.text(theirs)).not.toContain(note);
      await here.post(`${theirs}/close`);
      expect(await here.page()).not.toContain(note);
    });
  });

  test("is told to use the page when it is empty, too long or repeats itself, once a day", async () => {
    await talking(createWorld, async (here) => {
      const to = await here.replyTo(OWNER);
      const bad = ["", "> only a quote\n", "x".repeat(2_001), "   \u200b"];
      for (const text of bad) here.mailbox.deliver(answer({ from: OWNER, to, text }));
      await here.collect();
      const [refusal, ...more] = await here.refusalsTo(OWNER);
      expect(more).toEqual([]);
      expect(refusal?.text).toContain(linkIn(await here.lastTo(OWNER), "/conversation/"));
      expect(refusal?.replyTo?.[0]?.address).toBe("no-reply@localhost");
      expect(await counted(here, "unsuitable")).toBe(bad.length);
      expect(await here.emails(FINDER)).toHaveLength(1);

      await here.pass(DAY, HOUR);
      here.mailbox.deliver(answer({ from: OWNER, to, text: "" }));
      await here.collect();
      expect(await here.refusalsTo(OWNER)).toHaveLength(2);
    });
  });

  test("with a photo alone is told to use the page; with a text the text is passed on", async () => {
    await talking(createWorld, async (here) => {
      const photo = `--b\nContent-Type: image/jpeg; name="cat.jpg"\nContent-Disposition: attachment; filename="cat.jpg"\nContent-Transfer-Encoding: base64\n\n/9j/4AAQSkZJRg==\n--b--`;
      const type = 'multipart/mixed; boundary="b"';
      const to = await here.replyTo(OWNER);
      here.mailbox.deliver(answer({ from: OWNER, to, type, text: photo }));
      const both = `--b\nContent-Type: text/plain\n\nHere she is.\n${photo}`;
      here.mailbox.deliver(answer({ from: OWNER, to, type, text: both }));
      await here.collect();
      expect(await here.refusalsTo(OWNER)).toHaveLength(1);
      expect((await here.lastTo(FINDER))?.text).toContain("Here she is.");
    });
  });

  test("to a closed conversation is refused, and to an erased one reaches nobody", async () => {
    await talking(createWorld, async (here) => {
      const to = await here.replyTo(OWNER);
      const conversation = new URL(linkIn(await here.lastTo(OWNER), "/conversation/")).pathname;
      await here.post(`${conversation}/close`);
      here.mailbox.deliver(answer({ from: OWNER, to }));
      await here.collect();
      expect(await here.refusalsTo(OWNER)).toHaveLength(1);

      await here.app.operator.erasePerson(OWNER);
      here.mailbox.deliver(answer({ from: OWNER, to }));
      await here.collect();
      expect(await counted(here, "ended")).toBe(1);
      expect(await here.refusalsTo(OWNER)).toHaveLength(1);
      expect(await here.emails(FINDER)).toHaveLength(1);
    });
  });
});

describe("an email that somebody else sent to the address", () => {
  const forgeries: readonly (readonly [string, Partial<Parameters<typeof answer>[0]>])[] = [
    ["from another mailbox", { from: STRANGER }],
    ["without results of the mail server", { results: null }],
    ["that failed DMARC", { results: `${SERVER}; dmarc=fail header.from=example.org` }],
    ["that passed SPF alone", { results: `${SERVER}; spf=pass smtp.mailfrom=${OWNER}` }],
    [
      "signed by another domain",
      {
        results: `${SERVER}; dkim=pass header.d=evil.example; dmarc=pass header.from=evil.example`,
      },
    ],
    [
      "with results that the sender wrote below those of the mail server",
      {
        results: `${SERVER}; dmarc=fail header.from=example.org`,
        fields: `Authentication-Results: ${SERVER}; dmarc=pass header.from=example.org`,
      },
    ],
    [
      "with a CR alone in what the mail server says of its sender",
      {
        results: `${SERVER}; spf=fail smtp.mailfrom=a\r@evil.example; dmarc=fail header.from=example.org`,
        fields: `Authentication-Results: ${SERVER}; dmarc=pass header.from=example.org`,
      },
    ],
    [
      "with results of another server",
      { results: "mx.evil.example; dmarc=pass header.from=example.org" },
    ],
    [
      "with results in a comment",
      {
        results: `${SERVER}; dmarc=fail (dmarc=pass header.from=example.org) header.from=example.org`,
      },
    ],
    ["with two authors", { fields: `From: ${OWNER}` }],
  ];

  test("is not passed on, however it is forged; the known mailbox is told", async () => {
    await talking(createWorld, async (here) => {
      const to = await here.replyTo(OWNER);
      for (const [nth, [about, forged]] of forgeries.entries()) {
        here.mailbox.deliver(answer({ from: OWNER, to, text: `Send money! ${nth}`, ...forged }));
        await here.collect();
        expect([about, await counted(here, "unverified")]).toEqual([about, nth + 1]);
      }

      expect(await here.emails(FINDER)).toHaveLength(1);
      expect(await here.emails(STRANGER)).toEqual([]);
      const refusals = await here.refusalsTo(OWNER);
      expect(refusals).toHaveLength(1);
      expect(refusals[0]?.text).not.toContain("Send money");
    });
  });

  test("with the address of the other side, or a changed one, is not passed on", async () => {
    await talking(createWorld, async (here) => {
      await ownerAnswers(here);
      const before = (await here.emails(FINDER)).length;
      const finder = await here.replyTo(FINDER);
      here.mailbox.deliver(answer({ from: OWNER, to: finder, text: "Mine?" }));
      const changed = finder.replace(/.(?=@)/, (digit) => (digit === "a" ? "b" : "a"));
      here.mailbox.deliver(answer({ from: FINDER, to: changed, text: "Mine?" }));
      await here.collect();

      expect(await counted(here, "unverified")).toBe(1);
      expect(await counted(here, "forged")).toBe(1);
      expect(await here.page()).not.toContain("Mine?");
      // What is not addressed to us is left for whoever else reads the mailbox.
      expect(here.mailbox.unread).toHaveLength(1);
      expect((await here.emails(FINDER)).length).toBe(before + 1);
    });
  });

  test("a hundred times neither stops the owner's own replies nor fills a mailbox", async () => {
    await talking(createWorld, async (here) => {
      const to = await here.replyTo(OWNER);
      for (let nth = 0; nth < 100; nth += 1)
        here.mailbox.deliver(answer({ from: nth % 2 === 0 ? STRANGER : OWNER, to, results: null }));
      await here.collect();
      here.mailbox.deliver(answer({ from: OWNER, to, text: "It is really me." }));
      here.mailbox.deliver(answer({ from: OWNER, to, text: "" }));
      await here.collect();

      expect(await here.page()).toContain("It is really me.");
      // One about the forgeries, and one about the empty reply, which they did not use up.
      expect(await here.refusalsTo(OWNER)).toHaveLength(2);
      expect(await here.emails(STRANGER)).toEqual([]);
    });
  });
});

describe("one side that sends without end", () => {
  test("is cut off as on the page, and later without its emails being read", async () => {
    await talking(createWorld, async (here) => {
      const to = await here.replyTo(OWNER);
      for (let nth = 0; nth < 80; nth += 1)
        here.mailbox.deliver(answer({ from: OWNER, to, text: `Message ${nth}.` }));
      await here.collect();

      const { max } = CAPS.repliesPerConversationSide;
      expect(await counted(here, "relayed")).toBe(max);
      expect(await counted(here, "unsuitable")).toBe(80 - max);
      expect(await here.refusalsTo(OWNER)).toHaveLength(1);

      await here.pass(DAY + HOUR, HOUR);
      here.mailbox.deliver(answer({ from: OWNER, to, text: "The next day." }));
      await here.collect();
      expect(await counted(here, "relayed")).toBe(max + 1);
    });
  });
});

describe("automatic mail", () => {
  const automatic = [
    "Auto-Submitted: auto-replied",
    "Auto-Submitted: auto-generated (vacation)",
    "Precedence: bulk",
    "Precedence: auto_reply",
    "List-Id: <pets.lists.example.org>",
    "X-Auto-Response-Suppress: All",
    "X-Autoreply: yes",
  ];
  test("is dropped, and nobody is told; a person's that says so is passed on", async () => {
    await talking(createWorld, async (here) => {
      const to = await here.replyTo(OWNER);
      for (const [nth, fields] of automatic.entries()) {
        here.mailbox.deliver(answer({ from: OWNER, to, fields, text: `I am away (${nth}).` }));
        await here.collect();
        expect([fields, await counted(here, "automatic")]).toEqual([fields, nth + 1]);
      }
      const bounce = answer({ from: OWNER, to }).replace(/^Return-Path: .*$/m, "Return-Path: <>");
      here.mailbox.deliver(bounce);
      await here.collect();
      expect(await counted(here, "automatic")).toBe(automatic.length + 1);
      expect(await here.emails(FINDER)).toHaveLength(1);
      expect(await here.refusalsTo(OWNER)).toEqual([]);
      expect(here.mailbox.unread).toEqual([]);

      here.mailbox.deliver(answer({ from: OWNER, to, fields: "Auto-Submitted: no", text: "Hi." }));
      await here.collect();
      expect(await counted(here, "relayed")).toBe(1);
    });
  });

  test("of two programs that answer each other and do not say what they are ends by itself", async () => {
    await talking(createWorld, async (here) => {
      let answered = 0;
      /** Answers every email of the conversation that has not been answered. */
      async function respond(mailbox: string, text: string, seen: number): Promise<number> {
        const emails = await here.emails(mailbox);
        for (const { replyTo } of emails.slice(seen)) {
          const to = replyTo?.[0]?.address ?? "";
          if (!to.startsWith("reply+")) continue;
          answered += 1;
          here.mailbox.deliver(answer({ from: mailbox, to, text }));
        }
        return emails.length;
      }
      let [owner, finder] = [0, 0];
      for (let round = 0; round < 12; round += 1) {
        owner = await respond(OWNER, "I am away until Monday.", owner);
        finder = await respond(FINDER, "Thank you for your email.", finder);
        await here.pass(6 * MINUTE, MINUTE);
      }
      // Each says it once, and the repetition goes no further.
      expect(await counted(here, "relayed")).toBe(2);
      expect(answered).toBe(3);
      expect(await here.refusalsTo(OWNER)).toHaveLength(1);
    });
  });
});

describe("a reply that is fetched and the end of the program", () => {
  const BEFORE = "before it is stored";
  const AFTER = "after it was stored and before it was marked as read";

  test.each([BEFORE, AFTER])("%s: it is neither lost nor sent twice", async (when) => {
    await talking(createWorld, async (here) => {
      const { reader } = here.mailbox;
      const { read } = reader;
      let kills = 3;
      reader.read = (handler, since) =>
        read(async (headers) => {
          const verdict = await handler(headers);
          if (typeof verdict === "string") return verdict;
          return async (raw) => {
            if (kills === 0) return verdict(raw);
            kills -= 1;
            if (when === AFTER) await verdict(raw);
            throw new Error("killed");
          };
        }, since);
      here.mailbox.deliver(
        answer({ from: OWNER, to: await here.replyTo(OWNER), text: "Only once." }),
      );
      for (let times = 0; times < 4; times += 1) {
        await here.collect();
        await here.restart();
      }
      await here.collect();

      expect(kills).toBe(0);
      const toFinder = (await here.emails(FINDER)).filter(({ text }) =>
        text?.includes("Only once"),
      );
      expect(toFinder).toHaveLength(1);
      expect((await here.page()).split("Only once.")).toHaveLength(2);
      expect(here.mailbox.unread).toEqual([]);
      expect(await here.refusalsTo(OWNER)).toEqual([]);
    });
  });
});

describe("the mailbox of replies and bounces", () => {
  test("brings both in one pass, whichever comes first", async () => {
    const settings = { BOUNCE_ADDRESS: "bounces@shelter.example" };
    await talking(
      createWorld,
      async (here) => {
        const to = await here.replyTo(OWNER);
        const bounced = here.sentMail.findLast(({ envelope }) => envelope.to === OWNER);
        const bounce = postfixBounce({ to: bounced?.envelope.from ?? "", recipient: OWNER });
        here.mailbox.deliver(answer({ from: OWNER, to, text: "First." }));
        here.mailbox.deliver(bounce);
        here.mailbox.deliver("To: office@shelter.example\nSubject: Hello\n\nWho are you?\n");
        here.mailbox.deliver(answer({ from: OWNER, to, text: "Second." }));
        await here.collect();

        expect(await counted(here, "relayed")).toBe(2);
        expect(await metric(here, 'pet_alert_bounces_total{class="dead_mailbox"}')).toBe(1);
        expect(here.mailbox.unread).toHaveLength(1);
      },
      settings,
    );
  });

  test("that cannot be read is an alarm after two hours", async () => {
    await talking(createWorld, async (here) => {
      here.mailbox.state.failure = new Error("connect ECONNREFUSED");
      const alarm = 'pet_alert_operator_alarm{about="mailbox"}';
      await here.pass(HOUR, 10 * MINUTE);
      expect(await metric(here, alarm)).toBe(0);
      await here.pass(2 * HOUR, 10 * MINUTE);
      expect(await metric(here, alarm)).toBe(1);
      expect(here.logged.join("\n")).toContain("Replies by email and bounces have not been read");
    });
  });

  test("is on the privacy page, in the language of its reader", async () => {
    await talking(createWorld, async (here) => {
      for (const language of ["en", "fr"] as const) {
        const text = await here.text(`/privacy?lang=${language}`);
        const { privacy } = PAGE_MESSAGES[language];
        expect(text).toContain(privacy.replies);
        expect(text).toContain(privacy.kept.replies({ days: 7 }));
        expect(text).not.toContain(privacy.bounces);
      }
    });
  });
});
