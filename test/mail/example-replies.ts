import { compose, MIMI } from "./example-emails.ts";

/** Address that emails of a conversation come from, and the one of a side to which they are answered. */
export const FROM = "pet-alert@pets.example.org";
export const REPLY_TO = "reply+0abcdefghijklmnopqrstuv0123456789abcdefghij@pets.example.org";
export const WRITER = { name: "Anna de Vries", address: "anna@example.org" };
/** What the other side had written. */
export const THEIRS = "I think I saw her behind the bakery.\nDoes she have a red collar?";

const email = (language: "en" | "fr" | "es" | "de") =>
  compose(
    {
      kind: "message",
      alert: MIMI,
      from: "stranger",
      isFromShelter: false,
      name: null,
      text: THEIRS,
      photos: 0,
      conversationId: "conversation",
      sealedToken: "t",
      organisation: null,
    },
    language,
  );
const ENGLISH = email("en");
/** Email of which an example quotes the English version, or another one that it names. */
export const ANSWERED = { en: ENGLISH, fr: email("fr"), es: email("es"), de: email("de") };
type Answered = keyof typeof ANSWERED;

/** Text with the marks of a quote. */
const marked = (text: string) => text.trimEnd().replace(/^/gm, "> ").replace(/ $/gm, "");
/** The email as programs show its HTML in plain text: long lines, and links behind their words. */
const unmarked = (language: Answered = "en") =>
  ANSWERED[language].text
    .replace(/^[>*=] ?.*$/gm, (line) => line.replace(/^[>*=]+ ?/, ""))
    .replace(/([^\n.])\n(?=[\p{Ll}(])/gu, "$1 ")
    .replace(/\n(https:\/\/\S+)/g, "<$1>");
const body = (language: Answered = "en") =>
  ANSWERED[language].html.replace(/^[\s\S]*<body[^>]*>|<\/body>[\s\S]*$/g, "");
const QUOTED = marked(ENGLISH.text);

/** Reply as a mail program writes it. */
export type ExampleReply = {
  readonly program: string;
  readonly language: string;
  /** What its author wrote. */
  readonly own: string;
  readonly answered?: Answered;
} & ({ readonly text: string } | { readonly html: string });

const top = (
  program: string,
  language: string,
  own: string,
  rest: string,
  answered?: Answered,
) => ({
  program,
  language,
  own,
  text: `${own}\n${rest}`,
  ...(answered === undefined ? {} : { answered }),
});
const page = (
  program: string,
  language: string,
  own: string,
  html: string,
  answered?: Answered,
) => ({
  program,
  language,
  own,
  html,
  ...(answered === undefined ? {} : { answered }),
});

export const EXAMPLE_REPLIES: readonly ExampleReply[] = [
  // Gmail: an attribution, and marks.
  top(
    "Gmail",
    "English",
    "Yes, that is her!",
    `\nOn Fri, Nov 27, 2026 at 10:00 AM Pet Alert <${FROM}>\nwrote:\n\n${QUOTED}\n`,
  ),
  top(
    "Gmail",
    "German",
    "Ja, das ist sie!",
    `\nAm Fr., 27. Nov. 2026 um 10:00 Uhr schrieb Pet Alert <\n${FROM}>:\n\n${marked(ANSWERED.de.text)}\n`,
    "de",
  ),
  top(
    "Gmail",
    "Japanese",
    "はい、うちの猫です。\n17時以降は家にいます。",
    `\n2026年11月27日(金) 10:00 Pet Alert <${FROM}>:\n\n${QUOTED}\n`,
  ),
  top(
    "Gmail",
    "Hebrew",
    "כן, זו היא!",
    `\n\u202bבתאריך יום ו׳, 27 בנוב׳ 2026 ב-10:00 מאת \u202aPet Alert\u202c\u200f <\u202a${FROM}\u202c\u200f>:\u202c\n\n${QUOTED}\n`,
  ),
  {
    program: "Gmail, answered between the lines",
    language: "Italian",
    own: "Grazie!\n\nSì, l’ho vista anch’io.\n\nSì, rosso.\n\nA presto",
    text: `Grazie!\n\nIl giorno ven 27 nov 2026 alle ore 10:00 Pet Alert <${FROM}> ha\nscritto:\n\n> I think I saw her behind the bakery.\n\nSì, l’ho vista anch’io.\n\n> Does she have a red collar?\n>\n\nSì, rosso.\n\nA presto\n`,
  },

  page(
    "Gmail, HTML alone, answered between the lines",
    "Swedish",
    "Hej!\n\nJa, hon brukar vara där.\n\nJa, ett rött.",
    `<div dir="ltr">Hej!<br><br></div><div class="gmail_quote"><div dir="ltr" class="gmail_attr">Den fre 27 nov. 2026 kl 10:00 skrev Pet Alert &lt;<a href="mailto:${FROM}">${FROM}</a>&gt;:<br></div><blockquote class="gmail_quote">I think I saw her behind the bakery.</blockquote><div><br></div><div>Ja, hon brukar vara där.</div><div><br></div><blockquote class="gmail_quote">Does she have a red collar?</blockquote><div><br></div><div>Ja, ett rött.</div></div>`,
  ),
  page(
    "Outlook, HTML alone, answered between the lines",
    "Dutch",
    "Zie hieronder.\n\nJa, achter de bakker.",
    `<div class=WordSection1><p class=MsoNormal>Zie hieronder.</p><p class=MsoNormal>&nbsp;</p><div style='border:none;border-top:solid #E1E1E1 1.0pt'><p class=MsoNormal><b>Van:</b> Pet Alert &lt;${FROM}&gt;<br><b>Aan:</b> Anna de Vries<br><b>Onderwerp:</b> ${ENGLISH.subject}</p></div>${body().replace("</blockquote>", "</blockquote><p class=MsoNormal>Ja, achter de bakker.</p>")}</div>`,
  ),

  // Apple Mail: the attribution is inside of the quote on phones.
  top(
    "Apple Mail on an iPhone",
    "English",
    "Yes, that is her!",
    `\nSent from my iPhone\n\n> On 27 Nov 2026, at 10:00, Pet Alert <${FROM}> wrote:\n> \n${QUOTED}\n`,
  ),
  top(
    "Apple Mail",
    "Danish",
    "Ja, det er hende!",
    `\n> Den 27. nov. 2026 kl. 10.00 skrev Pet Alert <${FROM}>:\n> \n${QUOTED}\n`,
  ),

  // Outlook: header fields without marks.
  top(
    "Outlook",
    "Dutch",
    "Ja, dat is mijn kat.",
    `\nVan: Pet Alert <${FROM}>\nVerzonden: vrijdag 27 november 2026 10:00\nAan: Anna de Vries <anna@example.org>\nOnderwerp: ${ENGLISH.subject}\n\n${unmarked()}\n`,
  ),
  top(
    "Outlook, without addresses",
    "Czech",
    "Ano, to je ona!",
    `\nOd: Pet Alert\nOdesláno: pátek 27. listopadu 2026 10:00\nKomu: Anna de Vries\nPředmět: ${ENGLISH.subject}\n\n${unmarked()}\n`,
  ),
  top(
    "Outlook on the web",
    "German",
    "Ja, das ist sie!\n\nVon: 17 Uhr\nBis: 21 Uhr bin ich da.",
    `\n________________________________\nVon: Pet Alert <${FROM}>\nGesendet: Freitag, 27. November 2026 10:00\nAn: Anna de Vries <anna@example.org>\nBetreff: ${ANSWERED.de.subject}\n\n${unmarked("de")}\n`,
    "de",
  ),
  top(
    "Outlook on Android",
    "Finnish",
    "Kyllä, se on hän!",
    `\nHanki Outlook for Android<https://aka.ms/AAb9ysg>\n________________________________\nLähettäjä: Pet Alert <${FROM}>\nLähetetty: perjantai 27. marraskuuta 2026 10.00\nVastaanottaja: Anna de Vries <anna@example.org>\nAihe: ${ENGLISH.subject}\n\n${unmarked()}\n`,
  ),
  {
    program: "Outlook, answered between the lines",
    language: "Hungarian",
    own: "Lásd lent.\n\nIgen, ott szokott lenni!\n\nIgen, piros.",
    text: `Lásd lent.\n\nFeladó: Pet Alert <${FROM}>\nElküldve: 2026. november 27., péntek 10:00\nCímzett: Anna de Vries <anna@example.org>\nTárgy: ${ENGLISH.subject}\n\n${unmarked().replace("bakery.", "bakery.\n\nIgen, ott szokott lenni!\n\n").replace("collar?", "collar?\n\nIgen, piros.\n\n")}\n`,
  },
  top(
    "Outlook, in a reply to an own reply",
    "Norwegian",
    "Og hun har rødt halsbånd.",
    `\nFra: Anna de Vries\nSendt: fredag 27. november 2026 11:00\nTil: Pet Alert <${REPLY_TO}>\nEmne: SV: ${ENGLISH.subject}\n\nJa, det er henne!\n\nFra: Pet Alert <${FROM}>\nSendt: fredag 27. november 2026 10:00\nTil: Anna de Vries <anna@example.org>\nEmne: ${ENGLISH.subject}\n\n${unmarked()}\n`,
  ),
  page(
    "Outlook, HTML alone",
    "Turkish",
    "Evet, bu o!\nSaat: 17:00",
    `<html><head><style>p{margin:0}</style></head><body lang=TR><div class=WordSection1><p class=MsoNormal>Evet, bu o!<o:p></o:p></p><p class=MsoNormal>Saat: 17:00<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p><div><div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p class=MsoNormal><b>Kimden:</b> Pet Alert &lt;${FROM}&gt; <br><b>Gönderildi:</b> 27 Kasım 2026 Cuma 10:00<br><b>Kime:</b> Anna de Vries &lt;anna@example.org&gt;<br><b>Konu:</b> ${ENGLISH.subject}<o:p></o:p></p></div></div>${body()}</div></body></html>`,
  ),
  page(
    "Outlook on the web, HTML alone",
    "Spanish",
    "¡Sí, es ella!",
    `<div dir="ltr">¡Sí, es ella!</div><div id="Signature"><p>Anna de Vries</p></div><div id="appendonsend"></div><hr style="display:inline-block;width:98%"><div id="divRplyFwdMsg"><b>De:</b> Pet Alert &lt;${FROM}&gt;<br><b>Enviado:</b> viernes, 27 de noviembre de 2026 10:00<br><b>Para:</b> Anna de Vries &lt;anna@example.org&gt;<br><b>Asunto:</b> ${ANSWERED.es.subject}</div><div>${body("es")}</div>`,
    "es",
  ),

  // Thunderbird and K-9: no address in the attribution, and signatures with a separator.
  top(
    "Thunderbird",
    "English",
    "Yes, that is her!",
    `\n-- \nAnna de Vries\nDoctor of cats\n\nOn 11/27/26 10:00, Pet Alert wrote:\n${QUOTED}\n`,
  ),
  {
    program: "Thunderbird, answered below",
    language: "German",
    own: "Ja, das ist sie!",
    answered: "de",
    text: `Am 27.11.26 um 10:00 schrieb Pet Alert:\n${marked(ANSWERED.de.text)}\n\nJa, das ist sie!\n\n-- \nAnna de Vries\n`,
  },
  top(
    "Thunderbird, in a reply to an own reply",
    "French",
    "Et son collier est rouge.",
    `\nLe 27/11/2026 à 11:00, Anna de Vries a écrit :\n> Oui, c’est elle.\n>\n> Le 27/11/2026 à 10:00, Pet Alert a écrit :\n${marked(QUOTED)}\n`,
  ),
  page(
    "Thunderbird, HTML alone",
    "Czech",
    "Ano, to je ona!\n\nDěkuji.",
    `<!doctype html><html><body><p>Ano, to je ona!</p><p><br></p><p>Děkuji.</p><div class="moz-signature">-- <br>Anna de Vries</div><div class="moz-cite-prefix">Dne 27. 11. 26 v 10:00 Pet Alert napsal(a):<br></div><blockquote type="cite">${body()}</blockquote></body></html>`,
  ),

  // Yahoo and Zoho: attributions, no marks.
  top(
    "Yahoo Mail",
    "English",
    "Yes, that is her!",
    `\n    On Friday, November 27, 2026 at 10:00:00 AM GMT+1, Pet Alert <${FROM}> wrote:  \n \n ${unmarked().replace(/\n/g, "\n ")}  `,
  ),
  page(
    "Zoho Mail, HTML alone",
    "Portuguese",
    "Sim, é ela!",
    `<div style="font-family: Verdana"><div>Sim, é ela!<br></div><div class="zmail_extra_hr" style="border-top: 1px solid"></div><div class="zmail_extra">---- Em sex, 27 nov 2026 10:00:00 +0100 <b>Pet Alert &lt;${FROM}&gt;</b> escreveu ----<br></div><blockquote id="blockquote_zmail">${body()}</blockquote></div>`,
  ),

  // Proton, Tuta, web.de, T-Online, mail.ru, Naver, QQ, NetEase and others.
  top(
    "Proton Mail",
    "French",
    "Oui, c’est elle !",
    `\nEnvoyé avec la messagerie sécurisée Proton Mail.\n\nLe vendredi 27 novembre 2026 à 10:00, Pet Alert <${FROM}> a écrit :\n\n${marked(ANSWERED.fr.text)}\n`,
    "fr",
  ),
  page(
    "GMX, HTML alone",
    "German",
    "Ja, das ist sie!\n\nIch bin ab 17 Uhr da.",
    `<html><body><div style="font-family: Verdana"><div>Ja, das ist sie!</div>\n<div>&nbsp;</div>\n<div>Ich bin ab 17 Uhr da.</div>\n<div>&nbsp;</div>\n<div name="quote" style="margin:10px 5px 5px 10px"><div style="margin:0 0 10px 0;"><b>Gesendet:</b>&nbsp;Freitag, 27. November 2026 um 10:00 Uhr<br/><b>Von:</b>&nbsp;"Pet Alert" &lt;${FROM}&gt;<br/><b>An:</b>&nbsp;"Anna de Vries" &lt;anna@example.org&gt;<br/><b>Betreff:</b>&nbsp;${ANSWERED.de.subject}</div><div name="quoted-content">${body("de")}</div></div></div></body></html>`,
    "de",
  ),
  top(
    "T-Online",
    "German",
    "Ja, das ist sie!",
    `\n-----Original-Nachricht-----\nBetreff: ${ANSWERED.de.subject}\nDatum: 2026-11-27T10:00:00+0100\nVon: "Pet Alert" <${FROM}>\nAn: "Anna de Vries" <anna@example.org>\n\n${unmarked("de")}\n`,
    "de",
  ),
  top(
    "Mail.ru",
    "Russian",
    "Да, это она!",
    `\n\n--\nОтправлено из Mail.ru для Android\n\nПятница, 27 ноября 2026, 10:00 +03:00 от Pet Alert <${FROM}>:\n \n${QUOTED}\n`,
  ),
  top(
    "QQ Mail",
    "Chinese",
    "对，就是她！",
    `\n\n\n------------------ 原始邮件 ------------------\n发件人: "Pet Alert" <${FROM}>;\n发送时间: 2026年11月27日(星期五) 上午10:00\n收件人: "Anna de Vries"<anna@example.org>;\n主题: ${ENGLISH.subject}\n\n\n\n${unmarked()}\n`,
  ),
  top(
    "Samsung Email",
    "Greek",
    "Ναι, αυτή είναι!",
    `\n\n\nΣτάλθηκε από τη συσκευή μου Samsung\n\n\n-------- Αρχικό μήνυμα --------\nΑπό: Pet Alert <${FROM}> \nΗμερομηνία: 27/11/26 10:00 π.μ. (GMT+02:00) \nΠρος: anna@example.org \nΘέμα: ${ENGLISH.subject} \n\n${unmarked()}\n`,
  ),
  top(
    "Spark",
    "Vietnamese",
    "Vâng, đúng là nó!",
    `\nVào 10:00 +0700, 27 thg 11, 2026, Pet Alert <${FROM}>, đã viết:\n${QUOTED}\n`,
  ),
  top("a program without a heading", "English", "Yes, that is her!", `\n${unmarked()}\n`),
];

/** Attributions of many languages, with `<X>` for the address. */
export const ATTRIBUTIONS = [
  "On Fri, 27 Nov 2026 at 10:00, Pet Alert <X> wrote:",
  "Il giorno ven 27 nov 2026 alle ore 10:00 Pet Alert <X> ha scritto:",
  "pt., 27 lis 2026 o 10:00 Pet Alert <X> napisał(a):",
  "pe 27. marrask. 2026 klo 10.00 Pet Alert (X) kirjoitti:",
  "Pet Alert <X> ezt írta (időpont: 2026. nov. 27., P, 10:00):",
  "Pet Alert <X>, 27 Kas 2026 Cum, 10:00 tarihinde şunu yazdı:",
  "Pet Alert <X> 于2026年11月27日周五 10:00写道：",
  "2026년 11월 27일 (금) 오전 10:00, Pet Alert <X>님이 작성:",
  "في الجمعة، ٢٧ نوفمبر ٢٠٢٦ في ١٠:٠٠ ص كتب Pet Alert <X>:",
  "ในวันที่ ศ. 27 พ.ย. 2569 เวลา 10:00 Pet Alert <X> เขียนว่า:",
  "---- On Fri, 27 Nov 2026 10:00:00 +0100 Pet Alert <X> wrote ----",
] as const;

/** Names of From, Date, To and Subject in many languages. */
export const FIELDS = [
  "Van Verzonden Aan Onderwerp",
  "Lähettäjä Lähetetty Vastaanottaja Aihe",
  "Kimden Gönderildi Kime Konu",
  "差出人 送信日時 宛先 件名",
  "发件人 发送时间 收件人 主题",
  "من تاريخ إلى الموضوع",
  "จาก ส่ง ถึง เรื่อง",
] as const;
