import { draftFace, type PublicAlert, publicFace } from "./alert.ts";
import type { CatchUp } from "./catching-up.ts";
import { DAY_MS } from "./duration.ts";
import { alertWrittenTo, effectOf } from "./effect.ts";
import { Fault } from "./fault.ts";
import { tooMany } from "./limit.ts";
import type { Pending, PendingPayload } from "./pending.ts";
import type { Picturing } from "./picturing.ts";
import type { Correction, Removed } from "./publication.ts";
import type { Ports } from "./ports.ts";
import { type SightingFace, sightingFace } from "./sighting.ts";
import type { PrivateLink } from "./store.ts";
import { type ZoneFace, zoneFace } from "./zone.ts";

/** A draft as the confirmation page shows it: the alert's public face without the times it does not have yet. */
export type DraftFace = ReturnType<typeof draftFace>;

/** What the confirmation page shows. `waiting` is the only state in which pressing does something. */
export type Review =
  | { readonly state: "waiting"; readonly expiresAt: number; readonly wish: ReviewedWish }
  | { readonly state: "done"; readonly outcome: Outcome }
  | { readonly state: "disowned" }
  | { readonly state: "expired" };
export type ReviewedWish =
  | {
      readonly kind: "publish";
      readonly draft: DraftFace;
      /** Names of its pictures, in order. */
      readonly photos: readonly string[];
      readonly removed: readonly Removed[];
    }
  | {
      readonly kind: "message";
      readonly alert: PublicAlert;
      readonly text: string;
      readonly name: string | null;
      readonly removed: readonly Removed[];
    }
  | { readonly kind: "zone"; readonly zone: ZoneFace }
  | {
      readonly kind: "sighting";
      readonly alert: PublicAlert;
      readonly sighting: SightingFace;
      readonly removed: readonly Removed[];
    };
/** What came of it, for the person who holds the confirmation link. A part that is gone since is null. */
export type Outcome =
  | {
      readonly kind: "publish";
      readonly alert: PublicAlert | null;
      readonly manageUrl: string | null;
      /** What was taken out of the owner's changes; told once, to the press that published. */
      readonly removed: readonly Removed[];
    }
  | { readonly kind: "message" | "sighting"; readonly alert: PublicAlert | null }
  | { readonly kind: "zone"; readonly unsubscribeUrl: string | null };

/** An effect is made anew this often when what it was made from changes before it is carried out. */
const EFFECT_TRIES = 3;

/** Looking at a pending action, confirming it, and saying "this was not me". All throw `not_found` for an unknown token. */
export function createConfirming(ports: Ports, catchUp: CatchUp, picturing: Picturing) {
  async function pendingOf(token: string): Promise<Pending> {
    const pending = await ports.store.pendingByToken(ports.vault.tokenHash(token));
    if (pending === null) throw new Fault("not_found", { reason: "link_unknown" });
    return pending;
  }

  /** Gives what was taken out of the correction. */
  async function settle(
    pending: Pending,
    correction: Correction,
    tries = EFFECT_TRIES,
  ): Promise<readonly Removed[]> {
    const now = ports.clock();
    const { payload } = pending;
    if (payload === null || pending.state !== "waiting" || pending.expiresAt <= now) return [];
    const { effect, removed } = await effectOf(ports, pending, payload, correction, now);
    const outcome = await ports.store.settle(pending.id, effect, now);
    switch (outcome.kind) {
      case "won":
        await catchUp();
        return removed;
      case "outdated":
        if (tries <= 1) throw new Error("what the effect is made from changes without end");
        return settle(pending, correction, tries - 1);
      case "late":
        return [];
      case "too_many_messages":
        throw tooMany(ports, pending.kind, now + DAY_MS, now, { reason: "messages_full" });
      case "limited":
        throw tooMany(ports, pending.kind, outcome.retryAt, now, { reason: "sightings_full" });
    }
  }

  return {
    async review(token: string): Promise<Review> {
      return reviewOf(ports, await pendingOf(token));
    },

    /**
     * Carries the action out, once. Pressing again gives the same review and does nothing twice.
     * Throws `bad_input` for a correction that cannot be, `conflict` or `gone` when the alert written to is closed,
     * `too_many` when it has had the day's share of messages or sightings: the action then still waits.
     */
    async confirm(token: string, correction: Correction = {}): Promise<Review> {
      const pending = await pendingOf(token);
      const removed = await picturing.using(correction.photos ?? [], () =>
        settle(pending, correction),
      );
      const review = await reviewOf(ports, await pendingOf(token));
      if (review.state !== "done" || review.outcome.kind !== "publish") return review;
      return { ...review, outcome: { ...review.outcome, removed } };
    },

    /** Drops what was asked in someone's name and sends that address no more confirmation letters. */
    async disown(token: string): Promise<void> {
      const { id } = await pendingOf(token);
      await ports.store.disown(id, ports.clock());
    },

    /** Takes "stop these letters" back. */
    async allowLetters(token: string): Promise<void> {
      const { addressMark } = await pendingOf(token);
      await ports.store.allowLetters(addressMark);
    },
  };
}

