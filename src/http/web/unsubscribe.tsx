import { Hono } from "hono";
import type { Subscription } from "../../core/owning.ts";
import { AlertLine } from "./alert-line.tsx";
import { readFormFromAnywhere } from "./form.ts";
import { type Frame, local, type Page, show, type Web, type WebEnv } from "./frame.tsx";
import { lastPage } from "./last-page.tsx";
import { ZoneFacts } from "./review.tsx";
import type { Words } from "./words/words.ts";

/** Ending letters by the link in them: a button for people, one POST for mail programs (RFC 8058). */
export function createUnsubscribe({ service, frameOf }: Web): Hono<WebEnv> {
  const unsubscribe = new Hono<WebEnv>();

  unsubscribe.get("/unsubscribe/:token", async (c) => {
    const frame = frameOf(c);
    const token = c.req.param("token");
    return show(c, frame, pageOf(frame, token, await service.subscription(token)));
  });

  unsubscribe.post("/unsubscribe/:token", async (c) => {
    const frame = frameOf(c);
    await readFormFromAnywhere(c, []);
    await service.unsubscribe(c.req.param("token"));
    return show(c, frame, endedPage(frame));
  });

  return unsubscribe;
}

function pageOf(frame: Frame, token: string, subscription: Subscription): Page {
  const { words } = frame;
  switch (subscription.kind) {
    case "ended":
      return endedPage(frame);
    case "zone": {
      const { zoneTitle, zoneButton } = words.unsubscribe;
      const facts = <ZoneFacts frame={frame} zone={subscription.zone} />;
      return askPage(frame, token, { title: zoneTitle, about: facts, button: zoneButton });
    }
    case "reminders":
    case "matches": {
      const { title, text, button } = askedOf(words, subscription.kind);
      const about = (
        <>
          <AlertLine frame={frame} alert={subscription.alert} level={2} />
          <p>{text}</p>
        </>
      );
      return askPage(frame, token, { title, about, button });
    }
  }
}

function askedOf({ unsubscribe }: Words, kind: "reminders" | "matches") {
  return {
    title: unsubscribe[`${kind}Title`],
    text: unsubscribe[`${kind}Text`],
    button: unsubscribe[`${kind}Button`],
  };
}

function askPage(
  frame: Frame,
  token: string,
  ask: { readonly title: string; readonly about: Page["body"]; readonly button: string },
): Page {
  return {
    title: ask.title,
    access: "private",
    body: (
      <>
        <h1>{ask.title}</h1>
        {ask.about}
        <form method="post" action={local(frame.links.unsubscribe(token))}>
          <button type="submit">{ask.button}</button>
        </form>
      </>
    ),
  };
}

function endedPage(frame: Frame): Page {
  const { endedTitle, ended } = frame.words.unsubscribe;
  return lastPage(frame, { title: endedTitle, said: [ended] });
}
