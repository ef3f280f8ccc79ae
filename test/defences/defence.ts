import type { Weakening } from "../chaos/weakened.ts";

/** A defence, how it is taken out of a copy of the program, and what must notice that it is missing. */
export type Defence = {
  /** "the mailbox's budget" */
  readonly name: string;
  readonly off: readonly Weakening[];
  readonly noticedBy:
    | { readonly kind: "test"; readonly file: string; readonly name: string }
    | { readonly kind: "fault" | "node fault"; readonly name: string };
};

/** Noticed by the tests of a file whose names contain `test`. */
export function inTest(
  file: string,
  test: string,
  name: string,
  ...off: readonly Weakening[]
): Defence {
  return { name, off, noticedBy: { kind: "test", file: `test/${file}.test.ts`, name: test } };
}

/** Export of a module, and the expression that replaces it. */
export function replaced(module: string, name: string, instead: string): Weakening {
  return { module, name, instead };
}
