import { DomEvent, type LatLng, type Map as LeafletMap } from "leaflet/dist/leaflet-src.esm.js";
import { distanceKm, snap } from "../../../../values/point.ts";
import { element, message } from "../dom/elements.ts";
import { wrapLng } from "../dom/position.ts";

/** Fragment of the address of a search of the visible area, whose map shows the same view again. */
export const SEARCH_HERE_HASH = "#map";
const RADIUS_KM_MAX = 500;
/** Smaller moves, in widths of the view, do not count: a popup moves the map a little. */
const MOVE_MIN = 0.25;

/**
 * Link to a search of the visible area, which appears once the map was moved or zoomed.
 *
 *   <div data-search-here="/?type=lost" data-search-area="Search this area">
 *
 * The address in `data-search-here` gets `lat`, `lng` and `radius_km`: a cell of the public grid and whole kilometres, so
 * that it tells no more than any search does. The circle reaches into the corners of the view. Returns a function to call
 * when the view is the one of the search.
 */
export function offerSearchHere(map: LeafletMap, container: HTMLElement): () => void {
  const address = container.dataset.searchHere!;
  const link = element("a", {
    className: "button map-search-here",
    textContent: message(container, "searchArea"),
    hidden: true,
  });
  DomEvent.disableClickPropagation(link);
  container.append(link);
  let searched: { readonly centre: LatLng; readonly zoom: number } | null = null;

  map.on("moveend", () => {
    if (searched === null) return;
    const { x, y } = map
      .latLngToContainerPoint(searched.centre)
      .subtract(map.getSize().divideBy(2));
    const isMoved = Math.hypot(x, y) > MOVE_MIN * map.getSize().x;
    const there = isMoved || map.getZoom() !== searched.zoom ? addressOf(map, address) : null;
    link.hidden = there === null;
    if (there !== null) link.href = there;
  });
  return () => {
    searched = { centre: map.getCenter(), zoom: map.getZoom() };
  };
}

/** Address of a search for what the map shows; null if that is more than a search can hold. */
function addressOf(map: LeafletMap, address: string): string | null {
  const centre = map.getCenter();
  const corner = map.getBounds().getNorthEast();
  const { lat, lng } = snap(centre.lat, wrapLng(centre.lng));
  const km = roundUp(distanceKm(centre, corner));
  if (km > RADIUS_KM_MAX) return null;
  const url = new URL(address, location.href);
  url.searchParams.set("lat", String(lat));
  url.searchParams.set("lng", String(lng));
  url.searchParams.set("radius_km", String(km));
  url.hash = SEARCH_HERE_HASH;
  return url.href;
}

/** Whole kilometres, from 20 km on multiples of 5. */
function roundUp(km: number): number {
  const step = km < 20 ? 1 : 5;
  return Math.max(1, Math.ceil(km / step) * step);
}
