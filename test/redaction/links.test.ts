import { describe, expect, test } from "bun:test";
import tlds from "tlds";

import { type ContactKind, redact } from "../../src/redaction/redact.ts";

type Example = [text: string, countryCode: string, expected: string];

/** Each text becomes the expected one, with this kind removed. */
function removes(kind: ContactKind, examples: readonly Example[]): void {
  test.each(examples)(`${kind}: %s (%s)`, (text, countryCode, expected) => {
    const result = redact(text, { countryCode });

    expect(result).toEqual({ text: expected, removed: [kind] });
  });
}

describe("a link is removed, however it is hidden", () => {
  removes("link", [
    ["petclinic-verify.cfd/claim", "FR", "[removed]"],
    ["forms.gle/AbC123 and g.page/x", "US", "[removed] and [removed]"],
    ["share.google/AbC", "US", "[removed]"],
    ["Petclinic.Help/claim", "US", "[removed]"],
    ["PETCLINIC.VIP/CLAIM", "US", "[removed]"],
    ["petclinic.cfd:8443/x", "US", "[removed]"],
    ["petclinic.Help:8443", "US", "[removed]:8443"],
    ["petclinic.cfd./claim", "US", "[removed]"],
    ["petclinic.cfd?id=3, petclinic.cfd#x", "US", "[removed], [removed]"],
    ["petclinic.cfd\\claim", "US", "[removed]"],
    ["vitalik.eth", "US", "[removed]"],
    ["🐶.cfd/claim i❤.ws/x", "US", "[removed] [removed]"],
    ["petclinic.рф/claim", "RU", "[removed]"],
    ["petclinic.xn--p1ai/claim", "US", "[removed]"],
    ["例子.中国/x", "CN", "[removed]"],
    ["petclinic。cfd/claim", "US", "[removed]"],
    ["petclinic．cfd／claim", "US", "[removed]"],
    ["petclinic․cfd petclinic‧cfd", "US", "[removed] [removed]"],
    ["ｐｅｔｃｌｉｎｉｃ.ｃｆｄ/claim", "US", "[removed]"],
    ["petclinic\u200b.\u200bcfd\u00ad/claim", "US", "[removed]"],
    ["hxxps://petclinic[.]cfd/x", "US", "[removed]"],
    ["45.77.12.9/claim 45.77.12.9:8080", "FR", "[removed] [removed]"],
    ["[2001:db8::1]/x", "FR", "[removed]"],
    ["javascript:alert`1` data:text/html,hi", "US", "[removed] [removed]"],
    ["bitcoin:someone?amount=1", "US", "[removed]"],
    ["what three words: filled.count.soap", "GB", "what three words: [removed]"],
    ["trois mots : bonjour.chien.chat", "FR", "trois mots : [removed]"],
  ]);

  test("with every top-level domain, in its own script and in ASCII", () => {
    for (const tld of tlds) {
      for (const host of [
        `petclinic-verify.${tld}`,
        `Petclinic.${new URL(`http://x.${tld}`).hostname.slice(2)}`,
      ]) {
        const result = redact(`see ${host}/claim now`, { countryCode: "FR" });

        expect(result, host).toEqual({ text: "see [removed] now", removed: ["link"] });
      }
    }
  });

  test("or split by a space, if the second half could begin a sentence", () => {
    for (const tld of tlds) {
      const sentence = `${tld.charAt(0).toUpperCase()}${tld.slice(1)}`;
      for (const host of [
        `petclinic.${tld}`,
        `Petclinic.${sentence}`,
        `PETCLINIC.${tld.toUpperCase()}`,
      ]) {
        const { text } = redact(`see ${host} now`, { countryCode: "FR" });

        expect(["see [removed] now", `see ${host.replace(".", ". ")} now`]).toContain(text);
      }
    }
  });
});

describe("a payment account is removed", () => {
  removes("payment", [
    ["FR76 3000 6000 0112 3456 7890 189", "FR", "[removed]"],
    ["IBAN: DE89-3704-0044-0532-0130-00 danke", "DE", "IBAN: [removed] danke"],
    ["ES91 2100 0418 4502 0005 1332 por favor", "ES", "[removed] por favor"],
    ["gb29nwbk60161331926819", "GB", "[removed]"],
  ]);

  test("only if its check digits are right: a tattoo or a ring can look like one", () => {
    const { removed } = redact("tattoo GB92NWBK60161331926819", { countryCode: "GB" });

    expect(removed).not.toContain("payment");
  });
});
