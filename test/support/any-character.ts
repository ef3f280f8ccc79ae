import fc from "fast-check";

/** Any code point, half surrogates too. `unit: "binary"` is the same, and takes seconds to prepare. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff })
  .map((code) => String.fromCodePoint(code));
