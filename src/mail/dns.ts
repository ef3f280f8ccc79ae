import { Resolver } from "node:dns/promises";
import { codeOf } from "../ops/fs.ts";

/** DNS client. Without records, the list is empty; rejects when no server answers. */
export type Dns = {
  /** TXT records, each as one string. */
  txt(name: string): Promise<readonly string[]>;
  /** IPv4 and IPv6 addresses. */
  addresses(name: string): Promise<readonly string[]>;
};

const TIMEOUT_MS = 3_000;
const TRIES = 2;

/** DNS client with the system's servers, or with given ones (`127.0.0.1:5353`). */
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

/** Maximum length of a string in a TXT record (RFC 1035, 3.3). */
const PIECE_BYTES = 255;

/**
 * Joins the strings of records: Bun 1.4.5 returns each string as a separate record. A string of maximum length continues
 * in the next one; a DKIM record, the only one of its name, may be split anywhere.
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

async function orNone<Found>(query: Promise<Found[]>): Promise<Found[]> {
  try {
    return await query;
  } catch (error) {
    if (["ENODATA", "ENOTFOUND"].includes(codeOf(error))) return [];
    throw error;
  }
}
