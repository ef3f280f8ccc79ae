import { folded } from "../../text/tokenize.ts";

// Words in the tables of shelters and councils, in our four languages, as `plainWords` writes them.

const UNRELATED =
  /chip|scan|\btags?\b|collar|licen[cs]|registr|rabies|vaccin|alter|spay|neuter|steril|castr|kastr|desex|behavio|temper|\btest|weight|\bbit(?:e|ten)|note|comment|remark|bemerk|observa|descri|feature|markings|officer|warden|sponsor|worker|staff|^(?:previous |former )?owner|finder|phone|e-?mail|address|street|\bsex|gender|geschlecht|breed|rasse|\brace\b|raza|colou?r|farbe|size|weather|kennel|cage|location|\bname\b/;

/** True for the name of a column that says neither what an animal is, nor how it came, nor what became of it. */
export function isUnrelated(label: string): boolean {
  return UNRELATED.test(label);
}

/** Text folded, with spaces between the words of `names_like_this` and `NamesLikeThis`. */
export function plainWords(text: string): string {
  return folded(text.replace(/(\p{Ll})(?=\p{Lu})/gu, "$1 ").replace(/(?<=.)_/g, " "));
}

/** Meanings of words in values, the first that fits counts. */
export type Meanings = readonly (readonly [pattern: RegExp, meaning: unknown])[];

const DEAD =
  /\bdead\b|deceased|\bdied\b|\bdoa\b|euthan|\beuth\b|put to sleep|\bpts\b|destroyed|carcass|\bdisposal\b|\bmorte?s?\b|decede|\btote?[rsn]?\b|verstorben|gestorben|eingeschlafert|\bmuert|fallecid|sacrificad|eutanasi|cadaver/;

export const SPECIES: Meanings = [
  [DEAD, { skip: "dead" }],
  [
    /\bdogs?\b|canin|\bhund(?:e|in)?\b|welpe|\bchien(?:ne)?s?\b|chiot|\bperr[oa]|cachorr|pupp/,
    "dog",
  ],
  [
    /\bcats?\b|felin|katze|\bkater\b|katzchen|\bcha(?:ts?|ttes?|tons?)\b|\bgat(?:[oa]s?|it[oa]s?)\b|kitten/,
    "cat",
  ],
  [
    /\bbirds?\b|avian|vogel|sittich|papagei|oiseau|perruche|perroquet|\bave\b|pajaro|periquito|parrot|parakeet|chicken|poultry/,
    "bird",
  ],
  [
    /\bwild|raccoon|opossum|\bbats?\b|skunk|coyote|squirrel|\bdeer\b|\bfox\b|faune sauvage|silvestre|\bigel\b/,
    { skip: "wildlife" },
  ],
];
export const SIZES: Meanings = [
  [/x-?l|extra|very.?large|sehr gross|giant/, "xlarge"],
  [/lar?ge?\b|^l$|gross|\bgrande?\b/, "large"],
  [/med|^m$|mittel|moyen|mediano/, "medium"],
  [/small|toy|^s$|klein|petit|pequen/, "small"],
];
export const SEXES: Meanings = [
  [/^f|^w|^[sh]$|female|spayed|bitch|femelle|hembra|hundin|katzin/, "female"],
  [/^m|^n$|male|neutered|macho|\brude\b|\bkater\b|^dog$/, "male"],
];
export const TYPES: Meanings = [
  [DEAD, { skip: "dead" }],
  [
    /\blost\b|\bmissing\b|\bperdue?s?\b|\bdisparu|\begare|\bverlust|verloren|vermisst|entlaufen|entflogen|\bperdid|desaparecid|extraviad/,
    "lost",
  ],
  [
    /\bfound\b|stray|at large|\bloose\b|roaming|wandering|streun|via publica|voie publique|\btrouve|\berran|divaga|gefunden|\bfund|zugelaufen|zugeflogen|encontrad|hallad|vagabund|callejer|recogid/,
    "found",
  ],
];
/** Words for animals that their owner brought or that an authority seized. */
export const NOT_FOUND =
  /surrender|\bowner|relinquish|confiscat|seiz|abandon|requisition|cesion|decomis|abgabe|sicherstell|beschlagnahm/;

/** Meanings of values that none of the patterns fits; those of a kind without an entry here are left out. */
const REST: ReadonlyMap<Meanings, unknown> = new Map<Meanings, unknown>([
  [SPECIES, "other"],
  [SIZES, "unknown"],
  [SEXES, "unknown"],
]);

