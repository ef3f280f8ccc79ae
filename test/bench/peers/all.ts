import type { Peer, PeerConnection, PeerName } from "./peer.ts";
import { connectPostgis, postgis } from "./postgis.ts";
import { connectRedis, redis } from "./redis.ts";
import { connectSqlite, sqlite } from "./sqlite.ts";

/** Every peer; both ways of PostGIS run on one server. */
export const PEERS: readonly Peer[] = [postgis, sqlite, redis];

/** Connects to a peer that was started. */
export function connect(name: PeerName, where: string): PeerConnection {
  switch (name) {
    case "postgis":
      return connectPostgis(where, { gistOnly: false });
    case "postgis-gist-only":
      return connectPostgis(where, { gistOnly: true });
    case "sqlite":
      return connectSqlite(where);
    case "redis":
      return connectRedis(where);
  }
}
