import type { AlertStore } from "../alerts/alert-store.ts";
import type { Instance } from "../instance.ts";
import type { LimitPorts } from "../limits.ts";
import type { ConfirmationStore } from "../pending/request-store.ts";
import type { EmailFiles } from "./erase.ts";
import type { ErasureStore } from "./erasure-store.ts";
import type { LinkStore } from "./link-store.ts";
import type { SuppressionStore } from "./suppression.ts";

/** What links by email, and erasure needs from outside. */
export type Ports = Instance &
  LimitPorts & {
    readonly store: ErasureStore &
      LinkStore &
      Pick<AlertStore, "alertsOwnedBy"> &
      Pick<ConfirmationStore, "allowEmails" | "mailboxStoppedBy" | "stopEmails"> &
      Pick<SuppressionStore, "liftSuppression">;
    readonly emailFiles: EmailFiles;
  };
