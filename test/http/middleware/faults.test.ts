import { afterEach, describe, expect, test } from "bun:test";
import { type Language, LANGUAGES } from "../../../src/messages/languages.ts";
import { createWorld, form, linkIn, LOST_CAT, type World } from "../../support/world.ts";

type Translations = Readonly<Record<Language, string>>;

const WRITER = "finder@example.net";
const MESSAGE = { email: WRITER, message: "She sleeps in our shed." };
const ALERT = {
  type: "lost",
  species: "cat",
  place: "Lyon, FR",
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

/** Status and text of a page in a language. */
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

/** Error messages of the fields of a form: in the summary above the form and beside the fields. */
function fieldErrors(text: string): { readonly box: string[]; readonly beside: string[] } {
  const box = /<div class="trouble".*?<\/div>/s.exec(text)?.[0] ?? "";
  return {
    box: [...box.matchAll(/<a href="#[^"]+">([^<]+)<\/a>/g)].map(([, message = ""]) => message),
    beside: [...text.matchAll(/<p class="wrong"[^>]*>([^<]+)<\/p>/g)].map(
      ([, message = ""]) => message,
    ),
  };
}

/** Error message of a form as a whole. */
function formError(text: string): string | undefined {
  return /<div class="trouble".*?<p>([^<]+)<\/p>/s.exec(text)?.[1];
}

/** Status, title and text of an error page. */
function errorPage({ status, text }: { status: number; text: string }) {
  const [, title, lead] = /<h1>([^<]+)<\/h1><p class="lead">([^<]+)<\/p>/.exec(text) ?? [];
  return [status, title, lead];
}

const EACH = LANGUAGES.map((language) => [language] as const);

describe.each(EACH)("an error in a form, in %s,", (language) => {
  test("is shown with the label of the field, above the form and beside the field", async () => {
    await open();
    const alert = await world.publish();

    const { status, text } = await page(alert.contact_url, language, { fields: {} });

    expect(status).toBe(400);
    const messages = {
      en: ["Your message: please fill this in", "Your email address: please fill this in"],
      fr: [
        "Votre message\u202f: ce champ est vide",
        "Votre adresse e-mail\u202f: ce champ est vide",
      ],
      es: ["Su mensaje: este campo está vacío", "Su dirección de correo: este campo está vacío"],
      de: ["Ihre Nachricht: bitte ausfüllen", "Ihre E-Mail-Adresse: bitte ausfüllen"],
    }[language];
    expect(fieldErrors(text).box.toSorted()).toEqual(messages.toSorted());
    expect(fieldErrors(text).beside.toSorted()).toEqual(messages.toSorted());
  });

  test("is a separate sentence after a label that is a question", async () => {
    await open();

    const { text } = await page("/publish", language, { fields: { ...ALERT, species: "" } });

    const messages = {
      en: "Which animal? Please choose one of the options",
      fr: "Quel animal\u202f? Choisissez une des options proposées",
      es: "¿Qué animal es? Elija una de las opciones",
      de: "Welches Tier? Bitte eine der Möglichkeiten wählen",
    }[language];
    expect(fieldErrors(text)).toEqual({ box: [messages], beside: [messages] });
  });

  test("states the limit or an example", async () => {
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
      fields: { ...ALERT, eventDate: "1999-12-31" },
    });
    const nowhere = await page("/publish", language, { fields: { ...ALERT, place: "Xqzwvk" } });

    const { messages, day, town } = {
      en: {
        messages: [
          "please choose one of the options",
          "no more than 80 characters, please",
          "please enter one email address, such as name@example.org",
          "a microchip number has 9, 10 or 15 characters",
        ],
        day: "Please choose 1 January 2000 or later",
        town: "We couldn’t find this place; try it with its city, or the nearest larger town",
      },
      fr: {
        messages: [
          "choisissez une des options proposées",
          "80 caractères au maximum",
          "indiquez une seule adresse, par exemple nom@example.org",
          "un numéro de puce compte 9, 10 ou 15 caractères",
        ],
        day: "Pas avant le 1er janvier 2000",
        town: "Nous n’avons pas trouvé ce lieu\u202f; ajoutez sa ville, ou essayez la grande ville la plus proche",
      },
      es: {
        messages: [
          "elija una de las opciones",
          "80 caracteres como máximo",
          "escriba una sola dirección, por ejemplo nombre@example.org",
          "un número de microchip tiene 9, 10 o 15 caracteres",
        ],
        day: "No antes del 1 de enero de 2000",
        town: "No hemos encontrado este lugar; añada su ciudad o pruebe con la ciudad más cercana",
      },
      de: {
        messages: [
          "bitte eine der Möglichkeiten wählen",
          "höchstens 80 Zeichen",
          "bitte genau eine Adresse angeben, zum Beispiel name@example.org",
          "eine Chipnummer hat 9, 10 oder 15 Zeichen",
        ],
        day: "Bitte nicht vor dem 1. Januar 2000",
        town: "Diesen Ort kennen wir nicht; versuchen Sie es mit der Stadt dazu oder mit der nächsten größeren Stadt",
      },
    }[language];
    const withoutLabels = fieldErrors(text).box.map((one) => one.replace(/^.*?[:?] /, ""));
    expect(withoutLabels.map((one) => one.toLowerCase()).toSorted()).toEqual(
      messages.map((one) => one.toLowerCase()).toSorted(),
    );
    expect(fieldErrors(early.text).beside).toEqual([expect.stringMatching(endOf(day))]);
    expect(fieldErrors(nowhere.text).beside).toEqual([expect.stringMatching(endOf(town))]);
  });

  test("states the time to wait after too many requests", async () => {
    await open({ LIMIT_MESSAGE: "1/h" });
    const alert = await world.publish();
    await page(alert.contact_url, language, { fields: MESSAGE });
    world.jump(59 * 60_000);

    const { status, text } = await page(alert.contact_url, language, {
      fields: { ...MESSAGE, message: "And again." },
    });

    expect(status).toBe(429);
    expect(formError(text)).toBe(
      {
        en: "Too many requests. Try again in 1 minute.",
        fr: "Trop de demandes en peu de temps. Réessayez dans 1 minute.",
        es: "Demasiadas solicitudes en poco tiempo. Inténtelo dentro de 1 minuto.",
        de: "Zu viele Anfragen in kurzer Zeit. Bitte versuchen Sie es in 1 Minute noch einmal.",
      }[language],
    );
  });

  test("is shown if the alert no longer allows the action", async () => {
    await open();
    await world.publish();
    const emails = await world.emails(LOST_CAT.email);
    const manage = linkIn(
      emails.findLast((email) => email.text?.includes("/manage/")),
      "/manage/",
    );
    await page(`${manage}/resolve`, language, { fields: {} });

    const { status, text } = await page(`${manage}/renew`, language, { fields: {} });

    expect(status).toBe(409);
    expect(formError(text)).toBe(
      {
        en: "This isn’t possible while the alert is in its current state.",
        fr: "Dans son état actuel, l’alerte ne le permet pas.",
        es: "El aviso no lo permite tal como está ahora.",
        de: "Das lässt die Meldung in ihrem jetzigen Zustand nicht zu.",
      }[language],
    );
  });
});

