import { Circle, CircleMarker, type Map as LeafletMap } from "leaflet/dist/leaflet-src.esm.js";
import type { Point } from "../../../../values/point.ts";
import { element } from "../dom/elements.ts";
import { message } from "../dom/messages.ts";
import { addCorner, CIRCLE_METRES } from "./base-map.ts";

export const TYPES = ["lost", "found"] as const;
export type MarkType = (typeof TYPES)[number];

const DOT_PX = { lost: 8, found: 13 };

/** Mark of a cell: a filled dot in a solid circle for a lost animal, a ring in a dashed circle for a found one. */
export function markAt(
  point: Point,
  type: MarkType,
  { interactive }: { interactive: boolean },
): readonly [Circle, CircleMarker] {
  return [
    new Circle(point, {
      radius: CIRCLE_METRES,
      className: `map-area map-${type}`,
      interactive,
    }),
    // When zoomed out, the circle is smaller than a pixel; the dot is not.
    new CircleMarker(point, {
      radius: DOT_PX[type],
      className: `map-dot map-${type}`,
      interactive,
    }),
  ];
}

/** Meaning of the marks, by `data-lost-label` and `data-found-label`; nothing without them. */
export function addLegend(map: LeafletMap, container: HTMLElement): void {
  const items = TYPES.flatMap((type) => {
    const label = message(container, `${type}Label`);
    return label === "" ? [] : [element("li", { className: `map-${type}`, textContent: label })];
  });
  if (items.length === 0) return;
  addCorner(map, "topright", element("ul", { className: "map-legend" }, ...items));
}
