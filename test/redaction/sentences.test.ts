import { describe, expect, test } from "bun:test";

import { redact } from "../../src/redaction/redact.ts";

/**
 * Texts as people write them about animals, without a space after some full stops. Nothing may be removed; spaces may
 * be added after a full stop.
 */
const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  US: [
    "She was seen at 5.Please keep an eye out",
    "Answers to Mr.Fox or Foxy. Very shy.",
    "Ask for Rex.He ran off when the fireworks started at 9.30pm",
    "He ran home.It was dark.No collar",
    "LOST DOG.BLACK AND TAN.HELP US FIND HIM.CASH REWARD",
    "Missing since Monday.My kids are heartbroken.Love that cat to bits",
    "He is 4.5 kg.Me and my husband search every night",
    "Reward $500.No questions asked",
    "J. R. Smith from the shelter has him. U.S. citizens only? no!",
    "Dr.O'Neil at the vet clinic checked him for a chip",
    "Chip 985112345678901.Registered with HomeAgain",
    "GPS collar firmware 2.4.1, battery at 20%",
    "Went missing 11/21/2026 at 6.30 p.m.in the rain",
    "Do not chase!He bites.Just text us through this page.Thanks",
    "She loves tuna.Try shaking a bag of treats.Also answers to Kitty",
    "I posted on insta yesterday, and on Facebook and Instagram too.",
    "Tired -.- but not giving up, call the shelter if you see her",
    "It may snap if cornered. Signal is bad in the valley.",
    "Two cats: 1.Mimi 2.Minou 3.Tiger",
  ],
  GB: [
    "Gone from Clifton.Bristol folk please check your sheds",
    "The cat is called Dr. Pepper; owner lives at no.12 Church St.by the pub",
    "Old scar on left ear.One fang missing.Fit and fast otherwise",
    "Collar reads A.B.C. and v1.2.3 is etched on the tag",
  ],
  FR: [
    "Perdu.La chatte est noire.Elle est craintive",
    "Perdue le 21.11.2026.Merci de partager.Pas de collier",
    "12 av.de la République, près de la boul.St Michel",
    "Puce n° 250269604012345.Stérilisée.À Lyon 4e",
    "M.Dupont l'a vue hier à 5h.Et Mme.Martin aussi",
    "Très câline.Si vous la voyez, ne courez pas.Son nom est Mimi",
    "Partie de chez nous.Ma fille pleure.Sa maman aussi",
    "J'ai partagé sur insta aussi. Groupe facebook du quartier prévenu.",
    "Yeux verts.Oreille gauche coupée.Pattes blanches etc.et un grelot",
    "CHAT PERDU.NOIR ET BLANC.MERCI DE NOUS AIDER.DE NUIT COMME DE JOUR",
  ],
  ES: [
    "Se perdió ayer.Es muy tímida.No la persigan",
    "Vista a las 17.30.En el parque del Retiro",
    "Avda.de América, 12, 3º B.La vieron dos vecinos",
    "Chip 941000012345678.Vacunada.De raza mestiza",
    "Un punto blanco en la frente. Pesa 4.5 kg.Mide 30x40 cm",
    "Cat o gat, en Barcelona.Madrid queda lejos",
    "PERRO PERDIDO.ES NEGRO.NO MUERDE.SE LLAMA ROCKY",
  ],
  DE: [
    "Sie ist sehr scheu.Es gibt Finderlohn.In Köln-Nippes",
    "Tel. bitte über diese Seite.Danke.Die Kinder weinen",
    "Chip-Nr.276098102345678, bei Tasso gemeldet.An der Ruhr",
    "Schwarz.Weiße Pfote.Rotes Halsband mit Glöckchen usw.am Hals",
    "Edeka Parkplatz.Lidl gegenüber.Bitte Keller kontrollieren",
    "Mo.-Fr. von 9.00-17.00 Uhr im Tierheim e.V.am Stadtrand",
    "Auf insta geteilt und in der Facebook Gruppe.Bild unten",
  ],
};

/** Honest texts that lose a word or two, because the words around a full stop are written like a host name. */
const LOST: Readonly<Record<string, readonly string[]>> = {
  US: ["ran home.it was dark", "behind the house.my dog is old", "Collar.Red/blue tag"],
  FR: ["perdu.la chatte est noire"],
  DE: ["entlaufen.am Freitag"],
};

describe.each(Object.entries(SENTENCES))("in a text from %s", (countryCode, sentences) => {
  test.each(sentences)("nothing is removed from: %s", (sentence) => {
    const { text, removed } = redact(sentence, { countryCode });

    expect(removed).toEqual([]);
    expect(text.replaceAll(" ", "")).toBe(sentence.replaceAll(" ", ""));
  });
});

test("no sentence keeps two words joined by a dot that an email program would link", () => {
  const joined =
    /[\p{L}\p{N}]\.(?:it|is|in|no|red|black|help|live|cash|love|my|de|la|am|im|es|so|at|by|fox|mov)\b/iu;
  for (const [countryCode, sentences] of Object.entries(SENTENCES))
    for (const sentence of sentences) {
      expect(redact(sentence, { countryCode }).text).not.toMatch(joined);
    }
});

test("lower case letters directly after a full stop are removed if they form a host name", () => {
  for (const [countryCode, sentences] of Object.entries(LOST))
    for (const sentence of sentences)
      expect(redact(sentence, { countryCode }).removed).toEqual(["link"]);
});
