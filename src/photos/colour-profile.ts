import { readFileSync } from "node:fs";
import adobeRgb from "./adobe-rgb.icc" with { type: "file" };
import displayP3 from "./display-p3.icc" with { type: "file" };

// Format: ICC.1:2022. Numbers are big-endian.

const HEADER_BYTES = 128;
const TAG_BYTES = 12;
const TAGS_MAX = 100;
/** Bytes of an element before its numbers. */
const ELEMENT_HEAD_BYTES = 8;
const FIXED_ONE = 0x10000;
const TOLERANCE = 0.005;

/**
 * Wide colour spaces in which phones and cameras take photos, by the XYZ of their primaries at D50. The files hold the
 * numbers of the profile and no text, so nothing of the photo's own profile is kept.
 */
const KNOWN = [
  {
    primaries: [0.5151, 0.2412, -0.0011, 0.292, 0.6922, 0.0419, 0.1571, 0.0666, 0.7841],
    path: displayP3,
  },
  {
    primaries: [0.6097, 0.3111, 0.0195, 0.2053, 0.6257, 0.0609, 0.1492, 0.0632, 0.7446],
    path: adobeRgb,
  },
];

/** Profile of the colour space that a profile is for; null for sRGB, which needs none, and for all others. */
export function knownProfile(profile: Buffer): Buffer | null {
  if (profile.toString("latin1", 16, 24) !== "RGB XYZ ") return null;
  const primaries = ["rXYZ", "gXYZ", "bXYZ"].flatMap((name) => numbersOf(profile, name));
  const known = KNOWN.find(
    (one) =>
      primaries.length === one.primaries.length &&
      primaries.every((value, at) => Math.abs(value - one.primaries[at]!) < TOLERANCE),
  );
  return known === undefined ? null : readFileSync(known.path);
}

/** Three numbers of a tag; none if the profile lacks it. */
function numbersOf(profile: Buffer, name: string): number[] {
  const tags = profile.subarray(HEADER_BYTES + 4, HEADER_BYTES + 4 + TAGS_MAX * TAG_BYTES);
  for (let at = 0; at + TAG_BYTES <= tags.length; at += TAG_BYTES) {
    if (tags.toString("latin1", at, at + 4) !== name) continue;
    const numbers = profile.subarray(tags.readUInt32BE(at + 4) + ELEMENT_HEAD_BYTES);
    return numbers.length < 12 ? [] : [0, 4, 8].map((at) => numbers.readInt32BE(at) / FIXED_ONE);
  }
  return [];
}
