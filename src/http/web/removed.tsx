import type { Removed } from "../../core/publication.ts";
import type { Frame } from "./frame.tsx";

/** Tells the writer what was taken out of the text. */
export function RemovedBox({
  frame,
  removed,
}: {
  readonly frame: Frame;
  readonly removed: readonly Removed[];
}) {
  if (removed.length === 0) return null;
  const { words } = frame;
  return (
    <section class="notice" aria-labelledby="removed">
      <h2 id="removed">{words.removed.heading}</h2>
      <p>{words.removed.text}</p>
      <ul>
        {removed.map(({ field, kinds }) => (
          <li>
            {words.removed.entry(
              words.removed.fields[field] ?? field,
              words.and(kinds.map((kind) => words.contactKind[kind] ?? kind)),
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
