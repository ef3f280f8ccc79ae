import { type Map as LeafletMap, Popup } from "leaflet/dist/leaflet-src.esm.js";
import { snap } from "../../../../values/point.ts";
import { element } from "../elements.ts";
import { message } from "../messages.ts";
import { wrapLng } from "../position.ts";
import type { ListedAlert } from "./alerts.ts";
import { type Cell, isSameCell } from "./cells.ts";

const WIDTH_PX_MAX = 288;
/** Room for the frame of a popup and around it. */
const BESIDE_PX = 96;
const HEIGHT_PX_MAX = 320;

/** Popups with the alerts of a cell: see `prepareAlertMap`. */
export function createPopups(
  map: LeafletMap,
  container: HTMLElement,
  listed: readonly ListedAlert[],
) {
  const { cell: address } = container.dataset;
  let request = new AbortController();

  async function fill(popup: Popup, cell: Cell, from: string): Promise<void> {
    request.abort();
    request = new AbortController();
    const { signal } = request;
    const loaded = await fetchCell(from, cell, signal);
    if (!signal.aborted) popup.setContent(loaded ?? linksIn(cell) ?? note("failedHere"));
  }

  /** Links of the items that the list has in a cell. */
  function linksIn({ point }: Cell): HTMLElement | null {
    const links = listed.flatMap(({ link, point: own }) =>
      link !== null && isSameCell(own, point) ? [link] : [],
    );
    const items = links.map(({ href, textContent }) =>
      element("li", {}, element("a", { href, textContent: textContent.trim() })),
    );
    return items.length === 0 ? null : element("ul", { className: "map-links" }, ...items);
  }

  function note(key: string): HTMLElement {
    return element("p", { className: "map-note", textContent: message(container, key) });
  }

  return {
    open(cell: Cell): void {
      const content = address === undefined ? linksIn(cell) : note("loading");
      if (content === null) return;
      const width = Math.min(WIDTH_PX_MAX, container.clientWidth - BESIDE_PX);
      const size = address === undefined ? {} : { minWidth: width, maxWidth: width };
      const popup = new Popup({ ...size, maxHeight: HEIGHT_PX_MAX }).setLatLng(cell.point);
      popup.on("add", () => {
        const close = popup.getElement()?.querySelector('[role="button"]');
        close?.setAttribute("aria-label", message(container, "close"));
      });
      popup.setContent(content).openOn(map);
      if (address !== undefined) void fill(popup, cell, address);
    },
  };
}

/** The alerts of a cell as the server renders them, with its cards; null if that fails. */
async function fetchCell(
  address: string,
  { point }: Cell,
  signal: AbortSignal,
): Promise<HTMLElement | null> {
  const url = new URL(address, location.href);
  const { lat, lng } = snap(point.lat, wrapLng(point.lng));
  url.searchParams.set("lat", String(lat));
  url.searchParams.set("lng", String(lng));
  try {
    const response = await fetch(url, { signal });
    if (!response.ok) return null;
    const { body } = new DOMParser().parseFromString(await response.text(), "text/html");
    return element("div", { className: "map-cell" }, ...body.childNodes);
  } catch {
    return null;
  }
}
