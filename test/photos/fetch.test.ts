import type { OutboundParts } from "../../src/outbound/pinned-request.ts";
import { afterEach, describe, expect, test } from "bun:test";
import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { createServer, type TLSSocket } from "node:tls";
import { Fault } from "../../src/core/fault.ts";
import { createPhotoFetcher } from "../../src/photos/fetch.ts";
import { jpeg } from "../support/picture.ts";
import { CERTIFICATE, HOST, PRIVATE_KEY } from "./certificate.ts";
import { readNetwork } from "../../src/core/ip-address.ts";

const LOOPBACK = readNetwork("127.0.0.0/8") ?? never();
const MB = 1024 * 1024;

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

describe("a picture at a public https address", () => {
  test("is fetched byte for byte", async () => {
    const picture = await jpeg({ width: 640, height: 480 });
    const host = await pictureHost(sending(picture));

    expect(await host.fetch(`https://${HOST}/cat.jpg`)).toEqual(Buffer.from(picture));
  });

  test("is asked for by host, path and query, unpacked, and with nothing that tells who asks", async () => {
    const host = await pictureHost(sending("picture"));

    await host.fetch(`https://${HOST}/a%20cat.jpg?size=1#part`);

    const [{ head, servername } = never()] = host.asked;
    expect(servername).toBe(HOST);
    const [first, ...headers] = head.trim().split("\r\n");
    expect(first).toBe("GET /a%20cat.jpg?size=1 HTTP/1.1");
    expect(headers.map((header) => header.toLowerCase()).sort()).toEqual([
      "accept-encoding: identity",
      "accept: image/*",
      "connection: close",
      `host: ${HOST}`,
      "user-agent: pet alert",
    ]);
  });

  test("is fetched from the very address that was found public: the name is resolved once", async () => {
    const host = await pictureHost(sending("picture"));
    const answers = [["127.0.0.1"], ["10.0.0.1"]];

    const fetched = await host.fetch(`https://${HOST}/`, {
      resolve: async () => answers.shift() ?? [],
    });

    expect(Buffer.from(fetched).toString()).toBe("picture");
    expect(answers).toEqual([["10.0.0.1"]]);
  });

  test("is fetched from the next address when nobody answers at the first", async () => {
    const host = await pictureHost(sending("picture"));

    const fetched = await host.fetch(`https://${HOST}/`, {
      resolve: async () => ["127.0.0.2", "127.0.0.1"],
    });

    expect(Buffer.from(fetched).toString()).toBe("picture");
  });

  test("may take its full 5 MB, in chunks or with its length said before", async () => {
    const bytes = Buffer.alloc(5 * MB, 7);
    const chunked = await pictureHost((peer) => {
      peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
      for (let at = 0; at < bytes.length; at += MB) chunk(peer, bytes.subarray(at, at + MB));
      peer.end("0\r\n\r\n");
    });
    const counted = await pictureHost(sending(bytes));

    for (const host of [chunked, counted]) {
      expect(bytes.equals(await host.fetch(`https://${HOST}/`))).toBe(true);
    }
  });
});

describe("an address is refused before anything is asked:", () => {
  test.each([
    ["", "must be complete"],
    ["cat.jpg", "must be complete"],
    [`https://${HOST}/${"a".repeat(2_000)}`, "must be complete"],
    [`http://${HOST}/cat.jpg`, "begin with https://"],
    ["file:///etc/passwd", "begin with https://"],
    ["javascript:alert(1)", "begin with https://"],
    [`https://user:secret@${HOST}/`, "user name or password"],
    [`https://${HOST}:8443/`, "must not have a port"],
    ["https://127.0.0.1/", "have a public host"],
    ["https://0x7f.1/", "have a public host"],
    ["https://①②⑦.⓪.⓪.①/", "have a public host"],
    ["https://[::1]/", "have a public host"],
    ["https://[::ffff:127.0.0.1]/", "have a public host"],
    ["https://localhost./", "have a public host"],
    ["https://pictures.example.org./", "have a public host"],
  ])("%s", async (address, words) => {
    const asked: string[] = [];
    const fetchPhoto = createPhotoFetcher({
      async resolve(host) {
        asked.push(host);
        return ["8.8.8.8"];
      },
    });

    const fault = await faultOf(fetchPhoto(address));

    expect(fault.code).toBe("bad_input");
    expect(fault.message).toContain(words);
    expect(fault.message).toMatch(/^[A-Z][^\n]{1,90}\.$/);
    expect(asked).toEqual([]);
  });
});

