import type { Secrets } from "../instance.ts";
import { roundRobin } from "../round-robin.ts";

// Spellings by which several addresses reach one mailbox. Only for counting and blocking: emails, private links and
// erasure always go by exactly the spelling that was entered, letter case included.

type Provider = {
  /** Domains at which one name is one mailbox; the first stands for all of them. */
  readonly domains: readonly [string, ...string[]];
  /** Maps the spellings of a name to one of them. Without it only letter case and +tag vary. */
  readonly fold?: (name: string) => string;
  /** True if `anything@name.domain` reaches `name@domain`. */
  readonly hasSubdomains?: boolean;
};

const FASTMAIL_DOMAINS =
  "fastmail.com fastmail.fm fastmail.net fastmail.org fastmail.to fastmail.us fastmail.co.uk fastmail.com.au fastmail.de fastmail.es fastmail.fr fastmail.in fastmail.jp fastmail.mx fastmail.nl sent.com imap.cc";

const PROVIDERS: readonly Provider[] = [
  {
    // https://support.google.com/mail/answer/7436150
    domains: ["gmail.com", "googlemail.com"],
    fold: (name) => name.replaceAll(".", ""),
  },
  {
    // https://proton.me/support/addresses-and-aliases
    // Dots, hyphens and underscores: https://www.sindastra.de/p/1775/protonmail-dots-hyphens-and-underscores
    domains: ["proton.me", "protonmail.com", "protonmail.ch", "pm.me"],
    fold: (name) => name.replaceAll(/[._-]/g, ""),
  },
  {
    // https://support.apple.com/118230
    domains: ["icloud.com", "me.com", "mac.com"],
  },
  {
    // https://yandex.com/support/id/authorization/email.html
    // One name has all domains: https://yandex.com/support/domain/additional/mailbox-alias.xml; a hyphen stands for a dot.
    domains: [
      "yandex.ru",
      ..."yandex.com ya.ru yandex.by yandex.kz yandex.ua yandex.uz yandex.az yandex.com.tr yandex.fr".split(
        " ",
      ),
    ],
    fold: (name) => name.replaceAll("-", "."),
  },
  // https://www.fastmail.help/hc/en-us/articles/360060591053
  ...FASTMAIL_DOMAINS.split(" ").map((domain): Provider => ({
    domains: [domain],
    hasSubdomains: true,
  })),
];

const PROVIDER_OF = new Map(
  PROVIDERS.flatMap((provider) => provider.domains.map((domain) => [domain, provider] as const)),
);

/** Other providers at which strangers have mailboxes, beside those with rules of their own. */
const LARGE_PROVIDERS = new Set(
  `outlook.com outlook.fr outlook.es outlook.de hotmail.com hotmail.fr hotmail.es hotmail.de hotmail.it hotmail.co.uk
  live.com live.fr live.nl live.co.uk msn.com yahoo.com yahoo.fr yahoo.es yahoo.de yahoo.it yahoo.co.uk yahoo.co.jp
  yahoo.co.in yahoo.com.br yahoo.com.mx yahoo.com.ar ymail.com rocketmail.com aol.com gmx.de gmx.net gmx.at gmx.ch
  gmx.com gmx.fr web.de t-online.de freenet.de mail.de posteo.de mailbox.org orange.fr wanadoo.fr free.fr sfr.fr
  neuf.fr laposte.net bbox.fr telefonica.net movistar.es terra.es libero.it virgilio.it tiscali.it alice.it tin.it
  bluewin.ch a1.net telenet.be skynet.be ziggo.nl kpnmail.nl hetnet.nl xs4all.nl planet.nl btinternet.com sky.com
  virginmedia.com ntlworld.com talktalk.net comcast.net att.net sbcglobal.net verizon.net bellsouth.net cox.net
  charter.net rogers.com shaw.ca sympatico.ca telus.net videotron.ca bigpond.com optusnet.com.au xtra.co.nz mail.ru
  inbox.ru list.ru bk.ru rambler.ru ukr.net wp.pl o2.pl onet.pl interia.pl seznam.cz centrum.cz abv.bg uol.com.br
  bol.com.br terra.com.br qq.com 163.com 126.com sina.com naver.com daum.net hanmail.net docomo.ne.jp ezweb.ne.jp
  softbank.ne.jp zoho.com hey.com tutanota.com tuta.com`.split(/\s+/),
);

