import { spansOf, type Reading, type Span } from "./reading.ts";

/**
 * Names on other services. A service alone ("I put it on Facebook") is no contact; only the name is taken, so that
 * what stays still says what was meant.
 */
export function findHandles({ text }: Reading): Span[] {
  return PATTERNS.flatMap((pattern) => spansOf(text, pattern, 1));
}

const SERVICE =
  "(?<![\\p{L}\\p{N}])(?:instagram|insta|ig|snapchat|snap|telegram|telegramm|tg|whats\\s?app|messenger|facebook|fb|tik\\s?tok|" +
  "twitter|discord|skype|viber|wechat|weixin|kik|threema|mastodon|bluesky|linkedin|vk|kakao(?:talk)?|paypal|venmo|" +
  "cash\\s?app|youtube|zalo|signal|line\\s?id)(?![\\p{L}\\p{N}])";
/** "Signal: none in the valley": after a service that is also a plain word, only a user name counts. */
const NO_WORD = "(?<!(?<!\\p{L})signal)";

const GAP = "[^\\p{L}\\p{N}_\\0]{1,3}";
const FILLER =
  "(?:me|us|moi|nous|mich|uns|on|at|as|under|sur|au|en|unter|auf|by|via|my|is|est|es|ist|name|named|handle|user|username|" +
  "pseudo|id|account|compte|cuenta|usuario|konto|profile|profil|perfil|page|group)";

const NAME_LENGTH_MAX = 40;
/** Any word but a number, which is for the phones to find. */
const WORD = `(?=\\p{N}{0,${NAME_LENGTH_MAX}}[\\p{L}_])[\\p{L}\\p{N}_][\\p{L}\\p{N}_.-]{1,${NAME_LENGTH_MAX - 1}}(?<![.-])`;
/** What only a user name looks like: a letter first, then a digit, an underscore or a dot somewhere. */
const USER = `(?=[\\p{L}_.-]{1,${NAME_LENGTH_MAX}}[\\d_]|_|\\p{L}{2,${NAME_LENGTH_MAX}}\\.\\p{L}{2})[\\p{L}_][\\p{L}\\p{N}_.-]{2,${NAME_LENGTH_MAX - 1}}(?<![.-])`;

const PATTERNS: readonly RegExp[] = [
  // @mimi_paris, but not "@5pm"; "@ mimi_paris", but not "@ home"
  `((?<![\\p{L}\\p{N}_@])@(?!\\d{1,4}(?:am|pm|h|uhr)(?![\\p{L}\\p{N}]))(?:${WORD}|\\s${USER}))`,
  // telegram mimi69 · whatsapp me on mimi_69
  `${SERVICE}(?:${GAP}${FILLER}(?![\\p{L}\\p{N}])){0,4}${GAP}(${USER})`,
  // insta: mimi · snap = mimi · insta name: mimi
  `${SERVICE}${NO_WORD}(?:\\s${FILLER}(?![\\p{L}\\p{N}])){0,3}\\s?[:=]\\s?@?(${WORD})`,
  // my insta is mimi
  `(?<!\\p{L})(?:my|our|mon|notre|mi|nuestro|mein|unser)\\s${SERVICE}${NO_WORD}(?:\\s${FILLER}(?![\\p{L}\\p{N}])){0,2}\\s(?:is|est|es|ist)\\s(${WORD})`,
  // mimi69 on insta
  `(?<![\\p{L}\\p{N}_.@-])(${USER})\\s(?:on|sur|auf|en|at|via|@)\\s${SERVICE}`,
].map((pattern) => new RegExp(pattern, "dgu"));
