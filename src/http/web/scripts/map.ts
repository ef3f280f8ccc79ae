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
/*! supercluster 9.1.0 and kdbush 4.1.0, https://github.com/mapbox/supercluster

ISC License

Copyright (c) 2024, Mapbox

Permission to use, copy, modify, and/or distribute this software for any purpose
with or without fee is hereby granted, provided that the above copyright notice
and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH
REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND
FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT,
INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS
OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER
TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF
THIS SOFTWARE.
*/
/**
 * Draws maps. A map is hidden in the page and shown if there is something to draw, which needs `data-tiles`. Nothing is
 * requested from the tile server before the map comes near the screen. Attributes of all maps:
 *
 *   <div class="map" data-map="alerts|trail|pick|zone|rings" hidden
 *        data-tiles="https://tile…/{z}/{x}/{y}.png" data-attribution="© …"
 *        data-label="name of the map" data-zoom-in="…" data-zoom-out="…"
 *        data-touch-hint="Move the map with two fingers." data-no-tiles="The map cannot be loaded.">
 *
 * `data-attribution` may contain links, as tile servers provide them; other markup is dropped. `data-touch-hint` is shown
 * below the map on touch screens, `data-no-tiles` if no tiles can be loaded.
 *
 * "alerts" shows the alerts of a list: map/alerts.ts. "trail" joins places by a line: map/trail.ts. "pick" and "zone" set
 * a pin: map/pin.ts. "rings" draws circles to search: map/rings.ts. A pin may have a button:
 *
 *   <button type="button" data-locate hidden data-lat-field="#…" data-lng-field="#…"
 *           data-asking="…" data-denied="…" data-failed="…" data-status="#…">
 *
 * It is shown if the browser supports geolocation, with or without a map, and writes the cell of the device's position
 * on the public grid into the two fields.
 */
import { positionFields, locateBy } from "./dom/fields.ts";
import { prepareAlertMap } from "./map/alerts.ts";
import { preparePinMap } from "./map/pin.ts";
import { prepareRingMap } from "./map/rings.ts";
import { prepareTrailMap } from "./map/trail.ts";

const PREPARE: Readonly<Record<string, (element: HTMLElement) => (() => void) | null>> = {
  alerts: prepareAlertMap,
  pick: preparePinMap,
  zone: preparePinMap,
  trail: prepareTrailMap,
  rings: prepareRingMap,
};

for (const element of document.querySelectorAll<HTMLElement>("[data-map]")) {
  // Function that draws the map once it is visible; null if there is nothing to draw.
  const draw = PREPARE[element.dataset.map!]!(element);
  if (draw === null) continue;
  element.hidden = false;
  whenNear(element, draw);
}

for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-locate]")) {
  const fields = positionFields(button);
  if (fields === null) continue;
  const clearStatus = locateBy(button, fields.write);
  fields.onChange(() => {
    if (fields.read() === null) clearStatus();
  });
}

/** Calls back once, when an element comes near the screen; never while it is in closed `<details>`. */
function whenNear(element: HTMLElement, callback: () => void): void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      callback();
    },
    { rootMargin: "200px" },
  );
  observer.observe(element);
}
