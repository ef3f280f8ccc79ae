/** Time of the last tick, and the time since which the clock has run without a jump. */
type Heartbeat = { readonly at: number; readonly steadySince: number };

/** Ages beyond which `sweep` deletes rows. */
type Sweep = {
  /** Contents of unconfirmed actions that have expired are deleted. */
  readonly now: number;
  /** Actions, closed emails, delivered news, counted edits and ended zones older than this are deleted. */
  readonly before: number;
  /** Hits against limits older than this are deleted. */
  readonly hitsBefore: number;
  /** Audit log entries and unhandled reports older than this are deleted. */
  readonly auditLogBefore: number;
};

export interface JobStore {
  /**
   * Takes or keeps the lead, which one node of several on a database has at a time. Returns false if another node has it. The
   * database's clock decides: the lease lasts `leaseMs` from the call, or slightly longer. Always true on a database of one
   * process.
   */
  takeLead(node: string, leaseMs: number): Promise<boolean>;
  /** Gives the lead up, if the node has it, so that another can take it at once. */
  endLead(node: string): Promise<void>;
  /** Time of the database's clock; null if it is that of this process. */
  databaseTime(): Promise<number | null>;
  heartbeat(): Promise<Heartbeat | null>;
  /** Stores it. What is due so late that the clock must have been ahead when that was written is due now. */
  recordHeartbeat(heartbeat: Heartbeat): Promise<void>;
  /** Expires active alerts whose time is over, and withdraws emails about their plans that wait. Returns the count. */
  expireAlerts(now: number, limit: number): Promise<number>;
  /** Deletes owners, conversations, sightings, pairs and links of alerts that ended before `endedBefore`. Returns the count of alerts. */
  eraseEnded(endedBefore: number, now: number, limit: number): Promise<number>;
  /** Deletes a batch of outdated rows of each kind. */
  sweep(sweep: Sweep, limit: number): Promise<void>;
}
