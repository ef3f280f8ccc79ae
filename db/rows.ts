import type { Alert } from "../src/core/alerts/alert.ts";
import { FIELDS, fieldsWhere, isFreeText } from "../src/core/alerts/fields.ts";
import type { Pending } from "../src/core/pending/pending.ts";
import type { Email } from "../src/core/email.ts";
import type { PlanDigestEmail, PlanEmail } from "../src/core/plan/plan-emails.ts";
import type { DeviceZone } from "../src/core/push/device.ts";
import type { QueuedPush } from "../src/core/push/push.ts";
import type { DeviceTopic } from "../src/core/push/device-store.ts";
import type { Sighting } from "../src/core/sightings/sighting.ts";
import type { Zone } from "../src/core/zones/zone.ts";
import type { Row } from "./schema/tables.ts";

// Values of the core in rows of the database, and what rows hold once they were wiped.

export function toPending(row: Row<"pending">): Pending {
  const { emailedAt: _emailedAt, ...columns } = row;
  return columns;
}

/** Columns of a request that no longer waits, without personal data. */
export const ENDED = {
  payload: null,
  email: "",
  networkHash: "",
  sealedToken: null,
} as const;

/** Zone in a row; null if it has ended. */
export function toZone(row: Row<"zone">): Zone | null {
  const { lat, lng, email, endedAt, revision: _revision, ...columns } = row;
  if (email === null || endedAt !== null) return null;
  return { ...columns, email, point: { lat, lng } };
}

/** Zone of a device in a row; null if it has ended, or is that of a mailbox. */
function toDeviceZone(row: Row<"zone">): DeviceZone | null {
  const { id, lat, lng, radiusKm, species, type, label, email, endedAt } = row;
  if (email !== null || endedAt !== null) return null;
  return { id, point: { lat, lng }, radiusKm, species, type, label };
}

/** Name of what a device is told about an alert, in the list of tombstones. */
export function ownerTopicName(endpointHash: string, subject: string): string {
  return `${endpointHash} ${subject}`;
}

/** Topic of a device, which is about an alert or a zone; empty for one that has ended. */
export function toDeviceTopic(
  subject: string,
  alert: Alert | null,
  zone: Row<"zone"> | null,
): DeviceTopic[] {
  if (alert !== null) return [{ subject, kind: "owner", alert }];
  const live = zone === null ? null : toDeviceZone(zone);
  return live === null ? [] : [{ subject, kind: "zone", zone: live }];
}

/** Columns of a topic of a device with a push that waits, and without one. */
export function waitingPush({ id, content, createdAt, giveUpAt }: QueuedPush) {
  return { pushId: id, content, pushedAt: createdAt, giveUpAt, dueAt: createdAt };
}
export const NO_PUSH = {
  pushId: null,
  content: null,
  pushedAt: null,
  giveUpAt: null,
  dueAt: null,
} as const;

export function toSighting({ lat, lng, ...columns }: Row<"sighting">): Sighting {
  return { ...columns, point: { lat, lng } };
}

/** Email in a row; empty for one that was closed. */
export function toEmail(row: Row<"outbox">): Email[] {
  const { id, to, language, content, createdAt, giveUpAt } = row;
  if (to === null || content === null) return [];
  return [{ id, to, language, content, createdAt, giveUpAt }];
}

/** Alerts and days of an email about plans. */
export function plansIn({
  about,
  content,
}: Row<"outbox">): { readonly alertId: string; readonly day: number }[] {
  const plan = content as PlanEmail | PlanDigestEmail | null;
  if (plan?.kind === "plan")
    return [{ alertId: about?.replace("alert:", "") ?? "", day: plan.day }];
  return plan?.kind === "plan-digest" ? [...plan.plans] : [];
}

/** Columns of an email that was closed. */
export const WIPED_EMAIL = { to: null, content: null, about: null } as const;
/** Columns of an email that waits. */
export const OPEN_EMAIL = {
  state: "waiting",
  closedAt: null,
  kind: null,
  mailboxHash: null,
} as const;

/** Columns of a removed alert. */
export const WIPED_ALERT = {
  ...Object.fromEntries(
    fieldsWhere((field) => isFreeText(field) || field.kind === "clock").map((name) => [
      name,
      FIELDS[name].unknown,
    ]),
  ),
  photos: [] as readonly string[],
  city: "",
  district: null,
  organisation: null,
  organisationName: null,
} as const;
/** Columns of an alert whose owner was erased. */
export const WIPED_OWNER = {
  ownerEmail: null,
  chipHash: null,
  rowHash: null,
  animalPage: null,
} as const;

/** Subjects of the private links to conversations, for both sides. */
export function conversationSubjects(ids: readonly string[]): string[] {
  return ids.flatMap((id) => [`${id}:owner`, `${id}:stranger`]);
}
