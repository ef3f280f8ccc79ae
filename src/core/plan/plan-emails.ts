import { emailAlert, type EmailAlert } from "../alerts/email-alert.ts";
import { CAPS } from "../caps.ts";
import { DAY_MS, HOUR_MS } from "../duration.ts";
import { emailTo } from "../email.ts";
import type { Instance } from "../instance.ts";
import type { LinkStore } from "../people/link-store.ts";
import { hashAddress } from "../people/mailbox-spelling.ts";
import { existingOrNewLink, groupSubject } from "../people/private-link.ts";
import type { DuePlanEmail, PlanEmailDay, PlanStore } from "./plan-store.ts";
import { isInShelter, planAt } from "./plan.ts";
import type { PlanStepId } from "./steps.ts";

/** Next steps for one alert. */
type EmailPlan = {
  readonly alert: EmailAlert;
  /** Days since its publication: 1 for the email of the first 24 hours. */
  readonly day: number;
  readonly steps: readonly PlanStepId[];
  readonly sealedToken: string;
};
/** To the owner: what to do next, by the plan of the first days. */
export type PlanEmail = EmailPlan & { readonly kind: "plan"; readonly sealedUnsubscribe: string };
/** To the owner of several alerts: what to do next for each. */
export type PlanDigestEmail = {
  readonly kind: "plan-digest";
  readonly plans: readonly (EmailPlan & { readonly alertId: string })[];
  /** Link that ends these emails for all alerts of the reader. */
  readonly sealedUnsubscribe: string;
};

/** Days after the publication on which owners get an email about what to do next. Latest first: only one is ever due. */
const EMAIL_DAYS = [30, 7, 3, 1];
/** An email that is later than this is not sent: after a pause of the service, owners do not get old ones. */
const LATE_MS = DAY_MS;
/** An alert whose email is due within this time joins the one that its owner gets now about another alert. */
const EARLY_MS = 12 * HOUR_MS;
/** Steps of one alert in one email; the page has the others. */
const STEPS_IN_EMAIL = 3;
/** Alerts in one email; the others are in the next. */
const ALERTS_IN_EMAIL = 10;
const MAILBOXES_PER_TICK = 200;

/** Queues the emails about plans that are due: one to each mailbox, about all of its alerts. */
export async function sendPlanEmails(ports: Ports, now: number): Promise<void> {
  const { store } = ports;
  const mailboxes = await store.mailboxesDuePlanEmails(emailDays(now, 0), now, MAILBOXES_PER_TICK);
  for (const mailbox of mailboxes) {
    const due = await store.duePlanEmails(mailbox, emailDays(now, EARLY_MS), now, ALERTS_IN_EMAIL);
    const soonestFirst = due.toSorted((a, b) => dueAt(a) - dueAt(b)).slice(0, ALERTS_IN_EMAIL);
    await queueEmail(ports, soonestFirst, now);
  }
}

/** Days of emails that are due within a time. */
function emailDays(now: number, withinMs: number): PlanEmailDay[] {
  return EMAIL_DAYS.map((day) => {
    const upTo = now - day * DAY_MS;
    return { day, after: upTo - LATE_MS, upTo: upTo + withinMs };
  });
}

function dueAt({ alert, day }: Pick<DuePlanEmail, "alert" | "day">): number {
  return alert.publishedAt + day * DAY_MS;
}

/** Queues an email about alerts of one owner. Alerts without a step to do now are only recorded. */
async function queueEmail(ports: Ports, due: readonly DuePlanEmail[], now: number): Promise<void> {
  const { store } = ports;
  const about: DuePlanEmail[] = [];
  const plans: PlanDigestEmail["plans"][number][] = [];
  for (const one of due) {
    const { alert, day, done } = one;
    const manage = await store.linkTo("manage", alert.id);
    const open = isInShelter(alert) ? [] : planAt(alert, done, Math.max(now, dueAt(one))).now;
    const steps = open.slice(0, STEPS_IN_EMAIL).map(({ id }) => id);
    if (manage === null || steps.length === 0) {
      await store.addPlanEmail([one], null, []);
      continue;
    }
    about.push(one);
    const sealedToken = manage.sealed;
    plans.push({ alertId: alert.id, alert: emailAlert(alert), day, steps, sealedToken });
  }
  const [first] = about;
  const [plan, ...others] = plans;
  if (first === undefined || plan === undefined || dueAt(first) > now) return;
  const { ownerEmail, language } = first.alert;
  const to = ownerEmail ?? "";
  const subject = others.length === 0 ? `plan:${plan.alertId}` : groupSubject("all-plans", to);
  const { sealed: sealedUnsubscribe, created } = await existingOrNewLink(
    ports,
    "unsubscribe",
    subject,
  );
  const { alertId: _id, ...only } = plan;
  const content: PlanEmail | PlanDigestEmail =
    others.length === 0
      ? { kind: "plan", ...only, sealedUnsubscribe }
      : { kind: "plan-digest", plans, sealedUnsubscribe };
  const email = emailTo(ports.random, { to, language }, content, now);
  const key = `plan:to:${hashAddress(ports.secrets, to)}`;
  await store.addPlanEmail(about, email, created, [{ key, ...CAPS.planEmailsPerMailbox }]);
}

/** Ports of the plan of the first days. */
type Ports = Pick<Instance, "random" | "secrets"> & {
  readonly store: PlanStore & Pick<LinkStore, "linkTo">;
};
