import type { Gazetteer } from "../../places/places.ts";
import type { AlertStore } from "../alerts/alert-store.ts";
import type { ConversationStore } from "../conversations/conversation-store.ts";
import type { Instance } from "../instance.ts";
import type { LimitPorts } from "../limits.ts";
import type { PairStore } from "../matches/pair-store.ts";
import type { ModerationStore } from "./moderation-store.ts";
import type { LinkStore } from "../people/link-store.ts";
import type { Photos } from "../photos/photo-files.ts";
import type { SightingStore } from "../sightings/sighting.ts";

/** Setting: emails to moderators about reports. */
export const REPORT_EMAILS = ["now", "daily", "off"] as const;
type ReportEmails = (typeof REPORT_EMAILS)[number];

/** Ports of moderation. */
export type Ports = Instance &
  LimitPorts & {
    readonly store: ModerationStore &
      Pick<AlertStore, "alert" | "alertsBefore"> &
      Pick<ConversationStore, "conversation" | "messages"> &
      LinkStore &
      Pick<PairStore, "oftenEdited"> &
      Pick<SightingStore, "sightings">;
    readonly photos: Photos;
    readonly gazetteer: Gazetteer;
    /** Mailboxes of the moderators; empty if there are none. */
    readonly adminEmails: readonly string[];
    readonly reportEmails: ReportEmails;
  };
