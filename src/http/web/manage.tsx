import { type Context, Hono } from "hono";
import type { OwnerMove } from "../../core/alert.ts";
import { Fault } from "../../core/fault.ts";
import { parse } from "../../core/input.ts";
import { outcomeInput, RETURN_DISTANCES, RETURN_WAYS } from "../../core/outcome.ts";
import type { Managed } from "../../core/owning.ts";
import { AlertLine } from "./alert-line.tsx";
import { Ticks, TroubleBox } from "./field.tsx";
import { filled, readForm, type Trouble } from "./form.ts";
import {
  type Frame,
  local,
  type Page,
  seeOther,
  show,
  showFault,
  type Web,
  type WebEnv,
} from "./frame.tsx";
import { lastPage } from "./last-page.tsx";
import { Sentences } from "./sentences.tsx";

const STAYING_MOVES = ["resolve", "renew", "reopen"] as const satisfies readonly OwnerMove[];
type StayingMove = (typeof STAYING_MOVES)[number];

/** The owner's page, opened by the private link, and the page that sends the link again. */
export function createManage({ service, frameOf }: Web): Hono<WebEnv> {
  const manage = new Hono<WebEnv>();

  manage.get("/manage/:token", async (c) => {
    const frame = frameOf(c);
    const token = c.req.param("token");
    const managed = await service.managed(token);
    return show(c, frame, managePage(frame, token, managed, doneOf(c.req.query("done"), managed)));
  });

  for (const move of STAYING_MOVES) {
    manage.post(`/manage/:token/${move}`, async (c) => {
      const frame = frameOf(c);
      await readForm(c, []);
      const token = c.req.param("token");
      try {
        await service.move(token, move);
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== "conflict") throw error;
        const managed = await service.managed(token);
        // Pressed twice: what was wanted is so.
        if (managed.hidden || managed.alert.status !== AFTER[move]) {
          const page = managePage(frame, token, managed, null, error);
          return showFault(c, frame, error, page);
        }
      }
      return backTo(c, frame, token, move);
    });
  }

  manage.post("/manage/:token/outcome", async (c) => {
    const frame = frameOf(c);
    const token = c.req.param("token");
    const given = filled(await readForm(c, ["how", "distance"]));
    await service.tellOutcome(token, parse(outcomeInput, given));
    return backTo(c, frame, token, "tell");
  });

  manage.get("/manage/:token/remove", async (c) => {
    const frame = frameOf(c);
    const token = c.req.param("token");
    return show(c, frame, removePage(frame, token, await service.managed(token)));
  });

  manage.post("/manage/:token/remove", async (c) => {
    const frame = frameOf(c);
    await readForm(c, []);
    await service.move(c.req.param("token"), "remove");
    return show(c, frame, removedPage(frame));
  });

  return manage;
}

function isStaying(move: OwnerMove): move is StayingMove {
  return move !== "remove";
}

/** After a form: the page anew, so that loading it again sends nothing twice. */
function backTo(c: Context, frame: Frame, token: string, done: Done): Response {
  return seeOther(c, `${local(frame.links.manage(token))}?done=${done}`);
}

/** What was just done, as the page's address says it. */
type Done = StayingMove | "tell" | "edit" | "edit-without";

const AFTER = { resolve: "resolved", renew: "active", reopen: "active" } as const;

/** What is said to be done, if the alert looks like it. */
function doneOf(said: string | undefined, managed: Managed): Done | null {
  switch (said) {
    case "resolve":
    case "renew":
    case "reopen":
      return managed.alert.status === AFTER[said] ? said : null;
    case "tell":
    case "edit":
    case "edit-without":
      return said;
    default:
      return null;
  }
}

function doneInWords({ words }: Frame, done: Done): string {
  switch (done) {
    case "tell":
      return words.outcome.thanks;
    case "edit":
      return words.edit.saved;
    case "edit-without":
      return words.edit.savedWithout;
    default:
      return words.manage.done[done];
  }
}

