import { toDraftView, type PublicAlert, toPublicAlert } from "../alerts/alert.ts";
import { QUOTAS } from "../caps.ts";
import { alertOf, changesOf, type ConfirmCorrection } from "./changes.ts";
import { Fault } from "../fault.ts";
import { confirmationHits, tooMany, tooManyWrites } from "../limits.ts";
import { LINK_SHOWN_MS, type Pending, type PendingPayload, photosIn } from "./pending.ts";
import type { PhotoActions } from "../photos/photos.ts";
import type { Removed } from "../alerts/publication.ts";
import type { Ports } from "./ports.ts";
import { toSightingView } from "../sightings/sighting.ts";
import {
  isSameCircle,
  type WatchedZone,
  type Zone,
  ZONES_LISTED_MAX,
  watchedZones,
  toZoneView,
} from "../zones/zone.ts";
import { storedToken } from "../people/private-link.ts";
import type { SyncIndexes } from "../instance.ts";
import type { PhotoSize } from "../photos/photo-files.ts";

/** Content of the confirmation page. Only a `waiting` action can be confirmed. */
export type Review =
  | { readonly state: "waiting"; readonly expiresAt: number; readonly action: ReviewedAction }
  | { readonly state: "done"; readonly outcome: ConfirmedResult }
  | { readonly state: "disowned" }
  | { readonly state: "expired" };
export type ReviewedAction = Awaited<ReturnType<typeof actionOf>>;
/** Result of a confirmed action, for the holder of the confirmation link. A part that no longer exists is null. */
export type ConfirmedResult = Awaited<ReturnType<typeof outcomeOf>>;

/** Attempts to confirm, in case the data that the changes are based on is modified concurrently. */
const CONFIRM_TRIES = 3;

/** Review and confirmation of pending actions, and "this was not me". All throw `not_found` for an unknown token. */
export function createConfirmation(ports: Ports, syncIndexes: SyncIndexes, photos: PhotoActions) {
  async function pendingOf(token: string): Promise<Pending> {
    const pending = await ports.store.pendingByToken(ports.secrets.tokenHash(token));
    if (pending === null) throw new Fault("not_found", { reason: "link_unknown" });
    return pending;
  }

  /** Replaces photo tickets by names. Leaves the correction alone once the action no longer waits. */
  function withPhotoNames(
    correction: ConfirmCorrection,
    { state, payload }: Pending,
  ): ConfirmCorrection {
    if (correction.photos === undefined || state !== "waiting" || payload?.kind !== "publish")
      return correction;
    return { ...correction, photos: photos.named(correction.photos, payload.draft.photos) };
  }

  /** Returns the contact details removed from the correction. */
  async function applyChanges(
    pending: Pending,
    correction: ConfirmCorrection,
    tries = CONFIRM_TRIES,
  ): Promise<readonly Removed[]> {
    const now = ports.clock();
    const { payload } = pending;
    if (payload === null || pending.state !== "waiting" || pending.expiresAt <= now) return [];
    const { changes, removed } = await changesOf(ports, pending, payload, correction, now);
    const ofAssistants = confirmationHits(ports, pending);
    const complete = { ...changes, hits: [...changes.hits, ...ofAssistants] };
    const outcome = await ports.store.confirmPending(pending.id, complete, now);
    switch (outcome.kind) {
      case "won":
        await syncIndexes();
        return removed;
      case "outdated":
        if (tries <= 1) throw new Error("the data that the changes are based on keeps changing");
        return applyChanges(pending, correction, tries - 1);
      case "late":
        return [];
      case "zones_full":
        throw new Fault("conflict", { reason: "zones_full", max: QUOTAS.zonesPerMailbox });
      case "limited": {
        const { kind } = pending;
        const { retryAt } = outcome;
        if (retryAt === (await ports.store.limitedUntil(ofAssistants, now)))
          throw tooManyWrites(ports, kind, retryAt, now);
        throw tooMany(ports, kind, retryAt, now, {
          reason: kind === "sighting" ? "sender_sightings_full" : "sender_messages_full",
        });
      }
    }
  }

  return {
    /** Photo of the pending action behind a confirmation link, or null. */
    async draftPhoto(token: string, name: string, size: PhotoSize): Promise<Uint8Array | null> {
      const pending = await ports.store.pendingByToken(ports.secrets.tokenHash(token));
      if (pending === null || pending.expiresAt <= ports.clock()) return null;
      return photosIn(pending.payload).includes(name) ? ports.photos.read(name, size) : null;
    },

    async review(token: string): Promise<Review> {
      const hash = ports.secrets.tokenHash(token);
      const pending = await ports.store.pendingByToken(hash);
      if (pending !== null && pending.state !== "disowned") {
        const review = await reviewOf(ports, pending);
        if (review.state !== "expired") return review;
      }
      // A stop can be undone for as long as it lasts, even if the request has expired or been deleted.
      if (pending?.state === "disowned" || (await ports.store.mailboxStoppedBy(hash)) !== null)
        return { state: "disowned" };
      if (pending !== null) return { state: "expired" };
      throw new Fault("not_found", { reason: "link_unknown" });
    },

    /** True if a link can undo a stop of emails to its mailbox. */
    async canAllowEmails(token: string): Promise<boolean> {
      return (await ports.store.mailboxStoppedBy(ports.secrets.tokenHash(token))) !== null;
    },

    /**
     * Carries the action out. Repeated calls return the same review and change nothing.
     * Throws `bad_input` for an invalid correction, `conflict` or `gone` if the alert no longer accepts the action or the
     * mailbox has the maximum number of zones, and `too_many` beyond the sender's daily limit of messages or sightings;
     * the action then still waits.
     */
    async confirm(token: string, correction: ConfirmCorrection = {}): Promise<Review> {
      const pending = await pendingOf(token);
      const named = withPhotoNames(correction, pending);
      const removed = await photos.using(named.photos ?? [], () => applyChanges(pending, named));
      const review = await reviewOf(ports, await pendingOf(token));
      if (review.state !== "done" || review.outcome.kind !== "publish") return review;
      return { ...review, outcome: { ...review.outcome, removed } };
    },

    /** "This was not me": drops the action and stops confirmation emails to its address. */
    async disown(token: string): Promise<void> {
      const hash = ports.secrets.tokenHash(token);
      const pending = await ports.store.pendingByToken(hash);
      if (pending !== null) await ports.store.disownPending(pending.id, hash, ports.clock());
      // This link stopped emails before, and the request has been deleted since.
      else if ((await ports.store.mailboxStoppedBy(hash)) === null)
        throw new Fault("not_found", { reason: "link_unknown" });
    },

    /** Undoes `disown`. */
    async allowEmails(token: string): Promise<void> {
      const stopped = await ports.store.mailboxStoppedBy(ports.secrets.tokenHash(token));
      const addressHash = stopped ?? (await pendingOf(token)).addressHash;
      await ports.store.allowEmails(addressHash);
    },
  };
}

