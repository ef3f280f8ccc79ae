/** Idle timeouts of connections. */
export const TIMEOUTS = {
  idleSeconds: 30,
  /**
   * Bun drops a connection that sends less than 16 KB/s on average over this time. It is longer than `BODY_PACE`
   * allows, so that a slow phone gets an error page instead of a dropped connection.
   */
  uploadSeconds: 150,
} as const;
