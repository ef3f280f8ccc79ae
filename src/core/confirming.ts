import {
  type Alert,
  type AlertDraft,
  draftFace,
  lifeMs,
  type PublicAlert,
  publicFace,
} from "./alert.ts";
import { requireReachable } from "./asking.ts";
import type { CatchUp } from "./catching-up.ts";
import type { Conversation } from "./conversation.ts";
import { Fault } from "./fault.ts";
import { alertInLetter, type LetterContent, letterTo } from "./letter.ts";
import type { Pending, PendingPayload } from "./pending.ts";
import { type Correction, corrected, type Removed } from "./publication.ts";
import type { Ports } from "./ports.ts";
import { newLink } from "./private-link.ts";
import type { Effect, PrivateLink } from "./store.ts";
import { type Zone, type ZoneFace, zoneFace } from "./zone.ts";

/** A draft as the confirmation page shows it: the alert's public face without the times it does not have yet. */
export type DraftFace = ReturnType<typeof draftFace>;

/** What the confirmation page shows. `waiting` is the only state in which pressing does something. */
export type Review =
  | { readonly state: "waiting"; readonly expiresAt: number; readonly wish: ReviewedWish }
  | { readonly state: "done"; readonly outcome: Outcome }
  | { readonly state: "disowned" }
  | { readonly state: "expired" };
export type ReviewedWish =
  | { readonly kind: "publish"; readonly draft: DraftFace; readonly removed: readonly Removed[] }
  | {
      readonly kind: "message";
      readonly alert: PublicAlert;
      readonly text: string;
      readonly name: string | null;
      readonly removed: readonly Removed[];
    }
  | { readonly kind: "zone"; readonly zone: ZoneFace };
/** What came of it, for the person who holds the confirmation link. A part that is gone since is null. */
export type Outcome =
  | {
      readonly kind: "publish";
      readonly alert: PublicAlert | null;
      readonly manageUrl: string | null;
      /** What was taken out of the owner's changes; told once, to the press that published. */
      readonly removed: readonly Removed[];
    }
  | { readonly kind: "message"; readonly alert: PublicAlert | null }
  | { readonly kind: "zone"; readonly unsubscribeUrl: string | null };

/** An effect is made anew this often when what it was made from changes before it is carried out. */
const EFFECT_TRIES = 3;

/** Looking at a pending action, confirming it, and saying "this was not me". All throw `not_found` for an unknown token. */
export function createConfirming(ports: Ports, catchUp: CatchUp) {
  async function pendingOf(token: string): Promise<Pending> {
    const pending = await ports.store.pendingByToken(ports.vault.tokenHash(token));
    if (pending === null)
      throw new Fault(
        "not_found",
        "This link is not known here. Perhaps a part of it was cut off.",
      );
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
        throw new Fault(
          "too_many",
          "This alert has had its share of messages for today. Please press again tomorrow.",
          { retryAfterSeconds: 86_400 },
        );
    }
  }

  return {
    async review(token: string): Promise<Review> {
      return reviewOf(ports, await pendingOf(token));
    },

    /**
     * Carries the action out, once. Pressing again gives the same review and does nothing twice.
     * Throws `bad_input` for a correction that cannot be, `conflict` or `gone` when the alert written to is closed,
     * `too_many` when it has had the day's share of messages: the action then still waits.
     */
    async confirm(token: string, correction: Correction = {}): Promise<Review> {
      const removed = await settle(await pendingOf(token), correction);
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
        removed: payload.removed,
      };
    case "message": {
      const alert = publicFace(await alertWrittenTo(ports, payload.alertId), ports.links);
      if (alert === null)
        throw new Fault("gone", "The alert this message was for has been removed.");
      return {
        kind: "message",
        alert,
        text: payload.text,
        name: payload.name,
        removed: payload.removed,
      };
    }
    case "zone":
      return { kind: "zone", zone: zoneFace(payload.zone, ports.gazetteer) };
  }
}