describe("a host is refused, and never connected to, when its name leads to", () => {
  test.each([
    ["this machine", ["127.0.0.1"]],
    ["a private network", ["192.168.1.1"]],
    ["a cloud's metadata", ["169.254.169.254"]],
    ["this machine dressed as IPv6", ["::ffff:127.0.0.1"]],
    ["a public address first and a private one after", ["8.8.8.8", "10.0.0.1"]],
    ["a public IPv4 and a private IPv6 address", ["8.8.8.8", "fd00::1"]],
    ["nowhere", []],
  ])("%s", async (_where, ips) => {
    const host = await pictureHost(sending("secret"));

    const fault = await faultOf(
      host.fetch(`https://${HOST}/`, { resolve: async () => ips, alsoPublic: [] }),
    );

    expect(fault).toMatchObject({
      code: "bad_input",
      message: `There is no public host named ${HOST}.`,
    });
    expect(host.connections()).toBe(0);
  });

  test("this machine among addresses where the server does listen", async () => {
    const host = await pictureHost(sending("secret"));

    const fault = await faultOf(
      host.fetch(`https://${HOST}/`, { resolve: async () => ["127.0.0.1", "10.0.0.1"] }),
    );

    expect(fault.message).toBe(`There is no public host named ${HOST}.`);
    expect(host.connections()).toBe(0);
  });

  test("nothing, told in the same words, so that no hidden name can be found out", async () => {
    const fetchPhoto = createPhotoFetcher({
      resolve: () => Promise.reject(new Error("getaddrinfo ENOTFOUND 10.1.2.3")),
    });

    const fault = await faultOf(fetchPhoto(`https://${HOST}/`));

    expect(fault.message).toBe(`There is no public host named ${HOST}.`);
  });
});

