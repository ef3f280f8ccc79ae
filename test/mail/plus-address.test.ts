import { createHmac } from "node:crypto";
import { describe, expect, test } from "bun:test";
import { createPlusAddresses } from "../../src/mail/plus-address.ts";

const mac = (key: string) => (id: string) => createHmac("sha256", key).update(id).digest("hex");
const ours = createPlusAddresses("bounces@shelter.example", mac("our key"));
const theirs = createPlusAddresses("bounces@shelter.example", mac("another key"));
const IDS = [
  "019aa3c4-5ed2-7000-8000-000000000001",
  "00000000-0000-7000-8000-000000000000",
  "ffffffff-ffff-7fff-bfff-ffffffffffff",
] as const;

describe("a plus address", () => {
  test.each(IDS)("gives back its id: %s", (id) => {
    const address = ours.of(id);
    expect(address.indexOf("@")).toBe("bounces".length + 43);
    expect(ours.idsIn(`Delivered-To: <${address}>`)).toEqual([id]);
    expect(ours.idsIn(`To: "x" <${address.toUpperCase()}>,`)).toEqual([id]);
  });

  test("made with another key, or changed in one place, has no id", () => {
    const address = ours.of(IDS[0]);
    expect(ours.idsIn(theirs.of(IDS[0]))).toEqual([]);
    const start = "bounces+".length;
    for (let at = start; at < start + 42; at += 1) {
      const other = address[at] === "a" ? "b" : "a";
      const changed = address.slice(0, at) + other + address.slice(at + 1);
      expect(ours.idsIn(changed)).toEqual([]);
      expect(ours.hasCandidate(changed)).toBe(true);
    }
  });

  test("is looked for among few: a header full of them costs little", () => {
    const wrong = theirs.of(IDS[1]);
    const header = `${`${wrong}, `.repeat(100)}${ours.of(IDS[0])}`;
    expect(ours.idsIn(header)).toEqual([]);
    expect(ours.idsIn(`${ours.of(IDS[0])}, ${header}`)).toEqual([IDS[0]]);
  });
});
