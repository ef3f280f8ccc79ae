/** What is longer is nobody's usual word, and is not kept. */
const LENGTH_MAX = 200;

/**
 * A reader of texts that keeps what it made of up to `keep` of them: nearly all alerts tell of a coat, a breed or a town
 * in words that many others use. What it gives is shared and must not be changed.
 */
export function remembering<Read>(keep: number, read: (text: string) => Read) {
  const kept = new Map<string, Read>();
  return (text: string): Read => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const fresh = read(text);
    if (text.length > LENGTH_MAX) return fresh;
    // What is common comes back at once.
    if (kept.size >= keep) kept.clear();
    kept.set(text, fresh);
    return fresh;
  };
}
