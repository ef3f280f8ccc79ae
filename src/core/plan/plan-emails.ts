import { DAY_MS } from "../duration.ts";
import { emailAlert, emailTo } from "../email.ts";
import type { Ports } from "../ports.ts";
import { existingOrNewLink } from "../private-link.ts";
import { isInShelter, planAt } from "./plan.ts";

/** Days after the publication on which owners get an email about what to do next. Latest first: only one is ever due. */
const EMAIL_DAYS = [30, 7, 3, 1];
/** An email that is later than this is not sent: after a pause of the service, owners do not get old ones. */
const LATE_MS = DAY_MS;
/** Steps in one email; the page has the others. */
const STEPS_IN_EMAIL = 3;
const EMAILS_PER_TICK = 200;

/** Queues the emails about plans that are due. */
export async function sendPlanEmails(ports: Ports, now: number): Promise<void> {
  for (const day of EMAIL_DAYS) {
    const upTo = now - day * DAY_MS;
    const due = { day, after: upTo - LATE_MS, upTo, now };
    for (const { alert, done } of await ports.store.duePlanEmails(due, EMAILS_PER_TICK)) {
      const { ownerEmail: to, language } = alert;
      const manage = await ports.store.linkTo("manage", alert.id);
      const steps = isInShelter(alert) ? [] : planAt(alert, done, now).now.slice(0, STEPS_IN_EMAIL);
      if (manage === null || to === null || steps.length === 0) {
        await ports.store.addPlanEmail(alert, day, null, []);
        continue;
      }
      const { sealed, created } = await existingOrNewLink(ports, "unsubscribe", `plan:${alert.id}`);
      const content = {
        kind: "plan" as const,
        alert: emailAlert(alert),
        day,
        steps: steps.map(({ id }) => id),
        sealedToken: manage.sealed,
        sealedUnsubscribe: sealed,
      };
      const email = emailTo(ports.dice, { to, language }, content, now);
      await ports.store.addPlanEmail(alert, day, email, created);
    }
  }
}
