import { LANGUAGES } from "../messages/languages.ts";
import { folded } from "../text/tokenize.ts";

/** Code of the country with this name in one of our languages, or with this code. */
export function countryNamed(name: string): string | undefined {
  countries ??= createCountries();
  return countries.get(folded(name));
}

/** Built on first use. */
let countries: ReadonlyMap<string, string> | undefined;

function createCountries(): ReadonlyMap<string, string> {
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => `${first}${second}`));
  const byName = new Map<string, string>();
  for (const language of LANGUAGES) {
    const names = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
    for (const code of codes) {
      const name = FORMER_CODES.has(code) ? undefined : names.of(code);
      if (name !== undefined) byName.set(folded(name), code).set(folded(code), code);
    }
  }
  for (const [name, code] of SHORT_NAMES) byName.set(name, code);
  return byName;
}
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
/** Withdrawn (ISO 3166-3) or reserved codes that Intl still names after a country with another code. */
const FORMER_CODES = new Set("AN BU CS DD DY FX HV NH RH SU TP UK VD YD YU ZR".split(" "));
/** Names of countries that Intl lacks: abbreviations, and the countries of the United Kingdom. */
const SHORT_NAMES = [
  ["usa", "US"],
  ["u.s.a.", "US"],
  ["u.s.", "US"],
  ["america", "US"],
  ["uk", "GB"],
  ["u.k.", "GB"],
  ["great britain", "GB"],
  ["england", "GB"],
  ["scotland", "GB"],
  ["wales", "GB"],
  ["holland", "NL"],
] as const;

/** Country (ISO 3166-1 alpha-2) whose post and people a territory shares; of any other country, itself. */
export function motherCountry(countryCode: string): string {
  return TERRITORIES[countryCode] ?? countryCode;
}

const TERRITORIES: Readonly<Record<string, string>> = {
  ...territoriesOf("FR", "BL GF GP MF MQ NC PF PM RE WF YT"),
  ...territoriesOf("US", "AS GU MP PR VI"),
};

function territoriesOf(country: string, territories: string): Record<string, string> {
  return Object.fromEntries(territories.split(" ").map((territory) => [territory, country]));
}
