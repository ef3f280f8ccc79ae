import type { PageMessages } from "../../../messages/messages.ts";
import { placeLabel, type TownChoice } from "../../../places/places.ts";

/**
 * "Friedrichshain, Berlin, Germany", "69004 Lyon, France", or "Springfield, United States (near Peoria)" next to a larger
 * Springfield. `country` is the one that needs no mention.
 */
export function townName(t: PageMessages, town: TownChoice, country?: string): string {
  const { near, countryCode } = town;
  const name = placeLabel(town);
  const label = countryCode === country ? name : `${name}, ${t.country(countryCode)}`;
  return near === null ? label : t.home.besides({ town: label, city: near });
}
