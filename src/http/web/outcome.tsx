import type { Outcome } from "../../core/confirming.ts";
import { PosterLink, Share } from "./share.tsx";
import { AlertLine } from "./alert-line.tsx";
import { type Frame, local, type Page } from "./frame.tsx";
import { RemovedBox } from "./removed.tsx";
import { Sentences } from "./sentences.tsx";

type Of<Kind extends Outcome["kind"]> = Extract<Outcome, { kind: Kind }>;

/** What came of a confirmed action: the same page at every later click. */
export function outcomePage(frame: Frame, outcome: Outcome): Page {
  const title = titleOf(frame, outcome);
  return {
    title,
    access: "private",
    body: (
      <>
        <h1>{title}</h1>
        {partsOf(frame, outcome)}
      </>
    ),
  };
}

/** What was confirmed may have ended since. */
function titleOf({ words: { confirm } }: Frame, outcome: Outcome): string {
  switch (outcome.kind) {
    case "publish": {
      const { doneTitle, endedTitle, goneTitle } = confirm.publish;
      if (outcome.alert === null) return goneTitle;
      return outcome.alert.status === "active" ? doneTitle : endedTitle;
    }
    case "message":
    case "sighting":
      return confirm[outcome.kind].doneTitle;
    case "zone":
      return outcome.unsubscribeUrl === null ? confirm.zone.goneTitle : confirm.zone.doneTitle;
  }
}

function partsOf(frame: Frame, outcome: Outcome) {
  switch (outcome.kind) {
    case "publish":
      return <Published frame={frame} outcome={outcome} />;
    case "message":
    case "sighting":
      return <Sent frame={frame} outcome={outcome} />;
    case "zone":
      return <Watching frame={frame} outcome={outcome} />;
  }
}

function Published({ frame, outcome }: { readonly frame: Frame; readonly outcome: Of<"publish"> }) {
  const words = frame.words.confirm.publish;
  const { alert, manageUrl, removed } = outcome;
  if (alert === null) return <Sentences of={[words.gone]} />;
  const { day, manage } = frame.words;
  const now = manage.status[alert.status](day(alert.expiresAt));
  return (
    <>
      <Sentences of={[alert.status === "active" ? words.doneText : now]} />
      <RemovedBox frame={frame} removed={removed} />
      <AlertLine frame={frame} alert={alert} level={2} />
      <p>
        <a class="button" href={local(alert.url)}>
          {words.see}
        </a>
      </p>
      <Share frame={frame} alert={alert} />
      {alert.status === "active" && <PosterLink frame={frame} slug={alert.slug} />}
      {manageUrl !== null && (
        <section class="panel" aria-labelledby="manage">
          <h2 id="manage">{words.manage}</h2>
          <p>{words.manageText}</p>
          <p>
            <a class="button quiet" href={local(manageUrl)}>
              {words.manage}
            </a>
          </p>
        </section>
      )}
    </>
  );
}

function Sent({
  frame,
  outcome,
}: {
  readonly frame: Frame;
  readonly outcome: Of<"message" | "sighting">;
}) {
  const { confirm, contact } = frame.words;
  const { doneText } = confirm[outcome.kind];
  return (
    <>
      <Sentences of={outcome.kind === "message" ? [doneText, contact.beware] : [doneText]} />
      {outcome.alert !== null && <AlertLine frame={frame} alert={outcome.alert} level={2} />}
    </>
  );
}

function Watching({ frame, outcome }: { readonly frame: Frame; readonly outcome: Of<"zone"> }) {
  const words = frame.words.confirm.zone;
  const { unsubscribeUrl } = outcome;
  if (unsubscribeUrl === null) return <Sentences of={[words.gone]} />;
  return (
    <>
      <Sentences of={[words.doneText]} />
      <p>
        <a href={local(unsubscribeUrl)}>{words.end}</a>
      </p>
    </>
  );
}
