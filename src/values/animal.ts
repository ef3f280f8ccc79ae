export const ALERT_TYPES = ["lost", "found"] as const;
export const SPECIES = ["dog", "cat", "bird", "other"] as const;

export type AlertType = (typeof ALERT_TYPES)[number];
export type Species = (typeof SPECIES)[number];
