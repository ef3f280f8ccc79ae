/** @jsxImportSource hono/jsx */
import type { Subscription } from "../../../../core/unsubscribe-link.ts";
import { AlertCard } from "../../components/alert.tsx";
import { readFormFromAnywhere } from "../../form/form.ts";
import { type PageContext, local, type Page, type Web } from "../../layout.tsx";
import { WatchedZones, ZoneFacts } from "../confirm/review.tsx";
import type { Messages } from "../../messages/messages.ts";
import { lastPage, privatePage } from "../../components/text-page.tsx";

/** Unsubscribe pages: a button for people, one-click POST for mail programs (RFC 8058). */
export function unsubscribeRoutes({ get, post, service }: Web): void {
  get("/unsubscribe/:token", async (c, ctx) => {
    const token = c.req.param("token");
    return pageOf(ctx, token, await service.subscription(token));
  });

  post("/unsubscribe/:token", async (c, ctx) => {
    await readFormFromAnywhere(c, []);
    await service.unsubscribe(c.req.param("token"));
    return endedPage(ctx);
  });
}

function pageOf(ctx: PageContext, token: string, subscription: Subscription): Page {
  const { t } = ctx;
  switch (subscription.kind) {
    case "ended":
      return endedPage(ctx);
    case "zones": {
      const { zoneTitle, zonesTitle, zonesText, button, zonesButton } = t.unsubscribe;
      const [only, ...others] = subscription.zones;
      if (only !== undefined && others.length === 0) {
        const facts = <ZoneFacts zone={only.zone} />;
        return askPage(ctx, token, { title: zoneTitle, about: facts, button });
      }
      const about = (
        <>
          <p>{zonesText}</p>
          <WatchedZones zones={subscription.zones} />
        </>
      );
      return askPage(ctx, token, { title: zonesTitle, about, button: zonesButton });
    }
    case "all-matches": {
      const { allMatchesTitle, allMatchesText, button } = t.unsubscribe;
      const about = <p>{allMatchesText}</p>;
      return askPage(ctx, token, { title: allMatchesTitle, about, button });
    }
    case "reminders":
    case "matches": {
      const { title, text, button } = askedOf(t, subscription.kind);
      const about = (
        <>
          <AlertCard alert={subscription.alert} level={2} />
          <p>{text}</p>
        </>
      );
      return askPage(ctx, token, { title, about, button });
    }
  }
}

function askedOf({ unsubscribe }: Messages, kind: "reminders" | "matches") {
  return {
    title: unsubscribe[`${kind}Title`],
    text: unsubscribe[`${kind}Text`],
    button: unsubscribe.button,
  };
}

function askPage(
  ctx: PageContext,
  token: string,
  ask: { readonly title: string; readonly about: Page["body"]; readonly button: string },
): Page {
  return privatePage(
    ask.title,
    <>
      {ask.about}
      <form method="post" action={local(ctx.links.unsubscribe(token))}>
        <button type="submit">{ask.button}</button>
      </form>
    </>,
  );
}

function endedPage(ctx: PageContext): Page {
  const { endedTitle, ended } = ctx.t.unsubscribe;
  return lastPage(ctx, endedTitle, [ended]);
}
