import type { Instance } from "../instance.ts";
import type { LimitPorts, LimitStore } from "../limits.ts";
import type { Photos } from "./photo-files.ts";
import type { PhotoStore } from "./photo-store.ts";

/** What photos needs from outside. */
export type Ports = Pick<Instance, "clock" | "secrets"> &
  LimitPorts & {
    readonly store: PhotoStore & Pick<LimitStore, "countHits">;
    readonly photos: Photos;
    /** Fetches a photo from a URL given by a stranger. Throws `Fault`. */
    readonly fetchPhoto: (address: string) => Promise<Uint8Array>;
  };
