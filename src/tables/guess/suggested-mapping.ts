import { type Field, FIELDS, TEXTS } from "../../core/alerts/fields.ts";
import type { AlertType, Species } from "../../values/animal.ts";
import type { ColumnProfile } from "./column-profile.ts";
import { outcomeConditions } from "./outcomes.ts";
import {
  headingsOf,
  isNamed,
  type Kind,
  meaningOf,
  meaningsOf,
  plainWords,
  says,
} from "./vocabulary.ts";

type Draft = Readonly<Record<string, unknown>>;

/** First mapping for columns, and sentences about what a person should check. */
export function suggestMapping(
  columns: readonly ColumnProfile[],
  { name, place }: { readonly name: string; readonly place: string | null },
): { readonly mapping: Draft; readonly notes: readonly string[] } {
  const suggestion = createSuggestion(columns, name);
  const { free, take, where, notes, questions } = suggestion;
  const id = idPart(suggestion);
  const species = speciesPart(suggestion);
  const side = sidePart(suggestion);
  const outcomes = outcomeConditions(free());
  outcomes.conditions.forEach(({ column }) => take(column));
  where.push(
    ...outcomes.conditions.map(({ column, is, not, skip }) => ({
      column: column.name,
      is,
      not,
      skip,
    })),
  );
  if (!side.isClear) questions.push(...arrivalQuestions(free()));
  questions.push(...outcomes.questions);
  const { date, draft: days } = daysPart(suggestion, side.isLost);
  const others = { ...placePart(suggestion, place), ...looksPart(suggestion) };
  if (!outcomes.hasOutcomes) questions.unshift(whichAreThere(date));
  const blankWords = new Set(columns.flatMap((column) => column.blankWords));
  const mapping = {
    mapping: name,
    decide: questions.length === 0 ? undefined : questions.join(" "),
    where: where.length === 0 ? undefined : where,
    id,
    ...side.draft,
    species,
    ...days,
    ...others,
    unknown: blankWords.size === 0 ? undefined : [...blankWords],
  };
  const isTable = species !== "" || date !== undefined;
  return {
    mapping,
    notes: [
      ...questions.map((one) => `DECIDE: ${one}`),
      ...(isTable ? [] : ["This does not look like a table with a row for each animal."]),
      ...notes,
      ...outcomes.conditions.map(({ note }) => `"where": ${note}`),
      'Free text is left out, because it may name people: add "description" if it may be public.',
    ],
  };
}

type Suggestion = ReturnType<typeof createSuggestion>;

/** Columns of a table, each of which can be taken once, and sentences about them. */
function createSuggestion(columns: readonly ColumnProfile[], name: string) {
  const taken = new Set<ColumnProfile>();
  const free = () => columns.filter((column) => !taken.has(column));
  function take(column: ColumnProfile | undefined): ColumnProfile | undefined {
    if (column !== undefined) taken.add(column);
    return column;
  }
  const where: Draft[] = [];
  /** Sentences about what a person should check. */
  const notes: string[] = [];
  /** Sentences about what they must decide. */
  const questions: string[] = [];
  return {
    columns,
    headings: [plainWords(name), ...columns.map(({ label }) => label)].join(" "),
    free,
    take,
    /** Takes the free column with the likeliest of these headings that passes the test. */
    find(
      headings: readonly RegExp[],
      test: (column: ColumnProfile) => boolean = isFilled,
    ): ColumnProfile | undefined {
      return take(firstNamed(headings, free().filter(test)));
    },
    where,
    notes,
    questions,
  };
}

function firstNamed(
  headings: readonly RegExp[],
  columns: readonly ColumnProfile[],
): ColumnProfile | undefined {
  const found = headings.map((heading) => columns.find(({ label }) => heading.test(label)));
  return found.find((column) => column !== undefined);
}

function isFilled({ filled }: ColumnProfile): boolean {
  return filled > 0;
}

function idPart({ free, take, notes }: Suggestion): string {
  const id = take(idColumn(free()));
  const repeated =
    id !== undefined && id.uniqueShare < 0.95
      ? " Many are in several rows: of these only the first that is published counts."
      : "";
  notes.push(
    id === undefined
      ? 'No column has a number of its own in each row: name one in "id", or add one to the table with a number that each animal keeps.'
      : `"id": ${id.name} must be a number that each animal keeps in every export.${repeated}`,
  );
  return id?.name ?? "";
}

/** Shares of rows with a number of their own: exports list some animals twice, and some list every move of an animal. */
const UNIQUE_SHARES = [0.8, 0.3];

