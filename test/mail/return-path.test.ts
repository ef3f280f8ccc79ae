import { createHmac } from "node:crypto";
import { describe, expect, test } from "bun:test";
import { createReturnPaths } from "../../src/mail/return-path.ts";

const mac = (key: string) => (id: string) => createHmac("sha256", key).update(id).digest("hex");
const ours = createReturnPaths("bounces@shelter.example", mac("our key"));
const theirs = createReturnPaths("bounces@shelter.example", mac("another key"));
const IDS = [
  "019aa3c4-5ed2-7000-8000-000000000001",
  "00000000-0000-7000-8000-000000000000",
  "ffffffff-ffff-7fff-bfff-ffffffffffff",
] as const;

describe("an envelope sender", () => {
  test.each(IDS)("gives back the id of its email: %s", (id) => {
    const address = ours.of(id);
    expect(address.indexOf("@")).toBe("bounces".length + 43);
    expect(ours.emailIdsIn(`Delivered-To: <${address}>`)).toEqual([id]);
    expect(ours.emailIdsIn(`To: "x" <${address.toUpperCase()}>,`)).toEqual([id]);
  });

  test("made with another key, or changed in one place, names no email", () => {
    const address = ours.of(IDS[0]);
    expect(ours.emailIdsIn(theirs.of(IDS[0]))).toEqual([]);
    const start = "bounces+".length;
    for (let at = start; at < start + 42; at += 1) {
      const other = address[at] === "a" ? "b" : "a";
      const changed = address.slice(0, at) + other + address.slice(at + 1);
      expect(ours.emailIdsIn(changed)).toEqual([]);
      expect(ours.hasCandidate(changed)).toBe(true);
    }
  });

  test("of a digit more, or in front of another domain, is none", () => {
    const address = ours.of(IDS[0]);
    for (const other of [
      address.replace("@", "0@"),
      `x${address}`,
      address.replace("shelter.example", "shelter-example"),
      `${address}x`,
      address.replace("@", "@evil."),
    ])
      expect([other, ours.hasCandidate(other)]).toEqual([other, false]);
  });

  test("is looked for among few: a header full of them costs little", () => {
    const wrong = theirs.of(IDS[1]);
    const header = `${`${wrong}, `.repeat(100)}${ours.of(IDS[0])}`;
    expect(ours.emailIdsIn(header)).toEqual([]);
    expect(ours.emailIdsIn(`${ours.of(IDS[0])}, ${header}`)).toEqual([IDS[0]]);
  });
});
