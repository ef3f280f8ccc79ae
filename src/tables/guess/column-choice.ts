import { FIELDS } from "../../core/alerts/fields.ts";
import type { ColumnProfile } from "./column-profile.ts";
import { headingsOf, isNamed, meaningOf, says } from "./vocabulary.ts";
import type { AlertType, Species } from "../../values/animal.ts";

export type Picker = ReturnType<typeof createPicker>;

/** Columns of a table, each of which can be taken once. */
export function createPicker(columns: readonly ColumnProfile[]) {
  const taken = new Set<ColumnProfile>();
  const free = () => columns.filter((column) => !taken.has(column));
  function take(column: ColumnProfile | undefined): ColumnProfile | undefined {
    if (column !== undefined) taken.add(column);
    return column;
  }
  return {
    all: columns,
    free,
    take,
    /** Takes the free column with the likeliest of these headings that passes the test. */
    find(
      headings: readonly RegExp[],
      test: (column: ColumnProfile) => boolean = isFilled,
    ): ColumnProfile | undefined {
      return take(firstNamed(headings, free().filter(test)));
    },
  };
}

function firstNamed(
  headings: readonly RegExp[],
  columns: readonly ColumnProfile[],
): ColumnProfile | undefined {
  const found = headings.map((heading) => columns.find(({ label }) => heading.test(label)));
  return found.find((column) => column !== undefined);
}

export function isFilled({ filled }: ColumnProfile): boolean {
  return filled > 0;
}

/** Shares of rows with a number of their own: exports list some animals twice, and some list every move of an animal. */
const UNIQUE_SHARES = [0.8, 0.3];

/** Column that numbers the rows: by its name if it can be, with a value of its own in nearly every row. */
export function idColumn(columns: readonly ColumnProfile[]): ColumnProfile | undefined {
  const possible = columns.filter(
    ({ dateFormats, label }) => dateFormats.length === 0 && !isNamed(label, "not an id"),
  );
  for (const share of UNIQUE_SHARES) {
    const unique = possible.filter(({ uniqueShare }) => uniqueShare > share);
    const found =
      firstNamed(headingsOf("id"), unique) ??
      unique.find(({ isCodes, numbers }) => isCodes && numbers?.hasFractions !== true);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Column of lost and found animals, or else the one about how animals came that tells strays from others. */
export function sideColumns(columns: readonly ColumnProfile[]): {
  readonly kind?: ColumnProfile;
  readonly intake?: ColumnProfile;
} {
  const ways = columns.filter(
    ({ label }) => !isNamed(label, "unrelated") && !/outcome|return/.test(label),
  );
  const has = (side: string) => (column: ColumnProfile) =>
    column.values.some((value) => meaningOf(value, "type") === side);
  // What comes in is not lost, even where the table says that its owner lost it.
  const kind = ways
    .filter(({ label }) => !isNamed(label, "intake not loss"))
    .filter(has("found"))
    .find(has("lost"));
  if (kind !== undefined) return { kind };
  const strays = ways.filter(has("found"));
  const intake =
    strays.find(({ label }) => !/sub|status|reason/.test(label)) ??
    strays.find(({ label }) => !/status/.test(label));
  return intake === undefined ? {} : { intake };
}

/** Column about how animals came that does not tell which of them are strays; undefined if there is none. */
export function unclearArrival(columns: readonly ColumnProfile[]): ColumnProfile | undefined {
  return columns.find(({ label, values, words }) => {
    if (isNamed(label, "unrelated") || isNamed(label, "not arrival")) return false;
    return (
      (isNamed(label, "arrival") && says(words, "not found")) ||
      (isNamed(label, "kind of arrival") && values.length > 1)
    );
  });
}

/** Side of all animals of a table without a column for it, by its names; null if they name both. */
export function onlySide(headings: string, columns: readonly ColumnProfile[]): AlertType | null {
  const days = columns.filter(({ dateFormats }) => dateFormats.length > 0);
  return sideOf(days.map(({ label }) => label).join(" "), sideOf(headings, "found"));
}

function sideOf(text: string, otherwise: AlertType | null): AlertType | null {
  const [isLost, isFound] = [isNamed(text, "lost"), isNamed(text, "found")];
  if (isLost && isFound) return null;
  return isLost ? "lost" : isFound ? "found" : otherwise;
}

/** Species of a table without a column for it, by its names; null if they name none, or several. */
export function onlySpecies(headings: string): Species | null {
  const isDogs = isNamed(headings, "dogs");
  const isCats = isNamed(headings, "cats");
  return isDogs === isCats ? null : isDogs ? "dog" : "cat";
}

/** Column that names dogs and cats: by its name if it can be, otherwise the one with the most of them. */
export function speciesColumn(columns: readonly ColumnProfile[]): ColumnProfile | undefined {
  const share = (column: ColumnProfile) =>
    column.shareOf((value) => meaningOf(value, "species") !== undefined);
  const mostly = columns
    .filter((column) => share(column) >= 0.5)
    .sort((a, b) => share(b) - share(a));
  return (
    firstNamed(headingsOf("species"), mostly) ??
    mostly.find(({ label }) => !isNamed(label, "unrelated")) ??
    (mostly.length > 0 && share(mostly[0]!) > 0.9
      ? firstNamed(FIELDS.breed.headings, mostly)
      : undefined)
  );
}

/** Column with the names of animals. `ofPeople`: one that may hold names of people instead. */
export function nameColumn(
  free: readonly ColumnProfile[],
  all: readonly ColumnProfile[],
): { readonly column?: ColumnProfile; readonly ofPeople?: ColumnProfile } {
  const named = (kind: "animal name" | "name") =>
    free.find(({ label, filled }) => filled > 0 && isNamed(label, kind));
  const ofAnimals = named("animal name");
  if (ofAnimals !== undefined) return { column: ofAnimals };
  const column = named("name");
  if (column === undefined) return {};
  const isOfPerson = all.some(({ label, filled }) => filled > 0 && isNamed(label, "of a person"));
  return isOfPerson ? { ofPeople: column } : { column };
}
