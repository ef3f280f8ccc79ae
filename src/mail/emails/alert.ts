import { PLAN_MESSAGES } from "../../messages/messages.ts";
import type { PlanDigestEmail, PlanEmail } from "../../core/plan/plan-emails.ts";
import type { LiveEmail } from "../../core/pending/changes.ts";
import type { ReminderEmail } from "../../core/owners/reminder.ts";
import type { ManageLinksEmail } from "../../core/owners/manage-links.ts";
import { DAY_MS } from "../../core/duration.ts";
import type { PlanStepId } from "../../core/plan/steps.ts";
import {
  address,
  alertEntry,
  button,
  type Draft,
  type EmailContext,
  link,
  list,
  strong,
  subjectAbout,
  text,
} from "./draft.ts";

export function liveDraft(content: LiveEmail, context: EmailContext): Draft {
  const { alert } = content;
  const { messages, links } = context;
  const { live } = messages;
  const manage = links.manage(context.unseal("manage", content.sealedToken));
  return {
    subject: subjectAbout(live.title, alert, messages),
    title: live.title,
    parts: [
      text(live.opening[alert.type][alert.species]),
      alertEntry(alert, context),
      text(live.manage),
      list(content.hasPlan ? [live.plan, ...live.actions] : live.actions),
      button(live.button, manage),
      strong(live.keepPrivate),
      text(live.ends({ day: messages.day(content.expiresAt, alert.timeZone) })),
      text(live.share),
      address(live.page, links.alert(alert.slug)),
      address(live.shortLink, links.short(alert.shortCode)),
      address(live.qr, links.qr(alert.shortCode)),
      text(messages.beware),
    ],
    link: manage,
  };
}

/** Private links to an owner's alerts, sent on request. */
export function manageLinksDraft(
  { entries, part, parts, total }: ManageLinksEmail,
  context: EmailContext,
): Draft {
  const { messages, links } = context;
  const [newest] = entries;
  if (newest === undefined) throw new Error("an email of manage links has no alert");
  const words = messages.link;
  const manage = (sealed: string) => links.manage(context.unseal("manage", sealed));
  const isOne = total === 1;
  return {
    subject: isOne
      ? subjectAbout(words.title, newest.alert, messages)
      : words.subjectMany({ count: total }),
    title: isOne ? words.title : words.titleMany,
    parts: [
      text(isOne ? words.opening : words.openingMany),
      parts === 1 ? null : text(words.part({ part, parts, count: total })),
      ...entries.flatMap(({ alert, sealedToken }) => [
        alertEntry(alert, context),
        (isOne ? button : link)(words.button, manage(sealedToken)),
      ]),
      part >= parts ? null : button(words.nextPart, links.requestManageLinksPart(part + 1)),
      strong(isOne ? messages.live.keepPrivate : words.keepPrivateMany),
      text(words.ignore),
    ],
    link: manage(newest.sealedToken),
  };
}

export function reminderDraft(content: ReminderEmail, context: EmailContext): Draft {
  const { alert, expiresAt } = content;
  const { messages, links, unseal } = context;
  const { reminder } = messages;
  const manage = links.manage(unseal("manage", content.sealedToken));
  const unsubscribeUrl = links.unsubscribe(unseal("unsubscribe", content.sealedUnsubscribe));
  const days = Math.max(1, Math.ceil((expiresAt - context.createdAt) / DAY_MS));
  return {
    subject: subjectAbout(reminder.title({ days }), alert, messages),
    title: reminder.title({ days }),
    parts: [
      text(reminder.opening[alert.type][alert.species]),
      alertEntry(alert, context),
      text(reminder.orEnd),
      button(reminder.button, manage),
      strong(reminder.ends({ moment: messages.moment(expiresAt, alert.timeZone) })),
      text(messages.live.keepPrivate),
      link(reminder.unsubscribe, unsubscribeUrl),
    ],
    link: manage,
    unsubscribeUrl,
  };
}

/** The next steps of the plan. Their studies are named on the page that the button opens. */
export function planDraft(content: PlanEmail, context: EmailContext): Draft {
  const { alert, day } = content;
  const { messages, links, unseal } = context;
  const { plan } = messages;
  const manage = links.manage(unseal("manage", content.sealedToken));
  const unsubscribeUrl = links.unsubscribe(unseal("unsubscribe", content.sealedUnsubscribe));
  const title = plan.title({ days: day });
  return {
    subject: subjectAbout(title, alert, messages),
    title,
    parts: [
      text(plan.opening[alert.type]),
      alertEntry(alert, context),
      ...planSteps(content.steps, context),
      text(plan.more),
      button(plan.button, manage),
      text(plan.home[alert.type]),
      text(messages.live.keepPrivate),
      link(plan.unsubscribe, unsubscribeUrl),
    ],
    link: manage,
    unsubscribeUrl,
  };
}

/** The next steps for several alerts of one owner. */
export function planDigestDraft(content: PlanDigestEmail, context: EmailContext): Draft {
  const { messages, links, unseal } = context;
  const { plan, planDigest } = messages;
  const urls = content.plans.map(({ sealedToken }) => links.manage(unseal("manage", sealedToken)));
  const unsubscribeUrl = links.unsubscribe(unseal("unsubscribe", content.sealedUnsubscribe));
  const title = planDigest.title({ count: content.plans.length });
  return {
    subject: title,
    title,
    parts: [
      text(planDigest.opening),
      ...content.plans.flatMap(({ alert, steps }, nth) => [
        alertEntry(alert, context),
        ...planSteps(steps, context),
        link(plan.button, urls[nth] ?? links.home),
      ]),
      text(planDigest.more),
      text(planDigest.home),
      text(messages.link.keepPrivateMany),
      link(planDigest.unsubscribe, unsubscribeUrl),
    ],
    link: urls[0] ?? links.home,
    unsubscribeUrl,
  };
}

function planSteps(steps: readonly PlanStepId[], { language }: EmailContext) {
  return steps.flatMap((id) => {
    const step = PLAN_MESSAGES[language][id];
    return [strong(step.title), text(step.text)];
  });
}
