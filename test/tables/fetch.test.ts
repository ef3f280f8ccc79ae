import type { OutboundParts } from "../../src/outbound/pinned-request.ts";
import { afterEach, describe, expect, test } from "bun:test";
import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { createServer } from "node:tls";
import { gzipSync } from "node:zlib";
import { TableFault } from "../../src/core/tables/table.ts";
import { createTableFetcher, type TableRequest } from "../../src/tables/fetch.ts";
import { CERTIFICATE, HOST, PRIVATE_KEY } from "../photos/certificate.ts";
import { openTableServer, trusting } from "../support/table-server.ts";

const MB = 1024 * 1024;
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

describe("a table", () => {
  test("is fetched with its version, which the server may confirm", async () => {
    const server = open();
    server.state.answer = (request) =>
      request.headers.get("if-none-match") === '"1"'
        ? new Response(null, { status: 304 })
        : new Response("a,b", { headers: { ETag: '"1"', "Last-Modified": "yesterday" } });

    const first = await fetched(server.origin);
    const second = await fetched(server.origin, { etag: '"1"' });

    expect(first).toEqual({ text: "a,b", etag: '"1"', lastModified: "yesterday" });
    expect(second).toBe("unchanged");
  });

  test("is fetched from where its own host redirects to", async () => {
    const server = open();
    server.state.answer = ({ url }) =>
      url.endsWith("/new") ? new Response("a,b") : Response.redirect(`${server.origin}/new`, 302);

    expect(await fetched(server.origin)).toMatchObject({ text: "a,b" });
  });

  test("is asked for with the password of its entry", async () => {
    const server = open();
    server.state.answer = ({ headers }) => new Response(headers.get("authorization"));

    expect(await fetched(server.origin, { authorization: "Bearer x" })).toMatchObject({
      text: "Bearer x",
    });
  });
});

describe("a host in a private network", () => {
  test("is never connected to", async () => {
    const { port, connections } = await rawServer(() => {});

    const fault = await faultOf(
      fetched(`https://${HOST}:${port}/?password=x`, {}, { alsoPublic: [] }),
    );

    expect(fault.message).toContain(`${HOST} is in a private network`);
    expect(connections()).toBe(0);
  });

  test("is asked if the operator says so, without https too", async () => {
    const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("a,b") });
    closers.push(() => server.stop(true));

    const private_ = { isPrivate: true };
    expect(
      await fetched(`http://127.0.0.1:${server.port}/`, private_, { alsoPublic: [] }),
    ).toMatchObject({ text: "a,b" });
  });
});

describe("a server is told apart and harmless when it", () => {
  test.each([
    [
      "redirects elsewhere",
      "302 Found\r\nLocation: https://other.example/",
      "redirects to another",
    ],
    ["wants a password", "401 No", "check the password"],
    ["has no such table", "404 Not Found", "status 404"],
    [
      "says that it is too large",
      `200 OK\r\nContent-Encoding: x\r\nContent-Length: ${33 * MB}`,
      "32 MB",
    ],
  ])("%s", async (_, head, words) => {
    const { port, allClosed } = await rawServer((peer) => {
      peer.write(
        `HTTP/1.1 ${head}\r\n${head.includes("Length") ? "" : "Content-Length: 1000000\r\n"}\r\n`,
      );
    });

    const fault = await faultOf(fetched(`https://${HOST}:${port}/?password=x`));

    expect(fault.message).toContain(words);
    expect(fault.message).not.toContain("password=x");
    await allClosed();
  });

  test("sends a bomb: nothing is unpacked beyond 32 MB", async () => {
    const bomb = gzipSync(Buffer.alloc(200 * MB));
    const server = open();
    server.state.answer = () => new Response(bomb, { headers: { "Content-Encoding": "gzip" } });

    expect(await faultOf(fetched(server.origin))).toMatchObject({ kind: "too_large" });
  });

  test.each([
    ["takes the call and says nothing", ""],
    ["sends a part and then nothing", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"],
  ])("%s", async (_, said) => {
    const { port, allClosed } = await rawServer((peer) => {
      if (said !== "") peer.write(said);
    });

    const fault = await faultOf(fetched(`https://${HOST}:${port}/`, {}, { timeoutMs: 200 }));

    expect(fault.message).toBe(`${HOST} did not send the table within 60 seconds.`);
    await allClosed();
  });
});

function open() {
  const server = openTableServer();
  closers.push(server.stop);
  return server;
}

async function fetched(
  address: string,
  about: Partial<TableRequest> = {},
  parts: OutboundParts = {},
) {
  const answer = await createTableFetcher(trusting(parts))(
    {
      url: new URL(address),
      isPrivate: false,
      authorization: null,
      etag: null,
      lastModified: null,
      ...about,
    },
    new AbortController().signal,
  );
  if (answer.kind === "unchanged") return "unchanged";
  const pieces = await Array.fromAsync(answer.bytes);
  const { etag, lastModified } = answer;
  return { text: Buffer.concat(pieces).toString(), etag, lastModified };
}

async function faultOf(work: Promise<unknown>): Promise<TableFault> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof TableFault)) throw new Error(`no fault: ${Bun.inspect(error)}`);
  return error;
}

/** TLS server that answers each request with bytes of its own. */
async function rawServer(respond: (peer: Socket) => void) {
  const open = new Set<Socket>();
  let connections = 0;
  const server = createServer({ cert: CERTIFICATE, key: PRIVATE_KEY }, (peer) => {
    open.add(peer);
    peer.on("close", () => open.delete(peer));
    peer.on("error", () => {});
    peer.once("data", () => respond(peer));
  });
  server.on("tlsClientError", () => {});
  server.on("connection", (raw: Socket) => {
    connections++;
    raw.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    for (const peer of open) peer.destroy();
    server.close();
  };
  closers.push(close);
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    async allClosed() {
      for (const peer of open) await once(peer, "close");
    },
    close,
  };
}
