/** Plain paragraphs, the first one larger. */
export function Sentences({ of }: { readonly of: readonly string[] }) {
  return (
    <>
      {of.map((sentence, at) => (
        <p class={at === 0 ? "lead" : undefined}>{sentence}</p>
      ))}
    </>
  );
}
