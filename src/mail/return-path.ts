import { timingSafeEqual } from "node:crypto";

/** Envelope senders with the email's id (VERP) and a MAC against forgery: `bounces+<email id><MAC>@shelter.example`. */
export type ReturnPaths = {
  of(emailId: string): string;
  /** Ids of the emails whose envelope senders occur in a text, in order; those with a wrong MAC are left out. */
  emailIdsIn(text: string): string[];
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

/** `bounceAddress` is the setting BOUNCE_ADDRESS; `mac` returns a keyed hash in hex. */
export function createReturnPaths(
  bounceAddress: string,
  mac: (emailId: string) => string,
): ReturnPaths {
  const [local = "", domain = ""] = bounceAddress.split("@");
  const pattern = () =>
    new RegExp(
      `(?<![\\w.+-])${RegExp.escape(local)}\\+([0-9a-v]{${ID_DIGITS + MAC_DIGITS}})@${RegExp.escape(domain)}(?![\\w-])`,
      "gi",
    );
  const tagOf = (emailId: string) =>
    inBase32(emailId.replaceAll("-", ""), ID_DIGITS) +
    inBase32(mac(emailId).slice(0, MAC_HEX_DIGITS), MAC_DIGITS);

  return {
    of(emailId) {
      if (!UUID.test(emailId)) throw new Error("the id of an email is a UUID");
      return `${local}+${tagOf(emailId)}@${domain}`;
    },
    emailIdsIn(text) {
      const tags = [...text.matchAll(pattern()).take(CANDIDATES_MAX)].map(([, tag = ""]) =>
        tag.toLowerCase(),
      );
      return [...new Set(tags)].flatMap((tag) => {
        const emailId = uuidOf(tag.slice(0, ID_DIGITS));
        return emailId !== null && isAuthentic(tag, tagOf(emailId)) ? [emailId] : [];
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
