import { roundRobin } from "../round-robin.ts";
import { normalizedMailbox } from "./mailbox-spelling.ts";

/**
 * Pairs with equal chips (score 100), then the first of each mail domain, the second of each, and so on; within a domain
 * its mailboxes take turns likewise. Someone who publishes a hundred lookalikes of an alert has a few mailboxes at a few
 * domains, and cannot push a genuine pair out. `queue` separates pairs that do not wait for each other.
 */
export function ownersInTurn<Pair>(
  pairs: readonly Pair[],
  about: (pair: Pair) => { email: string | null; score?: number; queue?: string },
): readonly Pair[] {
  const groupBy = (sender: (email: string) => string) => (pair: Pair) => {
    const { score, email, queue = "" } = about(pair);
    return score === 100 ? null : `${queue} ${sender(email ?? "")}`;
  };
  return roundRobin(roundRobin(pairs, groupBy(normalizedMailbox)), groupBy(mailDomain));
}

/** Last two labels of an address's domain; one registrant can have any number of subdomains. */
function mailDomain(email: string): string {
  const domain = email.slice(email.lastIndexOf("@") + 1).toLowerCase();
  return domain.split(".").slice(-2).join(".");
}
