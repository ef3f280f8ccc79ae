import type { Message, Side } from "../../core/conversation.ts";
import type { Frame } from "./frame.tsx";

/** What was said in a conversation, oldest first. */
export function Messages({
  frame: { words },
  messages,
  side,
  nameOf,
  latest,
}: {
  readonly frame: Frame;
  readonly messages: readonly Pick<Message, "from" | "text" | "createdAt">[];
  /** Whose words are drawn apart. */
  readonly side: Side;
  readonly nameOf: (from: Side) => string;
  /** Names the last one, so that an address can lead to it. */
  readonly latest?: string;
}) {
  return (
    <ol class="messages">
      {messages.map(({ from, text, createdAt }, at) => (
        <li id={at === messages.length - 1 ? latest : undefined}>
          <figure class={from === side ? "said mine" : "said"}>
            <figcaption>
              <strong dir="auto">{nameOf(from)}</strong>{" "}
              <time datetime={new Date(createdAt).toISOString()}>{words.moment(createdAt)}</time>
            </figcaption>
            <blockquote class="text" dir="auto">
              {text}
            </blockquote>
          </figure>
        </li>
      ))}
    </ol>
  );
}
