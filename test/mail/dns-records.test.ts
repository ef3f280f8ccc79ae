import { describe, expect, test } from "bun:test";
import { createPublicKey, generateKeyPairSync } from "node:crypto";
import type { Dns } from "../../src/mail/dns.ts";
import { checkDnsRecords } from "../../src/mail/dns-records.ts";

const DOMAIN = "pets.example.org";
const SERVER = "smtp.mail.example.net";

const privateKey = generateKeyPairSync("rsa", { modulusLength: 2048 })
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .toString();
const PUBLISHED = createPublicKey(privateKey)
  .export({ type: "spki", format: "der" })
  .toString("base64");
const DKIM = { domain: DOMAIN, selector: "mail", privateKey };

type Zone = Readonly<Record<string, readonly string[]>>;
const dnsOf = (zone: Zone): Dns => ({
  txt: async (name) => zone[name] ?? [],
  addresses: async (name) => (name === SERVER ? ["192.0.2.7", "2001:db8::7"] : []),
});

/** What is found of SPF, DKIM and DMARC, in this order. */
const look = (zone: Zone, mail: Partial<Parameters<typeof checkDnsRecords>[0]> = {}) =>
  checkDnsRecords({ domain: DOMAIN, server: SERVER, dkim: DKIM, ...mail }, dnsOf(zone));

describe("the SPF record", () => {
  test.each<[string, string[]]>([
    ["ok", ["v=spf1 ip4:192.0.2.0/24 -all"]],
    ["ok", ["v=spf1 ip6:2001:db8::/32 -all"]],
    ["ok", ["v=spf1 include:_spf.example.net ~all"]],
    ["ok", ["v=spf1 redirect=_spf.example.net"]],
    ["warn", ["v=spf1 -all"]],
    ["warn", ["v=spf1 ip4:nonsense/99 include: -all"]],
    ["warn", ["v=spf1 -ip4:192.0.2.7 ~all"]],
    ["fix", []],
    ["fix", ["v=spf1 ip4:192.0.2.7 -all", "v=spf1 mx -all"]],
    ["fix", ["v=spf1 +all"]],
  ])("is %s when it is %j", async (level, records) => {
    const [spf] = await look({ [DOMAIN]: records });

    expect(spf?.level).toBe(level as never);
  });

  test("is looked up for a server that is named by its address", async () => {
    const [spf] = await look(
      { [DOMAIN]: ["v=spf1 ip4:203.0.113.5 -all"] },
      { server: "203.0.113.5" },
    );

    expect(spf?.level).toBe("ok");
  });
});

describe("the DKIM key", () => {
  const at = `mail._domainkey.${DOMAIN}`;

  test.each<[string, string, string[]]>([
    ["ok", "matches DKIM_KEY_FILE", [`v=DKIM1; k=rsa; p=${PUBLISHED}`]],
    ["ok", "matches DKIM_KEY_FILE", [`p=${PUBLISHED.slice(0, 90)} ${PUBLISHED.slice(90)};`]],
    ["fix", "There is no DKIM key", []],
    ["fix", "is revoked", ["v=DKIM1; p="]],
    ["fix", "does not match DKIM_KEY_FILE, so", [`v=DKIM1; p=${PUBLISHED.replace("A", "B")}`]],
    ["fix", "There are 2", [`p=${PUBLISHED}`, `p=${PUBLISHED}`]],
  ])("is %s (%s)", async (level, text, records) => {
    const [, dkim] = await look({ [at]: records });

    expect(dkim?.level).toBe(level as never);
    expect(dkim?.text).toContain(text);
  });

  test("that is missing can be published as the advice writes it", async () => {
    const [, missing] = await look({});
    const record = /"(v=DKIM1[^"]+)"/.exec(missing?.advice ?? "")?.[1] ?? "";
    const [, published] = await look({ [at]: [record] });

    expect(published?.level).toBe("ok");
    expect(missing?.advice).not.toContain("PRIVATE");
  });

  test("of another organisation does not speak for the sender", async () => {
    const dkim = { ...DKIM, domain: "mailer.example.com" };
    const zone = { "mail._domainkey.mailer.example.com": [`p=${PUBLISHED}`] };

    expect((await look(zone, { dkim }))[1]).toMatchObject({
      level: "warn",
      text: expect.stringContaining("does not count for DMARC"),
    });
  });
});

describe("the DMARC record", () => {
  test.each<[string, Zone]>([
    ["ok", { [`_dmarc.${DOMAIN}`]: ["v=DMARC1; p=none"] }],
    ["ok", { "_dmarc.example.org": ["v=DMARC1; p=reject; rua=mailto:a@example.org"] }],
    ["warn", {}],
    ["fix", { [`_dmarc.${DOMAIN}`]: ["v=DMARC1; p=none", "v=DMARC1; p=reject"] }],
  ])("is %s with %j", async (level, zone) => {
    expect((await look(zone))[2]?.level).toBe(level as never);
  });
});

test("a DNS that does not answer is told as that, for each record", async () => {
  const silent = () => Promise.reject(new Error("ETIMEOUT"));
  const mail = { domain: DOMAIN, server: SERVER, dkim: DKIM };

  const found = await checkDnsRecords(mail, { txt: silent, addresses: silent });

  expect(found.map(({ level }) => level)).toEqual(["warn", "warn", "warn"]);
  for (const { text } of found) expect(text).toBe("The DNS query failed (ETIMEOUT)");
});
