import { expect, test } from "bun:test";
import { chipNumber } from "../../src/core/publication.ts";

test.each([
  ["250269812345678", "250269812345678"],
  ["250 2698 1234 5678", "250269812345678"],
  ["985-141-000-123-456", "985141000123456"],
  ["123456789", "123456789"],
  ["0a1b2c3d4e", "0A1B2C3D4E"],
])("%s is a microchip number", (text, bare) => {
  expect(chipNumber(text)).toBe(bare);
});

test.each([
  "",
  "12345678",
  "1234567890123456",
  "25026981234567",
  "000269812345678",
  "899141000123456",
  "999141000123456",
  "ABCDEFGHIJ",
  "٢٥٠٢٦٩٨١٢٣٤٥٦٧٨",
])("%p is none", (text) => {
  expect(chipNumber(text)).toBeNull();
});
