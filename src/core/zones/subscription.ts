import { type PublicAlert, toPublicAlert } from "../alerts/alert.ts";
import { Fault } from "../fault.ts";
import type { Ports } from "./ports.ts";
import {
  type WatchedZone,
  watchedZones,
  type Zone,
  type ZoneFrequency,
  zonesOfSubject,
} from "./zone.ts";
import type { SyncIndexes } from "../instance.ts";

/** Subscription that an unsubscribe link ends. */
export type Subscription =
  /** At least one zone. */
  | { readonly kind: "zones"; readonly zones: readonly WatchedZone[] }
  | { readonly kind: "reminders" | "matches" | "plan"; readonly alert: PublicAlert }
  | { readonly kind: "all-matches" | "all-plans" }
  | { readonly kind: "ended" };

/** Use cases of the links in zone, reminder, plan and match emails that change or end them. */
export function createUnsubscribeLinks(ports: Ports, syncIndexes: SyncIndexes) {
  const { store } = ports;

  async function subjectOf(token: string) {
    const link = await store.link(ports.secrets.tokenHash(token), "unsubscribe");
    const subject = link?.subject ?? "";
    const [kind = ""] = subject.split(":", 1);
    return { kind, id: subject.slice(kind.length + 1), zoneIds: zonesOfSubject(subject) };
  }

  async function liveZones(ids: readonly string[]): Promise<Zone[]> {
    const zones: Zone[] = [];
    for (const id of ids) {
      const zone = await store.zone(id);
      if (zone !== null) zones.push(zone);
    }
    return zones;
  }

  return {
    async subscription(token: string): Promise<Subscription> {
      const { kind, id, zoneIds } = await subjectOf(token);
      if (kind === "all-matches" || kind === "all-plans") return { kind };
      const zones = await liveZones(zoneIds);
      if (zones.length > 0) return { kind: "zones", zones: await watchedZones(ports, zones) };
      if (kind !== "reminders" && kind !== "matches" && kind !== "plan") return { kind: "ended" };
      const alert = await store.alert({ by: "id", id });
      const view = alert === null ? null : toPublicAlert(alert, ports.links);
      return view === null ? { kind: "ended" } : { kind, alert: view };
    },

    /** Changes how often emails about the zones of a link are sent. Throws `not_found` if all have ended. */
    async changeFrequency(token: string, frequency: ZoneFrequency): Promise<void> {
      const { zoneIds } = await subjectOf(token);
      const zones = await liveZones(zoneIds);
      if (zones.length === 0) throw new Fault("not_found", { reason: "link_dead" });
      for (const { id } of zones) await store.setZoneFrequency(id, frequency);
      await syncIndexes();
    },

    /** Ends the subscription of a link. Idempotent; an unknown link does nothing. */
    async unsubscribe(token: string): Promise<void> {
      const { kind, id, zoneIds } = await subjectOf(token);
      for (const zoneId of zoneIds) await store.endZone(zoneId, ports.clock());
      if (kind === "reminders") await store.muteReminders(id);
      if (kind === "plan") await store.mutePlanEmails(id, ports.clock());
      if (kind === "matches") await store.muteMatches(id);
      if (kind === "all-plans") await store.mutePlanEmailsOfOwner(id, ports.clock());
      if (kind === "all-matches") await store.muteMatchesOfOwner(id);
      await syncIndexes();
    },
  };
}
