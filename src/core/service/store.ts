import type { LimitStore } from "../limits.ts";
import type { OwnerStore } from "../owners/owner-store.ts";
import type { SightingStore } from "../sightings/sighting.ts";
import type { PairStore } from "../matches/pair-store.ts";
import type { AlertStore } from "../alerts/alert-store.ts";
import type { ConversationStore, OwnerNewsStore } from "../conversations/conversation-store.ts";
import type { ImportStore } from "../tables/imported-alert.ts";
import type { InboxStore } from "../inbox/inbox-store.ts";
import type { DeviceStore } from "../push/device-store.ts";
import type { ErasureStore } from "../erasure/erasure-store.ts";
import type { JobStore } from "../jobs/job-store.ts";
import type { LinkStore } from "../people/link-store.ts";
import type { OutcomeStore } from "../outcomes/outcome.ts";
import type { PlanStore } from "../plan/plan-store.ts";
import type { ModerationStore } from "../moderation/moderation-store.ts";
import type { TableStore } from "../tables/table.ts";
import type { OrganisationStore } from "../organisations/organisation-store.ts";
import type { ConfirmationStore, RequestStore } from "../pending/request-store.ts";
import type { ZoneNewsStore, ZoneStore } from "../zones/zone-store.ts";
import type { SuppressionStore } from "../people/suppression.ts";
import type { IndexFeedStore } from "../jobs/index-sync.ts";
import type { OutboxStore } from "../email.ts";
import type { PhotoStore } from "../photos/photo-store.ts";

/**
 * Persistence contract. Each operation is atomic: when its promise resolves, all of it has happened; when it rejects,
 * nothing has. Operations take plain values, read no clock, and limit every list. Missing rows are null.
 * Texts have no NUL character: the forms and APIs drop it. Rejects with `Fault("unavailable")` if the disk is full or fails; the operation may then be retried.
 */
export interface Store
  extends
    AlertStore,
    LimitStore,
    ImportStore,
    IndexFeedStore,
    RequestStore,
    ConfirmationStore,
    LinkStore,
    ConversationStore,
    OwnerNewsStore,
    OwnerStore,
    SightingStore,
    OutcomeStore,
    PlanStore,
    PairStore,
    ZoneStore,
    ZoneNewsStore,
    DeviceStore,
    ModerationStore,
    OrganisationStore,
    InboxStore,
    ErasureStore,
    PhotoStore,
    JobStore,
    OutboxStore,
    TableStore,
    SuppressionStore {
  /** True if the database answers. */
  alive(): Promise<boolean>;
  close(): Promise<void>;
}
