export const SIZES = ["small", "medium", "large", "xlarge", "unknown"] as const;
export const SEXES = ["male", "female", "unknown"] as const;
export const AGES = ["baby", "young", "adult", "senior", "unknown"] as const;
/** Current location of a found animal, as its publisher says. */
export const CUSTODIES = ["finder", "shelter", "vet", "seen_only", "unknown"] as const;

export type Size = (typeof SIZES)[number];
export type Sex = (typeof SEXES)[number];
export type Age = (typeof AGES)[number];
export type Custody = (typeof CUSTODIES)[number];
