import { describe, expect, test } from "bun:test";
import { messagesIn } from "../../src/messages/locale.ts";
import { type MessageFile, say } from "../../src/messages/compile.ts";

type Said = string | ((values: Record<string, string | number>) => string);
const compile = (file: MessageFile, language: "en" | "fr" = "en") =>
  messagesIn({ [language]: JSON.stringify(file) }, language) as unknown as Record<string, Said>;
const said = (text: string, values: Record<string, string | number>, language?: "en" | "fr") =>
  say(compile({ text }, language)["text"]!, values);

describe("a message", () => {
  test("without arguments is its text", () => {
    expect(compile({ text: "It’s home" })["text"]).toBe("It’s home");
  });

  test("between groups and lists keeps its place", () => {
    expect(compile({ group: { text: "a" }, list: ["b", "c"] })).toEqual(
      expect.objectContaining({ group: { text: "a" }, list: ["b", "c"] }),
    );
  });

  test("counts as its language does", () => {
    const french = "{count, plural, one {# alerte} other {# alertes}}";

    expect([0, 1, 2].map((count) => said(french, { count }, "fr"))).toEqual([
      "0 alerte",
      "1 alerte",
      "2 alertes",
    ]);
    expect(said("{count, plural, one {# alert} other {# alerts}}", { count: 0 })).toBe("0 alerts");
  });

  test("leaves quoted braces to the scripts", () => {
    expect(compile({ text: "No more than '{max}' photos." })["text"]).toBe(
      "No more than {max} photos.",
    );
  });

  test("says what it is given as it is, markup and braces included", () => {
    const name = "<b>{count}</b> '{x}'";

    expect(said("We couldn’t find “{name}” <b>", { name })).toBe(`We couldn’t find “${name}” <b>`);
  });

  test("joins of and town as French does", () => {
    const towns = ["Lyon", "Annecy", "Le Mans", "Les Arcs"];

    expect(towns.map((town) => said("près {ofTown}", { town }, "fr"))).toEqual([
      "près de Lyon",
      "près d’Annecy",
      "près du Mans",
      "près des Arcs",
    ]);
  });
});
