// Door of the engine that compares animals: nothing outside imports another file of this folder.

export {
  BREED_GROUPS,
  BREED_TABLES,
  type BreedGroup,
  LARGE_ANIMALS,
  readBreedGroups,
  readOtherAnimals,
  significantWords,
} from "./breed-group.ts";
export {
  BASE_COLORS,
  type BaseColor,
  foldUmlauts,
  formsOf,
  type Pattern,
  PLAIN_COAT_WORDS,
} from "./coat-lexicon.ts";
export { type Coat, readCoat } from "./coat-parser.ts";
export type { Density } from "./density.ts";
export { type DistanceDetails, SEARCH_RADIUS_KM } from "./distance-evidence.ts";
export { type Field, prepare, type PreparedSubject } from "./fields.ts";
export { firstGlance } from "./first-glance.ts";
export {
  ALL_BREED_GROUPS,
  colorBit,
  colorsOf,
  groupBit,
  type Looks,
  looksOf,
  speciesOf,
} from "./looks.ts";
export { isContradiction, type Match, type Reason, score } from "./score.ts";
export { createStatistics, type LossAmongFinds, type Statistics } from "./statistics.ts";
export type { Subject } from "./subject.ts";
export { DAYS_BEFORE_LOSS_MAX, WINDOW_DAYS } from "./time-evidence.ts";
export { LEARNED_LOSSES_MAX } from "./use.ts";