describe("a host is told apart and harmless when it", () => {
  const NOT_SECURE = `${HOST} did not send the photo over a valid secure connection.`;
  const TOO_LARGE = `The photo on ${HOST} is larger than 5 MB.`;
  const MOVED = `${HOST} redirects to another URL: please use the photo's own URL.`;
  const PACKED = `${HOST} sends the photo with a content encoding that is not supported.`;

  test.each([
    ["passes on to a private address", "302 Found\r\nLocation: https://127.0.0.1/", MOVED],
    ["says there is nothing new", "304 Not Modified", MOVED],
    ["has no such picture", "404 Not Found", `${HOST} has no photo there (status 404).`],
    ["sends a part", "206 Partial Content", `${HOST} has no photo there (status 206).`],
    ["packs it though asked not to", "200 OK\r\nContent-Encoding: gzip", PACKED],
  ])("%s", async (_what, statusAndHeaders, sentence) => {
    const host = await pictureHost((peer) => {
      peer.write(`HTTP/1.1 ${statusAndHeaders}\r\nContent-Length: 1000000\r\n\r\n`);
    });

    const fault = await faultOf(host.fetch(`https://${HOST}/private?token=secret`));

    expect(fault).toMatchObject({ code: "bad_input", message: sentence });
    // It had more to send, and nobody waited for it.
    await host.allClosed();
    expect(host.connections()).toBe(1);
  });

  test("says that it will send more than 5 MB", async () => {
    const host = await pictureHost((peer) => {
      peer.write(`HTTP/1.1 200 OK\r\nContent-Length: ${5 * MB + 1}\r\n\r\n`);
    });

    expect(await faultOf(host.fetch(`https://${HOST}/`))).toMatchObject({
      code: "too_large",
      message: TOO_LARGE,
    });
    await host.allClosed();
  });

  test("sends without end: nothing is read beyond 5 MB and the connection ends", async () => {
    let sent = 0;
    const host = await pictureHost((peer) => {
      peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
      const more = () => {
        while (!peer.destroyed && chunk(peer, Buffer.alloc(64 * 1024))) sent += 64 * 1024;
      };
      peer.on("drain", more);
      more();
    });

    expect(await faultOf(host.fetch(`https://${HOST}/`))).toMatchObject({
      code: "too_large",
      message: TOO_LARGE,
    });
    await host.allClosed();
    // What the two machines' buffers hold comes on top.
    expect(sent).toBeLessThan(20 * MB);
  });

  test("ends before it has sent what it said", async () => {
    const host = await pictureHost((peer) => {
      peer.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf a picture");
    });

    expect((await faultOf(host.fetch(`https://${HOST}/`))).message).toBe(NOT_SECURE);
  });

  test.each([
    [
      "sends heads without end",
      `HTTP/1.1 200 OK\r\n${`X-More: ${"a".repeat(4_000)}\r\n`.repeat(50)}`,
    ],
    ["says two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nabcde"],
  ])("%s", async (_what, said) => {
    const host = await pictureHost((peer) => peer.write(said));

    expect((await faultOf(host.fetch(`https://${HOST}/`))).message).toBe(NOT_SECURE);
    await host.allClosed();
  });

  test.each([
    ["takes the call and says nothing", ""],
    ["sends a part and then nothing", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"],
    ["says again and again that it is about to", "HTTP/1.1 100 Continue\r\n\r\n".repeat(100)],
  ])("%s", async (_what, said) => {
    const host = await pictureHost((peer) => {
      if (said !== "") peer.write(said);
    });

    const fault = await faultOf(host.fetch(`https://${HOST}/`, { timeoutMs: 200 }));

    expect(fault).toMatchObject({
      code: "bad_input",
      message: `${HOST} did not send the photo within 5 seconds.`,
    });
    await host.allClosed();
  });

  test("has a name that takes for ever to be found", async () => {
    const fetchPhoto = createPhotoFetcher({ resolve: () => new Promise(() => {}), timeoutMs: 50 });

    expect((await faultOf(fetchPhoto(`https://${HOST}/`))).message).toBe(
      `${HOST} did not send the photo within 5 seconds.`,
    );
  });

  test("shows the certificate of another name", async () => {
    const host = await pictureHost(sending("secret"));

    const fault = await faultOf(host.fetch("https://other.example.org/"));

    expect(fault.message).toBe(
      "other.example.org did not send the photo over a valid secure connection.",
    );
    expect(host.asked).toEqual([]);
  });

  test("shows a certificate that nobody vouches for", async () => {
    const host = await pictureHost(sending("secret"));
    const strict = createPhotoFetcher({
      resolve: async () => ["127.0.0.1"],
      alsoPublic: [LOOPBACK],
      port: host.port,
    });

    expect((await faultOf(strict(`https://${HOST}/`))).message).toBe(NOT_SECURE);
    expect(host.asked).toEqual([]);
  });
});

/** A real https server for `HOST` on this machine that answers each request, once its head is whole, as it is told. */
async function pictureHost(answer: (peer: TLSSocket) => void, listenOn = "127.0.0.1") {
  const asked: { head: string; servername: unknown }[] = [];
  const closed: Promise<unknown>[] = [];
  const sockets = new Set<Socket>();
  const server = createServer({ key: PRIVATE_KEY, cert: CERTIFICATE }, (peer) => {
    let head = "";
    sockets.add(peer);
    closed.push(new Promise((resolve) => peer.once("close", resolve)));
    peer.on("error", () => {});
    peer.on("data", (bytes: Buffer) => {
      head += bytes.toString("latin1");
      if (!head.endsWith("\r\n\r\n")) return;
      asked.push({ head, servername: "servername" in peer ? peer.servername : null });
      head = "";
      answer(peer);
    });
  });
  server.on("tlsClientError", () => {});
  let connections = 0;
  server.on("connection", () => {
    connections += 1;
  });
  server.listen(0, listenOn);
  await once(server, "listening");
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  closers.push(close);

  const { port } = server.address() as AddressInfo;
  const parts: OutboundParts = {
    resolve: async () => ["127.0.0.1"],
    alsoPublic: [LOOPBACK],
    port,
    ca: CERTIFICATE,
  };
  return {
    port,
    parts,
    asked,
    close,
    connections: () => connections,
    /** Resolves when every connection that was made has ended at our side too. */
    allClosed: () => Promise.all(closed),
    fetch: (address: string, more: OutboundParts = {}) =>
      createPhotoFetcher({ ...parts, ...more })(address),
  };
}

function sending(content: Uint8Array | string) {
  const bytes = Buffer.from(content);
  return (peer: TLSSocket) => {
    peer.write(`HTTP/1.1 200 OK\r\nContent-Length: ${bytes.length}\r\n\r\n`);
    peer.write(bytes);
  };
}

function chunk(peer: TLSSocket, bytes: Buffer): boolean {
  peer.write(`${bytes.length.toString(16)}\r\n`);
  peer.write(bytes);
  return peer.write("\r\n");
}

async function faultOf(work: Promise<unknown>): Promise<Fault> {
  const outcome = await work.catch((error: unknown) => error);
  if (outcome instanceof Fault) return outcome;
  throw new Error(`expected a fault, got ${String(outcome)}`);
}

function never(): never {
  throw new Error("this must be there");
}
