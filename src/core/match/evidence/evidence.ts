import type { Species } from "../../alert.ts";
import type { Commonness } from "../commonness.ts";
import type { MatchSubject } from "../subject.ts";
import type { Account } from "../trait.ts";

/** What one field of two alerts tells. `Seen` is the field as read, `Said` what a sentence about it needs. */
export type Evidence<Seen, Said> = {
  /**
   * What an alert says in this field, read once and kept; null when it says nothing. Nothing is neutral: the field is
   * then not compared.
   */
  read(alert: MatchSubject): Seen | null;
  /** Symmetric: only the names say which animal was lost. */
  weigh(lost: Seen, found: Seen, about: About): Finding<Said>;
  /** What commonness counts, for fields whose rarity matters. */
  account?(seen: Seen): Account;
};

export type Finding<Said> = {
  /** Natural logarithm of P(both observed | same animal) / P(both observed | two animals of that species). */
  readonly logRatio: number;
  readonly said: Said;
};

export type About = { readonly species: Species; readonly commonness: Commonness };

/** How two accounts compare, in the words of a reason. */
export type Likeness = "same" | "alike" | "different";
