import { describe, expect, test } from "bun:test";
import { drawnAnimal, drawnAnimalFile } from "../../src/photos/drawn-animal.ts";
import { SPECIES } from "../../src/values/animal.ts";

describe("the drawing of an animal without a photo", () => {
  test.each(SPECIES)("is one of a kind (%s)", (species) => {
    const others = SPECIES.filter((other) => other !== species);
    for (const other of others)
      expect(drawnAnimal(species, "black")).not.toBe(drawnAnimal(other, "black"));
  });

  test("has the colours of the alert, in whatever language they are told", () => {
    expect(drawnAnimal("cat", "black and white")).toBe(drawnAnimal("cat", "noir et blanc"));
    expect(drawnAnimal("cat", "grey tabby")).not.toBe(drawnAnimal("cat", "grey"));
    expect(drawnAnimal("dog", "unknown")).not.toBe(drawnAnimal("dog", "brown"));
  });

  test("holds nothing of what was typed", () => {
    const hostile = `black"/><script>alert(1)</script>`;

    expect(drawnAnimal("cat", hostile)).toBe(drawnAnimal("cat", "black"));
    expect(drawnAnimalFile("cat", hostile, "#fff")).toStartWith("<svg ");
  });
});
