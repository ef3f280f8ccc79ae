import { distanceKm } from "../../src/values/point.ts";
import { centreOf } from "./peers/peer.ts";
import type { Question } from "./questions.ts";

/**
 * An alert this near to the circle's rim may be in or out: Redis keeps points to about a metre, and PostGIS counts
 * with a sphere some centimetres smaller.
 */
const RIM_KM = 0.002;

/** Whether two answers to a question are the same: byte for byte, or but for alerts on the circle's rim. */
export function agree(one: string, other: string, question: Question): boolean {
  if (one === other) return true;
  const [ours, theirs] = [readPage(one, question), readPage(other, question)];
  if (ours.onRim + theirs.onRim === 0) return false;
  // An alert on the rim that one of them shows pushes one off the end of its page.
  const common = Math.min(ours.inside.length, theirs.inside.length);
  const longer = Math.max(ours.inside.length, theirs.inside.length);
  const isSame = ours.inside.slice(0, common).join() === theirs.inside.slice(0, common).join();
  return isSame && longer - common <= Math.max(ours.onRim, theirs.onRim);
}

function readPage(answer: string, question: Question) {
  const page = JSON.parse(answer) as {
    alerts: { id: string; latitude: number; longitude: number }[];
  };
  const centre = centreOf(question);
  const inside = page.alerts.filter(({ latitude, longitude }) => {
    if (centre === null) return true;
    const km = distanceKm(centre, { lat: latitude, lng: longitude });
    return Math.abs(km - (question.radiusKm ?? 0)) > RIM_KM;
  });
  return { inside: inside.map(({ id }) => id), onRim: page.alerts.length - inside.length };
}
