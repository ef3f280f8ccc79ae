import { basename } from "node:path";
import { folded } from "../../core/tokenize.ts";
import { type CommandContext, onlyArgument, readArguments } from "../command.ts";
import { STANDARD_STREAM } from "../output.ts";
import { createProgress } from "../terminal.ts";
import { type ColumnProfile, profileColumns } from "./column-profile.ts";
import { openTable } from "./table-file.ts";

/** Writes a first mapping for a table to standard output, and what to look at to standard error. */
export async function suggest(
  args: readonly string[],
  usage: string,
  context: CommandContext,
): Promise<number> {
  const options = { suggest: { type: "boolean" }, place: { type: "string" } } as const;
  const { positionals, values } = readArguments(args, options, usage);
  const file = onlyArgument(positionals, "import --suggest takes one file.", usage);
  const table = await openTable(file, context);
  const columns = await profileColumns(table, createProgress(context.isTerminal));
  const { mapping, notes } = suggestMapping(columns, {
    name: file === STANDARD_STREAM ? "our-shelter" : nameOf(file),
    place: values.place ?? null,
  });
  await context.standardOutput.write(Buffer.from(`${JSON.stringify(mapping, null, 2)}\n`));
  context.printError(
    ["Look at these before you import:", ...notes.map((one) => `- ${one}`)].join("\n"),
  );
  return 0;
}

/** `Lost and found 2026.csv` -> `lost-and-found-2026`. */
function nameOf(path: string): string {
  const plain = folded(basename(path).replace(/\..*$/, "")).replace(/[^a-z0-9]+/g, "-");
  return plain.slice(0, 40).replace(/^-+|-+$/g, "") || "our-shelter";
}

type Draft = Record<string, unknown>;

