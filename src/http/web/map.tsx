import type { Frame } from "./frame.tsx";

type MapProps = {
  readonly frame: Frame;
  /** See `scripts/map.ts`. */
  readonly mode: "alerts" | "pick" | "zone";
  readonly label: string;
  /** What the mode wants to know beyond that: `data-…` names and values. */
  readonly more?: Readonly<Record<`data-${string}`, string | number>>;
};

/** Room for a map. It stays hidden without scripts or tiles: a page says everything without it. */
export function MapBox({ frame, mode, label, more = {} }: MapProps) {
  const { tiles, words } = frame;
  if (tiles === null) return null;
  return (
    <div
      class="map"
      hidden
      data-map={mode}
      data-tiles={tiles.url}
      data-attribution={tiles.attribution}
      data-label={label}
      data-zoom-in={words.map.zoomIn}
      data-zoom-out={words.map.zoomOut}
      data-touch-hint={words.map.touchHint}
      data-no-tiles={words.map.noTiles}
      {...more}
    ></div>
  );
}

/** A button, shown by a script where the browser knows a position, that writes it into two fields. */
export function LocateButton({
  frame,
  latField,
  lngField,
}: {
  readonly frame: Frame;
  /** Selectors. */
  readonly latField: string;
  readonly lngField: string;
}) {
  const words = frame.words.map;
  return (
    <button
      class="quiet"
      type="button"
      hidden
      data-locate
      data-lat-field={latField}
      data-lng-field={lngField}
      data-asking={words.asking}
      data-denied={words.denied}
      data-failed={words.failed}
    >
      {words.locate}
    </button>
  );
}
