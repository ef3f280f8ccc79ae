import { createPublicKey } from "node:crypto";
import { isIP } from "node:net";
import { type CheckResult, fix, ok, warn } from "../ops/check-result.ts";
import type { Dns } from "./dns.ts";
import type { Dkim } from "./smtp.ts";
import { inNetworks, readNetwork } from "../core/ip-address.ts";

/** Checks the DNS records that make other mail servers trust our emails: SPF, DKIM and DMARC. */
export async function checkDnsRecords(
  mail: {
    /** Domain of the sender's address. */
    readonly domain: string;
    /** Mail server that we send through. */
    readonly server: string;
    readonly dkim: Dkim | null;
  },
  dns: Dns,
): Promise<CheckResult[]> {
  const checks = [
    checkSpf(mail.domain, mail.server, dns),
    mail.dkim === null ? Promise.resolve(UNSIGNED) : checkDkim(mail.dkim, mail.domain, dns),
    checkDmarc(mail.domain, dns),
  ];
  return Promise.all(
    checks.map((check) =>
      check.catch((error: unknown) =>
        warn(
          `The DNS query failed (${error instanceof Error ? error.message : String(error)})`,
          "Check that DNS works on this machine, and run this again.",
        ),
      ),
    ),
  );
}

/** Checks SPF (RFC 7208). */
async function checkSpf(domain: string, server: string, dns: Dns): Promise<CheckResult> {
  const records = (await dns.txt(domain)).filter((text) => /^v=spf1(?: |$)/i.test(text));
  const [record] = records;
  if (record === undefined)
    return fix(
      `${domain} has no SPF record, which lists the servers that may send its email`,
      `Publish a TXT record for ${domain}: "v=spf1 mx -all" if its own mail server sends the emails, otherwise the record your mail provider gives you.`,
    );
  if (records.length > 1)
    return fix(
      `${domain} has ${records.length} SPF records, so none of them counts (RFC 7208, 4.5)`,
      "Merge them into one record.",
    );
  const terms = record.toLowerCase().split(/\s+/).slice(1);
  if (terms.some((term) => term === "+all" || term === "all"))
    return fix(
      `The SPF record of ${domain} lets anyone send email in its name`,
      "End it with -all or ~all.",
    );
  if (await permitsServer(terms, domain, server, dns))
    return ok(`The SPF record of ${domain} includes ${server}`);
  return warn(
    `The SPF record of ${domain} does not seem to include ${server}: "${record}"`,
    "If emails are sent by that server, add what your mail provider asks for (include:… or ip4:…).",
  );
}

/** True if SPF terms seem to permit the server. Includes are not followed; one of the server's own domain counts. */
async function permitsServer(
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
        // The domain's own hosts, which usually include its mail server.
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
 * Organisational domain of a host, approximately: the last two labels, or three for country domains with a short second
 * level (co.uk, com.br).
 */
function organisation(host: string): string {
  const labels = host.toLowerCase().replace(/\.$/, "").split(".");
  const hasShortSecondLevel = labels.at(-1)?.length === 2 && (labels.at(-2)?.length ?? 0) <= 3;
  return labels.slice(hasShortSecondLevel ? -3 : -2).join(".");
}

/** SPF covers the envelope sender. It counts for DMARC only if that aligns with the visible sender (RFC 7489, 3.1.2). */
export function checkAlignment(senderDomain: string, bounceAddress: string): CheckResult {
  const bounceDomain = bounceAddress.slice(bounceAddress.lastIndexOf("@") + 1);
  return organisation(bounceDomain) === organisation(senderDomain)
    ? ok(`Bounces go to ${bounceAddress}, in the sender's domain`)
    : warn(
        `Bounces go to ${bounceDomain}, emails come from ${senderDomain}: SPF does not count for DMARC`,
        "Use a BOUNCE_ADDRESS in the domain of MAIL_FROM, or sign emails with DKIM.",
      );
}

const UNSIGNED = warn(
  "Emails are not signed here (DKIM_DOMAIN, DKIM_SELECTOR and DKIM_KEY_FILE are unset)",
  "That is fine if your mail server signs them. Otherwise many mailboxes treat them as spam.",
);

/** Checks the public key of DKIM (RFC 6376, 3.6). */
async function checkDkim(dkim: Dkim, domain: string, dns: Dns): Promise<CheckResult> {
  const name = `${dkim.selector}._domainkey.${dkim.domain}`;
  const ours = createPublicKey(dkim.privateKey)
    .export({ type: "spki", format: "der" })
    .toString("base64");
  const publish = `Publish a TXT record for ${name}: "v=DKIM1; k=rsa; p=${ours}"`;
  const keys = (await dns.txt(name)).flatMap(
    (text) => /(?:^|;)\s*p\s*=([^;]*)/.exec(text)?.[1] ?? [],
  );
  const [key] = keys.map((text) => text.replace(/\s+/g, ""));
  if (key === undefined) return fix(`There is no DKIM key at ${name}`, publish);
  if (keys.length > 1)
    return fix(
      `There are ${keys.length} DKIM keys at ${name}`,
      "Keep only the one of DKIM_KEY_FILE.",
    );
  if (key !== ours)
    return fix(
      key === ""
        ? `The DKIM key at ${name} is revoked`
        : `The DKIM key at ${name} does not match DKIM_KEY_FILE, so every signature fails`,
      publish,
    );
  if (organisation(dkim.domain) !== organisation(domain))
    return warn(
      `Emails from ${domain} are signed by ${dkim.domain}, which does not count for DMARC`,
      `Set DKIM_DOMAIN to ${domain}, and publish the key there.`,
    );
  return ok(`The DKIM key at ${name} matches DKIM_KEY_FILE`);
}

/** Checks DMARC (RFC 7489, 6.6.3): the record of the domain itself, otherwise that of its organisational domain. */
async function checkDmarc(domain: string, dns: Dns): Promise<CheckResult> {
  for (const name of new Set([domain, organisation(domain)])) {
    const records = (await dns.txt(`_dmarc.${name}`)).filter((text) => /^v=DMARC1\b/.test(text));
    const [record] = records;
    if (record === undefined) continue;
    if (records.length > 1 || !/;\s*p\s*=\s*(?:none|quarantine|reject)\b/i.test(record))
      return fix(
        `The DMARC record of ${name} is not valid`,
        `Keep one TXT record for _dmarc.${name}, such as "v=DMARC1; p=quarantine".`,
      );
    return ok(`${name} has a DMARC record`);
  }
  return warn(
    `${domain} has no DMARC record, which large mailbox providers require`,
    `Publish a TXT record for _dmarc.${domain}: "v=DMARC1; p=none".`,
  );
}