/** First mapping for columns, and sentences about what a person should check. */
export function suggestMapping(
  columns: readonly ColumnProfile[],
  { name, place }: { readonly name: string; readonly place: string | null },
): { readonly mapping: Draft; readonly notes: readonly string[] } {
  const used = new Set<string>();
  const notes: string[] = [];
  const take = (column: ColumnProfile | undefined): ColumnProfile | undefined => {
    if (column !== undefined) used.add(column.name);
    return column;
  };
  const free = () => columns.filter((column) => !used.has(column.name));
  /** First free column whose name fits the earliest of these patterns, and that passes the test. */
  const find = (
    patterns: readonly RegExp[],
    test: (column: ColumnProfile) => boolean = isFilled,
  ) => {
    for (const pattern of patterns) {
      const found = free().find((column) => pattern.test(folded(column.name)) && test(column));
      if (found !== undefined) return take(found);
    }
    return undefined;
  };
  const byValue = (column: ColumnProfile, meanings: Meanings) => ({
    column: column.name,
    values: meaningsOf(column, meanings),
  });

  const id = idColumn(columns);
  take(id);
  notes.push(
    id === undefined
      ? 'No column has a number of its own in each row: name one in "id".'
      : `"id": ${id.name} must be a number that each animal keeps in every export.`,
  );
  const species = take(columns.find((column) => isMostly(column, SPECIES)));
  if (species === undefined) notes.push('No column names dogs and cats: "species" must be given.');

  const kind = take(
    columns.find((column) =>
      hasAll(column, [/^lost\b|^perdu|^verloren|^perdid/, /^found\b|^trouv|^gefunden|^encontr/]),
    ),
  );
  const intake = take(
    columns.find((column) => /stray/.test(column.words) && !used.has(column.name)),
  );
  const where: Draft[] = [];
  if (kind === undefined && intake !== undefined) {
    where.push({
      column: intake.name,
      is: intake.values.filter((value) => /stray/i.test(value)),
      skip: "not strays",
    });
    notes.push(`"where": only rows whose ${intake.name} says that they are strays.`);
  }
  for (const pattern of [
    /outcome.?type|disposition/,
    /outcome.?date|date.?out|release.?date|departure/,
  ]) {
    const outcome = take(free().find((column) => pattern.test(folded(column.name))));
    if (outcome === undefined) continue;
    where.push({ column: outcome.name, is: [""], skip: "no longer there" });
    notes.push(`"where": only rows without ${outcome.name}, whose animals are still there.`);
  }
  const status = free().find(
    (column) => STATUS.test(folded(column.name)) && GONE.test(column.words),
  );
  if (status !== undefined) {
    take(status);
    const isGone = (value: string) => GONE.test(folded(value));
    const gone = status.values.filter(isGone);
    const there = status.values.filter((value) => !isGone(value));
    const rows = Math.max(...columns.map(({ filled }) => filled));
    // The values that are there: an export to come may have others for animals that are gone.
    where.push({
      column: status.name,
      is: status.filled < rows ? [...there, ""] : there,
      skip: "no longer there",
    });
    notes.push(
      `"where": only rows whose ${status.name} is ${there.join(", ") || "empty"}. Animals with ${gone.join(", ")} are taken for gone.`,
    );
  }
  const isTold = where.some(({ is }) => Array.isArray(is) && is.includes(""));
  if (!isTold && status === undefined)
    notes.push(
      'No column tells which animals are gone: is each row still missing, or still there? If not, add "where" or --since.',
    );
  const dead = /\bdead\b|deceased|\btot\b|\bmort\b/;
  for (const condition of free().filter(({ words }) => dead.test(words))) {
    if (condition === species) continue;
    const values = condition.values.filter((value) => dead.test(folded(value)));
    where.push({ column: condition.name, not: values, skip: "dead" });
    notes.push(`"where": no rows whose ${condition.name} is ${values.join(", ")}.`);
  }
  if (kind === undefined) notes.push('"type": all rows are taken for found animals.');

  const birth = find([/birth|\bdob\b|geburt|naiss|nacim/], ({ dateFormat }) => dateFormat !== null);
  const date = find(
    [
      /found|lost|fund|trouv|perdu|encontr/,
      /intake|impound|brought|arriv|admi|\bin\b/,
      /date|datum|fecha/,
      /./,
    ],
    ({ dateFormat, name }) => dateFormat !== null && !/outcome|due|update|modif|birth/i.test(name),
  );
  if (date === undefined)
    notes.push('No column holds dates that can be read: "date" must be given.');
  else if (date.isAmbiguous)
    notes.push(
      `"date": days and months of ${date.name} cannot be told apart: is ${date.dateFormat} right?`,
    );

  const latitude = find([/lat/], isCoordinate(90));
  const longitude = find([/lon|lng/], isCoordinate(180));
  const coordinates =
    latitude !== undefined && longitude !== undefined
      ? undefined
      : take(free().find(({ hasPoints }) => hasPoints));
  const city = free().filter(
    (column) =>
      /city|town|\bort\b|fundort|ville|commune|municip|jurisdiction|localidad|location.?found|found.?location|\blieu\b|\blugar\b|^(?:trouv|gefund|encontr)\S* (?:a|in|en)$/.test(
        folded(column.name),
      ) &&
      !/outcome|owner/i.test(column.name) &&
      isFilled(column),
  );
  city.forEach(take);
  const postcode = find(
    [/\bzip|post.?code|postal|plz|code.?postal/],
    (column) => isFilled(column) && !/outcome|owner/i.test(column.name),
  );
  const hasPlace = [latitude, coordinates, postcode, city[0]].some((one) => one !== undefined);
  if (place === null && !hasPlace)
    notes.push(
      'No column says where: change "place" to the town of the shelter, with its country.',
    );
  else if (place === null)
    notes.push(
      'Rows without a known place are refused. To put them at the shelter, add "place": "Town, Country".',
    );

  const size = find([/size|gross|groesse|taille|tama/], (column) => isMostly(column, SIZES));
  const sex = find([/sex|gender|geschlecht/], (column) => isMostly(column, SEXES));
  const age = find([/\bage|alter|edad/]);
  const animalName = find([/animal.?name|pet.?name/, /^name$|^nom$|^nombre$/]);
  const breed = find([/breed|rasse|\brace\b|raza/]);
  const color = find([/colou?r|farbe|couleur/, /\brobe\b|pelage|\bfell\b|pelaje/]);
  const chip = find([/chip/], ({ isChips }) => isChips);
  const isMarked = animalName?.values.some((value) => value.startsWith("*")) ?? false;
  if (isMarked)
    notes.push('"staffNames": names that begin with * are taken for names given by staff.');
  notes.push(
    'Free text is left out, because it may name people: add "description" if it may be public.',
  );

  const mapping: Draft = {
    mapping: name,
    id: id?.name ?? "",
    type: kind === undefined ? "found" : byValue(kind, TYPES),
    species: species === undefined ? "" : byValue(species, SPECIES),
    ...(where.length === 0 ? {} : { where }),
    date: { column: date?.name ?? "", format: date?.dateFormat ?? "MM/DD/YYYY" },
    ...(city.length === 0 ? {} : { city: city.slice(0, 5).map(({ name }) => name) }),
    ...named({ latitude, longitude, coordinates, postcode }),
    ...(place !== null ? { place } : hasPlace ? {} : { place: "TOWN, COUNTRY" }),
    ...named({ name: animalName }),
    ...(isMarked ? { staffNames: "*" } : {}),
    ...named({ breed, color }),
    ...(size === undefined ? {} : { size: byValue(size, SIZES) }),
    ...(sex === undefined ? {} : { sex: byValue(sex, SEXES) }),
    ...(age === undefined ? {} : { age: { column: age.name } }),
    ...(birth === undefined ? {} : { birthDate: { column: birth.name, format: birth.dateFormat } }),
    ...(kind === undefined ? { custody: "shelter" } : {}),
    ...named({ microchip: chip }),
  };
  return { mapping, notes };
}

function named(columns: Readonly<Record<string, ColumnProfile | undefined>>): Draft {
  return Object.fromEntries(
    Object.entries(columns).flatMap(([key, column]) =>
      column === undefined ? [] : [[key, column.name]],
    ),
  );
}

