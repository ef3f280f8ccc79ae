/*! Leaflet 1.9.4, https://leafletjs.com

BSD 2-Clause License

Copyright (c) 2010-2023, Volodymyr Agafonkin
Copyright (c) 2010-2011, CloudMade
All rights reserved.

Redistribution and use in source and binary forms, with or without
modification, are permitted provided that the following conditions are met:

1. Redistributions of source code must retain the above copyright notice, this
   list of conditions and the following disclaimer.

2. Redistributions in binary form must reproduce the above copyright notice,
   this list of conditions and the following disclaimer in the documentation
   and/or other materials provided with the distribution.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"
AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE
IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE
FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER
CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY,
OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE
OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
*/
/**
 * Draws maps. Every map is hidden in the page and shown where there is something to draw; without `data-tiles` there
 * never is. Nothing is asked of the tile server before a map comes near the screen. All maps take:
 *
 *   <div class="map" data-map="alerts|pick|zone" hidden
 *        data-tiles="https://tile…/{z}/{x}/{y}.png" data-attribution="© …"
 *        data-label="name of the map" data-zoom-in="…" data-zoom-out="…"
 *        data-touch-hint="Move the map with two fingers." data-no-tiles="The map cannot be loaded.">
 *
 * `data-attribution` may hold links as tile servers hand them out; other markup is dropped. `data-touch-hint` (may be
 * missing) is said under the map on devices with a finger for a pointer, `data-no-tiles` (may be missing) where tiles
 * cannot be had.
 *
 * "alerts" shows the alerts of a list: map/alerts.ts. "pick" and "zone" put a pin: map/pin.ts. And beside a pin:
 *
 *   <button type="button" data-locate hidden data-lat-field="#…" data-lng-field="#…"
 *           data-asking="…" data-denied="…" data-failed="…" data-status="#…">
 *
 * is shown where the browser can tell a position, and writes its cell on the public grid into the two fields; with or
 * without a map.
 */
import { positionFields } from "./fields.ts";
import { locateBy } from "./locate.ts";
import { alertsDrawing } from "./map/alerts.ts";
import { pinDrawing } from "./map/pin.ts";

for (const element of document.querySelectorAll<HTMLElement>("[data-map]")) {
  const draw = element.dataset.tiles ? drawingOf(element) : null;
  if (draw === null) continue;
  element.hidden = false;
  whenNear(element, draw);
}

for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-locate]")) {
  const fields = positionFields(button);
  if (fields !== null) locateBy(button, fields.write);
}

/** Function that draws a map once it is visible; null if there is nothing to draw. */
function drawingOf(element: HTMLElement): (() => void) | null {
  switch (element.dataset.map) {
    case "alerts":
      return alertsDrawing(element);
    case "pick":
    case "zone":
      return pinDrawing(element);
    default:
      return null;
  }
}

/** Calls back once, when an element is about to be seen; not while it lies in closed details. */
function whenNear(element: HTMLElement, act: () => void): void {
  const watch = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      watch.disconnect();
      act();
    },
    { rootMargin: "200px" },
  );
  watch.observe(element);
}
