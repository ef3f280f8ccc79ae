/** @jsxImportSource hono/jsx */
import { z } from "zod";
import { readerOf } from "../../../../core/alerts/alert.ts";
import { MESSAGE_TEXT_MAX, messageText } from "../../../../core/conversations/conversation.ts";
import type { ConversationView } from "../../../../core/conversations/reply.ts";
import type { Fault } from "../../../../core/fault.ts";
import { parse } from "../../../../core/input.ts";
import { REMOVED } from "../../../../core/redaction/fold.ts";
import { AlertCard } from "../../components/alert.tsx";
import { type FormState, TextArea, Form, formPage, EMPTY_FORM } from "../../form/field.tsx";
import { readForm } from "../../form/form.ts";
import {
  type PageContext,
  local,
  type Page,
  seeOther,
  showAgain,
  type Web,
  usePage,
} from "../../layout.tsx";
import { MessageList } from "../../components/message-list.tsx";
import { DangerForm, textPage } from "../../components/text-page.tsx";

const replyInput = z.object({ message: messageText });

/** Conversation page of one side. */
export function conversationRoutes({ get, post, service }: Web): void {
  get("/conversation/:token", async (c, ctx) => {
    const token = c.req.param("token");
    const view = await service.conversation(token);
    return conversationPage(ctx, token, view, EMPTY_FORM);
  });

  post("/conversation/:token", async (c, ctx) => {
    const values = await readForm(c, ["message"]);
    const token = c.req.param("token");
    try {
      await service.reply(token, parse(replyInput, values).message);
    } catch (error) {
      const again = async (fault: Fault) =>
        conversationPage(ctx, token, await service.conversation(token), { values, error: fault });
      return showAgain(c, ctx, error, again, ["not_found"]);
    }
    return seeOther(c, `${local(ctx.links.conversation(token))}#latest`);
  });

  get("/conversation/:token/close", async (c, ctx) => {
    const token = c.req.param("token");
    return closePage(ctx, token, await service.conversation(token));
  });

  post("/conversation/:token/close", async (c, ctx) => {
    await readForm(c, []);
    const token = c.req.param("token");
    await service.closeConversation(token);
    return seeOther(c, local(ctx.links.conversation(token)));
  });
}

function conversationPage(
  ctx: PageContext,
  token: string,
  view: ConversationView,
  draft: FormState,
): Page {
  const { t } = ctx;
  const { title } = t.conversation;
  return formPage(ctx, draft, {
    title,
    access: "private",
    scripts: ["local-times"],
    body: (
      <>
        {view.alert === null ? (
          <p class="notice">{t.conversation.gone}</p>
        ) : (
          <AlertCard alert={view.alert} level={2} />
        )}
        {view.alert?.status === "resolved" && <p class="notice">{t.conversation.homeAgain}</p>}
        <MessageList
          messages={view.messages}
          side={view.side}
          nameOf={(from) => writer(ctx, view, from)}
          latest="latest"
        />
        {view.messages.some(({ text }) => text.includes(REMOVED)) && (
          <p class="hint">{t.conversation.removed}</p>
        )}
        {view.open ? (
          <Reply token={token} draft={draft} />
        ) : (
          <p class="notice">
            {view.closed ? `${t.conversation.closedByOne} ` : ""}
            {t.conversation.closed}
          </p>
        )}
        <Ways token={token} view={view} />
        <p class="quiet">
          {t.conversation.hidden} {t.conversation.erased}
        </p>
      </>
    ),
  });
}

/** Links to close or report a conversation. */
function Ways({ token, view }: { token: string; view: ConversationView }) {
  const { t, links, isModerated } = usePage();
  const here = local(links.conversation(token));
  return (
    <ul class="ways">
      {!view.closed && (
        <li>
          <a href={`${here}/close`}>{t.conversation.close}</a>
        </li>
      )}
      {isModerated && (
        <li>
          <a href={`${here}/report`}>{t.report.conversationLink}</a>
        </li>
      )}
    </ul>
  );
}

function closePage(ctx: PageContext, token: string, view: ConversationView): Page {
  const { t, links } = ctx;
  const { closeTitle, closeText, closeButton, keep } = t.conversation;
  const here = local(links.conversation(token));
  return textPage(
    closeTitle,
    [closeText[view.side]],
    <DangerForm action={`${here}/close`} button={closeButton} back={here} keep={keep} />,
  );
}

function writer(ctx: PageContext, view: ConversationView, from: ConversationView["side"]): string {
  const text = ctx.t.conversation;
  if (from === view.side) return text.you;
  if (from === "owner") return text.owner[readerOf(view.alert)];
  return view.strangerName ?? text.stranger;
}

function Reply({ token, draft }: { token: string; draft: FormState }) {
  const { t, links } = usePage();
  const { reply, button, beware } = t.conversation;
  return (
    <Form action={local(links.conversation(token))} draft={draft} labels={{ message: reply }}>
      <TextArea name="message" hint={t.removed.hint} max={MESSAGE_TEXT_MAX} rows={4} required />
      <button type="submit">{button}</button>
      <p class="hint">{beware}</p>
    </Form>
  );
}
