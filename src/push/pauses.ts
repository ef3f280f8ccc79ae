import { createPause } from "../core/pause.ts";

/** Device to which a push was sent, and its push service. */
export type Destination = {
  readonly deviceId: string;
  readonly host: string;
  /** True if a push has reached the device before. */
  readonly isReached: boolean;
};

/**
 * Devices that fail one after another before their whole push service is paused. Only those that a push has reached count:
 * strangers choose addresses at a push service, and could find one that always fails.
 */
const FAILED_DEVICES_MIN = 3;
/** Push services and devices that are remembered. Strangers choose among the hosts of a push service. */
const REMEMBERED_MAX = 1_000;

/** Pauses of devices, and of push services that fail for several devices. */
export function createPushPauses() {
  const hosts = createPauses();
  const devices = createPauses();
  /** Devices that failed since a push last arrived, by push service. */
  const failed = new Map<string, Set<string>>();
  return {
    /** Time until which nothing is sent there; null if it may be sent now. */
    until: ({ deviceId, host }: Destination, now: number): number | null =>
      hosts.until(host, now) ?? devices.until(deviceId, now),

    /** Begins a pause after a failure. `askedMs`: wait that the push service asks for. Returns its end. */
    failed(
      { deviceId, host, isReached }: Destination,
      now: number,
      askedMs: number | null,
    ): number {
      const ofHost = failed.get(host) ?? new Set();
      if (isReached) ofHost.add(deviceId);
      if (failed.size >= REMEMBERED_MAX) failed.clear();
      failed.set(host, ofHost);
      return ofHost.size >= FAILED_DEVICES_MIN
        ? hosts.begin(host, now, askedMs)
        : devices.begin(deviceId, now, askedMs);
    },

    arrived({ deviceId, host }: Destination): void {
      failed.delete(host);
      hosts.end(host);
      devices.end(deviceId);
    },
  };
}

function createPauses() {
  const known = new Map<string, ReturnType<typeof createPause>>();
  return {
    /** Null if there is none. */
    until(key: string, now: number): number | null {
      const pause = known.get(key);
      return pause?.holds(now) === true ? pause.until : null;
    },
    begin(key: string, now: number, askedMs: number | null): number {
      const pause = known.get(key) ?? createPause();
      if (known.size >= REMEMBERED_MAX) known.clear();
      known.set(key, pause);
      return pause.begin(now, askedMs);
    },
    end: (key: string) => void known.delete(key),
  };
}
