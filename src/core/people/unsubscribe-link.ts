/** Kinds of links in emails about several alerts. */
export const ALERT_GROUPS = ["all-matches", "all-plans"] as const;

/** Subject of the link in emails about several alerts of the owner with this mailbox. It ends with the last of them. */
export function groupSubject(kind: (typeof ALERT_GROUPS)[number], owner: string): string {
  return `${kind}:${owner}`;
}
