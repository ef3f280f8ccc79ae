import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { createSocket, type Socket } from "node:dgram";
import { checkDnsRecords } from "../../src/mail/dns-records.ts";
import { createDns, type Dns } from "../../src/mail/dns.ts";

const [A, TXT, AAAA] = [1, 16, 28] as const;
const NO_SUCH_NAME = 3;
const SERVER_FAILURE = 2;
const LONG = "x".repeat(400);

/** By the first label of a name: the data of its records of each kind. */
const ZONE: Readonly<Record<string, Readonly<Record<number, readonly Buffer[]>>>> = {
  example: {
    [TXT]: [
      pieces("v=spf1 mx -all"),
      pieces(LONG.slice(0, 255), LONG.slice(255)),
      pieces("another"),
    ],
  },
  // Cut after its tags, and within the key.
  mail: {
    [A]: [Buffer.from([192, 0, 2, 7])],
    [AAAA]: [Buffer.from("20010db8000000000000000000000007", "hex")],
    [TXT]: [pieces("v=DKIM1; k=rsa; ", `p=${LONG.slice(0, 200)}`, LONG.slice(200))],
  },
  broken: {},
};

let server: Socket;
let dns: Dns;
beforeAll(async () => {
  server = createSocket("udp4");
  server.on("message", (query, from) => server.send(answerTo(query), from.port, from.address));
  await new Promise<void>((resolve) => server.bind(0, "127.0.0.1", resolve));
  dns = createDns([`127.0.0.1:${server.address().port}`]);
});
afterAll(() => server.close());

test("a record that came in pieces is one text, beside others", async () => {
  expect(await dns.txt("example.org")).toEqual(["v=spf1 mx -all", LONG, "another"]);
});

test("a DKIM record is one text wherever it was cut", async () => {
  expect(await dns.txt("mail._domainkey.example.org")).toEqual([`v=DKIM1; k=rsa; p=${LONG}`]);
});

test("a name has its addresses of both kinds", async () => {
  expect((await dns.addresses("mail.example.org")).toSorted()).toEqual([
    "192.0.2.7",
    "2001:db8::7",
  ]);
});

test("a name that is not there, or has nothing of the kind, has no records", async () => {
  expect(await dns.txt("nobody.example.org")).toEqual([]);
  expect(await dns.addresses("example.org")).toEqual([]);
  expect(await dns.addresses("nobody.example.org")).toEqual([]);
});

test("a server that fails is an error, not an empty answer", async () => {
  await expect(dns.txt("broken.example.org")).rejects.toThrow();
});

/** An answer as RFC 1035 (section 4) writes it: the question again, then what there is. */
function answerTo(query: Buffer): Buffer {
  const end = query.indexOf(0, 12) + 5;
  const question = query.subarray(12, end);
  const first = question.subarray(1, 1 + question[0]!).toString("latin1");
  const kind = question.readUInt16BE(question.length - 4);
  const records = (ZONE[first]?.[kind] ?? []).map((data) => record(kind, data));
  const code = ZONE[first] === undefined ? NO_SUCH_NAME : first === "broken" ? SERVER_FAILURE : 0;
  const head = Buffer.from(query.subarray(0, 12));
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(records.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, question, ...records]);
}

/** The name by a pointer to the question's, class IN, one minute. */
function record(kind: number, data: Buffer): Buffer {
  const head = Buffer.from([0xc0, 12, 0, kind, 0, 1, 0, 0, 0, 60, 0, 0]);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function pieces(...texts: string[]): Buffer {
  return Buffer.concat(texts.flatMap((text) => [Buffer.from([text.length]), Buffer.from(text)]));
}

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

/** Findings about SPF, DKIM and DMARC, in this order. */
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