/** Address that stands for all spellings of a mailbox. At domains without rules: in lower case, without +tag. */
export function normalizedMailbox(address: string): string {
  const [local = "", domain = ""] = address.toLowerCase().split("@");
  const [name, at] = nameAt(local.split("+")[0] ?? "", domain);
  const provider = PROVIDER_OF.get(at);
  // A name of ignored characters only stays as it is.
  return `${provider?.fold?.(name) || name}@${provider?.domains[0] ?? at}`;
}

/** Name and domain of an address, without the subdomain by which some providers tell mailboxes apart. */
function nameAt(name: string, domain: string): readonly [name: string, domain: string] {
  const dot = domain.indexOf(".");
  const parent = domain.slice(dot + 1);
  return PROVIDER_OF.get(parent)?.hasSubdomains === true
    ? [domain.slice(0, dot), parent]
    : [name, domain];
}

/** Domain of a mailbox whose users may all be one person's; null for a large provider. */
export function smallMailDomain(address: string): string | null {
  const domain = normalizedMailbox(address).split("@")[1] ?? "";
  return PROVIDER_OF.has(domain) || LARGE_PROVIDERS.has(domain) ? null : domain;
}

/**
 * Places where a store finds every spelling of a mailbox (the result of `normalizedMailbox`) and few others, to compare
 * them one by one: ranges of addresses in lower case, in the order of their characters, and an ending.
 */
export function whereSpelled(mailbox: string): {
  readonly ranges: readonly { readonly from: string; readonly below: string }[];
  readonly ending: string | null;
} {
  const [name = "", domain = ""] = mailbox.split("@");
  const provider = PROVIDER_OF.get(domain);
  const prefixes =
    provider?.fold === undefined
      ? [`${name}@`, `${name}+`]
      : [name.slice(0, 1) || "+", ".", "-", "_"];
  return {
    ranges: prefixes.map((prefix) => ({ from: prefix, below: nextText(prefix) })),
    ending: provider?.hasSubdomains === true ? `@${name}.${domain}` : null,
  };
}

/** First text after all those that begin with this one. */
function nextText(prefix: string): string {
  const last = prefix.length - 1;
  return prefix.slice(0, last) + String.fromCodePoint((prefix.codePointAt(last) ?? 0) + 1);
}

/**
 * Keyed hash of exactly this spelling of a mailbox, letter case included, for what its reader sees and for the suppression
 * list. With the normalised address, bounces of an invented `victim+nobody@example.org` would silence `victim@example.org`.
 */
export function hashMailbox(secrets: Pick<Secrets, "keyedHash">, email: string): string {
  return secrets.keyedHash("mailbox", email);
}

/** Keyed hash of the normalised address, equal for all spellings of a mailbox; for limits. */
export function hashAddress(secrets: Pick<Secrets, "keyedHash">, email: string): string {
  return secrets.keyedHash("address", normalizedMailbox(email));
}

/**
 * Pairs with equal chips (score 100), then the first of each mail domain, the second of each, and so on; within a domain
 * its mailboxes take turns likewise. Someone who publishes a hundred lookalikes of an alert has a few mailboxes at a few
 * domains, and cannot push a genuine pair out. `queue` separates pairs that do not wait for each other.
 */
export function ownersInTurn<Pair>(
  pairs: readonly Pair[],
  about: (pair: Pair) => { email: string | null; score?: number; queue?: string },
): readonly Pair[] {
  const groupBy = (sender: (email: string) => string) => (pair: Pair) => {
    const { score, email, queue = "" } = about(pair);
    return score === 100 ? null : `${queue} ${sender(email ?? "")}`;
  };
  return roundRobin(roundRobin(pairs, groupBy(normalizedMailbox)), groupBy(mailDomain));
}

/** The first `limit` of `ownersInTurn`, in their own order: one person who has dozens does not displace the others. */
export function firstInTurn<Item>(
  items: readonly Item[],
  about: (item: Item) => { email: string | null; score?: number },
  limit: number,
): readonly Item[] {
  const chosen = new Set(ownersInTurn(items, about).slice(0, limit));
  return items.filter((item) => chosen.has(item));
}

/** Last two labels of an address's domain; one registrant can have any number of subdomains. */
function mailDomain(email: string): string {
  const domain = email.slice(email.lastIndexOf("@") + 1).toLowerCase();
  return domain.split(".").slice(-2).join(".");
}