async function outcomeOf(ports: Ports, pending: Pending): Promise<Outcome> {
  const result = pending.result;
  if (result === null) throw new Error("a confirmed action has a result");
  switch (result.kind) {
    case "publish":
    case "message": {
      const alert = await ports.store.alert({ by: "id", id: result.alertId });
      const face = alert === null ? null : publicFace(alert, ports.links);
      if (result.kind === "message") return { kind: "message", alert: face };
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

async function effectOf(
  ports: Ports,
  pending: Pending,
  payload: PendingPayload,
  correction: Correction,
  now: number,
): Promise<{ readonly effect: Effect; readonly removed: readonly Removed[] }> {
  switch (payload.kind) {
    case "publish": {
      const { draft, removed } = corrected(payload.draft, correction, now);
      return { effect: publication(ports, pending, draft, now), removed };
    }
    case "message":
      return { effect: await relay(ports, pending, payload, now), removed: [] };
    case "zone":
      return { effect: subscription(ports, payload.zone), removed: [] };
  }
}

function subscription(ports: Ports, zone: Zone): Effect {
  const link = newLink(ports, "unsubscribe", `zone:${zone.id}`);
  return { result: { kind: "zone", zoneId: zone.id }, zone, links: [link], letters: [] };
}

function publication(ports: Ports, pending: Pending, draft: AlertDraft, now: number): Effect {
  const link = newLink(ports, "manage", draft.id);
  const alert: Omit<Alert, "publishedAt"> = {
    ...draft,
    status: "active",
    updatedAt: now,
    expiresAt: now + lifeMs(draft.type, draft.species),
    endedAt: null,
    ownerEmail: pending.email,
    language: pending.language,
    source: null,
  };
  const content: LetterContent = {
    kind: "live",
    alert: alertInLetter(draft),
    sealedToken: link.sealed,
    expiresAt: alert.expiresAt,
  };
  return {
    result: { kind: "publish", alertId: draft.id },
    alert,
    links: [link],
    letters: [
      letterTo(ports.dice, { to: pending.email, language: pending.language }, content, now),
    ],
  };
}

async function relay(
  ports: Ports,
  pending: Pending,
  payload: PendingPayload & { kind: "message" },
  now: number,
): Promise<Effect> {
  const alert = await alertWrittenTo(ports, payload.alertId);
  const owner = requireReachable(alert);
  // The exact mailbox: the address as counted may stand for several.
  const strangerMark = ports.vault.mark("mailbox", pending.email.toLowerCase());
  const known = await ports.store.conversationBetween(alert.id, strangerMark);
  const conversation: Conversation = known ?? {
    id: ports.dice.id(),
    alertId: alert.id,
    strangerEmail: pending.email,
    strangerMark,
    strangerName: payload.name,
    language: pending.language,
    createdAt: now,
    closedAt: null,
  };
  const ownerSubject = `${conversation.id}:owner`;
  const ownerLink =
    (await ports.store.linkTo("conversation", ownerSubject)) ??
    newLink(ports, "conversation", ownerSubject);
  const strangerLink = newLink(ports, "conversation", `${conversation.id}:stranger`);
  const content: LetterContent = {
    kind: "message",
    alert: alertInLetter(alert),
    from: "stranger",
    name: payload.name,
    text: payload.text,
    sealedToken: ownerLink.sealed,
  };
  return {
    result: { kind: "message", alertId: alert.id },
    ...(known === null ? { conversation } : {}),
    message: {
      id: ports.dice.id(),
      conversationId: conversation.id,
      from: "stranger",
      text: payload.text,
      createdAt: now,
    },
    links: known === null ? [ownerLink, strangerLink] : [],
    letters: [letterTo(ports.dice, { to: owner, language: alert.language }, content, now)],
  };
}

async function alertWrittenTo(ports: Ports, id: string): Promise<Alert> {
  const alert = await ports.store.alert({ by: "id", id });
  if (alert === null) throw new Error("an alert is never deleted while its names are taken");
  return alert;
}
