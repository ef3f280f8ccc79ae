import { timingSafeEqual } from "node:crypto";

/** Plus addresses with an id and a MAC against forgery: `bounces+<id><MAC>@shelter.example`. */
export type PlusAddresses = {
  /** Address of an id, which is a UUID. */
  of(id: string): string;
  /** Ids in the addresses that occur in a text, in order; those with a wrong MAC are left out. */
  idsIn(text: string): string[];
  /** True if a text contains an address of this form, authentic or not. */
  hasCandidate(text: string): boolean;
};

/** UUID in base 32, which survives servers that change the case of addresses. */
const ID_DIGITS = 26;
/** 80 bits. */
const MAC_HEX_DIGITS = 20;
const MAC_DIGITS = 16;
/** Addresses checked per text. */
const CANDIDATES_MAX = 20;

/** `base` is the address without the plus, in lower case; `mac` returns a keyed hash of an id in hex. */
export function createPlusAddresses(base: string, mac: (id: string) => string): PlusAddresses {
  const [local = "", domain = ""] = base.split("@");
  const pattern = () =>
    new RegExp(
      `(?<![\\w.+-])${RegExp.escape(local)}\\+([0-9a-v]{${ID_DIGITS + MAC_DIGITS}})@${RegExp.escape(domain)}(?![\\w-])`,
      "gi",
    );
  const tagOf = (id: string) =>
    inBase32(id.replaceAll("-", ""), ID_DIGITS) +
    inBase32(mac(id).slice(0, MAC_HEX_DIGITS), MAC_DIGITS);

  return {
    of(id) {
      if (!UUID.test(id)) throw new Error("an id in an address is a UUID");
      return `${local}+${tagOf(id)}@${domain}`;
    },
    idsIn(text) {
      const tags = [...text.matchAll(pattern()).take(CANDIDATES_MAX)].map(([, tag = ""]) =>
        tag.toLowerCase(),
      );
      return [...new Set(tags)].flatMap((tag) => {
        const id = uuidOf(tag.slice(0, ID_DIGITS));
        return id !== null && isAuthentic(tag, tagOf(id)) ? [id] : [];
      });
    },
    hasCandidate: (text) => pattern().test(text),
  };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const UUID_HEX_DIGITS = 32;

function isAuthentic(tag: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(tag), Buffer.from(expected));
}

function inBase32(hex: string, digits: number): string {
  return BigInt(`0x${hex}`).toString(32).padStart(digits, "0");
}

function uuidOf(base32: string): string | null {
  const number = [...base32].reduce(
    (sum, digit) => sum * 32n + BigInt(Number.parseInt(digit, 32)),
    0n,
  );
  const hex = number.toString(16).padStart(UUID_HEX_DIGITS, "0");
  const parts = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(hex)?.slice(1);
  return parts?.join("-") ?? null;
}
