import { describe, expect, test } from "bun:test";

import { redact } from "../../src/redaction/redact.ts";

/**
 * Texts as people write them about animals, without a space after some full stops. Nothing may be removed; spaces may
 * be added after a full stop.
 */
const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  US: [
    "She was seen at 5.Please keep an eye out",
    "Please share #BringMaxHomeSafeNowPleaseEverybody",
    "Answers to Mr.Fox or Foxy. Very shy.",
    "Collar, tags, harness etc.so you cannot miss him",
    "Ask for Rex.He ran off when the fireworks started at 9.30pm",
    "He ran home.It was dark.No collar",
    "Black and white.Red collar.Green eyes.One white paw",
    "LOST DOG.BLACK AND TAN.HELP US FIND HIM.CASH REWARD",
    "Last seen near the park.Live traps are out.Call animal control if you can",
    "Missing since Monday.My kids are heartbroken.Love that cat to bits",
    "He is 4.5 kg.Me and my husband search every night",
    "Seen behind Walmart.Target parking lot is next to it",
    "Reward $500.No questions asked",
    "Tan chihuahua mix, approx.10 lbs, Nashville.TN area",
    "J. R. Smith from the shelter has him. U.S. citizens only? no!",
    "Dr.O'Neil at the vet clinic checked him for a chip",
    "St.Louis, near 5th Ave.at the corner of Main St.and Oak",
    "Chip 985112345678901.Registered with HomeAgain",
    "Photo IMG_2034.mov shows the limp; see also IMG_2035.jpg",
    "GPS collar firmware 2.4.1, battery at 20%",
    "Went missing 11/21/2026 at 6.30 p.m.in the rain",
    "Weight: 12.5lb.Size: small.Sex: male.Fixed: yes",
    "Do not chase!He bites.Just text us through this page.Thanks",
    "His name is Tom.Boy is he fast",
    "She loves tuna.Try shaking a bag of treats.Also answers to Kitty",
    "I posted on insta yesterday, and on Facebook and Instagram too.",
    "A white dot on the nose and a black dot under the chin",
    "Tired -.- but not giving up, call the shelter if you see her",
    "1600 127TH AVE SE BELLEVUE WA 98005-1234, apt.4B",
    "It may snap if cornered. Signal is bad in the valley.",
    "Two cats: 1.Mimi 2.Minou 3.Tiger",
  ],
  GB: [
    "Ginger tom, 3 yrs.Is chipped.In good health when last seen",
    "Gone from Clifton.Bristol folk please check your sheds",
    "Spotted near Lidl.Aldi car park as well, about 4.15pm",
    "The cat is called Dr. Pepper; owner lives at no.12 Church St.by the pub",
    "Old scar on left ear.One fang missing.Fit and fast otherwise",
    "Reward £50.Will pay vet bills.Many thanks",
    "Collar reads A.B.C. and v1.2.3 is etched on the tag",
    "Plan A, B, C. D is the fallback",
  ],
  FR: [
    "Perdu.La chatte est noire.Elle est craintive",
    "Perdue le 21.11.2026.Merci de partager.Pas de collier",
    "Il a été vu vers 18h30.Photo jointe",
    "12 av.de la République, près de la boul.St Michel",
    "Chat tigré.Ne pas le poursuivre.Il est très peureux",
    "Puce n° 250269604012345.Stérilisée.À Lyon 4e",
    "M.Dupont l'a vue hier à 5h.Et Mme.Martin aussi",
    "Récompense 200 €.Contact par cette page",
    "Très câline.Si vous la voyez, ne courez pas.Son nom est Mimi",
    "Un point de vue sur le parc, au point info, tache blanche",
    "Partie de chez nous.Ma fille pleure.Sa maman aussi",
    "J'ai partagé sur insta aussi. Groupe facebook du quartier prévenu.",
    "Vu près de Leclerc.Paris 15e.Merci",
    "Yeux verts.Oreille gauche coupée.Pattes blanches etc.et un grelot",
    "Siamois, 3,5 kg, né le 02.03.2021, tél. du refuge sur la page du refuge",
    "CHAT PERDU.NOIR ET BLANC.MERCI DE NOUS AIDER.DE NUIT COMME DE JOUR",
  ],
  ES: [
    "Se perdió ayer.Es muy tímida.No la persigan",
    "Perro negro.Tiene collar rojo.Su nombre es Toby",
    "Vista a las 17.30.En el parque del Retiro",
    "Recompensa 300 €.Gracias a todos.Si la ves, avisa",
    "Avda.de América, 12, 3º B.La vieron dos vecinos",
    "Chip 941000012345678.Vacunada.De raza mestiza",
    "Sra.Gómez la vio.Me dijo que cojeaba",
    "Un punto blanco en la frente. Pesa 4.5 kg.Mide 30x40 cm",
    "Lo publiqué en instagram ayer. Compartan por favor.",
    "Cat o gat, en Barcelona.Madrid queda lejos",
    "PERRO PERDIDO.ES NEGRO.NO MUERDE.SE LLAMA ROCKY",
  ],
  DE: [
    "Katze entlaufen.Am Freitag.Im Garten gesehen",
    "Sie ist sehr scheu.Es gibt Finderlohn.In Köln-Nippes",
    "Hr.Müller hat ihn gesehen.So gegen 17.30 Uhr",
    "Tel. bitte über diese Seite.Danke.Die Kinder weinen",
    "Chip-Nr.276098102345678, bei Tasso gemeldet.An der Ruhr",
    "Zuletzt am 21.11.26 ca.18 Uhr in der Hauptstr.in Berlin",
    "Schwarz.Weiße Pfote.Rotes Halsband mit Glöckchen usw.am Hals",
    "Ein weißer Punkt an der Stirn, z.B. hier; d.h. gut zu erkennen",
    "Edeka Parkplatz.Lidl gegenüber.Bitte Keller kontrollieren",
    "Mo.-Fr. von 9.00-17.00 Uhr im Tierheim e.V.am Stadtrand",
    "4,5 kg.Er frisst nur Thunfisch.Name: Prof.Dr. Schnurr",
    "Auf insta geteilt und in der Facebook Gruppe.Bild unten",
    "HUND ENTLAUFEN.ES IST EIN DACKEL.IM WALD BEI TELTOW.IST SEHR SCHEU",
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
