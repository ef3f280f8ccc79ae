/** @jsxImportSource hono/jsx */
import { writtenText } from "../../../core/alerts/alert-text.ts";
import type { Side, StoredMessage } from "../../../core/conversations/conversation.ts";
import { usePage } from "../layout/layout.tsx";
import { Moment } from "./elements.tsx";
import { type PhotoAddresses, PhotoStrip } from "./photo-strip.tsx";

/** Messages of a conversation, oldest first. */
export function MessageList({
  messages,
  side,
  nameOf,
  photosAt,
  latest,
  isOpen = false,
}: {
  messages: readonly (Pick<StoredMessage, "from" | "text" | "photos" | "createdAt"> &
    Partial<Pick<StoredMessage, "isByEmail">>)[];
  /** Side whose messages are highlighted. */
  side: Side;
  nameOf: (from: Side) => string;
  photosAt: PhotoAddresses;
  /** Element id of the last message, for links to it. */
  latest?: string;
  /** True if the reader can send messages from the same page. */
  isOpen?: boolean;
}) {
  const { t } = usePage();
  return (
    <ol class="messages">
      {messages.map(({ from, text, photos, createdAt, isByEmail }, at) => (
        <li id={at === messages.length - 1 ? latest : undefined}>
          <figure class={from === side ? "quote mine" : "quote"}>
            <figcaption>
              <strong dir="auto">{nameOf(from)}</strong> <Moment at={createdAt} />
            </figcaption>
            <blockquote class="text" dir="auto">
              {writtenText(t, text)}
            </blockquote>
            <PhotoStrip photos={photos} at={photosAt} alt={t.conversation.photo} />
            {isOpen && isByEmail === true && from === side && (
              <p class="hint">{t.conversation.byEmail}</p>
            )}
          </figure>
        </li>
      ))}
    </ol>
  );
}
