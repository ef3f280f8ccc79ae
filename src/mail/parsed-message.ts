import PostalMime, { type Email } from "postal-mime";

// Anybody can write to the mailbox, and parsing keeps everybody else waiting. Real messages stay far below these limits.

/** Lines that are read: an attachment of 2 MB has 30,000. */
const LINES_MAX = 50_000;
/** Lines that are read of those that may begin a part. */
const BOUNDARIES_MAX = 500;
const NESTING_MAX = 20;
/** Of all parts together. */
const HEADERS_BYTES_MAX = 64 * 1024;

/** Parses a message, or the beginning of a very long one. Null if it cannot be parsed. */
export async function parseMessage(raw: Uint8Array): Promise<Email | null> {
  try {
    return await PostalMime.parse(beginningOf(raw), {
      // Forwarded messages are attachments.
      forceRfc822Attachments: true,
      maxNestingDepth: NESTING_MAX,
      maxHeadersSize: HEADERS_BYTES_MAX,
    });
  } catch {
    return null;
  }
}

const LINE_FEED = 0x0a;
const HYPHEN = 0x2d;

function beginningOf(raw: Uint8Array): Uint8Array {
  let boundaries = 0;
  let lines = 0;
  for (let at = raw.indexOf(LINE_FEED); at >= 0; at = raw.indexOf(LINE_FEED, at + 1)) {
    lines += 1;
    if (raw[at + 1] === HYPHEN && raw[at + 2] === HYPHEN) boundaries += 1;
    if (lines === LINES_MAX || boundaries > BOUNDARIES_MAX) return raw.subarray(0, at + 1);
  }
  return raw;
}
