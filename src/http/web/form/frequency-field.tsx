/** @jsxImportSource hono/jsx */
import { ZONE_FREQUENCIES } from "../../../core/zones/zone.ts";
import { optionsOf, RadioGroup } from "./field.tsx";
import { usePage } from "../layout/layout.tsx";

/** Choice of how often emails about a zone are sent; none is chosen at first for zones that differ. */
export function FrequencyField({ chosen }: { chosen: string | undefined }) {
  const { frequency } = usePage().t;
  return (
    <RadioGroup
      name="frequency"
      legend={frequency.legend}
      options={optionsOf(ZONE_FREQUENCIES, frequency.choice)}
      chosen={chosen}
      required
    />
  );
}