async function reviewOf(ports: Ports, pending: Pending): Promise<Review> {
  switch (pending.state) {
    case "confirmed":
      return { state: "done", outcome: await outcomeOf(ports, pending) };
    case "disowned":
      return { state: "disowned" };
    case "waiting": {
      if (pending.payload === null || pending.expiresAt <= ports.clock())
        return { state: "expired" };
      const { expiresAt, payload } = pending;
      return { state: "waiting", expiresAt, action: await actionOf(ports, payload) };
    }
  }
}

async function actionOf(ports: Ports, payload: PendingPayload) {
  switch (payload.kind) {
    case "publish":
      return {
        kind: "publish" as const,
        draft: toDraftView(payload.draft, ports.links),
        /** Names of its photos, in order. */
        photos: payload.draft.photos,
        removed: payload.removed,
      };
    case "message": {
      const { alertId, ...message } = payload;
      return { ...message, alert: await publicAlertOf(ports, alertId) };
    }
    case "zone":
      return {
        kind: "zone" as const,
        zone: toZoneView(payload.zone, ports.gazetteer),
        /** Zones of the mailbox, if it has as many as it may have: one must end first. */
        inTheWay: await zonesInTheWay(ports, payload.zone),
      };
    case "sighting": {
      const alert = await publicAlertOf(ports, payload.alertId);
      const sighting = toSightingView(payload.sighting, alert, ports.gazetteer);
      return { kind: "sighting" as const, alert, sighting, removed: payload.removed };
    }
  }
}

/** Shows private links for a short time only: the confirmation email may be forwarded or archived later. */
async function outcomeOf(ports: Ports, pending: Pending) {
  const { result, confirmedAt } = pending;
  if (result === null) throw new Error("a confirmed action has a result");
  // The clock may have been set back since then.
  const showsLink = confirmedAt !== null && Math.abs(ports.clock() - confirmedAt) < LINK_SHOWN_MS;
  switch (result.kind) {
    case "publish":
    case "message":
    case "sighting": {
      const alert = await ports.store.alert({ by: "id", id: result.alertId });
      const view = alert === null ? null : toPublicAlert(alert, ports.links);
      if (result.kind !== "publish") return { kind: result.kind, alert: view };
      const token = await storedToken(ports, "manage", result.alertId);
      return {
        kind: "publish" as const,
        alert: view,
        isManageable: token !== null,
        /** Null if there is none, or the time for showing it is over. */
        manageUrl: token === null || !showsLink ? null : ports.links.manage(token),
        /** Contact details removed from the owner's changes; only in the answer to the confirming call. */
        removed: [] as readonly Removed[],
      };
    }
    case "zone": {
      const token = await storedToken(ports, "unsubscribe", `zone:${result.zoneId}`);
      return {
        kind: "zone" as const,
        isOver: token === null,
        frequency: (await ports.store.zone(result.zoneId))?.frequency ?? ("at_once" as const),
        /** Null if the zone has ended, or the time for showing the link is over. */
        unsubscribeUrl: token === null || !showsLink ? null : ports.links.unsubscribe(token),
      };
    }
  }
}

async function zonesInTheWay(ports: Ports, added: Zone): Promise<WatchedZone[]> {
  const zones = await ports.store.zonesOf(added.email, ZONES_LISTED_MAX);
  const isKnown = zones.some((zone) => isSameCircle(zone, added));
  if (isKnown || zones.length < QUOTAS.zonesPerMailbox) return [];
  return watchedZones(ports, zones);
}

/** Public view of the alert that an action refers to. Throws `gone` if it is hidden or removed. */
async function publicAlertOf(ports: Ports, id: string): Promise<PublicAlert> {
  const view = toPublicAlert(await alertOf(ports, id), ports.links);
  if (view === null) throw new Fault("gone", { reason: "its_alert_removed" });
  return view;
}
