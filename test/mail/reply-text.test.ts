import { describe, expect, test } from "bun:test";
import { readReplyText } from "../../src/mail/reply-text.ts";

const ADDRESS = "reply+0abcdefghijklmnopqrstuv0123456789abcdefghijk@pets.example.org";
const OURS = `New message
===========

Someone has written to you about your lost cat.

https://pets.example.org/conversation/abcdef

--
Sent by Pet Alert, a public directory of lost and found pets.`;
const quoted = OURS.replace(/^/gm, "> ");

const plain = (text: string) =>
  readReplyText(
    Buffer.from(
      `Subject: Re\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${text.replace(/\n/g, "\r\n")}\r\n`,
    ),
  );
const html = (body: string) =>
  readReplyText(
    Buffer.from(`Subject: Re\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${body}\r\n`),
  );

describe("a reply in plain text", () => {
  test.each([
    [
      "Gmail",
      `Yes, that is her!\n\nOn Fri, May 1, 2026 at 10:00 AM Pet Alert <\n${ADDRESS}> wrote:\n\n${quoted}`,
    ],
    [
      "Gmail in French",
      `Yes, that is her!\n\nLe ven. 1 mai 2026 à 10:00, Pet Alert <\n${ADDRESS}> a\nécrit :\n\n${quoted}`,
    ],
    [
      "Gmail in Spanish",
      `Yes, that is her!\n\nEl vie, 1 may 2026 a las 10:00, Pet Alert (<\n${ADDRESS}>) escribió:\n\n${quoted}`,
    ],
    [
      "Gmail in German",
      `Yes, that is her!\n\nAm Fr., 1. Mai 2026 um 10:00 Uhr schrieb Pet Alert <\n${ADDRESS}>:\n\n${quoted}`,
    ],
    [
      "Apple Mail",
      `Yes, that is her!\n\n> On 1 May 2026, at 10:00, Pet Alert <${ADDRESS}> wrote:\n> \n${quoted}\n`,
    ],
    [
      "an iPhone",
      `Yes, that is her!\n\nSent from my iPhone\n\n> On 1 May 2026, at 10:00, Pet Alert <${ADDRESS}> wrote:\n> \n> ${quoted}`,
    ],
    [
      "an iPhone in French",
      `Yes, that is her!\n\nEnvoyé de mon iPhone\n\n> Le 1 mai 2026 à 10:00, Pet Alert <${ADDRESS}> a écrit :\n> \n${quoted}`,
    ],
    [
      "an iPhone in German",
      `Yes, that is her!\n\nVon meinem iPhone gesendet\n\n> Am 01.05.2026 um 10:00 schrieb Pet Alert <${ADDRESS}>:\n> \n${quoted}`,
    ],
    [
      "an iPhone in Spanish",
      `Yes, that is her!\n\nEnviado desde mi iPhone\n\n> El 1 may 2026, a las 10:00, Pet Alert <${ADDRESS}> escribió:\n> \n${quoted}`,
    ],
    [
      "Thunderbird",
      `Yes, that is her!\n\n-- \nAnna Smith\nDoctor of cats\n\nOn 5/1/26 10:00, Pet Alert wrote:\n${quoted}`,
    ],
    [
      "Thunderbird in German, answered below",
      `Am 01.05.26 um 10:00 schrieb Pet Alert:\n${quoted}\n\nYes, that is her!\n\n-- \nAnna Schmidt`,
    ],
    [
      "Outlook",
      `Yes, that is her!\n\n________________________________\nFrom: Pet Alert <${ADDRESS}>\nSent: Friday, May 1, 2026 10:00 AM\nTo: anna@example.org\nSubject: New message\n\n${OURS}`,
    ],
    [
      "Outlook in French",
      `Yes, that is her!\n\nDe : Pet Alert <${ADDRESS}>\nEnvoyé : vendredi 1 mai 2026 10:00\nÀ : anna@example.org\nObjet : New message\n\n${OURS}`,
    ],
    [
      "Outlook in Spanish",
      `Yes, that is her!\n\nDe: Pet Alert <${ADDRESS}>\nEnviado el: viernes, 1 de mayo de 2026 10:00\nPara: anna@example.org\nAsunto: New message\n\n${OURS}`,
    ],
    [
      "Outlook in German",
      `Yes, that is her!\n\nVon: Pet Alert <${ADDRESS}>\nGesendet: Freitag, 1. Mai 2026 10:00\nAn: anna@example.org\nBetreff: New message\n\n${OURS}`,
    ],
    [
      "Outlook on a phone",
      `Yes, that is her!\n\nGet Outlook for Android<https://aka.ms/AAb9ysg>\n________________________________\nFrom: Pet Alert\n\n${OURS}`,
    ],
    [
      "old Outlook",
      `Yes, that is her!\n\n-----Ursprüngliche Nachricht-----\nVon: Pet Alert\n\n${OURS}`,
    ],
    [
      "a program that quotes without marks",
      `Yes, that is her!\n\nLe 01/05/2026 à 10:00, Pet Alert a écrit :\n\n${OURS}`,
    ],
  ])("of %s is what its author wrote", async (_, text) => {
    expect(await plain(text)).toBe("Yes, that is her!");
  });

  test("keeps what is written between and below quotes", async () => {
    const text = `Hello,\n\nOn 1 May 2026 at 10:00, Pet Alert wrote:\n> Is she grey?\nYes, very.\n> Does she have a collar?\n\nA red one.\n\nThank you!`;
    expect(await plain(text)).toBe("Hello,\n\nYes, very.\n\nA red one.\n\nThank you!");
  });

  test.each([
    "From: the bakery I walked to the river, and there she was.",
    "On 1 May I wrote: nothing.\nOn 2 May I saw her.",
    "Le chat est là. Il a écrit ?",
    "I found her -- at last!",
    "Am 1. Mai war sie hier.\nSie schrieb mir nicht.",
    "De : rien !\nMerci.",
    "5 > 3, said the sign.",
  ])("keeps sentences that look like quotes: %j", async (text) => {
    expect(await plain(text)).toBe(text);
  });

  test("is empty if it is all quoted, and what follows it does not matter", async () => {
    expect(await plain(quoted)).toBe("");
    expect(await plain("")).toBe("");
    expect(await readReplyText(new Uint8Array())).toBe("");
    expect(await readReplyText(new Uint8Array(1_000).fill(0xff))).toBe("");
  });
});

