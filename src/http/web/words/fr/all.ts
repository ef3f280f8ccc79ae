import { about } from "./about.ts";
import { asking } from "./asking.ts";
import { confirming } from "./confirming.ts";
import { finding } from "./finding.ts";
import { owning } from "./owning.ts";
import { shared } from "./shared.ts";

/** Every word of the pages, in French. */
export const fr = { ...shared, ...finding, ...asking, ...confirming, ...owning, ...about };
