/** @jsxImportSource hono/jsx */
import { writtenText } from "../../../core/locale.ts";
import type { Message, Side } from "../../../core/conversations/conversation.ts";
import { usePage } from "../layout.tsx";
import { Moment } from "./moment.tsx";

/** Messages of a conversation, oldest first. */
export function MessageList({
  messages,
  side,
  nameOf,
  latest,
}: {
  messages: readonly Pick<Message, "from" | "text" | "createdAt">[];
  /** Side whose messages are highlighted. */
  side: Side;
  nameOf: (from: Side) => string;
  /** Element id of the last message, for links to it. */
  latest?: string;
}) {
  const { t } = usePage();
  return (
    <ol class="messages">
      {messages.map(({ from, text, createdAt }, at) => (
        <li id={at === messages.length - 1 ? latest : undefined}>
          <figure class={from === side ? "quote mine" : "quote"}>
            <figcaption>
              <strong dir="auto">{nameOf(from)}</strong> <Moment at={createdAt} />
            </figcaption>
            <blockquote class="text" dir="auto">
              {writtenText(t, text)}
            </blockquote>
          </figure>
        </li>
      ))}
    </ol>
  );
}
