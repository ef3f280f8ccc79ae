import { type Field, FIELDS, TEXTS } from "../../core/alerts/fields.ts";
import {
  createPicker,
  idColumn,
  isFilled,
  nameColumn,
  onlySide,
  onlySpecies,
  type Picker,
  sideColumns,
  speciesColumn,
  unclearArrival,
} from "./column-choice.ts";
import type { ColumnProfile } from "./column-profile.ts";
import { outcomeConditions } from "./outcomes.ts";
import { headingsOf, isNamed, type Kind, meaningOf, meaningsOf, plainWords } from "./vocabulary.ts";

type Draft = Readonly<Record<string, unknown>>;

/** Part of a mapping, with sentences about what a person should check, and what they must decide. */
type Part = {
  readonly draft: Draft;
  readonly notes: readonly string[];
  readonly questions: readonly string[];
};

/** First mapping for columns, and sentences about what a person should check. */
export function suggestMapping(
  columns: readonly ColumnProfile[],
  { name, place }: { readonly name: string; readonly place: string | null },
): { readonly mapping: Draft; readonly notes: readonly string[] } {
  const picker = createPicker(columns);
  const headings = [plainWords(name), ...columns.map(({ label }) => label)].join(" ");
  const id = idPart(picker);
  const species = speciesPart(picker, headings);
  const side = sidePart(picker, headings);
  const outcomes = outcomeConditions(picker.free());
  outcomes.conditions.forEach(({ column }) => picker.take(column));
  const arrival = side.isClear ? [] : arrivalQuestions(picker);
  const days = daysPart(picker, headings, side.isLost);
  const parts = [id, side, species, days, placePart(picker, place), looksPart(picker)];
  const where = [
    ...side.where,
    ...outcomes.conditions.map(({ column, is, not, skip }) => ({
      column: column.name,
      is,
      not,
      skip,
    })),
  ];
  const questions = [
    ...(outcomes.hasOutcomes ? [] : [whichAreThere(days.date)]),
    ...side.questions,
    ...arrival,
    ...outcomes.questions,
    ...days.questions,
  ];
  const blankWords = new Set(columns.flatMap((column) => column.blankWords));
  const mapping = {
    mapping: name,
    decide: questions.length === 0 ? undefined : questions.join(" "),
    where: where.length === 0 ? undefined : where,
    ...Object.assign({}, ...parts.map(({ draft }) => draft)),
    unknown: blankWords.size === 0 ? undefined : [...blankWords],
  };
  const isTable = species.isKnown || days.date !== undefined;
  return {
    mapping,
    notes: [
      ...questions.map((one) => `DECIDE: ${one}`),
      ...(isTable ? [] : ["This does not look like a table with a row for each animal."]),
      ...parts.flatMap(({ notes }) => notes),
      ...outcomes.conditions.map(({ note }) => `"where": ${note}`),
      'Free text is left out, because it may name people: add "description" if it may be public.',
    ],
  };
}

function idPart({ free, take }: Picker): Part {
  const id = take(idColumn(free()));
  const repeated =
    id !== undefined && id.uniqueShare < 0.95
      ? " Many are in several rows: of these only the first that is published counts."
      : "";
  const note =
    id === undefined
      ? 'No column has a number of its own in each row: name one in "id", or add one to the table with a number that each animal keeps.'
      : `"id": ${id.name} must be a number that each animal keeps in every export.${repeated}`;
  return { draft: { id: id?.name ?? "" }, notes: [note], questions: [] };
}

function speciesPart({ free, take }: Picker, headings: string): Part & { isKnown: boolean } {
  const column = take(speciesColumn(free()));
  if (column !== undefined)
    return {
      draft: { species: byValue(column, "species") },
      notes: [],
      questions: [],
      isKnown: true,
    };
  const only = onlySpecies(headings);
  const note =
    only === null
      ? 'No column names dogs and cats: "species" must be given.'
      : `"species": all rows are taken for ${only}s.`;
  return { draft: { species: only ?? "" }, notes: [note], questions: [], isKnown: only !== null };
}

/** Lost or found. `isClear`: no row can be of an animal that was neither. */
function sidePart(
  { free, take }: Picker,
  headings: string,
): Part & { where: readonly Draft[]; isLost: boolean; isClear: boolean } {
  const side = onlySide(headings, free());
  const { kind, intake } = sideColumns(
    // In a list of lost animals the status "found" means that one is home again.
    free().filter(({ label }) => side !== "lost" || !/statu|estado/.test(label)),
  );
  if (kind !== undefined) {
    take(kind);
    const draft = { type: byValue(kind, "type") };
    return { draft, notes: [], questions: [], where: [], isLost: false, isClear: true };
  }
  if (intake !== undefined) {
    take(intake);
    const is = intake.values.filter((value) => meaningOf(value, "type") === "found");
    return {
      draft: { type: "found", custody: "shelter" },
      notes: [`"where": only rows whose ${intake.name} says that they are strays.`],
      questions: [],
      where: [{ column: intake.name, is, skip: "not strays" }],
      isLost: false,
      isClear: true,
    };
  }
  const isLost = side === "lost";
  const question = 'Are the animals lost or found? All are taken for found: if not, change "type".';
  return {
    draft: isLost ? { type: "lost" } : { type: "found", custody: "shelter" },
    notes: side === null ? [] : [`"type": all rows are taken for ${side} animals.`],
    questions: side === null ? [question] : [],
    where: [],
    isLost,
    isClear: isLost,
  };
}

