import { HOUR_MS } from "../duration.ts";
import type { Secrets } from "../instance.ts";
import { UNUSED_PHOTO_MS } from "./photo-store.ts";

/**
 * Ticket that proves an upload: `name-hours-mac`, where hours since 1970 give its expiry. A photo's name alone proves
 * nothing: it is a hash of a photo that may be public or hidden.
 */
const TICKET = /^([0-9a-f]{32})-([0-9a-z]{1,8})-([0-9a-f]{32})$/;
const MAC_LENGTH = 32;

export function photoTicket(name: string, now: number, secrets: Secrets): string {
  const endHours = Math.ceil((now + UNUSED_PHOTO_MS) / HOUR_MS).toString(36);
  return `${name}-${endHours}-${macOf(name, endHours, secrets)}`;
}

/** Name of the photo that a ticket stands for; null if the ticket is expired or forged. */
export function photoOfTicket(ticket: string, now: number, secrets: Secrets): string | null {
  const [, name = "", endHours = "", mac = ""] = TICKET.exec(ticket) ?? [];
  if (name === "" || mac !== macOf(name, endHours, secrets)) return null;
  return now < Number.parseInt(endHours, 36) * HOUR_MS ? name : null;
}

function macOf(name: string, endHours: string, secrets: Secrets): string {
  return secrets.keyedHash("photo", `${name} ${endHours}`).slice(0, MAC_LENGTH);
}
