// Door of the gazetteer: nothing outside imports another file of this folder.

export { motherCountry } from "./country-names.ts";
export { openGazetteer } from "./gazetteer.ts";
export {
  createGeocoder,
  type Located,
  type LocationInput,
  PLACE_MAX,
  type TownChoice,
} from "./geocoder.ts";
export {
  inTown,
  nameOf,
  placeLabel,
  placeName,
  type PlaceName,
  placeText,
  postcodeName,
  townLabel,
} from "./place-name.ts";
export { placesNamed, TOWN_TEXT_MAX } from "./place-text.ts";
export { positionDoubt, type PositionDoubt, REMOTE_KM } from "./position-doubt.ts";
export { similarTowns, type Within } from "./similar-towns.ts";
export type { Gazetteer, Town } from "./town.ts";
