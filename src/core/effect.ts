import { type Alert, type AlertDraft, lifeMs } from "./alert.ts";
import { requireReachable } from "./asking.ts";
import type { Conversation } from "./conversation.ts";
import { Fault } from "./fault.ts";
import { alertInLetter, type LetterContent, letterTo } from "./letter.ts";
import type { Pending, PendingPayload } from "./pending.ts";
import { type Correction, corrected, type Removed } from "./publication.ts";
import type { Ports } from "./ports.ts";
import { newLink } from "./private-link.ts";
import { requireAtLarge, sightingFace, sightingHits } from "./sighting.ts";
import type { Effect } from "./store.ts";
import type { Zone } from "./zone.ts";

/** What confirming a pending action does, and what was taken out of a correction. Throws as `confirm` tells. */
export async function effectOf(
  ports: Ports,
  pending: Pending,
  payload: PendingPayload,
  correction: Correction,
  now: number,
): Promise<{ readonly effect: Effect; readonly removed: readonly Removed[] }> {
  switch (payload.kind) {
    case "publish": {
      const { draft, removed } = corrected(payload.draft, correction, now, ports.gazetteer);
      return { effect: publication(ports, pending, draft, now), removed };
    }
    case "message":
      return { effect: await relay(ports, pending, payload, now), removed: [] };
    case "zone":
      return { effect: subscription(ports, payload.zone), removed: [] };
    case "sighting":
      return { effect: await sighted(ports, pending, payload, now), removed: [] };
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
  if (known !== null && known.closedAt !== null)
    throw new Fault("conflict", { reason: "conversation_over" });
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

async function sighted(
  ports: Ports,
  pending: Pending,
  { alertId, sighting }: PendingPayload & { kind: "sighting" },
  now: number,
): Promise<Effect> {
  const alert = await alertWrittenTo(ports, alertId);
  requireAtLarge(alert, now);
  const { city, seenAt, note, distanceKm } = sightingFace(sighting, alert.point, ports.gazetteer);
  const content: LetterContent = {
    kind: "sighting",
    alert: alertInLetter(alert),
    city,
    distanceKm,
    seenAt,
    note,
  };
  const owner = { to: alert.ownerEmail, language: alert.language };
  return {
    result: { kind: "sighting", alertId },
    sighting: { id: ports.dice.id(), alertId, ...sighting, createdAt: now },
    hits: sightingHits(alertId, pending.addressMark),
    links: [],
    letters:
      owner.to === null ? [] : [letterTo(ports.dice, { ...owner, to: owner.to }, content, now)],
  };
}

/** The alert a pending action is about, whatever became of it. */
export async function alertWrittenTo(ports: Ports, id: string): Promise<Alert> {
  const alert = await ports.store.alert({ by: "id", id });
  if (alert === null) throw new Error("an alert is never deleted while its names are taken");
  return alert;
}
