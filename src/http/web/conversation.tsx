import { Hono } from "hono";
import { z } from "zod";
import { MESSAGE_TEXT_MAX, messageText } from "../../core/conversation.ts";
import type { ConversationView } from "../../core/conversing.ts";
import { Fault } from "../../core/fault.ts";
import { parse } from "../../core/input.ts";
import { REMOVED } from "../../core/redact/reading.ts";
import { AlertLine, readerOf } from "./alert-line.tsx";
import { type Draft, Lines, TroubleBox } from "./field.tsx";
import { readForm } from "./form.ts";
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
import { Messages } from "./messages.tsx";
import { Sentences } from "./sentences.tsx";

const replyInput = z.object({ message: messageText });
const NOTHING_YET: Draft = { given: {}, trouble: null };

/** The page on which one side of a conversation reads and answers. */
export function createConversation({ service, frameOf }: Web): Hono<WebEnv> {
  const conversation = new Hono<WebEnv>();

  conversation.get("/conversation/:token", async (c) => {
    const frame = frameOf(c);
    const token = c.req.param("token");
    const view = await service.conversation(token);
    return show(c, frame, conversationPage(frame, token, view, NOTHING_YET));
  });

  conversation.post("/conversation/:token", async (c) => {
    const frame = frameOf(c);
    const given = await readForm(c, ["message"]);
    const token = c.req.param("token");
    try {
      await service.reply(token, parse(replyInput, given).message);
    } catch (error) {
      if (!(error instanceof Fault) || error.code === "not_found") throw error;
      const view = await service.conversation(token);
      const page = conversationPage(frame, token, view, { given, trouble: error });
      return showFault(c, frame, error, page);
    }
    return seeOther(c, `${local(frame.links.conversation(token))}#latest`);
  });

  conversation.get("/conversation/:token/close", async (c) => {
    const frame = frameOf(c);
    const token = c.req.param("token");
    return show(c, frame, closePage(frame, token, await service.conversation(token)));
  });

  conversation.post("/conversation/:token/close", async (c) => {
    const frame = frameOf(c);
    await readForm(c, []);
    const token = c.req.param("token");
    await service.closeConversation(token);
    return seeOther(c, local(frame.links.conversation(token)));
  });

  return conversation;
}

function conversationPage(frame: Frame, token: string, view: ConversationView, draft: Draft): Page {
  const { words } = frame;
  const { title } = words.conversation;
  return {
    title: draft.trouble === null ? title : words.errorTitle(title),
    access: "private",
    body: (
      <>
        <h1>{title}</h1>
        {view.alert === null ? (
          <p class="notice">{words.conversation.gone}</p>
        ) : (
          <AlertLine frame={frame} alert={view.alert} level={2} />
        )}
        {view.alert?.status === "resolved" && <p class="notice">{words.conversation.homeAgain}</p>}
        <Messages
          frame={frame}
          messages={view.messages}
          side={view.side}
          nameOf={(from) => writer(frame, view, from)}
          latest="latest"
        />
        {view.messages.some(({ text }) => text.includes(REMOVED)) && (
          <p class="hint">{words.conversation.removed}</p>
        )}
        {view.open ? (
          <Reply frame={frame} token={token} draft={draft} />
        ) : (
          <p class="notice">
            {view.closed ? `${words.conversation.closedByOne} ` : ""}
            {words.conversation.closed}
          </p>
        )}
        <Ways frame={frame} token={token} view={view} />
        <p class="quiet">
          {words.conversation.hidden} {words.conversation.erased}
        </p>
      </>
    ),
  };
}

/** What else can be done with a conversation. */
function Ways({
  frame,
  token,
  view,
}: {
  readonly frame: Frame;
  readonly token: string;
  readonly view: ConversationView;
}) {
  const { words, links } = frame;
  const here = local(links.conversation(token));
  return (
    <ul class="ways">
      {!view.closed && (
        <li>
          <a href={`${here}/close`}>{words.conversation.close}</a>
        </li>
      )}
      {frame.isModerated && (
        <li>
          <a href={`${here}/report`}>{words.report.conversationLink}</a>
        </li>
      )}
    </ul>
  );
}

function closePage(frame: Frame, token: string, view: ConversationView): Page {
  const { words, links } = frame;
  const { closeTitle, closeText, closeButton, keep } = words.conversation;
  const here = local(links.conversation(token));
  return {
    title: closeTitle,
    access: "private",
    body: (
      <>
        <h1>{closeTitle}</h1>
        <Sentences of={[closeText[view.side]]} />
        <form method="post" action={`${here}/close`}>
          <button class="danger" type="submit">
            {closeButton}
          </button>
        </form>
        <p>
          <a class="button quiet" href={here}>
            {keep}
          </a>
        </p>
      </>
    ),
  };
}

function writer(frame: Frame, view: ConversationView, from: ConversationView["side"]): string {
  const words = frame.words.conversation;
  if (from === view.side) return words.you;
  if (from === "owner") return words.owner[readerOf(view.alert)];
  return view.strangerName ?? words.stranger;
}

function Reply({
  frame,
  token,
  draft,
}: {
  readonly frame: Frame;
  readonly token: string;
  readonly draft: Draft;
}) {
  const { words, links } = frame;
  const { reply, replyHint, button, beware } = words.conversation;
  return (
    <form method="post" action={local(links.conversation(token))}>
      <TroubleBox frame={frame} trouble={draft.trouble} labels={{ message: reply }} />
      <Lines
        draft={draft}
        name="message"
        label={reply}
        hint={replyHint}
        max={MESSAGE_TEXT_MAX}
        rows={4}
        required
      />
      <button type="submit">{button}</button>
      <p class="hint">{beware}</p>
    </form>
  );
}
