import type { ColumnProfile } from "./column-profile.ts";
import { isUnrelated, meaningOf, NOT_FOUND, SPECIES, TYPES } from "./vocabulary.ts";
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
    /** Takes the first free column whose name fits the earliest of these patterns, and that passes the test. */
    find(
      patterns: readonly RegExp[],
      test: (column: ColumnProfile) => boolean = isFilled,
    ): ColumnProfile | undefined {
      for (const pattern of patterns) {
        const found = free().find((column) => pattern.test(column.label) && test(column));
        if (found !== undefined) return take(found);
      }
      return undefined;
    },
  };
}

export function isFilled({ filled }: ColumnProfile): boolean {
  return filled > 0;
}

/** Shares of rows with a number of their own: exports list some animals twice, and some list every move of an animal. */
const UNIQUE_SHARES = [0.8, 0.3];
const ID_NAMES: readonly RegExp[] = [
  /impound|intake.?(?:no|num|id)|case|reference|^ref\b|expediente/,
  // Portals number the rows of each export anew.
  /^(?!_id$|object ?id|global ?id|fid$|row)(?:.*(?:\bid\b|id$|number|\bn[or°º]?\b|code|nummer|numero)|.*#)/,
  /^animal/,
  /id$/,
];
const NO_ID =
  /phone|tel|mobil|handy|portable|\bcell\b|\bfax|mail|contact|chip|puce|tatou|zip|post|address/;

/** Column that numbers the rows: by its name if it can be, with a value of its own in nearly every row. */
export function idColumn(columns: readonly ColumnProfile[]): ColumnProfile | undefined {
  const possible = columns.filter(
    ({ dateFormats, label }) => dateFormats.length === 0 && !NO_ID.test(label),
  );
  for (const share of UNIQUE_SHARES) {
    const unique = possible.filter(({ uniqueShare }) => uniqueShare > share);
    for (const pattern of ID_NAMES) {
      const found = unique.find(({ label }) => pattern.test(label));
      if (found !== undefined) return found;
    }
    const code = unique.find(({ isCodes, numbers }) => isCodes && numbers?.hasFractions !== true);
    if (code !== undefined) return code;
  }
  return undefined;
}

/** Column of lost and found animals, or else the one about how animals came that tells strays from others. */
export function sideColumns(columns: readonly ColumnProfile[]): {
  readonly kind?: ColumnProfile;
  readonly intake?: ColumnProfile;
} {
  const ways = columns.filter(({ label }) => !isUnrelated(label) && !/outcome|return/.test(label));
  const has = (side: string) => (column: ColumnProfile) =>
    column.values.some((value) => meaningOf(value, TYPES) === side);
  // What comes in is not lost, even where the table says that its owner lost it.
  const kind = ways
    .filter(({ label }) => !/ingreso|entrada|entree|aufnahme|reason|motiv|motif|grund/.test(label))
    .filter(has("found"))
    .find(has("lost"));
  if (kind !== undefined) return { kind };
  const strays = ways.filter(has("found"));
  const intake =
    strays.find(({ label }) => !/sub|status|reason/.test(label)) ??
    strays.find(({ label }) => !/status/.test(label));
  return intake === undefined ? {} : { intake };
}

/** Names of columns about how animals came. */
const ARRIVAL =
  /intake|entr[ye]|entrada|aufnahme|ingreso|reason|motif|motivo|source|how|origin|type/;
/** Names of columns with kinds of arrival. */
const KIND_OF_ARRIVAL =
  /(?:intake|impound|entry|admission).*(?:type|code|cd$|categ|reason|source|kind)|how.?in|intype|motif|motivo|tipo.*ingreso|aufnahme(?:art|grund)/;
const NOT_ARRIVAL = /outcome|sortie|salida|egreso|abgang|return|condition|statu|sub/;

/** Column about how animals came that does not tell which of them are strays; undefined if there is none. */
export function unclearArrival(columns: readonly ColumnProfile[]): ColumnProfile | undefined {
  return columns.find(({ label, values, words }) => {
    if (isUnrelated(label) || NOT_ARRIVAL.test(label)) return false;
    return (
      (ARRIVAL.test(label) && NOT_FOUND.test(words)) ||
      (KIND_OF_ARRIVAL.test(label) && values.length > 1)
    );
  });
}

const LOST = /\blost|missing|perdu|dispar|perdid|vermisst|entlaufen/;
const FOUND =
  /found|stray|(?<!re)trouv|encontr|\bfund|gefunden|impound|intake|seiz|shelter|kennel|captur|entree|entrada|aufnahme|ingreso/;

/** Side of all animals of a table without a column for it, by its names; null if they name both. */
export function onlySide(headings: string, columns: readonly ColumnProfile[]): AlertType | null {
  const days = columns.filter(({ dateFormats }) => dateFormats.length > 0);
  return sideOf(days.map(({ label }) => label).join(" "), sideOf(headings, "found"));
}

function sideOf(text: string, otherwise: AlertType | null): AlertType | null {
  const [isLost, isFound] = [LOST.test(text), FOUND.test(text)];
  if (isLost && isFound) return null;
  return isLost ? "lost" : isFound ? "found" : otherwise;
}

/** Species of a table without a column for it, by its names; null if they name none, or several. */
export function onlySpecies(headings: string): Species | null {
  const isDogs = /\b(?:dogs?|hunde?|chiens?|perros?)\b/.test(headings);
  const isCats = /\b(?:cats?|katzen?|chats?|gatos?)\b/.test(headings);
  return isDogs === isCats ? null : isDogs ? "dog" : "cat";
}

/** Column that names dogs and cats: by its name if it can be, otherwise the one with the most of them. */
export function speciesColumn(columns: readonly ColumnProfile[]): ColumnProfile | undefined {
  const share = (column: ColumnProfile) =>
    column.shareOf((value) => meaningOf(value, SPECIES) !== undefined);
  const mostly = columns
    .filter((column) => share(column) >= 0.5)
    .sort((a, b) => share(b) - share(a));
  return (
    mostly.find(({ label }) => /species|espec|tierart|\bart\b|type|kind/.test(label)) ??
    mostly.find(({ label }) => !isUnrelated(label)) ??
    mostly.find(({ label }) => /breed|rasse|\brace\b|raza/.test(label) && share(mostly[0]!) > 0.9)
  );
}

const ANIMAL_NAME = /(?:animal|pet|dog|cat).?name|tiername/;
const NAME = /^name$|^nom$|^nombre$/;
/** Names of columns about a person, whose name a column "Name" beside them may hold. Those about owners and shelters say so. */
const OF_PERSON =
  /^(?:(?:home|cell|mobile|contact|your|my) ?)?(?:phone|tel(?:efon|ephone)?|mobile|handy|portable|movil|e-?mail|courriel|correo|mail)\b|^(?:first|last|sur|family|fore|given) ?name|^(?:vor|nach|familien)name|^prenom|^apellido|^(?:contact|reporter|reported by|submitted by|melder|declarant)\b/;

/** Column with the names of animals. `ofPeople`: one that may hold names of people instead. */
export function nameColumn(
  free: readonly ColumnProfile[],
  all: readonly ColumnProfile[],
): { readonly column?: ColumnProfile; readonly ofPeople?: ColumnProfile } {
  const named = (pattern: RegExp) =>
    free.find(({ label, filled }) => filled > 0 && pattern.test(label));
  const ofAnimals = named(ANIMAL_NAME);
  if (ofAnimals !== undefined) return { column: ofAnimals };
  const column = named(NAME);
  if (column === undefined) return {};
  const isOfPerson = all.some(({ label, filled }) => filled > 0 && OF_PERSON.test(label));
  return isOfPerson ? { ofPeople: column } : { column };
}
