import type { AlertDraft } from "../../src/core/alerts/alert.ts";
import { snap } from "../../src/values/point.ts";
import { makeBulk, makeDraft } from "./make.ts";
import { DAY } from "./time.ts";
import type { World } from "./world.ts";

export const LYON = snap(45.76, 4.84);
const BATCH = 1_000;

/** Adds alerts to a real store, without an owner; `about` gives what tells the one with this number from the others. */
export async function addMany(
  world: World,
  count: number,
  about: (nth: number) => Partial<AlertDraft>,
): Promise<void> {
  const expiresAt = world.now() + DAY;
  for (let from = 0; from < count; from += BATCH) {
    const alerts = Array.from({ length: Math.min(BATCH, count - from) }, (_, nth) =>
      makeBulk({ draft: makeDraft(about(from + nth)), expiresAt, announce: false }),
    );
    await world.app.service.alerts.add(alerts);
  }
}

/** Point of a spiral around Lyon: dense in the middle and about `radiusKm` wide, the same at each call. */
export function aroundLyon(nth: number, count: number, radiusKm: number) {
  const distance = (radiusKm / 111) * (nth / count);
  const angle = nth * 2.4;
  const { lat, lng } = LYON;
  return snap(lat + distance * Math.sin(angle), lng + distance * 1.4 * Math.cos(angle));
}
