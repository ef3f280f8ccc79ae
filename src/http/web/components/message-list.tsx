/** @jsxImportSource hono/jsx */
import { writtenText } from "../../../core/locale.ts";
import type { Message, Side } from "../../../core/conversations/conversation.ts";
import { usePage } from "../layout.tsx";
import { Moment } from "./moment.tsx";
import { type PhotoAddresses, PhotoStrip } from "./photo-strip.tsx";

/** Messages of a conversation, oldest first. */
export function MessageList({
  messages,
  side,
  nameOf,
  photosAt,
  latest,
}: {
  messages: readonly Pick<Message, "from" | "text" | "photos" | "createdAt">[];
  /** Side whose messages are highlighted. */
  side: Side;
  nameOf: (from: Side) => string;
  photosAt: PhotoAddresses;
  /** Element id of the last message, for links to it. */
  latest?: string;
}) {
  const { t } = usePage();
  return (
    <ol class="messages">
      {messages.map(({ from, text, photos, createdAt }, at) => (
        <li id={at === messages.length - 1 ? latest : undefined}>
          <figure class={from === side ? "quote mine" : "quote"}>
            <figcaption>
              <strong dir="auto">{nameOf(from)}</strong> <Moment at={createdAt} />
            </figcaption>
            <blockquote class="text" dir="auto">
              {writtenText(t, text)}
            </blockquote>
            <PhotoStrip photos={photos} at={photosAt} alt={t.conversation.photo} />
          </figure>
        </li>
      ))}
    </ol>
  );
}
