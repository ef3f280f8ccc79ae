import { Hono } from "hono";
import type { OwnerMove } from "../../core/alert.ts";
import { Fault } from "../../core/fault.ts";
import type { Managed } from "../../core/owning.ts";
import { statusOf } from "../faults.ts";
import { AlertLine } from "./alert-line.tsx";
import { TroubleBox } from "./field.tsx";
import { readForm, type Trouble } from "./form.ts";
import {
  type Frame,
  keepPrivate,
  local,
  type Page,
  show,
  type Web,
  type WebEnv,
} from "./frame.tsx";
import { Sentences } from "./sentences.tsx";

type StayingMove = Exclude<OwnerMove, "remove">;

/** The owner's page, opened by the private link. */
export function createManage({ service, frameOf }: Web): Hono<WebEnv> {
  const manage = new Hono<WebEnv>();

  manage.get("/manage/:token", async (c) => {
    const frame = frameOf(c);
    const token = c.req.param("token");
    const managed = await service.managed(token);
    return show(c, frame, managePage(frame, token, managed, doneOf(c.req.query("done"), managed)));
  });

  manage.post("/manage/:token/:move{resolve|renew|reopen}", async (c) => {
    const frame = frameOf(c);
    await readForm(c, []);
    const token = c.req.param("token");
    const move = c.req.param("move") as StayingMove;
    try {
      await service.move(token, move);
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== "conflict") throw error;
      const managed = await service.managed(token);
      // Pressed twice: what was wanted is so.
      if (managed.alert.status !== AFTER[move]) {
        const page = managePage(frame, token, managed, null, error);
        return show(c, frame, page, statusOf(error.code));
      }
    }
    keepPrivate(c);
    return c.redirect(`${local(frame.links.manage(token))}?done=${move}`, 303);
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

const AFTER = { resolve: "resolved", renew: "active", reopen: "active" } as const;

/** The move that is said to be done, if the alert looks like it. */
function doneOf(said: string | undefined, managed: Managed): StayingMove | null {
  if (said !== "resolve" && said !== "renew" && said !== "reopen") return null;
  return managed.alert.status === AFTER[said] ? said : null;
}

function managePage(
  frame: Frame,
  token: string,
  { alert, moves }: Managed,
  done: StayingMove | null,
  trouble: Trouble | null = null,
): Page {
  const words = frame.words.manage;
  return {
    title: words.title,
    access: "private",
    body: (
      <>
        <h1>{words.title}</h1>
        {done !== null && (
          <p class="notice" role="status">
            {words.done[done]}
          </p>
        )}
        <TroubleBox frame={frame} trouble={trouble} labels={{}} />
        <AlertLine frame={frame} alert={alert} level={2} />
        <p class="lead">{words.status[alert.status](frame.words.day(alert.expiresAt))}</p>
        <Moves frame={frame} token={token} managed={{ alert, moves }} />
        <p class="quiet">{words.private}</p>
      </>
    ),
  };
}

function Moves({
  frame,
  token,
  managed: { alert, moves },
}: {
  readonly frame: Frame;
  readonly token: string;
  readonly managed: Managed;
}) {
  const words = frame.words.manage;
  const here = local(frame.links.manage(token));
  return (
    <ul class="moves">
      {moves.map((move) => {
        const { button, hint } = words.move[move][alert.type];
        return (
          <li>
            {move === "remove" ? (
              <a class="button quiet" href={`${here}/remove`}>
                {button}
              </a>
            ) : (
              <form method="post" action={`${here}/${move}`}>
                <button class={move === moves[0] ? undefined : "quiet"} type="submit">
                  {button}
                </button>
              </form>
            )}
            <p class="hint">{hint}</p>
          </li>
        );
      })}
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
  const { words, links } = frame;
  return {
    title: words.manage.removedTitle,
    access: "private",
    body: (
      <>
        <h1>{words.manage.removedTitle}</h1>
        <Sentences of={[words.manage.removed]} />
        <p>
          <a href={local(links.home)}>{words.fault.home}</a>
        </p>
      </>
    ),
  };
}
