import {
  Circle,
  DivIcon,
  type LatLng,
  type LeafletMouseEvent,
  Marker,
  TileLayer,
} from "leaflet/dist/leaflet-src.esm.js";
import { element, message, statusOf } from "../dom/elements.ts";
import { boundsAround, createBaseMap } from "./base-map.ts";

/** Closest tiles before the reader agrees: wider than the 1 km that is public. */
const TILE_ZOOM_PUBLIC = 13;
/** Closest tiles after that, and closest view: single houses. */
const ZOOM_CLOSE = 18;

/**
 * Draws circles to search around a point that the reader sets. The point stays in this page: nothing is sent, and before
 * the reader presses the button only tiles that are wider than a public cell are requested; closer views enlarge them.
 *
 *   <div data-map="rings" data-lat="45.77" data-lng="4.83" data-rings="50 500 1600" data-placed="…" data-status="#…"
 *        data-closer="#closer" …>
 *   <div id="closer" hidden><button type="button">…</button></div>
 *
 * `data-rings` are radii in metres. A click sets the point, dragging moves it, and while the map has the focus, Enter sets
 * it in the middle.
 */
export function prepareRingMap(container: HTMLElement): () => void {
  const { lat, lng, rings } = container.dataset;
  const point = { lat: Number(lat), lng: Number(lng) };
  const radii = rings!.split(" ").map(Number);
  return () => {
    const map = createBaseMap(container, {
      keyboard: true,
      zoomMax: ZOOM_CLOSE,
      tileZoomMax: TILE_ZOOM_PUBLIC,
    });
    container.setAttribute("role", "region");
    container.setAttribute("aria-label", message(container, "label"));
    map.fitBounds(boundsAround(point, Math.max(...radii)), { animate: false });

    const circles = radii.map((radius) =>
      new Circle(point, { radius, className: "map-ring", interactive: false }).addTo(map),
    );
    const numbers = circles.map((circle, at) => numberAt(northOf(circle), at + 1).addTo(map));
    const icon = new DivIcon({ className: "map-pin", html: false, iconSize: [44, 44] });
    const pin = new Marker(point, { icon, draggable: true, keyboard: false }).addTo(map);
    const showStatus = statusOf(container);
    const place = (at: LatLng) => {
      pin.setLatLng(at);
      for (const [nth, circle] of circles.entries()) {
        circle.setLatLng(at);
        numbers[nth]?.setLatLng(northOf(circle));
      }
    };
    const placed = (at: LatLng) => {
      place(at);
      showStatus(message(container, "placed"));
    };
    map.on("click", ({ latlng }: LeafletMouseEvent) => placed(latlng));
    pin.on("drag", () => place(pin.getLatLng()));
    pin.on("dragend", () => placed(pin.getLatLng()));
    container.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target === container) placed(map.getCenter());
    });
    offerCloserTiles(container, () => {
      const layers: TileLayer[] = [];
      map.eachLayer((layer) => {
        if (layer instanceof TileLayer) layers.push(layer);
      });
      for (const layer of layers) {
        layer.remove();
        layer.options.maxNativeZoom = ZOOM_CLOSE;
        layer.addTo(map);
      }
    });
    keepSizeInPrint(container);
  };
}

/** Shows the question before closer tiles, and calls back once it is answered with the button. */
function offerCloserTiles({ dataset }: HTMLElement, allow: () => void): void {
  const question = document.querySelector<HTMLElement>(dataset["closer"]!)!;
  question.hidden = false;
  question.querySelector("button")!.addEventListener("click", () => {
    question.hidden = true;
    allow();
  });
}

/** Prints the map as large as it is on the screen, so that it shows the same. */
function keepSizeInPrint(container: HTMLElement): void {
  addEventListener("beforeprint", () => {
    const { width, height } = container.getBoundingClientRect();
    container.style.width = `${width}px`;
    container.style.height = `${height}px`;
  });
  addEventListener("afterprint", () => {
    container.style.removeProperty("width");
    container.style.removeProperty("height");
  });
}

function northOf(circle: Circle): LatLng {
  const north = circle.getBounds().getNorthWest();
  north.lng = circle.getLatLng().lng;
  return north;
}

function numberAt(point: LatLng, number: number): Marker {
  const html = element("span", { textContent: String(number) });
  html.setAttribute("aria-hidden", "true");
  const icon = new DivIcon({ className: "map-number map-lost", html, iconSize: [0, 0] });
  return new Marker(point, { icon, interactive: false, keyboard: false });
}
