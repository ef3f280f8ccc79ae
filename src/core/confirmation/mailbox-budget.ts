import { CAPS } from "../caps.ts";
import type { PendingKind } from "../email.ts";

/** Time for which an email that nobody confirmed counts against the budget of its mailbox. */
export const BUDGET_MS = CAPS.confirmationEmailsPerMailbox.windowMs;

/**
 * Decides if the budget of a mailbox has room for one more email. Of its places one is kept for publications, and one for
 * networks that this mailbox has not heard of. `networks`: those whose emails count now, each as often as it sent one.
 */
export function hasRoom(
  networks: readonly string[],
  { kind, networkHash }: { readonly kind: PendingKind | "erase"; readonly networkHash: string },
): boolean {
  const kept = (kind === "publish" ? 0 : 1) + (networks.includes(networkHash) ? 1 : 0);
  return networks.length + kept < CAPS.confirmationEmailsPerMailbox.max;
}
