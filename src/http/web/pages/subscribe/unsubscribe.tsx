/** @jsxImportSource hono/jsx */
import {
  ButtonForm,
  Submit,
  lastPage,
  privatePage,
  StatusNotice,
} from "../../components/elements.tsx";
import type { Child } from "hono/jsx";
import type { Fault } from "../../../../core/fault.ts";
import { parse } from "../../../../core/input.ts";
import { frequencyInput, type WatchedZone } from "../../../../core/zones/zone.ts";
import { AlertCard } from "../../components/alert.tsx";
import { EMPTY_FORM, Form, formPage, type FormState, FrequencyField } from "../../form/field.tsx";
import { readForm, withoutEmpty } from "../../form/form.ts";
import {
  type PageContext,
  local,
  type Page,
  type Web,
  onError,
  type RouteHandler,
} from "../../layout/layout.tsx";
import { WatchedZones, ZoneFacts } from "../../components/zone.tsx";
import type { Subscription } from "../../../../core/zones/subscription.ts";

/** Pages that change or end emails: for people, and one-click POST for mail programs (RFC 8058). */
export function unsubscribeRoutes({ get, post, service }: Web): void {
  get("/unsubscribe/:token", async (c, ctx, { token }) => {
    const isSaved = c.req.query("saved") !== undefined;
    return pageOf(ctx, token, await service.subscriptions.subscription(token), isSaved);
  });

  post("/unsubscribe/:token/frequency", async (c, ctx, { token }) => {
    const values = await readForm(c, ["frequency"]);
    const again = async (error: Fault) =>
      pageOf(ctx, token, await service.subscriptions.subscription(token), false, { values, error });
    onError(c, again, ["not_found"]);
    const { frequency } = parse(frequencyInput, withoutEmpty(values));
    await service.subscriptions.changeFrequency(token, frequency);
    return `${ctx.links.unsubscribe(token)}?saved`;
  });

  const unsubscribe: RouteHandler<"/unsubscribe/:token"> = async (_, ctx, { token }) => {
    await service.subscriptions.unsubscribe(token);
    return endedPage(ctx);
  };
  post("/unsubscribe/:token", unsubscribe, { from: "any" });
}

function pageOf(
  ctx: PageContext,
  token: string,
  subscription: Subscription,
  isSaved: boolean,
  draft = EMPTY_FORM,
): Page {
  const text = ctx.t.unsubscribe;
  switch (subscription.kind) {
    case "ended":
      return endedPage(ctx);
    case "zones":
      return zonesPage(ctx, token, subscription.zones, isSaved, draft);
    case "all-matches":
      return askPage(ctx, token, text.allMatchesTitle, <p>{text.allMatchesText}</p>);
    case "all-plans":
      return askPage(ctx, token, text.allPlansTitle, <p>{text.allPlansText}</p>);
    case "reminders":
    case "matches":
    case "plan": {
      const { kind, alert } = subscription;
      const about = (
        <>
          <AlertCard alert={alert} level={2} />
          <p>{text[`${kind}Text`]}</p>
        </>
      );
      return askPage(ctx, token, text[`${kind}Title`], about);
    }
  }
}

/** Page that changes how often emails about zones are sent, or ends them. */
function zonesPage(
  ctx: PageContext,
  token: string,
  zones: readonly WatchedZone[],
  isSaved: boolean,
  draft: FormState,
): Page {
  const { t, links } = ctx;
  const { zoneTitle, zonesTitle, zonesText, saved, save, zoneButton, zonesButton } = t.unsubscribe;
  const [only, ...others] = zones;
  const isOne = only !== undefined && others.length === 0;
  const frequencies = new Set(zones.map(({ zone }) => zone.frequency));
  const [common] = frequencies.size === 1 ? frequencies : [];
  const page = local(links.unsubscribe(token));
  return formPage(ctx, draft, {
    title: isOne ? zoneTitle : zonesTitle,
    access: "private",
    body: (
      <>
        <StatusNotice text={isSaved ? saved : null} />
        {isOne ? (
          <ZoneFacts zone={only.zone} />
        ) : (
          <>
            <p>{zonesText}</p>
            <WatchedZones zones={zones} />
          </>
        )}
        <Form action={`${page}/frequency`} draft={draft} labels={{ frequency: t.frequency.legend }}>
          <FrequencyField chosen={draft.values["frequency"] ?? common} />
          <button type="submit">{save}</button>
        </Form>
        <form class="apart" method="post" action={page}>
          <Submit label={isOne ? zoneButton : zonesButton} class="quiet" />
        </form>
      </>
    ),
  });
}

function askPage(ctx: PageContext, token: string, title: string, about: Child): Page {
  const action = local(ctx.links.unsubscribe(token));
  return privatePage(title, [
    about,
    <ButtonForm action={action} label={ctx.t.unsubscribe.button} />,
  ]);
}

function endedPage(ctx: PageContext): Page {
  const { endedTitle, ended } = ctx.t.unsubscribe;
  return lastPage(ctx, endedTitle, [ended]);
}
