import { Resolver } from "node:dns/promises";

/** Asks the DNS. No records are an empty list; rejects when nobody answers. */
export type Dns = {
  /** Each record in one piece. */
  txt(name: string): Promise<readonly string[]>;
  /** IPv4 and IPv6. */
  addresses(name: string): Promise<readonly string[]>;
};

const TIMEOUT_MS = 3_000;
const TRIES = 2;

/** The DNS as this machine is set up to ask it, or as the servers named know it (`127.0.0.1:5353`). */
export function createDns(servers: readonly string[] | null = null): Dns {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers !== null) resolver.setServers(servers);
  return {
    async txt(name) {
      const found = await orNone(resolver.resolveTxt(name));
      return recordsOf(found.flat(), name);
    },
    async addresses(name) {
      const found = [resolver.resolve4(name), resolver.resolve6(name)].map(orNone);
      return (await Promise.all(found)).flat();
    },
  };
}

/** What a piece of a TXT record holds at most (RFC 1035, 3.3). */
const PIECE_BYTES = 255;

/**
 * Puts the pieces of records together: Bun 1.4.5 gives each piece as a record of its own. A full piece goes on in the
 * next one; a DKIM record, alone at its name, may be cut anywhere.
 */
function recordsOf(pieces: readonly string[], name: string): string[] {
  const records: string[] = [];
  let last = "";
  for (const piece of pieces) {
    const isDkimRest = name.includes("._domainkey.") && !piece.startsWith("v=");
    const goesOn = records.length > 0 && (last.length === PIECE_BYTES || isDkimRest);
    records.push(goesOn ? `${records.pop()}${piece}` : piece);
    last = piece;
  }
  return records;
}

async function orNone<Found>(asked: Promise<Found[]>): Promise<Found[]> {
  try {
    return await asked;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ENODATA" || code === "ENOTFOUND") return [];
    throw error;
  }
}