describe("a reply in HTML alone", () => {
  test.each([
    [
      "Outlook",
      `<html><head><style>p{color:red}</style></head><body><div class=WordSection1><p class=MsoNormal>Yes,<o:p></o:p></p><p class=MsoNormal>that is &quot;her&quot; &#8211; caf&eacute;!<o:p></o:p></p><p><o:p>&nbsp;</o:p></p><div><div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p><b>From:</b> Pet Alert &lt;${ADDRESS}&gt;<br><b>Sent:</b> Friday</p></div></div><p>${OURS}</p></div></body></html>`,
    ],
    [
      "Outlook on the web",
      `<div dir="ltr"><div>Yes,</div><div>that is "her" – café!</div></div><div id="Signature"><p>Anna, doctor of cats</p></div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>Von:</b> Pet Alert<br><b>Gesendet:</b> Freitag</div><div>${OURS}</div>`,
    ],
    [
      "Gmail",
      `<div dir="ltr"><div>Yes,</div>that is "her" – café!<div class="gmail_signature">Anna</div></div><br><div class="gmail_quote"><div class="gmail_attr">On Fri, May 1 Pet Alert wrote:<br></div><blockquote class="gmail_quote"><div>${OURS}</div></blockquote></div>`,
    ],
    [
      "Apple Mail",
      `<body>Yes,<br>that is "her" – café!<br><div><br><blockquote type="cite"><div>On 1 May 2026, at 10:00, Pet Alert wrote:</div>${OURS}</blockquote></div></body>`,
    ],
    [
      "Thunderbird",
      `<!doctype html><!-- a comment --><body><div class="moz-cite-prefix">Am 01.05.26 um 10:00 schrieb Pet Alert:</div><blockquote type="cite">${OURS}</blockquote><p>Yes,<br>\n   that is   "her" – café!</p><div class="moz-signature">-- <br>Anna</div></body>`,
    ],
  ])("of %s is what its author wrote", async (_, body) => {
    expect(await html(body)).toBe('Yes,\nthat is "her" – café!');
  });

  test("holds no markup, whatever it is made of", async () => {
    const text = await html(
      `<p>&lt;b&gt;bold&lt;/b&gt; <img src=x onerror="alert(1)"><script>alert(2)</script><textarea>x</textarea><a href="https://evil.example">link</a> &amp;amp; \ue000\ue001\ue002</p>`,
    );
    expect(text).toBe("<b>bold</b> link &amp;");
  });

  test("is read beside an empty plain text", async () => {
    const raw = `Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n \r\n--b\r\nContent-Type: text/html\r\n\r\n<p>Yes!</p>\r\n--b--\r\n`;
    expect(await readReplyText(Buffer.from(raw))).toBe("Yes!");
  });

  test("is read though it is cut off, and so is one before a large photo", async () => {
    const photo = "/9j/4AAQ".repeat(200_000);
    const raw = `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>Yes!</p>\r\n--b\r\nContent-Type: image/jpeg\r\nContent-Transfer-Encoding: base64\r\n\r\n${photo}`;
    expect(await readReplyText(Buffer.from(raw))).toBe("Yes!");
    const cut = Buffer.from(
      `Content-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(
        `<p>Yes!</p><blockquote>${OURS.repeat(100)}`,
      )
        .toString("base64")
        .slice(0, -333)}`,
    );
    expect(await readReplyText(cut)).toBe("Yes!");
  });

  test("ends with the five hundredth part, and with the fifty thousandth line", async () => {
    const part = (nth: number) => `--b\r\nContent-Type: text/plain\r\n\r\nPart ${nth}.\r\n`;
    const parts = Array.from({ length: 1_000 }, (_, nth) => part(nth + 1)).join("");
    const ofParts = await readReplyText(
      Buffer.from(`Content-Type: multipart/mixed; boundary=b\r\n\r\n${parts}`),
    );
    expect(ofParts).toStartWith("Part 1.");
    expect(ofParts).toEndWith("Part 500.");

    const ofLines = await plain(`Yes!${"\n".repeat(60_000)}No!`);
    expect(ofLines).toBe("Yes!");
  });

  test("of a forwarded message is not that of the message", async () => {
    const raw = `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nSee below.\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nFrom: victim@example.org\r\nSubject: Secret\r\n\r\nThe secret.\r\n--b--\r\n`;
    expect(await readReplyText(Buffer.from(raw))).toBe("See below.");
  });
});