function managePage(
  frame: Frame,
  token: string,
  managed: Managed,
  done: Done | null,
  trouble: Trouble | null = null,
): Page {
  const words = frame.words.manage;
  const { alert, hidden } = managed;
  return {
    title: words.title,
    access: "private",
    body: (
      <>
        <h1>{words.title}</h1>
        {done !== null && (
          <p class="notice" role="status">
            {doneInWords(frame, done)}
          </p>
        )}
        <TroubleBox frame={frame} trouble={trouble} labels={{}} />
        <AlertLine frame={frame} alert={alert} level={2} />
        <p class="lead">
          {hidden ? words.hidden : words.status[alert.status](frame.words.day(alert.expiresAt))}
        </p>
        {managed.canTell && <OutcomeForm frame={frame} token={token} />}
        <Moves frame={frame} token={token} managed={managed} />
        <p class="quiet">{words.private}</p>
      </>
    ),
  };
}

/** How the animal came home: two choices, both optional. */
function OutcomeForm({ frame, token }: { readonly frame: Frame; readonly token: string }) {
  const words = frame.words.outcome;
  return (
    <form class="panel" method="post" action={`${local(frame.links.manage(token))}/outcome`}>
      <h2>{words.title}</h2>
      <p>{words.lead}</p>
      <Ticks
        name="how"
        legend={words.how}
        options={[...RETURN_WAYS.map((way) => [way, words.ways[way]] as const), ["", words.unsaid]]}
      />
      <Ticks
        name="distance"
        legend={words.distance}
        options={[
          ...RETURN_DISTANCES.map((far) => [far, words.distances[far]] as const),
          ["", words.unsaid],
        ]}
      />
      <button type="submit">{words.button}</button>
    </form>
  );
}

function Moves({
  frame,
  token,
  managed: { alert, canEdit, moves },
}: {
  readonly frame: Frame;
  readonly token: string;
  readonly managed: Managed;
}) {
  const words = frame.words.manage;
  const here = local(frame.links.manage(token));
  return (
    <ul class="moves">
      {moves.filter(isStaying).map((move) => (
        <li>
          <form method="post" action={`${here}/${move}`}>
            <button class={move === "resolve" ? undefined : "quiet"} type="submit">
              {words.move[move][alert.type].button}
            </button>
          </form>
          <p class="hint">{words.move[move][alert.type].hint}</p>
        </li>
      ))}
      {canEdit && (
        <li>
          <a class="button quiet" href={`${here}/edit`}>
            {frame.words.edit.link}
          </a>
          <p class="hint">{frame.words.edit.hint}</p>
        </li>
      )}
      {moves.includes("remove") && (
        <li>
          <a class="button quiet" href={`${here}/remove`}>
            {words.move.remove[alert.type].button}
          </a>
          <p class="hint">{words.move.remove[alert.type].hint}</p>
        </li>
      )}
    </ul>
  );
}

function removePage(frame: Frame, token: string, { alert, moves }: Managed): Page {
  const words = frame.words.manage;
  const here = local(frame.links.manage(token));
  return {
    title: words.removeTitle,
    access: "private",
    body: (
      <>
        <h1>{words.removeTitle}</h1>
        <AlertLine frame={frame} alert={alert} level={2} />
        <Sentences
          of={[words.removeText, ...(moves.includes("resolve") ? [words.removeBetter] : [])]}
        />
        <form method="post" action={`${here}/remove`}>
          <button class="danger" type="submit">
            {words.removeButton}
          </button>
        </form>
        <p>
          <a class="button quiet" href={here}>
            {words.keep}
          </a>
        </p>
      </>
    ),
  };
}

function removedPage(frame: Frame): Page {
  const { removedTitle, removed } = frame.words.manage;
  return lastPage(frame, { title: removedTitle, said: [removed] });
}
