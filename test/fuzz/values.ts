import fc from "fast-check";
import { z } from "zod";
import { toWireSchema } from "../../src/http/middleware/field-names.ts";
import { placeholder } from "./request.ts";
import {
  brokenMailbox,
  CANARY_DIGITS,
  canaryMailbox,
  exactDegrees,
  oddText,
  plainText,
} from "./text.ts";

/** The parts of JSON Schema that our schemas use. */
type Schema = {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
};
export type Values = Readonly<Record<string, unknown>>;

/** What can be drawn for an input of the service. */
export type ValueGenerators = {
  /** What the schema takes. */
  readonly valid: fc.Arbitrary<Values>;
  /** Mostly that; here and there a field at its bounds, beyond them, of another type, missing, or one too many. */
  readonly any: fc.Arbitrary<Values>;
};

/** Values for an input, made from the very schema that reads it, under the wire's names. */
export function wireValues(input: z.ZodObject): ValueGenerators {
  return drawnFrom(toWireSchema(input) as Schema);
}

/** Values for an input under the names that forms use. */
export function formValues(input: z.ZodObject): ValueGenerators {
  return drawnFrom(z.toJSONSchema(input, { io: "input" }) as Schema);
}

function drawnFrom({ properties = {}, required = [] }: Schema): ValueGenerators {
  const fields = Object.entries(properties);
  const optional = fields.map(([name]) => name).filter((name) => !required.includes(name));
  const record = (of: (name: string, schema: Schema) => fc.Arbitrary<unknown>) =>
    fc.record(Object.fromEntries(fields.map(([name, schema]) => [name, of(name, schema)])));
  const whole = record(fittingValue);
  const valid = fc
    .tuple(whole, fc.subarray(optional))
    .map(([given, left]) => withPartners(without(given, left)));

  const change = fc.oneof(...fields.map(bentField));
  const bent = fc
    .tuple(valid, fc.array(change, { minLength: 1, maxLength: 2 }))
    .map(([given, changes]) => changes.reduce<Values>((so, bend) => bend(so), given));
  return {
    valid,
    any: fc.oneof({ weight: 5, arbitrary: valid }, { weight: 4, arbitrary: bent }),
  };
}

/** What belongs together stays together: half a position is no position. */
function withPartners(given: Values): Values {
  if ("lat" in given === "lng" in given && ("lat" in given || !hasRadius(given))) return given;
  return without(given, ["lat", "lng", "radius_km", "radiusKm"]);
}

function hasRadius(given: Values): boolean {
  return "radius_km" in given || "radiusKm" in given;
}

function without(given: Values, names: readonly string[]): Values {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)));
}

function bentField([name, schema]: readonly [string, Schema]): fc.Arbitrary<
  (given: Values) => Values
> {
  const set = (value: unknown) => (given: Values) => ({ ...given, [name]: value });
  return fc.oneof(
    { weight: 3, arbitrary: edgeValue(schema).map(set) },
    { weight: 4, arbitrary: brokenValue(name).map(set) },
    { weight: 1, arbitrary: fc.constant((given: Values) => without(given, [name])) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          fc.oneof(oddText, fc.constantFrom("__proto__", "LAT", "radiusKm", "user_id")),
          oddText,
        )
        .map(
          ([stranger, value]) =>
            (given: Values) =>
              Object.fromEntries([...Object.entries(given), [stranger, value]]),
        ),
    },
  );
}

/** Formats that schemas check in code, by the names of their fields. */
const FORMATS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  organisation: fc.constantFrom("happy-paws", "cats", "x9"),
  lat: exactDegrees(90),
  lng: exactDegrees(180),
  email: canaryMailbox,
  alert: fc.oneof(
    fc.nat(60).map((nth) => placeholder("slug", nth)),
    fc.nat(60).map((nth) => placeholder("id", nth)),
    fc.nat(60).map((nth) => placeholder("code", nth)),
    fc.nat(60).map((nth) => `https://pets.example/alerts/${placeholder("slug", nth)}`),
  ),
  query: fc.constantFrom("mimi", "gre", "lost", "猫", "Ёж tab", "a b c d e f g h i j k l m"),
  q: fc.constantFrom("mimi", "gre", "lost", "猫", "Ёж tab", "a b c d e f g h i j k l m"),
  microchip: fc.nat(99).map((nth) => `985${CANARY_DIGITS}${String(nth).padStart(2, "0")}`),
  country: fc.constantFrom("FR", "de", "JP"),
  since: fc.constantFrom("2026-04-01", "2026-05-01T08:00:00Z", "2026-05-01T08:00:00.000+02:00"),
  cursor: fc.constantFrom("2027-05-01", "2026-05-02T08:00:00.123Z"),
  clock: fc.constantFrom("", "13:20", "9", "11:59 pm", "23:59:59"),
  date: fc.constantFrom("2026-04-20", "2026-05-01", "2024-02-29"),
  photoUrls: fc.array(
    fc.constantFrom(
      "https://127.0.0.1/a.jpg",
      "http://example.org/a.jpg",
      "file:///etc/passwd",
      "https://[::1]/",
      "x",
    ),
    { maxLength: 3 },
  ),
};
const SAME_FORMAT: Readonly<Record<string, string>> = {
  country_code: "country",
  countryCode: "country",
  event_date: "date",
  eventDate: "date",
  event_time: "clock",
  eventTime: "clock",
  seen_at: "since",
  seenAt: "since",
  photo_urls: "photoUrls",
};

