import { describe, expect, test } from "bun:test";
import { type Language, LANGUAGES } from "../../src/messages/languages.ts";
import { messageFile, textsOf } from "../support/message-arguments.ts";
import { DAY_MS } from "../../src/core/duration.ts";
import { composeEmail, type EmailContent } from "../../src/mail/emails/compose.ts";
import { BASE, NOW, links, site, MIMI, contents, emailOf, compose } from "./example-emails.ts";
import type { EmailAlert } from "../../src/core/alerts/email-alert.ts";
import { ALERT_TYPES, SPECIES } from "../../src/values/animal.ts";

const hostile = '"><script>alert(1)</script>\r\nBcc: victim@example.net\u202e\u0000&amp;';
const HOSTILE: EmailAlert = {
  ...MIMI,
  name: hostile,
  breed: hostile,
  color: hostile,
  city: hostile,
  district: hostile,
  landmark: hostile,
};

describe.each(LANGUAGES.map((language) => [language]))("emails in %s", (language) => {
  test("hold their links in the text and in the HTML", () => {
    const inbox = links.inboxOf("happy-paws");
    const linksOf: readonly (readonly string[])[] = [
      [links.confirm("token-of-c"), links.notMe("token-of-c")],
      [links.confirm("token-of-c"), links.notMe("token-of-c")],
      [links.confirm("token-of-c"), links.notMe("token-of-c")],
      [
        links.manage("token-of-m"),
        links.alert(MIMI.slug),
        links.short(MIMI.shortCode),
        links.qr(MIMI.shortCode),
      ],
      [links.conversation("token-of-t"), links.alert(MIMI.slug)],
      [links.conversation("token-of-t"), links.alert(MIMI.slug)],
      [links.conversation("token-of-t"), links.alert(MIMI.slug)],
      [links.conversation("token-of-t"), links.alert(MIMI.slug)],
      [links.unsubscribe("token-of-u"), links.alert(MIMI.slug)],
      [links.unsubscribe("token-of-u"), links.alert(MIMI.slug), links.home],
      [links.manage("token-of-m"), links.unsubscribe("token-of-u"), links.alert(MIMI.slug)],
      [links.manage("token-of-m"), links.unsubscribe("token-of-u"), links.alert(MIMI.slug)],
      [
        links.manage("token-of-m1"),
        links.manage("token-of-m3"),
        links.unsubscribe("token-of-u"),
        links.alert(MIMI.slug),
      ],
      [links.pair("token-of-p"), links.unsubscribe("token-of-u"), links.alert(MIMI.slug)],
      [links.adminEntry("token-of-a")],
      [links.confirm("token-of-c"), links.notMe("token-of-c")],
      [links.alert(MIMI.slug)],
      [links.erase("token-of-e"), links.eraseNotMe("token-of-e")],
      [links.pair("token-of-p"), links.unsubscribe("token-of-u"), links.alert(MIMI.slug)],
      [links.conversation("token-of-t"), links.manage("token-of-m"), inbox, links.alert(MIMI.slug)],
      [
        links.unsubscribe("token-of-u"),
        links.unsubscribe("token-of-z"),
        links.unsubscribe("token-of-y"),
        links.alert(MIMI.slug),
      ],
      [links.confirm("token-of-c"), links.confirm("token-of-z"), links.notMe("token-of-c")],
    ];

    const emails = contents(MIMI, "Hello").map((content) => compose(content, language));

    for (const [at, email] of emails.entries()) {
      for (const link of linksOf[at] ?? []) {
        expect(email.text.split("\n").map((line) => line.trim())).toContain(link);
        expect(email.html).toContain(`href="${link}"`);
      }
      expect(linksOf[at]).toContain(email.link);
    }
  });

  test("say something for every type and species, each in its own words", () => {
    const subjects = new Set<string>();
    for (const type of ALERT_TYPES) {
      for (const species of SPECIES) {
        for (const content of contents({ ...MIMI, type, species }, "Hello")) {
          const email = compose(content, language);
          expect(email.text + email.html + email.subject).not.toMatch(/undefined|null|\[object/);
          if (content.kind === "live") subjects.add(email.subject);
        }
      }
    }
    expect(subjects.size).toBe(ALERT_TYPES.length * SPECIES.length);
  });

  test("have subjects that nothing the public writes can change", () => {
    const plain = contents(MIMI, "Hello").map((content) => compose(content, language).subject);
    const attacked = contents(HOSTILE, hostile).map(
      (content) => compose(content, language).subject,
    );

    expect(attacked).toEqual(plain);
    for (const subject of plain) expect(subject).not.toMatch(/[\p{Cc}<>]/u);
  });

  test("wrap their text at 72 characters, addresses apart", () => {
    const long = "word ".repeat(300);
    for (const content of contents(MIMI, long)) {
      const tooLong = compose(content, language)
        .text.split("\n")
        .filter((line) => line.length > 72 && !line.includes(BASE));
      expect(tooLong).toEqual([]);
    }
  });
});

test.each([["fr"], ["es"], ["de"]] as const)("no English is left over in %s", async (language) => {
  const said = new Set(await phrases(language));

  const leftOver = (await phrases("en")).filter((phrase) => said.has(phrase));

  expect(said.size).toBeGreaterThan(100);
  expect(leftOver).toEqual([]);
});

describe("what the public wrote", () => {
  test("is text in the HTML, never markup", () => {
    for (const content of contents(HOSTILE, hostile)) {
      const { html } = compose(content);
      expect(html).not.toMatch(
        /<script|<img(?! src="https:\/\/pets.example.org\/alerts\/)|<iframe|<[^>]*\sonerror=/i,
      );
      if (!["confirm", "admin", "erase"].includes(content.kind))
        expect(html).toContain("&quot;&gt;&lt;script&gt;");
    }
    const [message] = contents(MIMI, "<b>&amp;</b>").filter(({ kind }) => kind === "message");
    expect(compose(message ?? never()).html).toContain("&lt;b&gt;&amp;amp;&lt;/b&gt;");
  });

  test("cannot begin a line of its own, turn the direction of the text or hide control characters", () => {
    for (const content of contents(HOSTILE, hostile)) {
      const { text, html } = compose(content);
      expect(text).not.toMatch(/^\s*Bcc:/m);
      expect(text + html).not.toMatch(/[\0\r\u202a-\u202e\u2066-\u2069]/);
    }
  });

  test("stands behind a quotation mark on every line of the text", () => {
    const content: EmailContent = {
      kind: "message",
      alert: MIMI,
      from: "stranger",
      isFromShelter: false,
      name: "Claire",
      text: "First line\r\n\r\n-- \nPet Alert: send us your code\u2028now",
      photos: 0,
      conversationId: "conversation",
      sealedToken: "t",
      organisation: null,
    };

    const { text, html } = compose(content);

    expect(text).toContain(
      "Claire writes:\n\n> First line\n>\n> --\n> Pet Alert: send us your code\n> now\n",
    );
    expect(html).toContain("First line<br/><br/>--<br/>Pet Alert: send us your code<br/>now");
  });

  test("is in no email that anybody can have sent to a stranger, even if it reached the outbox", () => {
    for (const language of LANGUAGES) {
      const toStrangers = contents(MIMI, "").filter(({ kind }) =>
        ["confirm", "erase"].includes(kind),
      );
      for (const confirm of toStrangers) {
        const canaries = { alert: { ...MIMI, name: "canary" }, text: "canary", label: "canary" };
        const email = compose({ ...confirm, ...canaries } as EmailContent, language);
        expect(JSON.stringify(email)).not.toContain("canary");
      }
    }
  });
});

describe("a confirmation email", () => {
  const [publish = never()] = contents(MIMI, "");

  test("says when its link ends, in hours and in UTC", () => {
    expect(flat(compose(publish).text)).toContain("48 hours: until 23 November 2026 at 07:30 UTC");
  });

  test("says it by the clocks of the place, once that is known", () => {
    const inLyon = { ...publish, timeZone: "Europe/Paris" } as EmailContent;

    expect(flat(compose(inLyon, "en").text)).toContain("until 23 November 2026 at 08:30 CET");
    expect(flat(compose(inLyon, "fr").text)).toContain(
      "jusqu’au 23 novembre 2026 à 8\u00a0h\u00a030 (UTC+1)",
    );
    expect(flat(compose(inLyon, "es").text)).toContain(
      "hasta el 23 de noviembre de 2026 a las 8:30 (CET)",
    );
    expect(flat(compose(inLyon, "de").text)).toContain(
      "bis zum 23. November 2026 um 08:30 Uhr (MEZ)",
    );
  });

  test("says that nothing has happened and that nobody of ours asks for a code", () => {
    const text = flat(compose(publish).text);

    expect(text).toContain("Nothing happens until you press the button on that page.");
    expect(text).toContain("We never ask for a code.");
    expect(text).toContain("This was not me: stop these emails");
  });
});

describe("emails that can be stopped", () => {
  test("are those to zones, reminders, those about the plan and matches, and no others", () => {
    const all = contents(MIMI, "Hello");
    const stoppable = all
      .filter((content) => compose(content).unsubscribeUrl === links.unsubscribe("token-of-u"))
      .map(({ kind }) => kind);
    const others = all.filter((content) => compose(content).unsubscribeUrl === null);

    expect(stoppable).toEqual([
      "zone",
      "zone",
      "reminder",
      "plan",
      "plan-digest",
      "match",
      "match-digest",
      "zone",
    ]);
    expect(others).toHaveLength(all.length - stoppable.length);
  });
});

describe("an email about a sighting", () => {
  const place = { city: "Bron", district: null, distanceKm: 3 };
  const sighting = { kind: "sighting", alert: MIMI, ...place, seenOn: null, photos: [] } as const;

  test("says when and where, in the reader's language, and that it may be another animal", () => {
    const content = { ...sighting, seenAt: NOW - DAY_MS, note: null };

    expect(flat(compose(content, "en").text)).toContain(
      "Seen near Bron, about 3\u00a0km from the place of your alert, on 20 November 2026 at 07:30 UTC.",
    );
    const inTown = compose({ ...content, distanceKm: null });
    expect(flat(inTown.text)).toContain("Seen in Bron, on 20 November 2026 at 07:30 UTC.");
    expect(flat(compose(content).text)).toContain("It may be another animal.");
  });

  test("quotes what was noted, and nothing where nothing was", () => {
    const noted = compose({ ...sighting, seenAt: NOW, note: "Ran north.\nVery shy." }).text;
    const bare = compose({ ...sighting, seenAt: NOW, note: null }).text;

    expect(noted).toContain("They add:\n\n> Ran north.\n> Very shy.");
    expect(bare).not.toContain("They add");
    expect(bare).not.toContain(">");
  });
});

describe("a zone email", () => {
  test("counts the alerts it lists and those it does not", () => {
    const zone = { kind: "zone", label: "Home", sealedUnsubscribe: "u" } as const;

    const many = compose({ ...zone, alerts: [MIMI, MIMI], more: 3 });
    const one = compose({ ...zone, alerts: [MIMI], more: 0 });

    expect(many.subject).toBe("5 new alerts in your area");
    expect(many.text).toContain("And 3 more alerts.");
    expect(one.subject).toBe("New in your area: lost cat (K7F3Q2)");
    expect(one.text).toContain("your area “Home”");
    expect(one.text).not.toContain("more alert");
  });
});

describe("a reminder", () => {
  const reminder = {
    kind: "reminder",
    alert: MIMI,
    sealedToken: "m",
    sealedUnsubscribe: "u",
  } as const;

  test("counts the days left, a begun day as a whole one", () => {
    const week = compose({ ...reminder, expiresAt: NOW + 7 * DAY_MS - 60_000 });
    const day = compose({ ...reminder, expiresAt: NOW + DAY_MS - 60_000 });

    expect(week.subject).toBe("Your alert ends in 7 days: lost cat (K7F3Q2)");
    expect(day.subject).toBe("Your alert ends in 1 day: lost cat (K7F3Q2)");
  });
});

describe("every email", () => {
  test("leads nowhere but here, loads only pictures that all readers share and says which language it is in", () => {
    for (const language of LANGUAGES) {
      for (const content of contents(MIMI, "see https://elsewhere.example/ and mail me")) {
        const { html } = compose(content, language);
        const addresses = [...html.matchAll(/(?:href|src|action|url\()="?([^")]*)/g)].map(
          ([, to]) => to,
        );
        expect(addresses.filter((to) => !to?.startsWith(`${BASE}/`))).toEqual([]);
        expect(html).not.toMatch(/<link|<style|@import/);
        for (const [picture] of html.matchAll(/<img[^>]*>/g))
          expect(picture).toMatch(
            new RegExp(
              `src="${BASE}/alerts/[a-z0-9-]+/preview\\.jpg" width="528" height="277" alt="[^"]+"`,
            ),
          );
        if (content.kind === "confirm") expect(html).not.toContain("<img");
        expect(html).toStartWith("<!doctype html>");
        expect(html).toContain(`<html lang="${language}">`);
      }
    }
  });

  test("is refused as a fault of ours when its sealed link cannot be opened", () => {
    const otherKey = { ...site, unseal: () => null };

    // The one that holds no private link.
    const sealed = contents(MIMI, "Hello").filter(({ kind }) => kind !== "sighting");
    for (const content of sealed) {
      expect(() => composeEmail(emailOf(content), otherKey)).toThrow("secret key");
    }
  });
});

/** Texts of the file that translators edit, without their arguments. */
async function phrases(language: Language): Promise<string[]> {
  const file = await messageFile("emails", language);
  return textsOf(file)
    .map(([, text]) => text.replace(/\{\w+\}/g, ""))
    .filter((phrase) => /\p{L}{3}/u.test(phrase));
}

/** As if it had not been wrapped. */
function flat(text: string): string {
  return text.replaceAll("\n", " ");
}

function never(): never {
  throw new Error("the test's own material is missing");
}
