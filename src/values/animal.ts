export const ALERT_TYPES = ["lost", "found"] as const;
export const SPECIES = ["dog", "cat", "bird", "other"] as const;

export const SIZES = ["small", "medium", "large", "xlarge", "unknown"] as const;
export const SEXES = ["male", "female", "unknown"] as const;
export const AGES = ["baby", "young", "adult", "senior", "unknown"] as const;

export type AlertType = (typeof ALERT_TYPES)[number];
export type Species = (typeof SPECIES)[number];
export type Size = (typeof SIZES)[number];
export type Sex = (typeof SEXES)[number];
export type Age = (typeof AGES)[number];