function isFilled({ filled }: ColumnProfile): boolean {
  return filled > 0;
}

function isCoordinate(max: number) {
  return ({ numbers }: ColumnProfile): boolean =>
    numbers !== null && numbers.min >= -max && numbers.max <= max && numbers.hasFractions;
}

/** Exports list some animals twice. */
const UNIQUE_SHARE = 0.8;

/** Column that numbers the rows: by its name if it can be, with a value of its own in nearly every row. */
function idColumn(columns: readonly ColumnProfile[]): ColumnProfile | undefined {
  const unique = columns.filter(
    ({ uniqueShare, dateFormat }) => uniqueShare > UNIQUE_SHARE && dateFormat === null,
  );
  const patterns = [
    /impound|intake.?(?:no|num|id)|case|reference/,
    /\bid\b|id$|number|\bno\b|\bnr\b|code|nummer|numero/,
    /^animal/,
  ];
  for (const pattern of patterns) {
    const found = unique.find(({ name }) => pattern.test(folded(name)));
    if (found !== undefined) return found;
  }
  return unique.find(({ numbers }) => numbers === null || !numbers.hasFractions);
}

/** Names of columns that say what became of an animal. */
const STATUS = /statu|\betat\b|estado|situation|situacion|verbleib|devenir|disposition/;
/** Values of such columns for animals that are gone; "for adoption" is still there. */
const GONE =
  /\badopt(?:ed|ee?s?|ad[oa]s?|iert)\b|rehomed|returned|reclaimed|transferred|euthan|deceased|\bdied\b|\bdead\b|\brendue?s?\b|restitue|recupere|transfere|\bsortie?s?\b|decede|\bmorte?s?\b|vermittelt|abgeholt|zuruckgegeben|verstorben|\btot\b|devuelt|entregad|fallecid|\bmuert/;

/** Meanings of words in values, the first that fits counts. */
type Meanings = readonly (readonly [pattern: RegExp, meaning: unknown])[];

const SPECIES: Meanings = [
  [/\bdead\b|\btot\b|\bmort\b|deceased/, { skip: "dead" }],
  [
    /\bdogs?\b|canine|\bhund(?:e|in)?\b|welpe|\bchien(?:ne)?s?\b|chiot|\bperr[oa]|cachorr|pupp/,
    "dog",
  ],
  [
    /\bcats?\b|feline|katze|\bkater\b|katzchen|\bcha(?:ts?|ttes?|tons?)\b|\bgat(?:[oa]s?|it[oa]s?)\b|kitten/,
    "cat",
  ],
  [
    /\bbirds?\b|avian|vogel|sittich|papagei|oiseau|perruche|perroquet|\bave\b|pajaro|periquito|parrot|parakeet|chicken/,
    "bird",
  ],
];
const SIZES: Meanings = [
  [/x-?l|extra|very.?large|sehr gross|giant/, "xlarge"],
  [/lar?ge?\b|^l$|gross|\bgrande?\b/, "large"],
  [/med|^m$|mittel|moyen|mediano/, "medium"],
  [/small|toy|^s$|klein|petit|pequen/, "small"],
];
const SEXES: Meanings = [
  [/^f|female|spayed|weib|femelle|hembra|^w$/, "female"],
  [/^m|male|neutered|mann|macho/, "male"],
];
const TYPES: Meanings = [
  [/^lost|^perdu|^verloren|^perdid|^missing|vermisst/, "lost"],
  [/^found|^trouv|^gefunden|^encontr|^stray/, "found"],
];
/** Values of a kind that is neither are left out; other values count as not known. */
const REST: ReadonlyMap<Meanings, unknown> = new Map<Meanings, unknown>([
  [SPECIES, "other"],
  [SIZES, "unknown"],
  [SEXES, "unknown"],
]);

function meaningOf(value: string, meanings: Meanings): unknown {
  return meanings.find(([pattern]) => pattern.test(folded(value)))?.[1];
}

function meaningsOf(column: ColumnProfile, meanings: Meanings): Draft {
  const known = column.values.flatMap((value): [string, unknown][] => {
    const meaning = meaningOf(value, meanings);
    if (meaning !== undefined) return [[value, meaning]];
    return meanings === TYPES && value !== ""
      ? [[value, { skip: value.toLowerCase().slice(0, 60) }]]
      : [];
  });
  const rest = REST.get(meanings);
  return Object.fromEntries(rest === undefined ? known : [...known, ["*", rest]]);
}

/** True if the values of at least half of the filled rows have a meaning. */
function isMostly(column: ColumnProfile, meanings: Meanings): boolean {
  return column.shareOf((value) => meaningOf(value, meanings) !== undefined) >= 0.5;
}

function hasAll({ values }: ColumnProfile, patterns: readonly RegExp[]): boolean {
  return patterns.every((pattern) => values.some((value) => pattern.test(folded(value))));
}
