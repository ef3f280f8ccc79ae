import { accountsOf } from "./fields.ts";
import type { MatchSubject } from "./subject.ts";
import { type Account, type Trait, WHOLE_ALERT } from "./trait.ts";

/**
 * How common each value of a trait is among an instance's own active alerts: a black cat says little where half the
 * cats are black. Kept up alert by alert, in any order; what was added and removed again leaves nothing behind.
 */
export type Commonness = {
  /** Gives what takes just this away again, whatever becomes of the alert. */
  add(alert: MatchSubject): Receipt;
  /** Takes away what one `add` put in. */
  remove(receipt: Receipt): void;
  /** The accounts that a receipt stands for. */
  accounts(receipt: Receipt): Account[];
  /** How common each value is, to any scale. */
  weights(trait: Trait): ArrayLike<number>;
};

/** The numbers of the accounts that were counted, each in 16 bits; 0 stands for none. */
export type Receipt = ArrayLike<number>;

/**
 * The built-in shares count as much as this many alerts: a small instance goes by them, one of thousands by its own.
 * Chosen by hand; on the benchmark's training cities anything between 10 and 150 does about as well.
 */
const PRIOR_ALERTS = 50;
/** Different accounts known at once; active alerts give some hundreds. What goes beyond is not counted. */
const ACCOUNTS_MAX = 2 ** 16 - 1;
const NOT_COUNTED = 0;

export function createCommonness(): Commonness {
  const weightsByTrait = new Map<string, Float64Array>();
  const numbers = new Map<Account, number>();
  const known: Known[] = [];
  const free: number[] = [];
  /** Whether some uses are not in the weights yet: most alerts give one of few accounts, which are counted in at once. */
  let isBehind = false;

  function numberOf(account: Account): number {
    const old = numbers.get(account);
    if (old !== undefined) return old;
    const number = free.pop() ?? known.length + 1;
    if (number > ACCOUNTS_MAX) return NOT_COUNTED;
    known[number - 1] = { account, uses: 0, usesCounted: 0 };
    numbers.set(account, number);
    return number;
  }

  function use(number: number, times: 1 | -1): void {
    const one = known[number - 1]!;
    one.uses += times;
    isBehind = true;
    if (one.uses > 0) return;
    countIn(one);
    numbers.delete(one.account);
    free.push(number);
  }

  function countIn(one: Known): void {
    const times = one.uses - one.usesCounted;
    if (times === 0) return;
    const { trait, shares } = one.account;
    const counted = weights(trait);
    for (let value = 0; value < counted.length; value++) {
      counted[value] = counted[value]! + times * shares[value]!;
    }
    one.usesCounted = one.uses;
  }

  function weights(trait: Trait): Float64Array {
    const counted = weightsByTrait.get(trait.name);
    if (counted !== undefined) return counted;
    const built = Float64Array.from(trait.prior, (share) =>
      Math.max(1, Math.round(share * PRIOR_ALERTS * WHOLE_ALERT)),
    );
    weightsByTrait.set(trait.name, built);
    return built;
  }

  return {
    add(alert) {
      const receipt = accountsOf(alert).map(numberOf);
      for (const number of receipt) if (number !== NOT_COUNTED) use(number, 1);
      return receipt;
    },
    remove(receipt) {
      for (let nth = 0; nth < receipt.length; nth++) {
        if (receipt[nth] !== NOT_COUNTED) use(receipt[nth]!, -1);
      }
    },
    accounts(receipt) {
      const accounts: Account[] = [];
      for (let nth = 0; nth < receipt.length; nth++) {
        if (receipt[nth] !== NOT_COUNTED) accounts.push(known[receipt[nth]! - 1]!.account);
      }
      return accounts;
    },
    weights(trait) {
      if (isBehind) known.forEach(countIn);
      isBehind = false;
      return weights(trait);
    },
  };
}

/** An account, and how many alerts give it. */
type Known = { readonly account: Account; uses: number; usesCounted: number };
