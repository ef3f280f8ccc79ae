import { describe, expect, test } from "bun:test";
import { readReplyText } from "../../src/mail/reply-text.ts";
import {
  ANSWERED,
  ATTRIBUTIONS,
  EXAMPLE_REPLIES,
  FIELDS,
  FROM,
  REPLY_TO,
  WRITER,
} from "./example-replies.ts";

const read = (raw: string | Uint8Array, answered: keyof typeof ANSWERED = "en") =>
  readReplyText(Buffer.from(raw), {
    addresses: ["reply@pets.example.org", FROM],
    names: ["Pet Alert"],
    answered: ANSWERED[answered],
  });
const author = `From: "${WRITER.name}" <${WRITER.address}>\r\nSubject: Re\r\n`;
const plain = (text: string, answered?: keyof typeof ANSWERED) =>
  read(
    `${author}Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${text.replace(/\n/g, "\r\n")}\r\n`,
    answered,
  );
const html = (body: string, answered?: keyof typeof ANSWERED) =>
  read(`${author}Content-Type: text/html; charset=utf-8\r\n\r\n${body}\r\n`, answered);
const quoted = ANSWERED.en.text.replace(/^/gm, "> ");

describe("a reply", () => {
  test.each(EXAMPLE_REPLIES.map((one) => [`${one.program} in ${one.language}`, one] as const))(
    "of %s is what its author wrote",
    async (_, one) => {
      const text = await ("text" in one
        ? plain(one.text, one.answered)
        : html(one.html, one.answered));
      expect(text).toBe(one.own);
    },
  );
});

describe("a quote of which only the heading is known", () => {
  const own = "Yes, that is her!\nFrom: 5 pm\nTo: 9 pm";
  const other = "I think I saw her.\n\nShe was near the park.";

  test.each(ATTRIBUTIONS)("%s", async (attribution) => {
    for (const address of [FROM, REPLY_TO]) {
      const whole = attribution.replace("X", address);
      const broken = whole.replace(/ (\S+)$/, "\n$1");
      const inAddress = whole.replace(`<${address}`, `<\n${address}`);
      for (const heading of [whole, broken, inAddress]) {
        for (const gap of ["\n", "\n\n"])
          expect(await plain(`${own}\n\n${heading}${gap}${other.replace(/^/gm, "> ")}`)).toBe(own);
        expect(await plain(`${heading}\n${other.replace(/^/gm, "> ")}\n\n${own}`)).toBe(own);
        expect(await plain(`${own}\n\n${heading}\n\n${other}`)).toBe(own);
      }
    }
  });

  test.each(FIELDS)("%s", async (names) => {
    const [from, date, to, subject] = names.split(" ");
    const writer = `${to}: ${WRITER.name}`;
    for (const sender of ["Pet Alert", `Pet Alert <${FROM}>`, `"Pet Alert" [mailto:${REPLY_TO}]`]) {
      const fields = [`${from}: ${sender}`, `${date}: 27.11.2026 10:00`, writer, `${subject}: ?`];
      const orders = [
        [0, 1, 2, 3],
        [1, 0, 2, 3],
        [3, 1, 0, 2],
        [2, 0, 1, 3],
      ];
      for (const order of orders)
        for (const line of ["", "________________________________\n", "-----Message-----\n"]) {
          const heading = `${line}${order.map((nth) => fields[nth]).join("\n")}`;
          expect(await plain(`${own}\n\n${heading}\n\n${other}`)).toBe(own);
        }
    }
  });
});

