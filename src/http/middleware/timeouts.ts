/** Timeouts of connections and bodies. */
export const TIMEOUTS = {
  idleSeconds: 30,
  /** A multipart form that takes longer to arrive is refused with a sentence. */
  formMs: 120_000,
  /** Bun drops a connection that sends less than 16 KB/s on average over this time, so it is longer than `formMs`. */
  uploadSeconds: 150,
} as const;
