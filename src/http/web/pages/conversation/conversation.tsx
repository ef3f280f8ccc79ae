/** @jsxImportSource hono/jsx */
import { LinkItem, DangerForm, textPage } from "../../components/elements.tsx";
import type { Child } from "hono/jsx";
import { z } from "zod";
import { readerOf } from "../../../../core/alerts/alert.ts";
import { MESSAGE_TEXT_MAX, messageText } from "../../../../core/conversations/conversation.ts";
import type { ConversationView } from "../../../../core/conversations/reply.ts";
import { parse } from "../../../../core/input.ts";
import { REMOVED } from "../../../../redaction/redact.ts";
import { AlertCard } from "../../components/alert.tsx";
import { type FormState, TextArea, Form, formPage, EMPTY_FORM } from "../../form/field.tsx";
import {
  AttachedPhotos,
  PHOTO_FIRST,
  type StoredPhoto,
  receivePhotoForm,
} from "../../form/photo-field.tsx";
import { type PageContext, local, type Page, type Web, usePage } from "../../layout/layout.tsx";
import { MessageList } from "../../components/message-list.tsx";
import { photosBehind } from "../../components/photo-strip.tsx";
import { ATTACHED_PHOTOS_MAX } from "../../../../core/photos/photos.ts";
import { sendPhoto } from "../../layout/photo-response.ts";

export const replyInput = z.object({ message: messageText });
/** Form of a reply with photos. */
export const REPLY_FORM = {
  fields: ["message", PHOTO_FIRST],
  max: ATTACHED_PHOTOS_MAX,
  except: ["not_found", "forbidden"],
} as const;

/** Conversation page of one side. */
export function conversationRoutes({ get, post, service }: Web): void {
  get("/conversation/:token", async (_, ctx, { token }) =>
    conversationPage(ctx, token, await service.conversations.conversation(token), EMPTY_FORM, []),
  );

  get("/conversation/:token/photos/:file", (c, _, { token, file }) =>
    sendPhoto(c, file, (name, size) => service.conversations.conversationPhoto(token, name, size)),
  );

  post("/conversation/:token", async (c, ctx, { token }) => {
    // Before anything is stored: an unknown link has no photos.
    await service.conversations.conversation(token);
    const { values, refs } = await receivePhotoForm(c, service, REPLY_FORM, async (draft, kept) =>
      conversationPage(ctx, token, await service.conversations.conversation(token), draft, kept),
    );
    await service.conversations.reply(token, parse(replyInput, values).message, refs);
    return `${ctx.links.conversation(token)}#latest`;
  });

  get("/conversation/:token/close", async (_, ctx, { token }) =>
    closePage(ctx, token, await service.conversations.conversation(token)),
  );

  post("/conversation/:token/close", async (_, ctx, { token }) => {
    await service.conversations.closeConversation(token);
    return ctx.links.conversation(token);
  });
}

function conversationPage(
  ctx: PageContext,
  token: string,
  view: ConversationView,
  draft: FormState,
  kept: readonly StoredPhoto[],
): Page {
  const { t, links } = ctx;
  const closed = view.closed
    ? `${t.conversation.closedByOne} ${t.conversation.closed}`
    : t.conversation.closed;
  return replyPage(ctx, { view, here: links.conversation(token), draft, kept, closed }, [
    <Ways token={token} view={view} />,
    <p class="quiet">
      {t.conversation.hidden} {t.conversation.erased}
    </p>,
  ]);
}

type ReplyPageProps = {
  readonly view: ConversationView;
  /** Address of the page. */
  readonly here: string;
  readonly draft: FormState;
  readonly kept: readonly StoredPhoto[];
  /** Sentence in the place of the form once nobody can write any more. */
  readonly closed: string;
};

/** Page of a conversation with the form for a reply, and what stands below it. */
export function replyPage(
  ctx: PageContext,
  { view, here, draft, kept, closed }: ReplyPageProps,
  below: Child,
): Page {
  const text = ctx.t.conversation;
  return formPage(ctx, draft, {
    title: text.title,
    access: "private",
    scripts: ["photos"],
    body: (
      <>
        {view.alert === null ? (
          <p class="notice">{text.gone}</p>
        ) : (
          <AlertCard alert={view.alert} level={2} />
        )}
        {view.alert?.status === "resolved" && <p class="notice">{text.homeAgain}</p>}
        <MessageList
          messages={view.messages}
          side={view.side}
          isOpen={view.open}
          nameOf={(from) => writerIn(ctx, view, from)}
          photosAt={photosBehind(here)}
          latest="latest"
        />
        {view.messages.some(({ text }) => text.includes(REMOVED)) && (
          <p class="hint">{text.removed}</p>
        )}
        {view.open ? (
          <Reply action={here} draft={draft} kept={kept} />
        ) : (
          <p class="notice">{closed}</p>
        )}
        {below}
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
      {!view.closed && <LinkItem to={`${here}/close`} label={t.conversation.close} />}
      {isModerated && <LinkItem to={`${here}/report`} label={t.report.conversationLink} />}
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

/** Name of a side of a conversation for the reader, who is the other side or this one. */
function writerIn(
  ctx: PageContext,
  view: ConversationView,
  from: ConversationView["side"],
): string {
  const text = ctx.t.conversation;
  if (from === view.side) return text.you;
  if (from === "owner") return text.owner[readerOf(view.alert)];
  return view.strangerName ?? text.stranger;
}

/** Form for a reply, posted to `action`. */
function Reply(props: { action: string; draft: FormState; kept: readonly StoredPhoto[] }) {
  const { t } = usePage();
  const { action, draft, kept } = props;
  const { reply, button, beware } = t.conversation;
  const labels = { message: reply, photos: t.photoField.legend };
  return (
    <Form action={action} draft={draft} labels={labels} hasFiles>
      <TextArea name="message" hint={t.removed.hint} max={MESSAGE_TEXT_MAX} rows={4} required />
      <AttachedPhotos kept={kept} audience="two" />
      <button type="submit">{button}</button>
      <p class="hint">{beware}</p>
    </Form>
  );
}
