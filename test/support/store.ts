import { describe } from "bun:test";
import { openBeforeEach } from "./opened-store.ts";
import { describeErasure } from "./store-erasure.ts";
import { describeErasureLinks, describeModeratorSignIn } from "./store-links.ts";
import { type BackUp, describeErasureRestarts } from "./store-erasure-restarts.ts";
import { describeExport, describeIndexSync } from "./store-reads.ts";
import { describeImports } from "./store-imports.ts";
import { describeJobs, describeOutbox, describeTables } from "./store-jobs.ts";
import { describeModeration } from "./store-moderation.ts";
import { describeModerationLists, describeReportEmails } from "./store-reports.ts";
import { describeOrganisations } from "./store-organisations.ts";
import { describeOwnerNews, describeReplies } from "./store-conversations.ts";
import { describePairs } from "./store-pairs.ts";
import { describePlans } from "./store-plan.ts";
import { describePhotos } from "./store-photos.ts";
import { describePublishing } from "./store-publishing.ts";
import { describeOwners, describeSightings } from "./store-owners.ts";
import { describeRequests } from "./store-requests.ts";
import { describeZones } from "./store-zones.ts";
import { describeDevices } from "./store-devices.ts";
import type { Store } from "../../src/core/service/store.ts";

/**
 * Tests of the Store contract, which run against every store. `open` returns an empty store, and `backUp` makes a backup of
 * it.
 */
export function describeStore(name: string, open: () => Promise<Store>, backUp: BackUp): void {
  describe(`the store on ${name}`, () => {
    openBeforeEach(open);
    describePublishing();
    describeImports();
    describeTables();
    describeIndexSync();
    describeOwners();
    describeOwnerNews();
    describeZones();
    describeDevices();
    describeJobs();
    describeOutbox();
    describeModeration();
    describeModeratorSignIn();
    describeModerationLists();
    describeReportEmails();
    describeOrganisations();
    describeSightings();
    describePairs();
    describePlans();
    describePhotos();
    describeReplies();
    describeRequests();
    describeExport();
    describeErasure();
    describeErasureRestarts(backUp);
    describeErasureLinks();
  });
}