/** Column that numbers the rows: by its name if it can be, with a value of its own in nearly every row. */
function idColumn(columns: readonly ColumnProfile[]): ColumnProfile | undefined {
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

/** Empty if the table does not say. */
function speciesPart({ free, take, notes, headings }: Suggestion) {
  const column = take(speciesColumn(free()));
  if (column !== undefined) return byValue(column, "species");
  const only = onlySpecies(headings);
  notes.push(
    only === null
      ? 'No column names dogs and cats: "species" must be given.'
      : `"species": all rows are taken for ${only}s.`,
  );
  return only ?? "";
}

/** Column that names dogs and cats: by its name if it can be, otherwise the one with the most of them. */
function speciesColumn(columns: readonly ColumnProfile[]): ColumnProfile | undefined {
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

/** Species of a table without a column for it, by its names; null if they name none, or several. */
function onlySpecies(headings: string): Species | null {
  const isDogs = isNamed(headings, "dogs");
  const isCats = isNamed(headings, "cats");
  return isDogs === isCats ? null : isDogs ? "dog" : "cat";
}

/** Lost or found. `isClear`: no row can be of an animal that was neither. */
function sidePart({ free, take, headings, notes, questions, where }: Suggestion): {
  readonly draft: Draft;
  readonly isLost: boolean;
  readonly isClear: boolean;
} {
  const found = { type: "found", custody: "shelter" };
  const side = onlySide(headings, free());
  const { kind, intake } = sideColumns(
    // In a list of lost animals the status "found" means that one is home again.
    free().filter(({ label }) => side !== "lost" || !/statu|estado/.test(label)),
  );
  take(kind ?? intake);
  if (kind !== undefined)
    return { draft: { type: byValue(kind, "type") }, isLost: false, isClear: true };
  if (intake !== undefined) {
    const is = intake.values.filter((value) => meaningOf(value, "type") === "found");
    where.push({ column: intake.name, is, skip: "not strays" });
    notes.push(`"where": only rows whose ${intake.name} says that they are strays.`);
    return { draft: found, isLost: false, isClear: true };
  }
  if (side !== null) notes.push(`"type": all rows are taken for ${side} animals.`);
  else
    questions.push(
      'Are the animals lost or found? All are taken for found: if not, change "type".',
    );
  const isLost = side === "lost";
  return { draft: isLost ? { type: "lost" } : found, isLost, isClear: isLost };
}

/** Column of lost and found animals, or else the one about how animals came that tells strays from others. */
function sideColumns(columns: readonly ColumnProfile[]): {
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

/** Side of all animals of a table without a column for it, by its names; null if they name both. */
function onlySide(headings: string, columns: readonly ColumnProfile[]): AlertType | null {
  const days = columns.filter(({ dateFormats }) => dateFormats.length > 0);
  return sideOf(days.map(({ label }) => label).join(" "), sideOf(headings, "found"));
}

function sideOf(text: string, otherwise: AlertType | null): AlertType | null {
  const [isLost, isFound] = [isNamed(text, "lost"), isNamed(text, "found")];
  if (isLost && isFound) return null;
  return isLost ? "lost" : isFound ? "found" : otherwise;
}

/** Questions about the column about how animals came, if it does not tell which of them are strays. */
function arrivalQuestions(columns: readonly ColumnProfile[]): string[] {
  const arrival = columns.find(({ label, values, words }) => {
    if (isNamed(label, "unrelated") || isNamed(label, "not arrival")) return false;
    return (
      (isNamed(label, "arrival") && says(words, "not found")) ||
      (isNamed(label, "kind of arrival") && values.length > 1)
    );
  });
  if (arrival === undefined) return [];
  const values = arrival.values.slice(0, 10).join(", ");
  return [
    `Which rows are of found animals? ${arrival.name} has ${values}: say in "where" which of them.`,
  ];
}

function whichAreThere(date: ColumnProfile | undefined): string {
  const oldest = date?.firstDate ?? null;
  const since = oldest === null ? "" : ` The oldest row is of ${oldest}.`;
  return `No column tells which animals are gone.${since} Is each row still missing, or still there? If not, animals that went home or died would be published: ask the shelter for a table with the outcomes, or say in "where" which rows to publish.`;
}

/** Day of the loss or the find, and of birth. */
function daysPart(
  { columns, find, headings, notes, questions }: Suggestion,
  isLost: boolean,
): { readonly draft: Draft; readonly date: ColumnProfile | undefined } {
  const dated = (column: ColumnProfile) => ({
    column: column.name,
    format: formatOf(column, columns) ?? column.dateFormats[0],
  });
  const birth = find(headingsOf("birthDate"), hasDates);
  const birthDate = birth === undefined ? undefined : dated(birth);
  const date = find(
    headingsOf("any date"),
    (column) => hasDates(column) && !isNamed(column.label, "other days"),
  );
  if (date === undefined) {
    notes.push('No column holds dates that can be read: "date" must be given.');
    return { draft: { date: { column: "", format: "MM/DD/YYYY" }, birthDate }, date };
  }
  if (formatOf(date, columns) === undefined)
    questions.push(
      `Days and months of ${date.name} cannot be told apart: is ${date.dateFormats.join(" or ")} right? Write the right one in "date".`,
    );
  if (!headingsOf("date").some((heading) => heading.test(date.label))) {
    const question = `Is ${date.name} the day on which the animal was ${isLost ? "lost" : "found"}?`;
    if (/outcome/.test(headings)) questions.push(question);
    else notes.push(`"date": ${question}`);
  }
  return { draft: { date: dated(date), birthDate }, date };
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

/** Columns with a town that are tried in turn. */
const TOWNS_MAX = 5;

function placePart({ free, find, take, notes }: Suggestion, place: string | null): Draft {
  const own = (field: Parameters<typeof headingsOf>[0], test: (column: ColumnProfile) => boolean) =>
    find(headingsOf(field), (column) => isOwnPlace(column) && test(column));
  const latitude = own("latitude", (column) => isCoordinate(column, 90));
  const longitude = own("longitude", (column) => isCoordinate(column, 180));
  const isPoint = latitude !== undefined && longitude !== undefined;
  const coordinates = isPoint ? undefined : own("coordinates", ({ hasPoints }) => hasPoints);
  const towns = free().filter(
    (column) => isNamed(column.label, "town") && isOwnPlace(column) && isFilled(column),
  );
  towns.forEach(take);
  const postcode = own("postcode", isFilled);
  const hasPlace = [latitude, coordinates, postcode, towns[0]].some((one) => one !== undefined);
  if (place === null)
    notes.push(
      hasPlace
        ? 'Rows without a known place are refused. To put them at the shelter, add "place": "Town, Country".'
        : 'No column says where: change "place" to the town of the shelter, with its country.',
    );
  return {
    city: towns.length === 0 ? undefined : towns.slice(0, TOWNS_MAX).map(({ name }) => name),
    latitude: latitude?.name,
    longitude: longitude?.name,
    coordinates: coordinates?.name,
    postcode: postcode?.name,
    place: place ?? (hasPlace ? undefined : "TOWN, COUNTRY"),
  };
}

/** False for places of people, or of animals that have left. */
function isOwnPlace({ label }: ColumnProfile): boolean {
  return !isNamed(label, "others' place");
}

/** Name, looks, age and chip number. */
function looksPart({ columns, free, find, take, notes }: Suggestion): Draft {
  const size = find(headingsOf("size"), (column) => isMostly(column, "size"));
  const sex = find(headingsOf("sex"), (column) => isMostly(column, "sex"));
  const age = find(headingsOf("age"), ({ isAges }) => isAges);
  const { column: name, ofPeople } = nameColumn(free(), columns);
  take(name);
  const texts = TEXTS.flatMap((field) => {
    const { headings = [] }: Field = FIELDS[field];
    const column = find(headings);
    return column === undefined ? [] : [[field, column.name]];
  });
  const isMarked = name?.values.some((value) => value.startsWith("*")) ?? false;
  if (ofPeople !== undefined)
    notes.push(
      `"name" is left out: ${ofPeople.name} may hold names of people, as other columns do. Add it if it holds those of the animals.`,
    );
  if (isMarked)
    notes.push('"staffNames": names that begin with * are taken for names given by staff.');
  return {
    name: name?.name,
    staffNames: isMarked ? "*" : undefined,
    ...Object.fromEntries(texts),
    size: size && byValue(size, "size"),
    sex: sex && byValue(sex, "sex"),
    age: age && { column: age.name },
    microchip: find(headingsOf("microchip"), ({ isChips }) => isChips)?.name,
  };
}

/** Column with the names of animals. `ofPeople`: one that may hold names of people instead. */
function nameColumn(
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

function byValue({ name, values }: ColumnProfile, kind: Kind) {
  return { column: name, values: meaningsOf(values, kind) };
}

function isCoordinate({ numbers }: ColumnProfile, max: number): boolean {
  return numbers !== null && numbers.min >= -max && numbers.max <= max && numbers.hasFractions;
}

/** True if the values of at least half of the filled rows have a meaning. */
function isMostly(column: ColumnProfile, kind: Kind): boolean {
  return column.shareOf((value) => meaningOf(value, kind) !== undefined) >= 0.5;
}
