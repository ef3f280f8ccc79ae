// Door of the in-memory indexes: nothing outside imports another file of this folder.

export { createAlertIndex } from "./alert-index.ts";
export type {
  AlertDistance,
  AlertIndex,
  AlertMark,
  Alternative,
  Concept,
  DistanceQuery,
  IndexedAlert,
  IndexedZone,
  IndexQuery,
  Nearby,
  ZoneChange,
  ZoneIndex,
} from "./indexes.ts";
export { createZoneIndex } from "./zone-index.ts";