describe("a reply in plain text", () => {
  test("keeps paragraphs between lines of two hyphens", async () => {
    const text = "Three places:\n--\nthe park\n--\nthe school";
    expect(await plain(text)).toBe(text);
    expect(await plain("By the river.\n--\nAnna")).toBe("By the river.");
  });

  test("keeps what is written between and below quotes", async () => {
    const text = `Hello,\n\nOn 1 May 2026 at 10:00, Pet Alert wrote:\n> Is she grey?\nYes, very.\n> Does she have a collar?\nWhen I saw her: a red one, on 27.11.2026\n> Where?\n\nAt Pet Alert: no. At home.\n\nThank you!`;
    expect(await plain(text)).toBe(
      "Hello,\n\nYes, very.\nWhen I saw her: a red one, on 27.11.2026\n\nAt Pet Alert: no. At home.\n\nThank you!",
    );
  });

  test.each([
    "From: the bakery I walked to the river, and there she was.",
    "On 1 May I wrote: nothing.\nOn 2 May I saw her.",
    "Am 1. Mai war sie hier.\nSie schrieb mir nicht.",
    "5 > 3, said the sign.",
    "I am at home today.\nFrom: 5 pm\nTo: 9 pm\nThe side door is open.",
    "I found your alert on Pet Alert.\nShe is in my garden.",
    "I wrote to pet-alert@pets.example.org on 1.5.2026:\nnobody answered.",
    "My dog is\n-- as you know --\nvery shy.\n\nPlease come alone.",
    "Call me on 0612 3456 (evenings) or anna@example.org.\nI am at home.",
    "I wrote to Pet Alert <pet-alert@pets.example.org> yesterday.\nShe is black.",
    "My hours:\n\nFrom: 27.11.2026\nTo: 30.11.2026\n\nThe key is under the mat.",
    "Hello\n--\nIs she grey?\nDoes she limp?\nIs she chipped?\n--\nPlease tell me.\nI will wait.\nAnna",
    "Sent from my iPhone",
  ])("keeps sentences that look like quotes: %j", async (text) => {
    expect(await plain(text)).toBe(text);
  });

  test("keeps a line in which its author writes an address of theirs and a date", async () => {
    for (const line of [
      `Write to me (${WRITER.address}), she is ours since 2019.`,
      `You can reach me <${WRITER.address}> until 30.11.2026`,
    ]) {
      const own = `Yes!\n${line}\nPlease keep her in.`;
      expect(
        await plain(`${own}\n\nOn 1 May 2026, Pet Alert <${REPLY_TO}> wrote:\n${quoted}`),
      ).toBe(own);
    }
  });

  test("is empty if it is all quoted, and what follows it does not matter", async () => {
    expect(await plain(quoted)).toBe("");
    expect(await plain("")).toBe("");
    expect(await read(new Uint8Array())).toBe("");
    expect(await read(new Uint8Array(1_000).fill(0xff))).toBe("");
  });
});

describe("a reply in HTML alone", () => {
  test("holds no markup, whatever it is made of", async () => {
    const text = await html(
      `<p>&lt;b&gt;bold&lt;/b&gt; <img src=x onerror="alert(1)"><script>alert(2)</script><textarea>x</textarea><a href="https://evil.example">link</a> &amp;amp; \ue000\ue001</p>`,
    );
    expect(text).toBe("<b>bold</b> link &amp;");
  });

  test("is read though it is cut off, and so is one before a large photo", async () => {
    const photo = "/9j/4AAQ".repeat(200_000);
    const raw = `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>Yes!</p>\r\n--b\r\nContent-Type: image/jpeg\r\nContent-Transfer-Encoding: base64\r\n\r\n${photo}`;
    expect(await read(raw)).toBe("Yes!");
    const cut = Buffer.from(
      `Content-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(
        `<p>Yes!</p><blockquote>${ANSWERED.en.text.repeat(100)}`,
      )
        .toString("base64")
        .slice(0, -333)}`,
    );
    expect(await read(cut)).toBe("Yes!");
  });

  test("ends with the five hundredth part, and with the fifty thousandth line", async () => {
    const part = (nth: number) => `--b\r\nContent-Type: text/plain\r\n\r\nPart ${nth}.\r\n`;
    const parts = Array.from({ length: 1_000 }, (_, nth) => part(nth + 1)).join("");
    const ofParts = await read(`Content-Type: multipart/mixed; boundary=b\r\n\r\n${parts}`);
    expect(ofParts).toStartWith("Part 1.");
    expect(ofParts).toEndWith("Part 500.");

    const ofLines = await plain(`Yes!${"\n".repeat(60_000)}No!`);
    expect(ofLines).toBe("Yes!");
  });

  test("of a forwarded message is not that of the message", async () => {
    const raw = `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nSee below.\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nFrom: victim@example.org\r\nSubject: Secret\r\n\r\nThe secret.\r\n--b--\r\n`;
    expect(await read(raw)).toBe("See below.");
  });
});
