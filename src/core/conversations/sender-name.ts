import { LANGUAGES } from "../../messages/languages.ts";
import { VOCABULARIES } from "../../messages/vocabulary.ts";
import { memoize } from "../../text/memoize.ts";
import { folded } from "../../text/tokenize.ts";
import type { Removed } from "../alerts/publication.ts";
import { recipient } from "../input.ts";
import type { Ports } from "./ports.ts";
import { cleanSenderName, type MessageInput } from "./conversation.ts";
import type { OrganisationStore } from "../organisations/organisation-store.ts";

/** Kind of a name that is left out because it belongs to the site, an organisation or an authority. */
export const OFFICIAL_NAME = "official_name";

/** More organisations than an instance has. */
const ORGANISATIONS_READ = 1_000;

/**
 * Name of a sender as the owner of an alert reads it; null if none was given, or if it is left out: with a contact detail,
 * and where it would pass for somebody else's. An organisation that writes from its own address keeps its name: nothing is
 * sent before that mailbox has confirmed it.
 */
export async function senderName(
  {
    store,
    siteName,
    operatorName,
  }: Pick<Ports, "siteName" | "operatorName"> & {
    readonly store: Pick<OrganisationStore, "organisations">;
  },
  { name, email }: Pick<MessageInput, "name" | "email">,
  countryCode: string,
): Promise<{ readonly text: string | null; readonly removed: readonly Removed[] }> {
  if (name === undefined) return { text: null, removed: [] };
  const cleaned = cleanSenderName(name, countryCode);
  if (cleaned.text === null) return cleaned;
  const organisations = await store.organisations(null, ORGANISATIONS_READ);
  const from = recipient(email);
  const own = organisations.find((one) => one.email === from);
  const names = [operatorName ?? "", ...organisations.map((one) => one.name)];
  const reserved = [siteName, ...names.filter(isTelling), ...OFFICIAL_WORDS];
  const isOwn = own !== undefined && wordsOf(own.name).join("") === wordsOf(name).join("");
  if (isOwn || !(MIXED_WORD.test(name) || reserved.some(heldBy(name)))) return cleaned;
  return { text: null, removed: [{ field: "name", kinds: [OFFICIAL_NAME] }] };
}

/**
 * Words of a name that would pass for a moderator's, an authority's or a shelter's. Words that many people are called
 * ("Refugio", "Guardia", "Constable") are not among them.
 */
const OFFICIAL_WORDS = LANGUAGES.flatMap((language) => VOCABULARIES[language].officialNames);

/** Letters from which a name or word is found at the beginning or end of a longer word, too: "Polizeirevier". */
const LONG = 7;

/**
 * True for a name that only an organisation has. One short word ("Anna", "Felix") is as likely a person's name, unless it
 * is written in capitals ("SPA").
 */
function isTelling(name: string): boolean {
  const [word = "", ...more] = wordsOfReserved(name);
  const isAcronym = /\p{Lu}/u.test(name) && name === name.toUpperCase();
  return more.length > 0 || word.length > LONG || (word !== "" && isAcronym);
}

/** Test of a name: true for a reserved one that it holds, however both are spelled, spaced and punctuated. */
function heldBy(name: string): (reserved: string) => boolean {
  // Signs such as "0" and "@" stand for letters, or separate words.
  const readings = [wordsOf(name), wordsOf(name.replace(SIGNS, " "))].map((words) => {
    const ends: number[] = [];
    for (const word of words) ends.push((ends.at(-1) ?? 0) + word.length);
    return { text: words.join(""), ends };
  });
  return (reserved) => {
    const sought = wordsOfReserved(reserved).join("");
    if (sought === "") return false;
    return readings.some(({ text, ends }) => {
      for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + 1)) {
        const isStart = at === 0 || ends.includes(at);
        const isEnd = ends.includes(at + sought.length);
        if (sought.length >= LONG ? isStart || isEnd : isStart && isEnd) return true;
      }
      return false;
    });
  };
}

/** Words of reserved names, cached, since they are compared with every name. */
const wordsOfReserved = memoize(2_048, wordsOf);

/** Words as they look: without case and accents, and with a boundary before each capital of "PetAlert". */
function wordsOf(name: string): readonly string[] {
  const looks = Array.from(
    folded(name.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")),
    (sign) => LOOKS.get(sign) ?? sign,
  ).join("");
  // An apostrophe is part of a word.
  return (
    looks
      .replace(/['’‘]/g, "")
      .replaceAll("rn", "m")
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}

/** Word of Latin letters and look-alikes of another alphabet, as nobody is called. */
const MIXED_WORD =
  /(?=\p{L}*\p{Script=Latin})(?<!\p{L})\p{L}*[\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Lisu}\p{Script=Coptic}]/u;
/** Signs and digits that stand for letters. */
const SIGNS = /[0134578@$!|€]/g;
/** Latin letters of their look-alikes. "i" is "l", since a capital "I" is both. */
const LOOKS: ReadonlyMap<string, string> = new Map([
  ...pairs("0134578@$!|€i", "oleastbasllel"),
  ...pairs("ɡɑɩ", "gal"),
  ...pairs("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡᴢ", "abcdefghljklmnoprstuvwz"),
  // White letters in a circle or square, and those of flags.
  ...[0x1f150, 0x1f170, 0x1f1e6].flatMap((first) =>
    pairs(
      String.fromCodePoint(...Array.from({ length: 26 }, (_, nth) => first + nth)),
      "abcdefghljklmnopqrstuvwxyz",
    ),
  ),
]);

function pairs(signs: string, letters: string): (readonly [string, string])[] {
  return Array.from(signs, (sign, at) => [sign, letters[at]!] as const);
}
