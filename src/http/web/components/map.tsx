/** @jsxImportSource hono/jsx */
import { usePage } from "../layout/layout.tsx";

type MapProps = {
  /** See `scripts/map.ts`. */
  readonly mode: "alerts" | "trail" | "pick" | "zone" | "rings";
  readonly label: string;
  /** More `data-…` attributes that the mode needs. */
  readonly more?: Readonly<Record<`data-${string}`, string | number>>;
};

/** Container for a map, hidden without scripts or tiles. The page says the same in text. */
export function MapBox({ mode, label, more = {} }: MapProps) {
  const { tiles, t } = usePage();
  if (tiles === null) return null;
  return (
    <div
      class="map"
      hidden
      data-map={mode}
      data-tiles={tiles.url}
      data-attribution={tiles.attribution}
      data-label={label}
      data-zoom-in={t.map.zoomIn}
      data-zoom-out={t.map.zoomOut}
      data-touch-hint={t.map.touchHint}
      data-no-tiles={t.map.noTiles}
      {...more}
    ></div>
  );
}
