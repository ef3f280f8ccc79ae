import type { Store } from "../../src/core/service/store.ts";
import { describeErasure } from "./store-erasure.ts";
import { describeErasureLinks } from "./store-erasure-links.ts";
import { type BackUp, describeErasureRestarts } from "./store-erasure-restarts.ts";
import { describeExport } from "./store-export.ts";
import { describeImports } from "./store-imports.ts";
import { describeIndexSync } from "./store-index-sync.ts";
import { describeOutbox } from "./store-outbox.ts";
import { describeModeration } from "./store-moderation.ts";
import { describeModerationLists } from "./store-moderation-lists.ts";
import { describeModeratorSignIn } from "./store-moderator-sign-in.ts";
import { describeOrganisations } from "./store-organisations.ts";
import { describeOwners } from "./store-owners.ts";
import { describeReportEmails } from "./store-report-emails.ts";
import { describeOwnerNews } from "./store-owner-news.ts";
import { describePairs } from "./store-pairs.ts";
import { describePlans } from "./store-plan.ts";
import { describePhotos } from "./store-photos.ts";
import { describePublishing } from "./store-publishing.ts";
import { describeSightings } from "./store-sightings.ts";
import { describeJobs } from "./store-jobs.ts";
import { describeReplies } from "./store-replies.ts";
import { describeRequests } from "./store-requests.ts";
import { describeTables } from "./store-tables.ts";
import { describeZones } from "./store-zones.ts";
import { describeDevices } from "./store-devices.ts";

/**
 * Tests of the Store contract, which run against every store. `open` returns an empty store, and `backUp` makes a backup of
 * it.
 */
export function describeStore(name: string, open: () => Promise<Store>, backUp: BackUp): void {
  describePublishing(name, open);
  describeImports(name, open);
  describeTables(name, open);
  describeIndexSync(name, open);
  describeOwners(name, open);
  describeOwnerNews(name, open);
  describeZones(name, open);
  describeDevices(name, open);
  describeJobs(name, open);
  describeOutbox(name, open);
  describeModeration(name, open);
  describeModeratorSignIn(name, open);
  describeModerationLists(name, open);
  describeReportEmails(name, open);
  describeOrganisations(name, open);
  describeSightings(name, open);
  describePairs(name, open);
  describePlans(name, open);
  describePhotos(name, open);
  describeReplies(name, open);
  describeRequests(name, open);
  describeExport(name, open);
  describeErasure(name, open);
  describeErasureRestarts(name, open, backUp);
  describeErasureLinks(name, open);
}
