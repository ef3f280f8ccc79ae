import type { Store } from "../../src/core/store.ts";
import { type BackUp, describeErasing } from "./store-erasing.ts";
import { describeErasingLinks } from "./store-erasing-links.ts";
import { describeExports } from "./store-exports.ts";
import { describeIndexing } from "./store-index.ts";
import { describeLetters } from "./store-letters.ts";
import { describeModeration } from "./store-moderation.ts";
import { describeOwners } from "./store-owners.ts";
import { describePairs } from "./store-pairs.ts";
import { describePhotos } from "./store-photos.ts";
import { describePublishing } from "./store-publishing.ts";
import { describeSightings } from "./store-sightings.ts";
import { describeTime } from "./store-time.ts";
import { describeWaiting } from "./store-waiting.ts";
import { describeZones } from "./store-zones.ts";

/**
 * The Store contract: what every store promises, whatever database it sits on. `open` gives an empty store, and
 * `backUp` copies what backups hold of it.
 */
export function describeStore(name: string, open: () => Store, backUp: BackUp): void {
  describePublishing(name, open);
  describeIndexing(name, open);
  describeOwners(name, open);
  describeZones(name, open);
  describeTime(name, open);
  describeLetters(name, open);
  describeModeration(name, open);
  describeSightings(name, open);
  describePairs(name, open);
  describePhotos(name, open);
  describeWaiting(name, open);
  describeExports(name, open);
  describeErasing(name, open, backUp);
  describeErasingLinks(name, open);
}