function arrivalQuestions({ free }: Picker): string[] {
  const arrival = unclearArrival(free());
  return arrival === undefined
    ? []
    : [
        `Which rows are of found animals? ${arrival.name} has ${arrival.values.slice(0, 10).join(", ")}: say in "where" which of them.`,
      ];
}

function whichAreThere(date: ColumnProfile | undefined): string {
  const oldest = date?.firstDate ?? null;
  const since = oldest === null ? "" : ` The oldest row is of ${oldest}.`;
  return `No column tells which animals are gone.${since} Is each row still missing, or still there? If not, animals that went home or died would be published: ask the shelter for a table with the outcomes, or say in "where" which rows to publish.`;
}

/** Day of the loss or the find, and of birth. */
function daysPart(
  { all, find }: Picker,
  headings: string,
  isLost: boolean,
): Part & { date: ColumnProfile | undefined } {
  const birth = find(headingsOf("birthDate"), hasDates);
  const birthDate =
    birth === undefined
      ? undefined
      : { column: birth.name, format: formatOf(birth, all) ?? birth.dateFormats[0] };
  const date = find(
    headingsOf("any date"),
    (column) => hasDates(column) && !isNamed(column.label, "other days"),
  );
  if (date === undefined)
    return {
      draft: { date: { column: "", format: "MM/DD/YYYY" }, birthDate },
      notes: ['No column holds dates that can be read: "date" must be given.'],
      questions: [],
      date,
    };
  const format = formatOf(date, all);
  const notes: string[] = [];
  const questions: string[] = [];
  if (format === undefined)
    questions.push(
      `Days and months of ${date.name} cannot be told apart: is ${date.dateFormats.join(" or ")} right? Write the right one in "date".`,
    );
  if (!headingsOf("date").some((heading) => heading.test(date.label))) {
    const question = `Is ${date.name} the day on which the animal was ${isLost ? "lost" : "found"}?`;
    if (/outcome/.test(headings)) questions.push(question);
    else notes.push(`"date": ${question}`);
  }
  const draft = { date: { column: date.name, format: format ?? date.dateFormats[0] }, birthDate };
  return { draft, notes, questions, date };
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

function placePart({ free, find, take }: Picker, place: string | null): Part {
  const isOwn = ({ label }: ColumnProfile) => !isNamed(label, "others' place");
  const latitude = find(
    headingsOf("latitude"),
    (column) => isOwn(column) && isCoordinate(column, 90),
  );
  const longitude = find(
    headingsOf("longitude"),
    (column) => isOwn(column) && isCoordinate(column, 180),
  );
  const coordinates =
    latitude !== undefined && longitude !== undefined
      ? undefined
      : find(headingsOf("coordinates"), (column) => isOwn(column) && column.hasPoints);
  const towns = free().filter(
    (column) => isNamed(column.label, "town") && isOwn(column) && isFilled(column),
  );
  towns.forEach(take);
  const postcode = find(headingsOf("postcode"), (column) => isOwn(column) && isFilled(column));
  const hasPlace = [latitude, coordinates, postcode, towns[0]].some((one) => one !== undefined);
  const note = hasPlace
    ? 'Rows without a known place are refused. To put them at the shelter, add "place": "Town, Country".'
    : 'No column says where: change "place" to the town of the shelter, with its country.';
  return {
    draft: {
      city: towns.length === 0 ? undefined : towns.slice(0, TOWNS_MAX).map(({ name }) => name),
      latitude: latitude?.name,
      longitude: longitude?.name,
      coordinates: coordinates?.name,
      postcode: postcode?.name,
      place: place ?? (hasPlace ? undefined : "TOWN, COUNTRY"),
    },
    notes: place === null ? [note] : [],
    questions: [],
  };
}

/** Name, looks, age and chip number. */
function looksPart({ all, free, find, take }: Picker): Part {
  const size = find(headingsOf("size"), (column) => isMostly(column, "size"));
  const sex = find(headingsOf("sex"), (column) => isMostly(column, "sex"));
  const age = find(headingsOf("age"), ({ isAges }) => isAges);
  const { column: name, ofPeople } = nameColumn(free(), all);
  take(name);
  const texts = TEXTS.flatMap((field) => {
    const { headings = [] }: Field = FIELDS[field];
    const column = find(headings);
    return column === undefined ? [] : [[field, column.name]];
  });
  const isMarked = name?.values.some((value) => value.startsWith("*")) ?? false;
  return {
    draft: {
      name: name?.name,
      staffNames: isMarked ? "*" : undefined,
      ...Object.fromEntries(texts),
      size: size && byValue(size, "size"),
      sex: sex && byValue(sex, "sex"),
      age: age && { column: age.name },
      microchip: find(headingsOf("microchip"), ({ isChips }) => isChips)?.name,
    },
    notes: [
      ...(ofPeople === undefined
        ? []
        : [
            `"name" is left out: ${ofPeople.name} may hold names of people, as other columns do. Add it if it holds those of the animals.`,
          ]),
      ...(isMarked
        ? ['"staffNames": names that begin with * are taken for names given by staff.']
        : []),
    ],
    questions: [],
  };
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
