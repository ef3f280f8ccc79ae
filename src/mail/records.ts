import { createPublicKey } from "node:crypto";
import { isIP } from "node:net";
import { type Finding, mend, ok, warn } from "../core/finding.ts";
import { inNetworks, readNetwork } from "../core/limit.ts";
import type { Dns } from "./dns.ts";
import type { Dkim } from "./transport.ts";

/** Whether other mail servers will find in the DNS what makes them trust our letters: SPF, DKIM and DMARC. */
export async function checkRecords(
  mail: {
    /** Of the sender's address. */
    readonly domain: string;
    /** The server that takes our letters. */
    readonly server: string;
    readonly dkim: Dkim | null;
  },
  dns: Dns,
): Promise<Finding[]> {
  const checks = [
    checkSpf(mail.domain, mail.server, dns),
    mail.dkim === null ? Promise.resolve(UNSIGNED) : checkDkim(mail.dkim, mail.domain, dns),
    checkDmarc(mail.domain, dns),
  ];
  return Promise.all(
    checks.map((check) =>
      check.catch((error: unknown) =>
        warn(
          `The DNS gave no answer (${error instanceof Error ? error.message : String(error)})`,
          "Check that this machine can ask the DNS, and run this again.",
        ),
      ),
    ),
  );
}

/** RFC 7208. */
async function checkSpf(domain: string, server: string, dns: Dns): Promise<Finding> {
  const records = (await dns.txt(domain)).filter((text) => /^v=spf1(?: |$)/i.test(text));
  const [record] = records;
  if (record === undefined)
    return mend(
      `${domain} has no SPF record: it does not say who may send its mail`,
      `Publish a TXT record for ${domain}: "v=spf1 mx -all" if its mail server sends the letters, else the one your mail provider names.`,
    );
  if (records.length > 1)
    return mend(
      `${domain} has ${records.length} SPF records, so that none counts (RFC 7208, 4.5)`,
      "Put what they name into one record.",
    );
  const terms = record.toLowerCase().split(/\s+/).slice(1);
  if (terms.some((term) => term === "+all" || term === "all"))
    return mend(
      `The SPF record of ${domain} lets anybody send in its name`,
      "End it in -all or ~all.",
    );
  if (await names(terms, domain, server, dns))
    return ok(`The SPF record of ${domain} names ${server}`);
  return warn(
    `The SPF record of ${domain} does not seem to name ${server}: "${record}"`,
    "If letters leave by that server, add what your mail provider asks for (include:… or ip4:…).",
  );
}

/** Best effort: it follows no includes, and takes one of the server's own domain as naming it. */
async function names(
  terms: readonly string[],
  domain: string,
  server: string,
  dns: Dns,
): Promise<boolean> {
  const mechanisms = terms
    .filter((term) => !/^[-~?]/.test(term))
    .map((term) => term.replace(/^\+/, ""));
  const addresses = isIP(server) ? [server] : await dns.addresses(server);
  for (const mechanism of mechanisms) {
    const [kind = "", value = ""] = mechanism.split(/[:=](.*)/s);
    switch (kind) {
      case "ip4":
      case "ip6":
        if (addresses.some((address) => isWithin(address, value))) return true;
        break;
      case "include":
      case "redirect":
        if (organisation(value) === organisation(server)) return true;
        break;
      case "a":
      case "mx":
      case "exists":
        // The domain's own machines: those of its mail server are among them as a rule.
        if (organisation(value || domain) === organisation(server)) return true;
        break;
    }
  }
  return false;
}

function isWithin(address: string, range: string): boolean {
  const network = readNetwork(range);
  return network !== null && inNetworks([network], address);
}

/**
 * The domain an organisation registered, near enough to give advice by: the last two labels, or three where the last
 * but one is as short as those of countries (co.uk, com.br).
 */
function organisation(host: string): string {
  const labels = host.toLowerCase().replace(/\.$/, "").split(".");
  const isCountrys = labels.at(-1)?.length === 2 && (labels.at(-2)?.length ?? 0) <= 3;
  return labels.slice(isCountrys ? -3 : -2).join(".");
}

const UNSIGNED = warn(
  "Letters are not signed here (DKIM_DOMAIN, DKIM_SELECTOR and DKIM_KEY_FILE are unset)",
  "That is as it should be if your mail server signs them. Else many mailboxes take them for spam.",
);

/** RFC 6376, 3.6. */
async function checkDkim(dkim: Dkim, domain: string, dns: Dns): Promise<Finding> {
  const name = `${dkim.selector}._domainkey.${dkim.domain}`;
  const ours = createPublicKey(dkim.privateKey)
    .export({ type: "spki", format: "der" })
    .toString("base64");
  const publish = `Publish a TXT record for ${name}: "v=DKIM1; k=rsa; p=${ours}"`;
  const keys = (await dns.txt(name)).flatMap(
    (text) => /(?:^|;)\s*p\s*=([^;]*)/.exec(text)?.[1] ?? [],
  );
  const [key] = keys.map((text) => text.replace(/\s+/g, ""));
  if (key === undefined) return mend(`There is no DKIM key at ${name}`, publish);
  if (keys.length > 1)
    return mend(`There are ${keys.length} DKIM keys at ${name}`, "Leave the one of DKIM_KEY_FILE.");
  if (key !== ours)
    return mend(
      key === ""
        ? `The DKIM key at ${name} is revoked`
        : `The DKIM key at ${name} is not that of DKIM_KEY_FILE: every signature fails`,
      publish,
    );
  if (organisation(dkim.domain) !== organisation(domain))
    return warn(
      `Letters from ${domain} are signed by ${dkim.domain}, which does not count for DMARC`,
      `Set DKIM_DOMAIN to ${domain}, and publish the key there.`,
    );
  return ok(`The DKIM key at ${name} is that of DKIM_KEY_FILE`);
}

/** RFC 7489, 6.6.3: of the domain itself, or else of its organisation. */
async function checkDmarc(domain: string, dns: Dns): Promise<Finding> {
  for (const name of new Set([domain, organisation(domain)])) {
    const records = (await dns.txt(`_dmarc.${name}`)).filter((text) => /^v=DMARC1\b/.test(text));
    const [record] = records;
    if (record === undefined) continue;
    if (records.length > 1 || !/;\s*p\s*=\s*(?:none|quarantine|reject)\b/i.test(record))
      return mend(
        `The DMARC record of ${name} cannot be used`,
        `Leave one TXT record for _dmarc.${name}, such as "v=DMARC1; p=quarantine".`,
      );
    return ok(`${name} has a DMARC record`);
  }
  return warn(
    `${domain} has no DMARC record, which large mailbox providers ask for`,
    `Publish a TXT record for _dmarc.${domain}: "v=DMARC1; p=none".`,
  );
}
