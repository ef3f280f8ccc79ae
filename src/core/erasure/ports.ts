import type { AlertStore } from "../alerts/alert-store.ts";
import type { Instance } from "../instance.ts";
import type { LimitPorts } from "../limits.ts";
import type { ConfirmationStore } from "../pending/request-store.ts";
import type { LinkStore } from "../people/link-store.ts";
import type { SuppressionStore } from "../people/suppression.ts";
import type { EmailFiles, ErasureStore } from "./erasure-store.ts";

/** What erasure needs from outside. */
export type Ports = Instance &
  LimitPorts & {
    readonly store: ErasureStore &
      Pick<AlertStore, "alertsOwnedBy"> &
      Pick<ConfirmationStore, "allowEmails" | "mailboxStoppedBy" | "stopEmails"> &
      Pick<LinkStore, "addLinkRequest" | "dropLinkRequest"> &
      Pick<SuppressionStore, "liftSuppression">;
    readonly emailFiles: EmailFiles;
  };
