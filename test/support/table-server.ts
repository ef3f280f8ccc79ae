import type { OutboundParts } from "../../src/outbound/pinned-request.ts";
import { readNetwork } from "../../src/core/ip-address.ts";
import { createTableFetcher } from "../../src/tables/fetch.ts";
import { CERTIFICATE, HOST, PRIVATE_KEY } from "../photos/certificate.ts";

const LOOPBACK = readNetwork("127.0.0.0/8");
if (LOOPBACK === null) throw new Error("not a network");

export type TableServer = ReturnType<typeof openTableServer>;

/** Password of the server's table. */
export const PASSWORD = "open sesame & co";

/**
 * HTTPS server with a table, which answers as asm3 does: a wrong password with status 200 and a text, and the table as a
 * JSON list. `answer` can be replaced. Call `stop` when done.
 */
export function openTableServer() {
  const requests: Request[] = [];
  const state = {
    rows: [] as readonly object[],
    password: PASSWORD,
    answer: null as ((request: Request) => Response | Promise<Response>) | null,
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    tls: { cert: CERTIFICATE, key: PRIVATE_KEY },
    fetch(request) {
      requests.push(request);
      return state.answer?.(request) ?? asm3(request);
    },
  });

  function asm3(request: Request): Response {
    if (new URL(request.url).searchParams.get("password") !== state.password)
      return new Response("ERROR: Invalid username and password", {
        headers: { "Content-Type": "text/plain" },
      });
    const body = JSON.stringify(state.rows);
    const etag = `"${Bun.hash(body).toString(36)}"`;
    if (request.headers.get("if-none-match") === etag)
      return new Response(null, { status: 304, headers: { ETag: etag } });
    return new Response(body, { headers: { "Content-Type": "application/json", ETag: etag } });
  }

  return {
    /** Requests so far. */
    requests: requests as readonly Request[],
    /** Rows of the table, its password, and an answer in place of them. */
    state,
    /** Address of its table, in which `{secret}` stands for the password. */
    address: `https://${HOST}:${server.port}/service?method=json_stray_animals&username=desk&password={secret}`,
    origin: `https://${HOST}:${server.port}`,
    /** Fetches from this server, as if it were public. */
    fetchTable: createTableFetcher(trusting()),
    stop: () => server.stop(true),
  };
}

/** Parts of a fetcher that finds every host on this machine, as if it were public. */
export function trusting(parts: OutboundParts = {}): OutboundParts {
  return {
    resolve: async () => ["127.0.0.1"],
    alsoPublic: [LOOPBACK!],
    ca: CERTIFICATE,
    ...parts,
  };
}

/** Row of asm3's table of strays. */
export function stray(code: string, about: object = {}): object {
  return {
    SHELTERCODE: code,
    SPECIESNAME: "Dog",
    BREEDNAME: "Boxer",
    BASECOLOURNAME: "Brown",
    SEXNAME: "Male",
    AGEGROUP: "Adult",
    SIZENAME: "Large",
    MARKINGS: `Tag ${code}`,
    ARCHIVED: 0,
    DECEASEDDATE: null,
    DATEBROUGHTIN: "2026-04-20T10:30:00",
    DATEOFBIRTH: "2020-01-01T00:00:00",
    IDENTICHIPNUMBER: "",
    OWNERNAME: "SECRET NAME",
    OWNERADDRESS: "4711 SECRET STREET",
    ...about,
  };
}
