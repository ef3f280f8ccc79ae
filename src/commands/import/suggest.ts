import { basename } from "node:path";
import { printableJson } from "../../core/terminal-text.ts";
import { folded } from "../../core/tokenize.ts";
import { type CommandContext, onlyArgument, readArguments } from "../command.ts";
import { STANDARD_STREAM } from "../output.ts";
import { createProgress } from "../terminal.ts";
import {
  idColumn,
  nameColumn,
  onlySide,
  onlySpecies,
  sideColumns,
  speciesColumn,
  unclearArrival,
} from "./column-choice.ts";
import { type ColumnProfile, profileColumns } from "./column-profile.ts";
import { outcomeConditions } from "./outcomes.ts";
import { openTable } from "./table-file.ts";
import {
  meaningOf,
  type Meanings,
  meaningsOf,
  plainWords,
  SEXES,
  SIZES,
  SPECIES,
  TYPES,
} from "./vocabulary.ts";

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
  await context.standardOutput.write(Buffer.from(`${printableJson(mapping)}\n`));
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
  const questions: string[] = [];
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
      const found = free().find((column) => pattern.test(column.label) && test(column));
      if (found !== undefined) return take(found);
    }
    return undefined;
  };
  const byValue = ({ name: column, values }: ColumnProfile, meanings: Meanings) => ({
    column,
    values: meaningsOf(values, meanings),
  });
  const headings = [plainWords(name), ...columns.map(({ label }) => label)].join(" ");

  const id = take(idColumn(columns));
  notes.push(
    id === undefined
      ? 'No column has a number of its own in each row: name one in "id".'
      : `"id": ${id.name} must be a number that each animal keeps in every export.${id.uniqueShare < 0.95 ? " Many are in several rows: of these only the first that is published counts." : ""}`,
  );
  const species = take(speciesColumn(free()));
  const only = species === undefined ? onlySpecies(headings) : null;
  if (only !== null) notes.push(`"species": all rows are taken for ${only}s.`);
  else if (species === undefined)
    notes.push('No column names dogs and cats: "species" must be given.');

  const side = onlySide(headings, columns);
  const { kind, intake } = sideColumns(
    // In a list of lost animals the status "found" means that one is home again.
    free().filter(({ label }) => side !== "lost" || !/statu|estado/.test(label)),
  );
  take(kind ?? intake);
  const where: Draft[] = [];
  const isLost = kind === undefined && intake === undefined && side === "lost";
  if (intake !== undefined) {
    where.push({
      column: intake.name,
      is: intake.values.filter((value) => meaningOf(value, TYPES) === "found"),
      skip: "not strays",
    });
    notes.push(`"where": only rows whose ${intake.name} says that they are strays.`);
  }
  if (kind === undefined && intake === undefined) {
    if (side === null)
      questions.push(
        'Are the animals lost or found? All are taken for found: if not, change "type".',
      );
    else notes.push(`"type": all rows are taken for ${isLost ? "lost" : "found"} animals.`);
  }
  const outcomes = outcomeConditions(free());
  for (const { column, note, is, not, skip } of outcomes.conditions) {
    take(column);
    where.push({ column: column.name, is, not, skip });
    notes.push(`"where": ${note}`);
  }
  const arrival =
    kind === undefined && intake === undefined && !isLost ? unclearArrival(free()) : undefined;
  if (arrival !== undefined)
    questions.push(
      `Which rows are of found animals? ${arrival.name} has ${arrival.values.slice(0, 10).join(", ")}: say in "where" which of them.`,
    );

  const birth = find([/birth|\bdob\b|geburt|naiss|nacim/], hasDates);
  const date = find(
    [...DAYS, /date|datum|fecha/, /./],
    (column) => hasDates(column) && !OTHER_DAYS.test(column.label),
  );
  if (date === undefined && species === undefined && only === null)
    notes.push("This does not look like a table with a row for each animal.");
  else if (date === undefined)
    notes.push('No column holds dates that can be read: "date" must be given.');
  const dateFormat = date === undefined ? undefined : formatOf(date, columns);
  if (date !== undefined && dateFormat === undefined)
    questions.push(
      `Days and months of ${date.name} cannot be told apart: is ${date.dateFormats.join(" or ")} right? Write the right one in "date".`,
    );
  if (date !== undefined && !DAYS.some((pattern) => pattern.test(date.label))) {
    const question = `Is ${date.name} the day on which the animal was ${isLost ? "lost" : "found"}?`;
    if (/outcome/.test(headings)) questions.push(question);
    else notes.push(`"date": ${question}`);
  }
  if (!outcomes.hasOutcomes) questions.push(whichAreThere(date));
  questions.push(...outcomes.questions);

  const latitude = find([/lat/, /^y$/], isCoordinate(90));
  const longitude = find([/lon|lng/, /^x$/], isCoordinate(180));
  const coordinates =
    latitude !== undefined && longitude !== undefined
      ? undefined
      : find([/./], (column) => column.hasPoints && !OTHERS_PLACE.test(column.label));
  const city = free().filter(
    (column) => TOWN.test(column.label) && !OTHERS_PLACE.test(column.label) && isFilled(column),
  );
  city.forEach(take);
  const postcode = find(
    [/\bzip|zip\b|post.?code|postal|plz/],
    (column) => isFilled(column) && !OTHERS_PLACE.test(column.label),
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
  const age = find([/age|alter|edad/], ({ isAges }) => isAges);
  const { column: animalName, ofPeople } = nameColumn(free(), columns);
  take(animalName);
  if (ofPeople !== undefined)
    notes.push(
      `"name" is left out: ${ofPeople.name} may hold names of people, as other columns do. Add it if it holds those of the animals.`,
    );
  const breed = find([/breed|rasse|\brace\b|raza/]);
  const color = find([/colou?r|farbe|couleur/, /\brobe\b|pelage|\bfell\b|pelaje|\bcapa\b/]);
  const chip = find([/chip/], ({ isChips }) => isChips);
  const isMarked = animalName?.values.some((value) => value.startsWith("*")) ?? false;
  if (isMarked)
    notes.push('"staffNames": names that begin with * are taken for names given by staff.');
  notes.push(
    'Free text is left out, because it may name people: add "description" if it may be public.',
  );
  const unknown = [...new Set(columns.flatMap(({ blankWords }) => blankWords))];

  const mapping: Draft = {
    mapping: name,
    ...(questions.length === 0 ? {} : { decide: questions.join(" ") }),
    id: id?.name ?? "",
    type: kind !== undefined ? byValue(kind, TYPES) : isLost ? "lost" : "found",
    species: species === undefined ? (only ?? "") : byValue(species, SPECIES),
    ...(where.length === 0 ? {} : { where }),
    date: { column: date?.name ?? "", format: dateFormat ?? date?.dateFormats[0] ?? "MM/DD/YYYY" },
    ...(city.length === 0 ? {} : { city: city.slice(0, 5).map((column) => column.name) }),
    ...named({ latitude, longitude, coordinates, postcode }),
    ...(place !== null ? { place } : hasPlace ? {} : { place: "TOWN, COUNTRY" }),
    ...named({ name: animalName }),
    ...(isMarked ? { staffNames: "*" } : {}),
    ...named({ breed, color }),
    ...(size === undefined ? {} : { size: byValue(size, SIZES) }),
    ...(sex === undefined ? {} : { sex: byValue(sex, SEXES) }),
    ...(age === undefined ? {} : { age: { column: age.name } }),
    ...(birth === undefined
      ? {}
      : {
          birthDate: {
            column: birth.name,
            format: formatOf(birth, columns) ?? birth.dateFormats[0],
          },
        }),
    ...(kind === undefined && !isLost ? { custody: "shelter" } : {}),
    ...named({ microchip: chip }),
    ...(unknown.length === 0 ? {} : { unknown }),
  };
  return { mapping, notes: [...questions.map((one) => `DECIDE: ${one}`), ...notes] };
}

