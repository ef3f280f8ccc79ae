import { describe, expect, test } from "bun:test";
import { isCopied } from "../../../src/core/matches/copied-alert.ts";
import { makeDraft } from "../../support/make.ts";

const DESCRIPTION = "Shy, answers to nothing. A notch in the left ear, a white tip on the tail.";
const LOST = {
  ...makeDraft({
    type: "lost",
    name: "Mimi",
    color: "grey tabby with one white paw",
    breed: "European Shorthair",
    size: "small",
    sex: "female",
    age: "adult",
    description: DESCRIPTION,
    landmark: "Parc de la Tête d’Or",
  }),
  publishedAt: 1_000,
};
/** A find of which nothing stands in the lost alert. */
const FOUND = {
  ...makeDraft({
    type: "found",
    name: null,
    color: "grey, striped",
    breed: "unknown",
    size: "small",
    sex: "unknown",
    age: "adult",
    description: "Came to our door this morning, hungry.",
    landmark: null,
  }),
  publishedAt: 2_000,
  updatedAt: 2_000,
};
const isCopy = (find: Partial<typeof FOUND>, lost: Partial<typeof LOST> = {}) =>
  isCopied({ ...LOST, ...lost }, { ...FOUND, ...find });

describe("a find published after a loss", () => {
  test.each<[string, Partial<typeof FOUND>]>([
    ["the name", { name: "MIMI!" }],
    ["a part of the name", { name: "Mimi the cat" }],
    ["the description", { description: `${DESCRIPTION.toUpperCase()} ` }],
    ["most of the description", { description: `${DESCRIPTION} Please write to me.` }],
    ["a longer text", { color: "Grey tabby with one white paw" }],
    ["the landmark", { landmark: "parc de la Tête d'Or" }],
    [
      "all traits",
      { color: LOST.color, breed: LOST.breed, size: "small", sex: "female", age: "adult" },
    ],
  ])("repeats it by %s", (_, find) => {
    expect(isCopy(find)).toBe(true);
  });

  test("does not repeat it by traits that many animals share", () => {
    expect(isCopy({})).toBe(false);
    expect(isCopy({ color: "black", age: "unknown" }, { color: "black" })).toBe(false);
    expect(isCopy({ description: "Shy." }, { description: "Shy." })).toBe(false);
    expect(isCopy({ breed: "European Shorthair", sex: "male" })).toBe(false);
    const { size, sex, age } = LOST;
    expect(isCopy({ color: "grey tabby", size, sex, age }, { color: "grey tabby" })).toBe(false);
  });

  test("that waits for its confirmation repeats it, too, in either order", () => {
    const { publishedAt: _, updatedAt: _updatedAt, ...draft } = { ...FOUND, name: "Mimi" };
    expect(isCopied(LOST, draft)).toBe(true);
    expect(isCopied(draft, LOST)).toBe(true);
  });
});

test("a find published before the loss repeats it only if it was edited since", () => {
  const find = { name: "Mimi", description: DESCRIPTION, publishedAt: 999 };
  expect(isCopy({ ...find, updatedAt: 999 })).toBe(false);
  expect(isCopy({ ...find, updatedAt: 2_000 })).toBe(true);
});
