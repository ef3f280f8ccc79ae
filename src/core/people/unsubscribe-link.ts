/** Kinds of links in emails about several alerts. */
export const ALERT_GROUPS = ["all-matches", "all-plans"] as const;

/**
 * Subject of the link in emails about several alerts of one owner. It names one of them, from which all are found: with each
 * list of alerts a link of its own, an owner who always has some would get more and more links.
 */
export function groupSubject(kind: (typeof ALERT_GROUPS)[number], alertIds: Iterable<string>) {
  const [oldest = ""] = [...alertIds].toSorted();
  return `${kind}:${oldest}`;
}

/** Ids of alerts of the owner of a link with this subject, several if it is an older one; empty for any other link. */
export function alertsOfSubject(subject: string): string[] {
  const [kind, ids = ""] = subject.split(":");
  return ALERT_GROUPS.some((group) => group === kind) ? ids.split(",") : [];
}

/**
 * Subject of a link whose alerts were erased, with another alert of their owner instead. The hash of its token distinguishes
 * it from other links to that alert.
 */
export function redirectedSubject(subject: string, alertId: string, tokenHash: string): string {
  const [kind] = subject.split(":");
  return `${kind}:${alertId},${tokenHash}`;
}