/** Names of columns with the day on which an animal was lost or found, the best first. */
const DAYS: readonly RegExp[] = [
  /found|lost|fund|trouv|perdu|perdid|encontr|vermisst|suceso/,
  /intake|impound|brought|arriv|admi|\bin\b|in.?date|entr[ye]|seiz|captur|aufnahme|ingreso/,
];
/** Names of columns with other days. */
const OTHER_DAYS =
  /outcome|\bout\b|due|update|modif|birth|\bdob\b|naiss|nacim|geburt|release|\bdisp|sortie|salida|egreso|\bbaja\b|abgang|adopt|deceas|return|expir|hold|review|refresh|print|movement|creat|dispatch|vaccin|rabies|licen|avail/;
const TOWN =
  /city|town|\bort\b|fundort|ville\b|commune|municip|jurisdiction|localidad|poblacion|suburb|community|borough|location.?found|found.?location|stray.?location|place.?found|where.?found|found.?(?:at|in)\b|\blieu\b|\blugar\b|^(?:trouv|gefund|encontr)\S* (?:a|in|en)$/;
/** Names of columns with places of people, or of animals that have left. */
const OTHERS_PLACE = /outcome|owner|finder|adopter|besitzer|halter|propriet|dueno/;
function whichAreThere(date: ColumnProfile | undefined): string {
  const oldest = date?.firstDate ?? null;
  const since = oldest === null ? "" : ` The oldest row is of ${oldest}.`;
  return `No column tells which animals are gone.${since} Is each row still missing, or still there? If not, animals that went home or died would be published: ask the shelter for a table with the outcomes, or say in "where" which rows to publish.`;
}

function named(columns: Readonly<Record<string, ColumnProfile | undefined>>): Draft {
  return Object.fromEntries(
    Object.entries(columns).flatMap(([key, column]) =>
      column === undefined ? [] : [[key, column.name]],
    ),
  );
}

function hasDates({ dateFormats }: ColumnProfile): boolean {
  return dateFormats.length > 0;
}

/** Format of the dates in a column, if need be by another column; undefined if days and months cannot be told apart. */
function formatOf(
  { dateFormats }: ColumnProfile,
  columns: readonly ColumnProfile[],
): string | undefined {
  if (dateFormats.length === 1) return dateFormats[0];
  const sure = columns.flatMap((column) =>
    column.dateFormats.length === 1 ? column.dateFormats : [],
  );
  return dateFormats.find((format) => sure.includes(format));
}

function isFilled({ filled }: ColumnProfile): boolean {
  return filled > 0;
}

function isCoordinate(max: number) {
  return ({ label, numbers }: ColumnProfile): boolean =>
    numbers !== null &&
    !OTHERS_PLACE.test(label) &&
    numbers.min >= -max &&
    numbers.max <= max &&
    numbers.hasFractions;
}

/** True if the values of at least half of the filled rows have a meaning. */
function isMostly(column: ColumnProfile, meanings: Meanings): boolean {
  return column.shareOf((value) => meaningOf(value, meanings) !== undefined) >= 0.5;
}
