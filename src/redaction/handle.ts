import { spansOf, type NormalizedText, type Span } from "./normalized-text.ts";

/**
 * Account names on other services. Only the account is removed, and a service alone ("I put it on Facebook") is left, so
 * that the text stays understandable.
 */
export function findHandles({ text }: NormalizedText): Span[] {
  return PATTERNS.flatMap((pattern) => spansOf(text, pattern, 1));
}

/** Mail providers, for an address without its @: "gmail: anna.smith". */
const PROVIDER =
  "gmail|googlemail|hotmail|outlook|yahoo|icloud|gmx|proton\\s?mail|wanadoo|laposte|tutanota|web\\.de|t-online";
const SERVICE =
  "(?<![\\p{L}\\p{N}])(?:instagram|insta|ig|snapchat|snap|telegram|telegramm|tg|whats\\s?app|messenger|facebook|fb|tik\\s?tok|" +
  "twitter|discord|skype|viber|wechat|weixin|kik|threema|mastodon|bluesky|linkedin|vk|kakao(?:talk)?|paypal|venmo|revolut|zelle|" +
  `bizum|twint|lydia|wero|swish|wise|cash\\s?app|youtube|zalo|signal|line\\s?id|${PROVIDER})(?![\\p{L}\\p{N}])`;
/** "Signal: none in the valley": after a service that is also a plain word or a name, only a user name counts. */
const NO_WORD = "(?<!(?<!\\p{L})(?:signal|lydia|wero|swish|wise|outlook))";
/** Services whose name alone announces an account: "insta annasmith". */
const SHORT_SERVICE =
  "(?<![\\p{L}\\p{N}])(?:instagram|insta|ig|snapchat|telegram|tg|tik\\s?tok|venmo|paypal|revolut|gmail|hotmail)(?![\\p{L}\\p{N}])";

const GAP = "[^\\p{L}\\p{N}_\\0]{1,3}";
const FILLER =
  "(?:me|us|moi|nous|mich|uns|on|at|as|under|sur|au|en|unter|auf|by|via|my|is|est|es|ist|name|named|handle|user|username|" +
  "pseudo|id|account|compte|cuenta|usuario|konto|profile|profil|perfil|page|group|add|follow|find|text|message|dm|pm|" +
  "ajoute|ajoutez|suivez|schreib|schreibt|agregame|buscame|escribeme|contact|here|ici|aqui|hier)";

const NAME_LENGTH_MAX = 40;
/** Any word except a number, which the phone finder handles. */
const WORD = `(?=\\p{N}{0,${NAME_LENGTH_MAX}}[\\p{L}_])[\\p{L}\\p{N}_][\\p{L}\\p{N}_.-]{1,${NAME_LENGTH_MAX - 1}}(?<![.-])`;
/** Unmistakable user name: starts with a letter and contains a digit or underscore. */
const USER = `(?=[\\p{L}_.-]{1,${NAME_LENGTH_MAX}}[\\d_]|_)[\\p{L}_][\\p{L}\\p{N}_.-]{2,${NAME_LENGTH_MAX - 1}}(?<![.-])`;

/** Words that follow the name of a service where no account is named. */
const COMMON_WORDS =
  "too|also|please|thanks|today|yesterday|tomorrow|again|already|either|post|posts|posted|story|stories|page|pages|group|groups|" +
  "account|profile|reel|reels|live|chat|chats|channel|message|messages|photo|photos|picture|pictures|video|videos|friends|" +
  "instead|only|here|there|now|soon|first|later|everyone|everywhere|pls|dm|app|link|thread|update|updates|user|users|" +
  "aussi|svp|merci|hier|demain|deja|encore|groupe|groupes|compte|profil|publication|publications|image|images|amis|" +
  "maintenant|bientot|partout|ici|seulement|actif|partage|partages|tambien|gracias|ayer|manana|grupo|grupos|cuenta|perfil|" +
  "publicacion|historia|historias|foto|fotos|amigos|ahora|aqui|alli|compartido|compartida|publicado|publicada|" +
  "auch|bitte|danke|heute|gestern|morgen|schon|gruppe|gruppen|konto|beitrag|beitrage|bilder|bild|freunde|jetzt|bald|" +
  "gepostet|geteilt|gesehen|gefunden|geschrieben|veroffentlicht|uberall|nachricht|nachrichten|kanal";

const PATTERNS: readonly RegExp[] = [
  // @mimi_paris, but not "@5pm"; "@ mimi_paris", but not "@ home"
  `(?<![\\p{L}\\p{N}_@])((?:@(?!\\d{1,4}(?:am|pm|h|uhr)(?![\\p{L}\\p{N}]))(?:${WORD}|\\s${USER}))+)`,
  // telegram mimi69 · whatsapp me on mimi_69
  `${SERVICE}(?:${GAP}${FILLER}(?![\\p{L}\\p{N}])){0,4}${GAP}(${USER})`,
  // telegram @x
  `${SERVICE}(?:${GAP}${FILLER}(?![\\p{L}\\p{N}])){0,4}[^\\p{L}\\p{N}_\\0@]{0,2}(@\\s?[\\p{L}\\p{N}_]{1,${NAME_LENGTH_MAX}})`,
  // insta annasmith, at the end of a clause
  `${SHORT_SERVICE}\\s(?!(?:${COMMON_WORDS}|${FILLER})(?![\\p{L}\\p{N}_]))(\\p{L}[\\p{L}.]{3,${NAME_LENGTH_MAX}}\\p{L})(?=\\s?(?:[.,;:!?)\\]/|\\n]|$|\\s(?:or|and|ou|et|o|y|oder|und)\\s))`,
  // insta: mimi · snap = mimi · insta name: mimi
  `${SERVICE}${NO_WORD}(?:\\s${FILLER}(?![\\p{L}\\p{N}])){0,3}\\s?(?:[:=>|]|->|=>|-|–)\\s?@?(${WORD})`,
  // my insta is mimi
  `(?<!\\p{L})(?:my|our|mon|notre|mi|nuestro|mein|unser)\\s${SERVICE}${NO_WORD}(?:\\s${FILLER}(?![\\p{L}\\p{N}])){0,2}\\s(?:is|est|es|ist)\\s(${WORD})`,
  // mimi69 on insta
  `(?<![\\p{L}\\p{N}_.@-])(${USER})\\s(?:on|sur|auf|en|at|via|@)\\s${SERVICE}`,
].map((pattern) => new RegExp(pattern, "dgu"));
