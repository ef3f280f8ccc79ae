import { type Language, LANGUAGES } from "../../messages/languages.ts";
import { isDate, mailbox } from "../../core/input.ts";
import type { MappingPlace } from "../../tables/mapping.ts";
import { onlyArgument, readArguments, UsageError } from "../shell/command.ts";

export const USAGE =
  "Usage: pet-alert import FILE|- --email ADDRESS [--mapping NAME_OR_FILE] [--place PLACE] [--accept-towns] [--since YYYY-MM-DD] [--language LANGUAGE] [--links OUT.csv|-] [--yes] [--dry-run]\n       pet-alert import FILE|- --email ADDRESS --sync [--accept-missing] [--json] [OPTIONS...]\n       pet-alert import --suggest FILE|- [--place PLACE]";

export type ImportOptions = {
  readonly file: string;
  readonly email: string;
  readonly mapping: string | null;
  /** Earliest day, YYYY-MM-DD. */
  readonly since: string | null;
  readonly acceptTowns: boolean;
  /** Place of last resort. */
  readonly place: MappingPlace | null;
  readonly language: Language;
  readonly links: string | null;
  /** Keeps alerts in step with the table. */
  readonly sync: boolean;
  readonly acceptMissing: boolean;
  readonly json: boolean;
  readonly yes: boolean;
  readonly dryRun: boolean;
};

export function readOptions(args: readonly string[]): ImportOptions {
  const { positionals, values } = readArguments(
    args,
    {
      email: { type: "string" },
      mapping: { type: "string" },
      since: { type: "string" },
      "accept-towns": { type: "boolean", default: false },
      place: { type: "string" },
      language: { type: "string", default: "en" },
      links: { type: "string" },
      sync: { type: "boolean", default: false },
      "accept-missing": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      yes: { type: "boolean", default: false },
      "dry-run": { type: "boolean", default: false },
    },
    USAGE,
  );
  const file = onlyArgument(positionals, "import takes one file.", USAGE);
  if (values.email === undefined)
    throw new UsageError("import needs --email, the owner of the alerts.", USAGE);
  const email = mailbox(values.email);
  if (email === null)
    throw new UsageError(`--email must be one email address, not "${values.email}".`);
  if (values.since !== undefined && !isDate(values.since))
    throw new UsageError(`--since must be a date such as 2026-11-21, not "${values.since}".`);
  const language = languageIn(values.language);
  if (values.sync && values.links !== undefined)
    throw new UsageError("--sync writes no links: pet-alert links writes them afterwards.");
  if (!values.sync && (values.json || values["accept-missing"]))
    throw new UsageError("--json and --accept-missing need --sync.", USAGE);
  return {
    file,
    email,
    mapping: values.mapping ?? null,
    since: values.since ?? null,
    acceptTowns: values["accept-towns"],
    place: values.place === undefined ? null : placeIn(values.place),
    language,
    links: values.links ?? null,
    sync: values.sync,
    acceptMissing: values["accept-missing"],
    json: values.json,
    yes: values.yes,
    dryRun: values["dry-run"],
  };
}

export function languageIn(text: string): Language {
  const language = LANGUAGES.find((one) => one === text);
  if (language === undefined)
    throw new UsageError(`--language must be one of ${LANGUAGES.join(", ")}.`);
  return language;
}

/** `47.38,-122.23` or a town. */
export function placeIn(text: string): MappingPlace {
  const [, lat, lng] = /^\s*(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\s*$/.exec(text) ?? [];
  if (lat === undefined || lng === undefined) return text;
  if (Math.abs(Number(lat)) > 90 || Math.abs(Number(lng)) > 180)
    throw new UsageError(`--place must be a town, a postcode or LAT,LNG, not "${text}".`);
  return { lat: Number(lat), lng: Number(lng) };
}