async function reviewOf(ports: Ports, pending: Pending): Promise<Review> {
  switch (pending.state) {
    case "confirmed":
      return { state: "done", outcome: await outcomeOf(ports, pending) };
    case "disowned":
      return { state: "disowned" };
    case "waiting":
      if (pending.payload === null || pending.expiresAt <= ports.clock())
        return { state: "expired" };
      return {
        state: "waiting",
        expiresAt: pending.expiresAt,
        wish: await wishOf(ports, pending.payload),
      };
  }
}

async function wishOf(ports: Ports, payload: PendingPayload): Promise<ReviewedWish> {
  switch (payload.kind) {
    case "publish":
      return {
        kind: "publish",
        draft: draftFace(payload.draft, ports.links),
        photos: payload.draft.photos,
        removed: payload.removed,
      };
    case "message": {
      return {
        kind: "message",
        alert: await faceWrittenTo(ports, payload.alertId),
        text: payload.text,
        name: payload.name,
        removed: payload.removed,
      };
    }
    case "zone":
      return { kind: "zone", zone: zoneFace(payload.zone, ports.gazetteer) };
    case "sighting": {
      const alert = await faceWrittenTo(ports, payload.alertId);
      return {
        kind: "sighting",
        alert,
        sighting: sightingFace(payload.sighting, alert, ports.gazetteer),
        removed: payload.removed,
      };
    }
  }
}

async function outcomeOf(ports: Ports, pending: Pending): Promise<Outcome> {
  const result = pending.result;
  if (result === null) throw new Error("a confirmed action has a result");
  switch (result.kind) {
    case "publish":
    case "message":
    case "sighting": {
      const alert = await ports.store.alert({ by: "id", id: result.alertId });
      const face = alert === null ? null : publicFace(alert, ports.links);
      if (result.kind !== "publish") return { kind: result.kind, alert: face };
      const token = await sealedLink(ports, "manage", result.alertId);
      return {
        kind: "publish",
        alert: face,
        manageUrl: token === null ? null : ports.links.manage(token),
        removed: [],
      };
    }
    case "zone": {
      const token = await sealedLink(ports, "unsubscribe", `zone:${result.zoneId}`);
      return {
        kind: "zone",
        unsubscribeUrl: token === null ? null : ports.links.unsubscribe(token),
      };
    }
  }
}

async function sealedLink(
  ports: Ports,
  purpose: PrivateLink["purpose"],
  subject: string,
): Promise<string | null> {
  const link = await ports.store.linkTo(purpose, subject);
  return link === null ? null : ports.vault.unseal(link.sealed);
}

/** The alert something waits for. Throws `gone` when nobody can see it any more. */
async function faceWrittenTo(ports: Ports, id: string): Promise<PublicAlert> {
  const face = publicFace(await alertWrittenTo(ports, id), ports.links);
  if (face === null) throw new Fault("gone", { reason: "its_alert_removed" });
  return face;
}
