/** @jsxImportSource hono/jsx */
import { ButtonForm, ButtonLink, Section, StatusNotice } from "../../components/elements.tsx";
import { PLAN_MESSAGES } from "../../../../messages/messages.ts";
import type { PublicAlert } from "../../../../core/alerts/alert.ts";
import type { HelpNearby } from "../../../../core/help.ts";
import type { Plan } from "../../../../core/plan/plan.ts";
import { PLAN_SOURCES, type PlanNeed, type PlanStep } from "../../../../core/plan/steps.ts";
import { HelpList } from "../../components/help-list.tsx";
import { local, usePage } from "../../layout/layout.tsx";

type PlanProps = {
  readonly alert: PublicAlert;
  readonly plan: Plan;
  readonly help: HelpNearby;
  /** True if there is a search map. */
  readonly hasMap: boolean;
  /** Address of the owner's page. */
  readonly here: string;
  /** Sentence about the step that was marked last. */
  readonly notice: string | null;
};

/** Steps to do now, by the days since the loss or the find. Those that come next and those that are done can be unfolded. */
export function PlanSection({ alert, plan, help, hasMap, here, notice }: PlanProps) {
  const { t } = usePage();
  const text = t.plan;
  const needs = needLinks(alert, help, here, hasMap);
  const { now, next, done } = plan;
  return (
    <Section id="plan" title={text.title[alert.type]} class="panel plan">
      <StatusNotice text={notice} />
      <p>{now.length === 0 ? text.allDone : text.lead[alert.type]}</p>
      {now.length > 0 && (
        <ol class="steps">
          {now.map((step) => (
            <Step step={step} here={here} needs={needs} />
          ))}
        </ol>
      )}
      {next.length > 0 && (
        <details>
          <summary>{text.next({ count: next.length })}</summary>
          <ol class="steps">
            {next.map((step) => (
              <Step step={step} here={here} needs={needs} />
            ))}
          </ol>
        </details>
      )}
      {done.length > 0 && (
        <details>
          <summary>{text.doneList({ count: done.length })}</summary>
          <ul class="steps">
            {done.map((step) => (
              <li>
                {PLAN_MESSAGES[t.language][step.id].title}
                <Mark step={step} done="no" here={here} />
              </li>
            ))}
          </ul>
        </details>
      )}
      <HelpList help={help} />
    </Section>
  );
}

/** Links to what steps need. A link is missing if there is nothing behind it. */
type NeedLinks = Readonly<
  Partial<Record<PlanNeed, { readonly to: string; readonly label: string }>>
>;

function needLinks(
  { slug }: PublicAlert,
  help: HelpNearby,
  here: string,
  hasMap: boolean,
): NeedLinks {
  const { t, links } = usePage();
  return {
    poster: { to: local(links.poster(slug)), label: t.poster.link },
    big_poster: { to: local(links.bigPoster(slug)), label: t.poster.bigLink },
    flyer: { to: local(links.flyers(slug)), label: t.poster.flyersLink },
    ...(hasMap ? { map: { to: `${here}/map`, label: t.searchMap.link } } : {}),
    ...(help.length === 0 ? {} : { help: { to: "#help", label: t.help.title } }),
  };
}

type StepProps = { readonly step: PlanStep; readonly here: string; readonly needs: NeedLinks };

function Step({ step, here, needs }: StepProps) {
  const { t } = usePage();
  const { title, text } = PLAN_MESSAGES[t.language][step.id];
  const links = step.needs.flatMap((need) => needs[need] ?? []);
  return (
    <li>
      <h3>{title}</h3>
      <p>{text}</p>
      {step.source !== null && (
        <p class="hint">
          {t.plan.source}{" "}
          <a href={PLAN_SOURCES[step.source].address} lang="en" rel="noopener noreferrer">
            {PLAN_SOURCES[step.source].title}
          </a>
        </p>
      )}
      <div class="plan-acts">
        <Mark step={step} done="yes" here={here} />
        {links.map(({ to, label }) => (
          <ButtonLink to={to} label={label} />
        ))}
      </div>
    </li>
  );
}

function Mark({ step, done, here }: { step: PlanStep; done: "yes" | "no"; here: string }) {
  const { t } = usePage();
  const { title } = PLAN_MESSAGES[t.language][step.id];
  const label = (
    <>
      {done === "yes" ? t.plan.done : t.plan.undone}
      <span class="heard">: {title}</span>
    </>
  );
  const fields = { step: step.id, done };
  return <ButtonForm action={`${here}/plan`} fields={fields} label={label} class="quiet" />;
}
