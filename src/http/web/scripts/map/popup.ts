import { type Map as LeafletMap, Popup } from "leaflet/dist/leaflet-src.esm.js";
import { snap } from "../../../../values/point.ts";
import { element, message } from "../dom/elements.ts";
import { wrapLng } from "../dom/position.ts";
import type { Cell } from "./clusters.ts";

const WIDTH_PX_MAX = 288;
/** Room for the frame of a popup and around it. */
const BESIDE_PX = 96;
const HEIGHT_PX_MAX = 320;

/** Popups with the alerts of a cell: see `prepareAlertMap`. */
export function createPopups(map: LeafletMap, container: HTMLElement) {
  const address = container.dataset.cell!;
  let request = new AbortController();

  async function fill(popup: Popup, cell: Cell): Promise<void> {
    request.abort();
    request = new AbortController();
    const { signal } = request;
    const loaded = await fetchCell(address, cell, signal);
    if (!signal.aborted) popup.setContent(loaded ?? note("failedHere"));
  }

  function note(key: string): HTMLElement {
    return element("p", { className: "map-note", textContent: message(container, key) });
  }

  return {
    open(cell: Cell): void {
      const width = Math.min(WIDTH_PX_MAX, container.clientWidth - BESIDE_PX);
      const size = { minWidth: width, maxWidth: width, maxHeight: HEIGHT_PX_MAX };
      const popup = new Popup(size).setLatLng(cell.point);
      popup.on("add", () => {
        const close = popup.getElement()?.querySelector('[role="button"]');
        close?.setAttribute("aria-label", message(container, "close"));
      });
      popup.setContent(note("loading")).openOn(map);
      void fill(popup, cell);
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
