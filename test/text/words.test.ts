import { describe, expect, test } from "bun:test";
import { memoize } from "../../src/text/memoize.ts";
import { ALERT_WORDS_MAX, tokenize } from "../../src/text/tokenize.ts";
import { anyCharacter } from "../support/any-character.ts";
import { fc } from "../support/seed.ts";

describe("words of a text", () => {
  test("are its runs of letters and digits, in order, each once", () => {
    expect(tokenize("Rex, the golden-retriever (Rex!) no. 2")).toEqual([
      "rex",
      "the",
      "golden",
      "retriever",
      "no",
      "2",
    ]);
  });

  test("are none where nothing is a letter or a digit", () => {
    expect(tokenize("")).toEqual([]);
    expect(tokenize(" … — 🐕 ❤️ \u0301 ")).toEqual([]);
  });

  test.each([
    ["Mímí ÉLAN Zoë", ["mimi", "elan", "zoe"]],
    ["e\u0301lan Élan", ["elan"]],
    ["İstanbul ISPARTA Kadıköy", ["istanbul", "isparta", "kadikoy"]],
    ["Ørsted Łódź Đà Nẵng", ["orsted", "lodz", "da", "nang"]],
    ["Άθήνα ΑΘΗΝΑ", ["αθηνα"]],
    ["Ёжик ЕЖИК Йорк", ["ежик", "иорк"]],
    ["ﬁsh Ａｋｉｔａ 𝐁𝐨𝐛", ["fish", "akita", "bob"]],
  ])("of %p are without case and accents", (text, words) => {
    expect(tokenize(text)).toEqual(words);
  });

  test.each([
    ["Straße", "STRASSE"],
    ["Æbeltoft œuvre", "aebeltoft OEUVRE"],
    ["Þingvellir", "thingvellir"],
    ["ΟΔΟΣ", "οδός"],
    ["أَحْمَد", "احمد"],
    ["שָׁלוֹם", "שלום"],
    ["می‌خواهم", "میخواهم"],
    ["Stutt\u00adgart", "stuttgart"],
  ])("are the same for %p and %p", (one, other) => {
    expect(tokenize(one)).toEqual(tokenize(other));
  });

  test.each([
    ["か", "が"],
    ["하", "한"],
    ["कि", "की"],
    ["金", "銀"],
  ])("are not the same for %p and %p, which are different letters", (one, other) => {
    expect(tokenize(one)).not.toEqual(tokenize(other));
  });

  test("keep the first syllables of a script without spaces at their beginning", () => {
    const [breed] = tokenize("金毛尋回犬");

    expect(breed).toStartWith(tokenize("金毛")[0]!);
    expect(breed).not.toStartWith(tokenize("尋回")[0]!);
  });

  test("do not let a syllable begin a word that begins with another", () => {
    expect(tokenize("한국")[0]).not.toStartWith(tokenize("하")[0]!);
    expect(tokenize("がっこう")[0]).not.toStartWith(tokenize("か")[0]!);
  });

  test("keep the vowel signs of Indic and Thai writing, which are letters to their readers", () => {
    expect(tokenize("हिन्दी สุนัข")).toEqual(["हिन्दी", "สุนัข"]);
  });

  test("are at most ten for a query, and as many as the caller allows otherwise", () => {
    const text = Array.from({ length: 100 }, (_, nth) => `word${nth}`).join(" ");

    expect(tokenize(text)).toHaveLength(10);
    expect(tokenize(text, 3)).toEqual(["word0", "word1", "word2"]);
    expect(tokenize(text, ALERT_WORDS_MAX)).toHaveLength(60);
  });

  test("are cut after forty characters, never through one", () => {
    expect(tokenize("a".repeat(50))).toEqual(["a".repeat(40)]);
    expect(tokenize("𠮷".repeat(50))).toEqual(["𠮷".repeat(40)]);
  });

  test("of any text are folded already: folding them again changes nothing", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (text) => {
        for (const word of tokenize(text, ALERT_WORDS_MAX)) expect(tokenize(word)).toEqual([word]);
      }),
      { numRuns: 500 },
    );
  });

  test("of any Latin text are the same in capitals and in decomposed writing", () => {
    const letters = [..."aàäåbcçdeéêøñośşťüžæœ0 -"];
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...letters), maxLength: 60 }), (text) => {
        const words = tokenize(text, ALERT_WORDS_MAX);

        expect(tokenize(text.toUpperCase(), ALERT_WORDS_MAX)).toEqual(words);
        expect(tokenize(text.normalize("NFD"), ALERT_WORDS_MAX)).toEqual(words);
      }),
    );
  });
});

test("a text is read once, and a long one each time, so that nobody fills the memory with it", () => {
  const asked: string[] = [];
  const lengthOf = memoize(10, (text) => {
    asked.push(text);
    return text.length;
  });
  const long = "a".repeat(10_000);

  expect(["tabby", "tabby", long, long].map(lengthOf)).toEqual([5, 5, 10_000, 10_000]);
  expect(asked).toEqual(["tabby", long, long]);
});
