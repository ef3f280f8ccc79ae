import { afterEach, describe, expect, test } from "bun:test";
import { type Language, LANGUAGES } from "../../src/core/alert.ts";
import { createWorld, form, linkIn, LOST_CAT, type World } from "../support/world.ts";

type InEach = Readonly<Record<Language, string>>;

const WRITER = "finder@example.net";
const MESSAGE = { email: WRITER, message: "She sleeps in our shed." };
const ALERT = {
  type: "lost",
  species: "cat",
  place: "Lyon",
  color: "grey tabby",
  email: LOST_CAT.email,
};

let world: World;
afterEach(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

async function open(settings: Readonly<Record<string, string>> = {}): Promise<void> {
  world = await createWorld(settings);
}

/** A page in a language, and the status it came with. */
async function page(
  path: string,
  language: Language,
  init: { readonly method?: string; readonly fields?: Readonly<Record<string, string>> } = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const { headers = {}, body = null } = init.fields === undefined ? {} : form(init.fields);
  const answer = await world.fetch(path, {
    method: init.method ?? (init.fields === undefined ? "GET" : "POST"),
    headers: { ...headers, "Accept-Language": language },
    body,
  });
  return { status: answer.status, text: await answer.text() };
}

/** What a page sent back says is wrong, field by field: above the form and beside the field. */
function wrongIn(text: string): { readonly box: string[]; readonly beside: string[] } {
  const box = /<div class="trouble".*?<\/div>/s.exec(text)?.[0] ?? "";
  return {
    box: [...box.matchAll(/<a href="#[^"]+">([^<]+)<\/a>/g)].map(([, said = ""]) => said),
    beside: [...text.matchAll(/<p class="wrong"[^>]*>([^<]+)<\/p>/g)].map(([, said = ""]) => said),
  };
}

/** What a page sent back says where no field is to blame. */
function troubleIn(text: string): string | undefined {
  return /<div class="trouble".*?<p>([^<]+)<\/p>/s.exec(text)?.[1];
}

/** What a page says that tells of nothing but a fault. */
function told({ status, text }: { status: number; text: string }) {
  const [, title, lead] = /<h1>([^<]+)<\/h1><p class="lead">([^<]+)<\/p>/.exec(text) ?? [];
  return [status, title, lead];
}

const EACH = LANGUAGES.map((language) => [language] as const);

describe.each(EACH)("what is wrong with a form, in %s,", (language) => {
  test("is told by the field's own label, above the form and beside the field", async () => {
    await open();
    const alert = await world.publish();

    const { status, text } = await page(alert.contact_url, language, { fields: {} });

    expect(status).toBe(400);
    const said = {
      en: ["Your message: this is still empty", "Your email address: this is still empty"],
      fr: [
        "Votre message\u202f: ce champ est vide",
        "Votre adresse e-mail\u202f: ce champ est vide",
      ],
      es: ["Su mensaje: este campo está vacío", "Su dirección de correo: este campo está vacío"],
      de: ["Ihre Nachricht: hier fehlt noch etwas", "Ihre E-Mail-Adresse: hier fehlt noch etwas"],
    }[language];
    expect(wrongIn(text).box.toSorted()).toEqual(said.toSorted());
    expect(wrongIn(text).beside.toSorted()).toEqual(said.toSorted());
  });

  test("follows a label that is a question as a sentence of its own", async () => {
    await open();

    const { text } = await page("/publish", language, { fields: { ...ALERT, species: "" } });

    const said = {
      en: "Which animal? Please choose one of the options",
      fr: "Quel animal\u202f? Choisissez une des options proposées",
      es: "¿Qué animal es? Elija una de las opciones",
      de: "Welches Tier? Bitte eine der Möglichkeiten wählen",
    }[language];
    expect(wrongIn(text)).toEqual({ box: [said], beside: [said] });
  });

  test("says how long, how early and what instead", async () => {
    await open();
    const fields = {
      ...ALERT,
      species: "zebra",
      color: "grey ".repeat(20),
      email: "owner",
      microchip: "12",
    };

    const { text } = await page("/publish", language, { fields });
    const early = await page("/publish", language, {
      fields: { ...ALERT, eventDate: "1999-12-31", place: "Lyon" },
    });
    const nowhere = await page("/publish", language, { fields: { ...ALERT, place: "Xqzwvk" } });

    const { said, day, town } = {
      en: {
        said: [
          "please choose one of the options",
          "80 characters at most, please",
          "please give one address, such as name@example.org",
          "a chip number has 9, 10 or 15 characters",
        ],
        day: "Not before 1 January 2000, please",
        town: "We do not know this town; try the nearest larger one",
      },
      fr: {
        said: [
          "choisissez une des options proposées",
          "80 caractères au maximum",
          "indiquez une seule adresse, par exemple nom@example.org",
          "un numéro de puce compte 9, 10 ou 15 caractères",
        ],
        day: "Pas avant le 1er janvier 2000",
        town: "Nous ne connaissons pas cette commune\u202f; essayez la grande ville la plus proche",
      },
      es: {
        said: [
          "elija una de las opciones",
          "80 caracteres como máximo",
          "escriba una sola dirección, por ejemplo nombre@example.org",
          "un número de microchip tiene 9, 10 o 15 caracteres",
        ],
        day: "No antes del 1 de enero de 2000",
        town: "No conocemos esta localidad; pruebe con la ciudad más cercana",
      },
      de: {
        said: [
          "bitte eine der Möglichkeiten wählen",
          "höchstens 80 Zeichen",
          "bitte genau eine Adresse angeben, zum Beispiel name@example.org",
          "eine Chipnummer hat 9, 10 oder 15 Zeichen",
        ],
        day: "Bitte nicht vor dem 1. Januar 2000",
        town: "Diesen Ort kennen wir nicht; versuchen Sie es mit der nächsten größeren Stadt",
      },
    }[language];
    const withoutLabels = wrongIn(text).box.map((one) => one.replace(/^.*?[:?] /, ""));
    expect(withoutLabels.map((one) => one.toLowerCase()).toSorted()).toEqual(
      said.map((one) => one.toLowerCase()).toSorted(),
    );
    expect(wrongIn(early.text).beside).toEqual([expect.stringMatching(endOf(day))]);
    expect(wrongIn(nowhere.text).beside).toEqual([expect.stringMatching(endOf(town))]);
  });

  test("is told of a form that was sent too often, with the time to wait", async () => {
    await open({ LIMIT_MESSAGE: "1/h" });
    const alert = await world.publish();
    await page(alert.contact_url, language, { fields: MESSAGE });
    world.jump(59 * 60_000);

    const { status, text } = await page(alert.contact_url, language, {
      fields: { ...MESSAGE, message: "And again." },
    });

    expect(status).toBe(429);
    expect(troubleIn(text)).toBe(
      {
        en: "That was too often for now. Try again in 1 minute.",
        fr: "C’était trop souvent pour le moment. Réessayez dans 1 minute.",
        es: "Han sido demasiadas veces por ahora. Inténtelo dentro de 1 minuto.",
        de: "Das war für den Moment zu oft. Bitte versuchen Sie es in 1 Minute noch einmal.",
      }[language],
    );
  });

  test("is told of an owner's step that is not open any more", async () => {
    await open();
    await world.publish();
    const letters = await world.letters(LOST_CAT.email);
    const manage = linkIn(
      letters.findLast((letter) => letter.text?.includes("/manage/")),
      "/manage/",
    );
    await page(`${manage}/resolve`, language, { fields: {} });

    const { status, text } = await page(`${manage}/renew`, language, { fields: {} });

    expect(status).toBe(409);
    expect(troubleIn(text)).toBe(
      {
        en: "The alert does not allow this as it stands now.",
        fr: "Dans son état actuel, l’alerte ne le permet pas.",
        es: "El aviso no lo permite tal como está ahora.",
        de: "Das lässt die Meldung in ihrem jetzigen Zustand nicht zu.",
      }[language],
    );
  });
});

describe.each(EACH)("a page that tells of a fault only, in %s,", (language) => {
  test("says that a private link is not known", async () => {
    await open();

    expect(told(await page("/manage/nothing", language))).toEqual([
      404,
      HERE_IS_NOTHING[language],
      {
        en: "This link opens nothing any more, or a part of it was cut off.",
        fr: "Ce lien n’ouvre plus rien, ou il est incomplet.",
        es: "Este enlace ya no abre nada, o le falta una parte.",
        de: "Dieser Link führt nirgendwohin mehr, oder es fehlt ein Teil davon.",
      }[language],
    ]);
  });

  test("says that a short code is not known", async () => {
    await open();

    expect(told(await page("/a/ABC23", language))).toEqual([
      404,
      HERE_IS_NOTHING[language],
      {
        en: "There is no alert with this short code. Perhaps it was mistyped.",
        fr: "Aucune alerte ne porte ce code court. Il contient peut-être une faute de frappe.",
        es: "Ningún aviso tiene este código corto. Quizá hay un error al escribirlo.",
        de: "Keine Meldung hat diesen Kurzcode. Vielleicht ist er falsch abgetippt.",
      }[language],
    ]);
  });

  test("says that an alert was removed", async () => {
    await open();
    const alert = await world.publish();
    const letters = await world.letters(LOST_CAT.email);
    const live = letters.findLast((letter) => letter.text?.includes("/manage/"));
    await page(`${linkIn(live, "/manage/")}/remove`, language, { fields: {} });

    const [status, , text] = told(await page(alert.url, language));

    expect(status).toBe(410);
    expect(text).toBe(
      {
        en: "This alert was removed by its owner or by us.",
        fr: "Cette alerte a été supprimée par la personne qui l’a publiée ou par nous.",
        es: "Este aviso lo retiró la persona que lo publicó, o lo retiramos nosotros.",
        de: "Diese Meldung wurde von der Person, die sie veröffentlicht hat, oder von uns entfernt.",
      }[language],
    );
  });

  test("says how many seconds to wait after reading too much", async () => {
    await open({ LIMIT_READ: "1/m" });
    await page("/about", language);

    const [status, , text] = told(await page("/about", language));

    expect(status).toBe(429);
    expect(text).toBe(
      {
        en: "That was too often for now. Try again in 60 seconds.",
        fr: "C’était trop souvent pour le moment. Réessayez dans 60 secondes.",
        es: "Han sido demasiadas veces por ahora. Inténtelo dentro de 60 segundos.",
        de: "Das war für den Moment zu oft. Bitte versuchen Sie es in 60 Sekunden noch einmal.",
      }[language],
    );
  });

  test("says what the code says in general where programs get more", async () => {
    await open();

    const [status, , text] = told(await page("/about", language, { method: "DELETE" }));

    expect(status).toBe(405);
    expect(text).toBe(
      {
        en: "This address cannot be used like that.",
        fr: "Cette adresse ne s’utilise pas ainsi.",
        es: "Esta dirección no se usa así.",
        de: "Diese Adresse lässt sich so nicht verwenden.",
      }[language],
    );
  });
});

test("programs are told the same in English, whatever language they ask for", async () => {
  await open();
  const alert = await world.publish();
  const asked = { headers: { "Accept-Language": "fr" } };
  const detail = async (path: string) => (await world.json(path, asked)).detail;
  const refused = (name: string, args: Record<string, unknown>) =>
    world.tool(name, args).catch((error: Error) => error.message);

  expect(await detail("/api/v1/alerts?lat=91&lng=0&limit=1.5&since=soon")).toBe(
    "lat must be at most 90; since must be a date or a timestamp, such as 2026-11-21 or 2026-11-21T07:30:00Z; limit must be a whole number.",
  );
  expect(await detail("/api/v1/alerts?type=lost&type=found")).toBe("type is given more than once.");
  expect(await detail("/api/v1/alerts?lat=45")).toBe("lng is missing: lat and lng come together.");
  expect(await detail("/api/v1/alerts/nobody")).toBe("There is no alert by that name.");
  expect(
    await refused("publish_alert", { ...LOST_CAT, email: "x", color: "", language: "fr" }),
  ).toBe(
    "Please mend: color must not be empty; email must be one e-mail address, such as name@example.org.",
  );
  expect(await refused("publish_alert", { ...LOST_CAT, event_date: "1999-12-31" })).toBe(
    "Please mend: event_date must not be before 2000-01-01.",
  );
  await world.pass(1_000);
  const manage = linkIn(
    (await world.letters(LOST_CAT.email)).findLast((one) => one.text?.includes("/manage/")),
    "/manage/",
  );
  await page(`${manage}/resolve`, "en", { fields: {} });
  const { email, message } = MESSAGE;
  expect(await refused("send_message", { alert: alert.slug, email, message })).toBe(
    "This animal is home again; its alert takes no more messages.",
  );
});

const HERE_IS_NOTHING: InEach = {
  en: "There is nothing here",
  fr: "Il n’y a rien ici",
  es: "Aquí no hay nada",
  de: "Hier ist nichts",
};

function endOf(sentence: string): RegExp {
  return new RegExp(`[:?] ${RegExp.escape(sentence)}$`, "i");
}
