/** @jsxImportSource hono/jsx */
import type { WatchedZone, ZoneView } from "../../../core/zones/zone.ts";
import { local, usePage } from "../layout/layout.tsx";
import { Fact } from "./alert.tsx";

/** Zones, each with the link that changes or ends it. */
export function WatchedZones({ zones }: { zones: readonly WatchedZone[] }) {
  const { t } = usePage();
  return (
    <ul class="quotes">
      {zones.map(({ zone, unsubscribeUrl }) => (
        <li>
          <ZoneFacts zone={zone} showsFrequency />
          {unsubscribeUrl !== null && <a href={local(unsubscribeUrl)}>{t.unsubscribe.zoneAlone}</a>}
        </li>
      ))}
    </ul>
  );
}

/** A zone as its subscriber sees it. */
export function ZoneFacts(props: { zone: ZoneView; showsFrequency?: boolean }) {
  const { t } = usePage();
  const { zone } = props;
  const text = t.confirm.zone;
  const facts: (readonly [name: string, value: string])[] = [
    ...(zone.label === null ? [] : [[t.field.name, zone.label] as const]),
    [text.where, t.circle(zone.radiusKm, zone.town)],
    [t.field.species, zone.species === null ? t.field.anySpecies : t.species[zone.species]],
    [t.field.type, zone.type === null ? t.field.anyType : t.type[zone.type]],
    ...(props.showsFrequency
      ? [[t.frequency.fact, t.frequency.choice[zone.frequency]] as const]
      : []),
  ];
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <Fact name={name} value={value} />
      ))}
    </dl>
  );
}
