import { DAY_MS } from "../duration.ts";
import { emailTo } from "../email.ts";
import { type EmailAlert, emailAlert } from "../alerts/email-alert.ts";
import type { Ports } from "./ports.ts";
import { existingOrNewLink } from "../people/private-link.ts";

/** To the owner: the alert expires soon, with the link to renew it. */
export type ReminderEmail = {
  readonly kind: "reminder";
  readonly alert: EmailAlert;
  readonly sealedToken: string;
  readonly sealedUnsubscribe: string;
  readonly expiresAt: number;
};

/**
 * Times before expiry at which the owner gets a renewal reminder. Shortest first, so that an alert close to its end gets
 * one reminder, not both.
 */
const REMINDERS_MS = [1 * DAY_MS, 7 * DAY_MS];
const REMINDERS_PER_TICK = 200;

/** Queues the reminders that are due. */
export async function sendReminders(ports: Ports, now: number): Promise<void> {
  for (const withinMs of REMINDERS_MS) {
    for (const alert of await ports.store.dueReminders(now, withinMs, REMINDERS_PER_TICK)) {
      const { ownerEmail: to, language, expiresAt } = alert;
      const manage = await ports.store.linkTo("manage", alert.id);
      if (manage === null || to === null) continue;
      const subject = `reminders:${alert.id}`;
      const { sealed, created } = await existingOrNewLink(ports, "unsubscribe", subject);
      const content: ReminderEmail = {
        kind: "reminder",
        alert: emailAlert(alert),
        sealedToken: manage.sealed,
        sealedUnsubscribe: sealed,
        expiresAt,
      };
      const email = emailTo(ports.random, { to, language }, content, now);
      await ports.store.addReminder(alert, withinMs, email, created);
    }
  }
}