function fittingValue(name: string, schema: Schema): fc.Arbitrary<unknown> {
  const format = FORMATS[SAME_FORMAT[name] ?? name];
  if (format !== undefined) return format;
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case "integer":
    case "number":
      return fc.integer({ min: Math.ceil(lowest(schema)), max: highest(schema) });
    case "string":
      return fc
        .oneof({ weight: 4, arbitrary: plainText }, { weight: 3, arbitrary: oddText })
        .map((text) => fitted(text, schema));
    case "array":
      return fc.array(fittingValue(name, schema.items ?? {}), { maxLength: schema.maxItems ?? 3 });
    default:
      throw new Error(`no values are known for ${name}: ${JSON.stringify(schema)}`);
  }
}

function fitted(text: string, { minLength = 0, maxLength = Infinity }: Schema): string {
  const cut = text.slice(0, maxLength);
  // Such fields are trimmed before they are measured.
  return cut.trim().length >= minLength ? cut : "x".repeat(Math.max(1, minLength));
}

const NUMBER_MAX = 1_000;

function lowest({ minimum, exclusiveMinimum }: Schema): number {
  return minimum ?? (exclusiveMinimum === undefined ? 0 : exclusiveMinimum + 1);
}

function highest({ maximum }: Schema): number {
  return maximum ?? NUMBER_MAX;
}

/** At a bound, a step inside it and a step beyond. */
function edgeValue(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.type === "integer" || schema.type === "number") {
    const step = schema.type === "integer" ? 1 : 1e-9;
    const [low, high] = [lowest(schema), highest(schema)];
    return fc.constantFrom(low, low - step, low + step, high, high + step, high - step, -0, 0);
  }
  if (schema.type === "string" && schema.maxLength !== undefined) {
    const most = schema.maxLength;
    return fc.constantFrom(
      "",
      " ",
      ...[most - 1, most, most + 1].map((length) => "x".repeat(length)),
    );
  }
  if (schema.type === "array") {
    const most = (schema.maxItems ?? 10) + 1;
    return fc.constantFrom<unknown[]>(
      [],
      Array.from({ length: most }, () => "x"),
    );
  }
  return fc.constantFrom(
    "",
    " ",
    ...(schema.enum ?? []).map((one) => ` ${String(one).toUpperCase()}`),
  );
}

const ODD_NUMBERS = [
  "NaN",
  "Infinity",
  "-Infinity",
  "1e3",
  "0x10",
  "1_000",
  "+5",
  " 5",
  "5 ",
  "5,0",
  ".5",
  "5.",
  "-0",
  "00005",
  "٥",
  "５",
  "1e400",
  "9".repeat(400),
  `0.${"0".repeat(400)}1`,
];
const NOT_EVEN_TEXT: readonly unknown[] = [
  null,
  true,
  false,
  [],
  {},
  [["x"]],
  { toString: "x" },
  { lat: 1 },
  ["a", "b"],
  [5],
  1e308,
  -1e308,
  5e-324,
  Number.MAX_SAFE_INTEGER,
  2 ** 63,
  0.1 + 0.2,
];

function brokenValue(name: string): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.constantFrom(...ODD_NUMBERS),
    fc.constantFrom(...NOT_EVEN_TEXT),
    oddText,
    fc.double(),
    name === "email"
      ? brokenMailbox
      : fc.constantFrom("", "2026-02-30", "2026-13-01T99:99:99Z", "0000-01-01", "+275760-09-13"),
    deepJson,
  );
}

/** JSON that is many levels deep. */
const deepJson: fc.Arbitrary<unknown> = fc.integer({ min: 5, max: 600 }).map((levels) => {
  let value: unknown = "deep";
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
});
