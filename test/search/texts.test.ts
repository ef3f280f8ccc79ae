import { expect, test } from "bun:test";
import fc from "fast-check";
import { createTexts } from "../../src/search/texts.ts";

test("each text has the list it was added with, and no other text has one", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 12 }),
    fc.stringMatching(/^[ab]{0,4}$/),
    // Such differ in nothing but their high halves: their hashes have the same low bits.
    fc.nat({ max: 255 }).map((high) => String.fromCharCode(high << 8)),
  );
  const list = fc.array(fc.nat(), { maxLength: 5 });
  const added = fc.uniqueArray(fc.tuple(text, list), {
    selector: ([text]) => text,
    maxLength: 400,
    size: "max",
  });
  fc.assert(
    fc.property(added, fc.array(text), (added, others) => {
      const texts = createTexts();
      const model = new Map(added);
      for (const [text, list] of added) {
        expect(texts.find(text)).toBeNull();
        const at = texts.add(text, list);
        expect(texts.find(text)).toBe(at);
      }

      expect(texts.size).toBe(model.size);
      for (const text of [...model.keys(), ...others])
        expect(listOf(texts, text)).toEqual(model.get(text) ?? null);
    }),
    { numRuns: 50 },
  );
});

function listOf({ find, numbers }: ReturnType<typeof createTexts>, text: string): number[] | null {
  const at = find(text);
  return at === null ? null : [...numbers.subarray(at + 1, at + 1 + numbers[at]!)];
}
