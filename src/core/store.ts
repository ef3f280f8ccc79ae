import type { PairStore } from "./matching/pair-store.ts";
import type { AlertStore, IndexFeedStore } from "./store/alerts.ts";
import type { ConversationStore, OwnerNewsStore } from "./store/conversations.ts";
import type { ImportStore } from "./store/imports.ts";
import type { InboxStore } from "./store/inbox.ts";
import type { DeviceStore } from "./store/devices.ts";
import type { ErasureStore } from "./store/erasure.ts";
import type { JobStore, OutboxStore, PhotoStore } from "./store/jobs.ts";
import type { LinkStore } from "./store/links.ts";
import type { OutcomeStore } from "./store/outcomes.ts";
import type { PlanStore } from "./store/plan.ts";
import type { ModerationStore } from "./store/moderation.ts";
import type { SourceStore } from "./store/sources.ts";
import type { OrganisationStore } from "./store/organisations.ts";
import type { ConfirmationStore, RequestStore } from "./store/requests.ts";
import type { ZoneNewsStore, ZoneStore } from "./store/zones.ts";
import type { SuppressionStore } from "./suppression.ts";

/**
 * Persistence contract. Each operation is atomic: when its promise resolves, all of it has happened; when it rejects,
 * nothing has. Operations take plain values, read no clock, and limit every list. Missing rows are null.
 * Texts have no NUL character: the forms and APIs drop it. Rejects with `Fault("unavailable")` if the disk is full or fails; the operation may then be retried.
 */
export interface Store
  extends
    AlertStore,
    ImportStore,
    IndexFeedStore,
    RequestStore,
    ConfirmationStore,
    LinkStore,
    ConversationStore,
    OwnerNewsStore,
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
    SourceStore,
    SuppressionStore {
  /** True if the database answers. */
  alive(): Promise<boolean>;
  close(): Promise<void>;
}
