import { about } from "./about.ts";
import { asking } from "./asking.ts";
import { confirming } from "./confirming.ts";
import { embed } from "./embed.ts";
import { erasing } from "./erasing.ts";
import { faults } from "./faults.ts";
import { finding } from "./finding.ts";
import { moderating } from "./moderating.ts";
import { owning } from "./owning.ts";
import { poster } from "./poster.ts";
import { publishing } from "./publishing.ts";
import { shared } from "./shared.ts";
import { subscribing } from "./subscribing.ts";

/** Every word of the pages, in German. */
export const de = {
  ...shared,
  ...faults,
  ...finding,
  ...asking,
  ...confirming,
  ...owning,
  ...moderating,
  ...publishing,
  ...poster,
  ...subscribing,
  ...embed,
  ...about,
  ...erasing,
};
