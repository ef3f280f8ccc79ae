import { afterAll, beforeAll, expect, test } from "bun:test";
import { createSocket, type Socket } from "node:dgram";
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
