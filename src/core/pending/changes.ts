import type { Alert, AlertDraft, NewAlert } from "../alerts/alert.ts";
import { lifetimeMs } from "../alerts/lifetime.ts";
import {
  type Conversation,
  messageEmailHits,
  messageHits,
  requireReachable,
} from "../conversations/conversation.ts";
import { messageTo } from "../conversations/reply.ts";
import { Fault } from "../fault.ts";
import { type EmailAlert, emailAlert } from "../alerts/email-alert.ts";
import { emailTo } from "../email.ts";
import type { Pending, PendingPayload } from "./pending.ts";
import { type Correction, correctDraft, type Removed } from "../alerts/publication.ts";
import type { Ports } from "./ports.ts";
import { newLink } from "../people/private-link.ts";
import {
  emailSighting,
  requireStillMissing,
  type SightingEmail,
  sightingEmailHits,
  toSightingView,
  sightingHits,
} from "../sightings/sighting.ts";
import type { Zone, ZoneFrequency } from "../zones/zone.ts";
import type { ConfirmationChanges } from "./request-store.ts";
import { isInShelter } from "../plan/plan.ts";

/** To the owner: the alert is published, with the manage link. */
export type LiveEmail = {
  readonly kind: "live";
  readonly alert: EmailAlert;
  readonly sealedToken: string;
  readonly expiresAt: number;
  readonly hasPlan: boolean;
};

/** Last changes by the person who confirms: to a publication, or how often emails about a zone are sent. */
export type ConfirmCorrection = Correction & { readonly frequency?: ZoneFrequency | undefined };

/** Rows that confirming an action writes, and contact details removed from the correction. Throws the same as `confirm`. */
export async function changesOf(
  ports: Ports,
  pending: Pending,
  payload: PendingPayload,
  correction: ConfirmCorrection,
  now: number,
): Promise<{ readonly changes: ConfirmationChanges; readonly removed: readonly Removed[] }> {
  switch (payload.kind) {
    case "publish": {
      const { draft, removed } = correctDraft(payload.draft, correction, now, ports.gazetteer);
      return { changes: publicationChanges(ports, pending, draft, now), removed };
    }
    case "message":
      return { changes: await messageChanges(ports, pending, payload, now), removed: [] };
    case "zone":
      return { changes: zoneChanges(ports, chosenZone(payload.zone, correction)), removed: [] };
    case "sighting":
      return { changes: await sightingChanges(ports, pending, payload, now), removed: [] };
  }
}

/** Zone of a request, with the frequency chosen last. */
function chosenZone(zone: Zone, { frequency = zone.frequency }: ConfirmCorrection): Zone {
  return { ...zone, frequency };
}

function zoneChanges(ports: Ports, zone: Zone): ConfirmationChanges {
  const link = newLink(ports, "unsubscribe", `zone:${zone.id}`);
  return { kind: "zone", zone, links: [link], hits: [] };
}

function publicationChanges(
  ports: Ports,
  pending: Pending,
  draft: AlertDraft,
  now: number,
): ConfirmationChanges {
  const link = newLink(ports, "manage", draft.id);
  const alert: NewAlert = {
    ...draft,
    status: "active",
    updatedAt: now,
    expiresAt: now + lifetimeMs(draft.type, draft.species),
    endedAt: null,
    ownerEmail: pending.email,
    language: pending.language,
    source: null,
  };
  const { expiresAt } = alert;
  const hasPlan = !isInShelter(draft);
  const sealedToken = link.sealed;
  const content: LiveEmail = {
    kind: "live",
    alert: emailAlert(draft),
    sealedToken,
    expiresAt,
    hasPlan,
  };
  const reader = { to: pending.email, language: pending.language };
  return {
    kind: "publish",
    alert,
    email: emailTo(ports.random, reader, content, now),
    links: [link],
    hits: [],
  };
}

async function messageChanges(
  ports: Ports,
  pending: Pending,
  payload: PendingPayload & { kind: "message" },
  now: number,
): Promise<ConfirmationChanges> {
  const alert = await alertOf(ports, payload.alertId);
  const owner = requireReachable(alert);
  // Of the exact spelling: a normalised address may stand for several mailboxes.
  const strangerHash = pending.mailboxHash;
  const known = await ports.store.conversationBetween(alert.id, strangerHash);
  if (known !== null && known.closedAt !== null)
    throw new Fault("conflict", { reason: "conversation_over" });
  const conversation: Conversation = known ?? {
    id: ports.random.id(),
    alertId: alert.id,
    strangerEmail: pending.email,
    strangerHash,
    strangerName: payload.name,
    networkHash: pending.networkHash,
    language: pending.language,
    createdAt: now,
    closedAt: null,
  };
  const ownerSubject = `${conversation.id}:owner`;
  const ownerLink =
    (await ports.store.linkTo("conversation", ownerSubject)) ??
    newLink(ports, "conversation", ownerSubject);
  const strangerLink = newLink(ports, "conversation", `${conversation.id}:stranger`);
  const { name, text, photos } = payload;
  // The writer may have given another name before.
  const opened = {
    conversation: { ...conversation, strangerName: name },
    alert,
    side: "owner" as const,
  };
  const content = messageTo(opened, text, photos, ownerLink.sealed);
  return {
    kind: "message",
    alertId: alert.id,
    opened: known === null ? conversation : null,
    message: {
      id: ports.random.id(),
      conversationId: conversation.id,
      from: "stranger",
      text,
      photos,
      createdAt: now,
    },
    hits: messageHits(alert.id, pending.addressHash),
    links: known === null ? [ownerLink, strangerLink] : [],
    ownerEmail: {
      email: emailTo(ports.random, { to: owner, language: alert.language }, content, now),
      hits: messageEmailHits(alert.id, pending.networkHash),
    },
  };
}

async function sightingChanges(
  ports: Ports,
  pending: Pending,
  { alertId, sighting }: PendingPayload & { kind: "sighting" },
  now: number,
): Promise<ConfirmationChanges> {
  const alert = await alertOf(ports, alertId);
  requireStillMissing(alert, now);
  const { networkHash, addressHash } = pending;
  const { ownerEmail: to, language } = alert;
  const view = toSightingView(sighting, alert.point, ports.gazetteer);
  const seen = emailSighting(view);
  const content: SightingEmail = { kind: "sighting", alert: emailAlert(alert), ...seen };
  return {
    kind: "sighting",
    sighting: {
      id: ports.random.id(),
      alertId,
      ...sighting,
      photos: view.photos,
      networkHash,
      createdAt: now,
    },
    hits: sightingHits(alertId, addressHash),
    links: [],
    ownerEmail:
      to === null
        ? null
        : {
            email: emailTo(ports.random, { to, language }, content, now),
            hits: sightingEmailHits(alertId, networkHash),
          },
  };
}

/** Alert that a pending action refers to, of any status. */
export async function alertOf(ports: Ports, id: string): Promise<Alert> {
  const alert = await ports.store.alert({ by: "id", id });
  if (alert === null) throw new Error("an alert is never deleted while its names are taken");
  return alert;
}
