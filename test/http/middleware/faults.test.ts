import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Fault, type FieldReason } from "../../../src/core/fault.ts";
import { faultMessage, fieldMessage } from "../../../src/http/web/form/field.tsx";
import { type Language, LANGUAGES } from "../../../src/messages/languages.ts";
import { ERROR_MESSAGES, PAGE_MESSAGES } from "../../../src/messages/messages.ts";
import { createWorld, LOST_CAT, type World } from "../../support/world.ts";

const MESSAGE = { email: "finder@example.net", message: "She sleeps in our shed." };
const { lat: _lat, lng: _lng, ...CAT } = LOST_CAT;
const ALERT = { ...CAT, place: "Lyon, FR" };

let world: World;
let alert: any;
let manage: string;
beforeAll(async () => {
  world = await createWorld({ LIMIT_MESSAGE: "1/h" });
  alert = await world.publish();
  manage = await world.linkTo(LOST_CAT.email, "/manage/");
});
afterAll(async () => {
  expect(world.logged).toEqual([]);
  await world.end();
});

/** Status and text of the page that answers a form. */
async function send(path: string, fields: Record<string, string>, language: Language = "en") {
  const answer = await world.post(path, fields, { "Accept-Language": language });
  return { status: answer.status, text: await answer.text() };
}

/** Error messages of the fields of a form: in the summary above the form and beside the fields. */
function fieldErrors({ text }: { readonly text: string }) {
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
async function errorPage(answer: Response | Promise<Response>) {
  const page = await answer;
  const [, title, lead] =
    /<h1>([^<]+)<\/h1><p class="lead">([^<]+)<\/p>/.exec(await page.text()) ?? [];
  return [page.status, title, lead];
}

describe("an error in a form", () => {
  test("is shown above the form and beside the field, with the label of the field or after its question", async () => {
    const english = await send(alert.contact_url, {});
    const french = await send("/publish", { ...ALERT, species: "" }, "fr");

    const messages = [
      "Your email address: please fill this in",
      "Your message: please fill this in",
    ];
    expect(english.status).toBe(400);
    expect(fieldErrors(english).box.toSorted()).toEqual(messages);
    expect(fieldErrors(english).beside.toSorted()).toEqual(messages);
    const question = "Quel animal\u202f? Choisissez une des options proposées";
    expect(fieldErrors(french)).toEqual({ box: [question], beside: [question] });
  });

  test("states the limit or an example", async () => {
    const odd = { species: "zebra", color: "grey ".repeat(20), email: "owner", microchip: "12" };
    const errors = async (fields: object) =>
      fieldErrors(await send("/publish", { ...ALERT, ...fields })).beside.map((one) =>
        one.replace(/^.*?[:?] /, ""),
      );

    expect((await errors(odd)).toSorted()).toEqual([
      "Please choose one of the options",
      "a microchip number has 9, 10 or 15 characters",
      "no more than 80 characters, please",
      "please enter one email address, such as name@example.org",
    ]);
    expect(await errors({ eventDate: "1999-12-31" })).toEqual([
      "please choose 1 January 2000 or later",
    ]);
    expect(await errors({ place: "Xqzwvk" })).toEqual([
      "We couldn’t find this place; try it with its city, or the nearest larger town",
    ]);
  });

  test("states the time to wait after too many requests, in the reader's language", async () => {
    await send(alert.contact_url, MESSAGE);
    world.jump(59 * 60_000);

    const { status, text } = await send(alert.contact_url, { ...MESSAGE, message: "Again." }, "de");

    expect(status).toBe(429);
    expect(formError(text)).toBe(
      "Zu viele Anfragen in kurzer Zeit. Bitte versuchen Sie es in 1 Minute noch einmal.",
    );
  });

  test("tells people in general what is a sentence for programs", () => {
    const fault = new Fault("conflict", "The wheel of this program is stuck.");
    const tooLong: FieldReason = { kind: "longest", limit: 80 };

    for (const language of LANGUAGES)
      expect(faultMessage(PAGE_MESSAGES[language], fault)).toBe(
        ERROR_MESSAGES[language].general.conflict,
      );
    expect(fieldMessage(PAGE_MESSAGES.fr, "Couleur", tooLong)).toBe(
      "Couleur\u202f: 80 caractères au maximum",
    );
  });
});

describe("an error page", () => {
  test("is shown for what does not exist, in the reader's language", async () => {
    const french = { headers: { "Accept-Language": "fr" } };

    expect(await errorPage(world.fetch("/manage/nothing", french))).toEqual([
      404,
      "Page introuvable",
      "Ce lien a expiré, ou il est incomplet.",
    ]);
    expect(await errorPage(world.fetch("/a/ABC23"))).toEqual([
      404,
      "Page not found",
      "No alert has this short code. Please check it for typing errors.",
    ]);
  });

  test("has a general text where programs get details", async () => {
    const [status, , text] = await errorPage(world.fetch("/about", { method: "DELETE" }));

    expect([status, text]).toEqual([405, "Please go back and try again from the page."]);
  });

  test("states the seconds to wait after too many reads", async () => {
    const busy = await createWorld({ LIMIT_READ: "1/m" });
    await busy.fetch("/about");

    const [status, , text] = await errorPage(busy.fetch("/about"));

    expect([status, text]).toEqual([429, "Too many requests. Try again in 60 seconds."]);
    await busy.end();
  });
});

test("programs get English messages, whatever language they request", async () => {
  const french = { headers: { "Accept-Language": "fr" } };
  const detail = async (path: string) => (await world.json(path, french)).detail;
  const errorOf = (name: string, args: Record<string, unknown>) =>
    world.tool(name, args).catch((error: Error) => error.message);

  expect(await detail("/api/v1/alerts?lat=91&lng=0&limit=1.5&since=soon")).toBe(
    "lat must be at most 90. since must be a date or a timestamp, such as 2026-11-21 or 2026-11-21T07:30:00Z. limit must be a whole number.",
  );
  expect(await detail("/api/v1/alerts?type=lost&type=found")).toBe("type is given more than once.");
  expect(await detail("/api/v1/alerts/nobody")).toBe("No alert with that id.");
  const wrong = { ...LOST_CAT, email: "x", color: "", language: "fr" };
  expect(await errorOf("publish_alert", wrong)).toBe(
    "color must not be empty. email must be an email address, such as name@example.org.",
  );
});

test("what an alert no longer allows is told to people and to programs", async () => {
  expect((await world.post(`${manage}/resolve`)).status).toBe(303);
  world.jump(60 * 60_000);

  const { status, text } = await send(`${manage}/renew`, {});
  const written = world.tool("send_message", { alert: alert.slug, ...MESSAGE });

  expect(status).toBe(409);
  expect(formError(text)).toBe("This isn’t possible while the alert is in its current state.");
  await expect(written).rejects.toThrow(
    "This animal is home again. Its alert no longer accepts messages.",
  );
});
