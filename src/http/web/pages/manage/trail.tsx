/** @jsxImportSource hono/jsx */
import { ButtonForm, Section } from "../../components/elements.tsx";
import type { PublicAlert } from "../../../../core/alerts/alert.ts";
import type { StoredSightingView } from "../../../../core/sightings/sighting.ts";
import { placeOf } from "../../components/alert.tsx";
import { MapBox } from "../../components/map.tsx";
import { publicPhotos } from "../../components/photo-strip.tsx";
import { usePage } from "../../layout/layout.tsx";
import { markLegend, oppositeType, Seen } from "../sighting/sighting.tsx";

/**
 * Sightings for the owner, on a map and in a list beside it, both numbered by time; empty without any. `here` is the
 * address of the page.
 */
export function Trail(props: {
  here: string;
  alert: PublicAlert;
  sightings: readonly StoredSightingView[];
}) {
  const ctx = usePage();
  const { t } = ctx;
  const { here, alert, sightings } = props;
  if (sightings.length === 0) return null;
  return (
    <Section id="sightings" title={t.sighting.list}>
      <p class="quiet">{t.sighting.unproven}</p>
      <div class="trail" id="trail">
        <div>
          <p
            dir="auto"
            data-lat={alert.lat}
            data-lng={alert.lng}
            data-type={alert.type}
            data-number="0"
          >
            {t.named({ headline: t.sighting.alertHere[alert.type], name: placeOf(ctx, alert) })}
          </p>
          <MapBox
            mode="trail"
            label={t.manage.sightingsMap}
            more={{
              "data-list": "#trail",
              ...markLegend(t, alert),
            }}
          />
        </div>
        {/* The most recent first: the list counts down to the first sighting. */}
        <ol class="sightings">
          {sightings.map((sighting, at) => (
            <li
              data-lat={sighting.lat}
              data-lng={sighting.lng}
              data-type={oppositeType(alert)}
              data-number={sightings.length - at}
              value={sightings.length - at}
            >
              <Seen sighting={sighting} photosAt={publicPhotos(ctx)} />
              <details>
                <summary>{t.manage.removeSighting}</summary>
                <p>{t.manage.removeSightingText}</p>
                <ButtonForm
                  action={`${here}/sightings/${sighting.id}/remove`}
                  label={t.manage.removeSightingButton}
                  class="danger"
                />
              </details>
            </li>
          ))}
        </ol>
      </div>
    </Section>
  );
}
