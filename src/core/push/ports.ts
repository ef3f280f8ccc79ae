import type { Gazetteer } from "../../places/places.ts";
import type { AlertStore } from "../alerts/alert-store.ts";
import type { Instance } from "../instance.ts";
import type { LimitPorts } from "../limits.ts";
import type { LinkStore } from "../people/link-store.ts";
import type { DeviceStore } from "./device-store.ts";
import type { ZoneStore } from "../zones/zone-store.ts";

/** Ports of notifications on devices. */
export type Ports = Instance &
  LimitPorts & {
    readonly store: DeviceStore &
      Pick<AlertStore, "alert"> &
      Pick<LinkStore, "link"> &
      Pick<ZoneStore, "endZone">;
    readonly gazetteer: Gazetteer;
    /** Push services that may tell devices, besides those of the browsers: hosts. */
    readonly pushServices: readonly string[];
  };