describe.each(EACH)("an error page, in %s,", (language) => {
  test("is shown for an unknown private link", async () => {
    await open();

    expect(errorPage(await page("/manage/nothing", language))).toEqual([
      404,
      HERE_IS_NOTHING[language],
      {
        en: "This link has expired or is incomplete.",
        fr: "Ce lien a expiré, ou il est incomplet.",
        es: "Este enlace ha caducado o está incompleto.",
        de: "Dieser Link ist abgelaufen oder unvollständig.",
      }[language],
    ]);
  });

  test("is shown for an unknown short code", async () => {
    await open();

    expect(errorPage(await page("/a/ABC23", language))).toEqual([
      404,
      HERE_IS_NOTHING[language],
      {
        en: "No alert has this short code. Please check it for typing errors.",
        fr: "Aucune alerte ne porte ce code court. Il contient peut-être une faute de frappe.",
        es: "Ningún aviso tiene este código corto. Quizá hay un error al escribirlo.",
        de: "Keine Meldung hat diesen Kurzcode. Vielleicht ist er falsch abgetippt.",
      }[language],
    ]);
  });

  test("is shown for a removed alert", async () => {
    await open();
    const alert = await world.publish();
    const emails = await world.emails(LOST_CAT.email);
    const live = emails.findLast((email) => email.text?.includes("/manage/"));
    await page(`${linkIn(live, "/manage/")}/remove`, language, { fields: {} });

    const [status, , text] = errorPage(await page(alert.url, language));

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

  test("states the seconds to wait after too many reads", async () => {
    await open({ LIMIT_READ: "1/m" });
    await page("/about", language);

    const [status, , text] = errorPage(await page("/about", language));

    expect(status).toBe(429);
    expect(text).toBe(
      {
        en: "Too many requests. Try again in 60 seconds.",
        fr: "Trop de demandes en peu de temps. Réessayez dans 60 secondes.",
        es: "Demasiadas solicitudes en poco tiempo. Inténtelo dentro de 60 segundos.",
        de: "Zu viele Anfragen in kurzer Zeit. Bitte versuchen Sie es in 60 Sekunden noch einmal.",
      }[language],
    );
  });

  test("has a general text where programs get details", async () => {
    await open();

    const [status, , text] = errorPage(await page("/about", language, { method: "DELETE" }));

    expect(status).toBe(405);
    expect(text).toBe(
      {
        en: "Please go back and try again from the page.",
        fr: "Cette adresse ne s’utilise pas ainsi.",
        es: "Esta dirección no se usa así.",
        de: "Diese Adresse lässt sich so nicht verwenden.",
      }[language],
    );
  });
});

test("programs get English messages, whatever language they request", async () => {
  await open();
  const alert = await world.publish();
  const french = { headers: { "Accept-Language": "fr" } };
  const detail = async (path: string) => (await world.json(path, french)).detail;
  const errorOf = (name: string, args: Record<string, unknown>) =>
    world.tool(name, args).catch((error: Error) => error.message);

  expect(await detail("/api/v1/alerts?lat=91&lng=0&limit=1.5&since=soon")).toBe(
    "lat must be at most 90. since must be a date or a timestamp, such as 2026-11-21 or 2026-11-21T07:30:00Z. limit must be a whole number.",
  );
  expect(await detail("/api/v1/alerts?type=lost&type=found")).toBe("type is given more than once.");
  expect(await detail("/api/v1/alerts?lat=45")).toBe("lng is required: lat and lng go together.");
  expect(await detail("/api/v1/alerts/nobody")).toBe("No alert with that id.");
  expect(
    await errorOf("publish_alert", { ...LOST_CAT, email: "x", color: "", language: "fr" }),
  ).toBe("color must not be empty. email must be an email address, such as name@example.org.");
  expect(await errorOf("publish_alert", { ...LOST_CAT, event_date: "1999-12-31" })).toStartWith(
    "event_date must not be before 2000-01-01. It is now 2026-",
  );
  await world.pass(1_000);
  const manage = linkIn(
    (await world.emails(LOST_CAT.email)).findLast((one) => one.text?.includes("/manage/")),
    "/manage/",
  );
  await page(`${manage}/resolve`, "en", { fields: {} });
  const { email, message } = MESSAGE;
  expect(await errorOf("send_message", { alert: alert.slug, email, message })).toBe(
    "This animal is home again. Its alert no longer accepts messages.",
  );
});

const HERE_IS_NOTHING: Translations = {
  en: "Page not found",
  fr: "Page introuvable",
  es: "Página no encontrada",
  de: "Seite nicht gefunden",
};

function endOf(sentence: string): RegExp {
  return new RegExp(`[:?] ${RegExp.escape(sentence)}$`, "i");
}