/** Meaning of a value; undefined if no pattern fits. */
export function meaningOf(value: string, meanings: Meanings): unknown {
  return meanings.find(([pattern]) => pattern.test(plainWords(value)))?.[1];
}

/** Meanings of values as a mapping has them. */
export function meaningsOf(
  values: readonly string[],
  meanings: Meanings,
): Readonly<Record<string, unknown>> {
  const rest = REST.get(meanings);
  const known = values.flatMap((value): [string, unknown][] => {
    const meaning = meaningOf(value, meanings);
    if (meaning !== undefined) return [[value, meaning]];
    return rest === undefined ? [[value, { skip: value.toLowerCase().slice(0, 60) }]] : [];
  });
  return Object.fromEntries(rest === undefined ? known : [...known, ["*", rest]]);
}

export function isDead(value: string): boolean {
  return DEAD.test(plainWords(value)) && !OWNER_DIED.test(plainWords(value));
}

const OWNER_DIED = /owner.*(?:dead|deceased|died|euthan)|proprietaire decede|halter verstorben/;
const NO_LONGER = /no longer|nicht mehr|ya no\b|\bplus (?:au|en|la)\b/;
const NEGATED =
  /\b(?:not|no|non|pas|sin|nicht|noch|still)\b|\bun(?:re)?claimed|\bun(?:adopted|resolved)/;
const LEFT =
  /\badopt(?:ed|ee?s?|ad[oa]s?|iert)\b|rehomed|reunit|claimed|redeemed|return|\bhome again|back home|zu ?hause|en casa|aparecid|\brt[of]\b|transferred|released|rescued|\brendue?s?\b|restitu|recuper|\bcede|transfere|relache|retrouve|\bsortie?s?\b|vermittelt|abgeholt|zuruckgegeben|ruckgabe|ubergeben|ubergabe|devuelt|devoluc|entregad|traslad|\bsold\b|escaped|stolen|closed|resolved|inactive|expired|cerrad|resuelt|erledigt|abgeschlossen/;
const THERE =
  /\bin (?:\w+ )?(?:shelter|care|kennel|pound|custody|foster|adop|acogida|vermittlung)|\bhold\b|\bheld\b|await|pending|pendiente|avail|impound|missing|\blost\b|stray|adoptable|for (?:adoption|rehoming)|\bactive\b|\bopen\b|current|(?:en|para) (?:adopcion|acogida|custodia)|disponib|verfugbar|\bhere\b|on site|abiert|buscad|perdid|l'adoption|en attente|fourriere|au refuge|present|accueil|zu vermitteln|im tierheim|pflegestelle|\boffen\b|gesucht|vermisst|albergue|refugio/;
/** Nouns for outcomes, which also stand in "for adoption". */
const OUTCOME = /adoption|transfer|rescue|\bs?tnr\b|\bsnr\b|vermittlung|adopcion|adopte/;

/** True for a value that says that an animal is gone, false for one that says it is still missing or there; otherwise null. */
export function isGone(value: string): boolean | null {
  const text = plainWords(value);
  if (DEAD.test(text) || NO_LONGER.test(text)) return true;
  if (NEGATED.test(text)) return false;
  if (LEFT.test(text)) return true;
  if (THERE.test(text)) return false;
  return OUTCOME.test(text) ? true : null;
}

/** Words for yes and no in one column. */
const YES_AND_NO = [
  ["yes", "no"],
  ["y", "n"],
  ["true", "false"],
  ["1", "0"],
  ["oui", "non"],
  ["sí", "no"],
  ["si", "no"],
  ["ja", "nein"],
  ["vrai", "faux"],
] as const;

/** Words for yes that fit the values of a column; none if its values are not only yes and no. */
export function yesWords(values: readonly string[]): readonly string[] {
  const lower = values.map((value) => value.toLowerCase());
  const pairs = YES_AND_NO.filter((pair) => pair.some((word) => lower.includes(word)));
  const words = new Set<string>(pairs.flat());
  return lower.every((value) => words.has(value)) ? pairs.map(([yes]) => yes) : [];
}

/** True for texts that programs write into empty fields. */
export function isBlankWord(value: string): boolean {
  return /^(?:null|\(null\)|<null>|na|n\/a|#n\/a|nan|none|\(blank\)|-{1,20}|"")$/i.test(value);
}
